"""`ludex tournament`: play a tournament and rate the agents."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console, Group
from rich.live import Live

from ludex.cli.options import as_json, chosen_rules, interruptible, print_json, rule_options, screen
from ludex.cli.playing import PlayOptions, effort, event_hint, open_event, plan_of, play_options
from ludex.cli.scores import cell_facts, fault_lines, json_number, tables_of
from ludex.core.rules import seats
from ludex.core.time_control import Clocks, read_clocks
from ludex.io.text import many
from ludex.library.bars import bar
from ludex.library.series import Tournament
from ludex.store import Played
from ludex.tournaments.event import Event
from ludex.tournaments.plan import FORMATS, ROUND_ROBIN, SIDES, SWISS, Plan, match_count
from ludex.tournaments.standing import Standing, standing
from ludex.tournaments.tournament_file import TournamentFile, read_tournament_file

OFTEN = 0.5  # seconds between two live tables


@click.command()
@click.argument("game", required=False)
@click.argument("agents", nargs=-1, metavar="AGENT...")
@rule_options
@click.option(
    "--file", "order", type=click.Path(path_type=Path), metavar="T.toml", help="Read from a file."
)
@click.option("--format", type=click.Choice(FORMATS), help="Pairings; round-robin.")
@click.option(
    "--matches", type=click.IntRange(min=1), help="Matches per pairing; 10, Swiss 2, sides 1."
)
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds of a Swiss tournament; 5.")
@play_options
@as_json
def tournament(
    pairs: tuple[str, ...],
    file: Path | None,
    order: Path | None,
    options: PlayOptions,
    as_json: bool,
    **given: Any,
) -> None:
    """Play a tournament between agents, and rate them.

    In a round robin everyone plays everyone, in a gauntlet the first plays the others, in the Swiss
    system agents of equal points meet; sides pairs each at the first seat with each at the second.
    Ratings are in Elo with mean 0. An interrupted tournament is resumed by the same command with
    the same seed.

    \b
    ludex tournament trap easy medium hard --rule size=5 --matches 20 --seed 1
    ludex tournament --file league.toml --json
    """
    said = read_tournament_file(order) if order else TournamentFile()
    said = said._replace(**{key: value for key, value in given.items() if value})
    if said.game is None:
        raise ValueError("which game? ludex tournament GAME AGENT AGENT … (see --help)")
    check_entries(said.agents)
    single = tuple(f"{key}={value}" for key, value in said.rules)
    rules = chosen_rules(said.game, (*single, *pairs), file)
    if len(said.agents) < seats(rules):
        raise ValueError(f"{many(len(said.agents), 'agent')} for {seats(rules)} seats: name more")
    how = said.format or ROUND_ROBIN
    if how != SWISS and said.rounds:
        named = "--rounds" if given["rounds"] else f"{str(order)!r}: rounds"
        raise ValueError(f"{named} is for the Swiss system, not for {how}: --format swiss")
    matches = said.matches or {SWISS: 2, SIDES: 1}.get(how, 10)
    rounds = (said.rounds or 5) if how == SWISS else 0
    options = with_file_settings(options, said)
    plan = plan_of(said.game, rules, said.agents, (how, matches, rounds), options)
    began = time.perf_counter()
    event = play_event(plan, options)
    stands = Tournament(event).standing
    seconds = time.perf_counter() - began
    if as_json:
        print_json(facts(stands, plan, event.number, seconds))
    else:
        spent = effort(stands.matches, event.before, seconds)
        show(stands, plan, f"{spent}; seed {plan.seed}{event_hint(event.number, options)}")


def check_entries(agents: tuple[str, ...]) -> None:
    """Raise a ValueError for too few agents, or duplicates."""
    if len(agents) < 2:
        raise ValueError(f"a tournament needs two agents at least, not {len(agents)}")
    twice = next((text for text in agents if agents.count(text) > 1), None)
    if twice is not None:
        raise ValueError(f"the agent {twice!r} is there twice")


def with_file_settings(options: PlayOptions, said: TournamentFile) -> PlayOptions:
    """Return the options with seed and clocks of a file, where the command line has none."""
    if said.seed is not None and not options.seeded:
        options = options._replace(seed=said.seed)
    if said.clock and options.clocks == Clocks():  # which is what it is if the option is not given
        options = options._replace(clocks=read_clocks(said.clock))
    return options


def play_event(plan: Plan, options: PlayOptions) -> Event:
    """Play a plan, showing its table meanwhile, and return the event."""
    console = Console(stderr=True)
    progress = bar()
    task = progress.add_task("matches", total=match_count(plan))
    known: list[Played] = []
    shown_at = 0.0
    with Live(progress, console=console, transient=True, auto_refresh=console.is_terminal) as live:

        def tell(some: list[Played]) -> bool:
            nonlocal shown_at
            known.extend(one._replace(record="") for one in some)
            progress.advance(task, len(some))
            if console.is_terminal and known and time.monotonic() > shown_at + OFTEN:
                stands = standing(known, len(plan.agents), sides=plan.format == SIDES)
                tables = tables_of(stands, plan.agents, plan.format == SIDES, console.width)
                live.update(Group(*tables, progress))
                shown_at = time.monotonic()
            return False

        with open_event(plan, options) as event:
            play = interruptible(event.play, options.pool)
            play(plan, options.pool, tell, bool(options.out))
            event.finish()
        return event


def facts(stands: Standing, plan: Plan, number: int, seconds: float) -> dict[str, Any]:
    """Return a tournament as JSON."""
    return {
        "game": plan.game,
        "format": plan.format,
        "matches": stands.matches,
        "ratings": [
            {
                **stands.scores[one.agent].row(plan.agents[one.agent]),
                "elo": one.elo,
                "interval": [json_number(one.low), json_number(one.high)],
                "superiority": one.superiority,
                "group": one.group,
                "share_interval": list(stands.scores[one.agent].interval),
            }
            for one in stands.ratings
        ],
        "agents": list(plan.agents),
        "table": [[cell_facts(cell) for cell in row] for row in stands.table],
        "endings": stands.endings,
        "faults": [one.row(plan.agents) for one in stands.faults],
        "seed": plan.seed,
        "event": number or None,
        "seconds": seconds,
    }


def show(stands: Standing, plan: Plan, last: str) -> None:
    """Print a tournament, and a last line."""
    console = screen()
    show_standing(console, stands, plan.agents, plan.format == SIDES)
    console.print(f"\n{last}", markup=False)


def show_standing(console: Console, stands: Standing, agents: Sequence[str], sides: bool) -> None:
    """Print ratings, the cross table, and endings other than by the rules."""
    rated, *crossed = tables_of(stands, agents, sides, console.width)
    console.print(rated)
    who = "the row, at the first seat," if sides else "the row"
    if crossed:
        console.print(f"\npoints of {who} against the column, in percent, with 95 % intervals")
    for table in crossed:
        console.print(table)
    for line in fault_lines(one.row(agents) for one in stands.faults):
        console.print(line, markup=False)
