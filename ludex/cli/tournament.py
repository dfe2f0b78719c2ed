"""`ludex tournament`: play a tournament and rate the agents."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console, Group
from rich.live import Live

from ludex.cli import console, options, words
from ludex.cli.event import PlaySettings, last_line, play, play_options
from ludex.cli.scores import cell_facts, json_number, tables_of
from ludex.core.time_control import Clocks, read_clocks
from ludex.library.progress import bar
from ludex.library.results import Tournament, fault_lines
from ludex.library.series import match_numbers
from ludex.store import Played
from ludex.tournaments.event import Event
from ludex.tournaments.plan import FORMATS, ROUND_ROBIN, SIDES, SWISS, Plan, match_count
from ludex.tournaments.standing import Standing, standing
from ludex.tournaments.tournament_file import TournamentFile, read_tournament_file

OFTEN = 0.5  # seconds between two live tables


@click.command()
@click.argument("game", type=words.GAME, required=False)
@click.argument("agents", type=words.AGENT, nargs=-1, metavar="AGENT...")
@options.rules
@click.option("--file", "order", type=options.PATH, metavar="T.toml", help="Read from a file.")
@click.option("--format", type=click.Choice(FORMATS), help="Pairings; round-robin.")
@click.option("--matches", type=options.POSITIVE, help="Matches per pairing; 10, Swiss 2, sides 1.")
@click.option("--rounds", type=options.POSITIVE, help="Rounds of a Swiss tournament; 5.")
@play_options
@options.as_json
def tournament(
    pairs: tuple[str, ...],
    file: Path | None,
    order: Path | None,
    settings: PlaySettings,
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
    single = tuple(f"{key}={value}" for key, value in said.rules)
    rules = options.chosen_rules(said.game, (*single, *pairs), file)
    how = said.format or ROUND_ROBIN
    if how != SWISS and said.rounds and not given["rounds"]:
        where = f"{str(order)!r}: rounds"
        raise ValueError(f"{where} is for the Swiss system, not for {how}: --format swiss")
    settings = with_file_settings(settings, said)
    plan = settings.plan(rules, said.agents, how, *match_numbers(how, said.matches, said.rounds))
    began = time.perf_counter()
    event = play_event(plan, settings)
    stands = Tournament(event).standing
    seconds = time.perf_counter() - began
    last = last_line(event, plan, seconds, settings.db)
    told = facts(stands, plan, event.number, seconds)
    console.emit(told, show, stands, plan, last)


def with_file_settings(settings: PlaySettings, said: TournamentFile) -> PlaySettings:
    """Return the settings with seed and clocks of a file, where the command line has none."""
    if said.seed is not None and not settings.seeded:
        settings = replace(settings, seed=said.seed)
    if said.clock and settings.clocks == Clocks():  # the option is not given
        settings = replace(settings, clocks=read_clocks(said.clock))
    return settings


def play_event(plan: Plan, settings: PlaySettings) -> Event:
    """Play a plan, showing its table as it grows, and return the event."""
    err = Console(stderr=True)
    progress = bar()
    task = progress.add_task("matches", total=match_count(plan))
    known: list[Played] = []
    shown_at = 0.0
    with Live(progress, console=err, transient=True, auto_refresh=err.is_terminal) as live:

        def tell(some: list[Played]) -> bool:
            nonlocal shown_at
            known.extend(one._replace(record="") for one in some)
            progress.advance(task, len(some))
            if err.is_terminal and known and time.monotonic() > shown_at + OFTEN:
                stands = standing(known, len(plan.agents), sides=plan.format == SIDES)
                tables = tables_of(stands, plan.agents, plan.format == SIDES, err.width)
                live.update(Group(*tables, progress))
                shown_at = time.monotonic()
            return False

        return play(plan, settings, tell)


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
    show_standing(stands, plan.agents, plan.format == SIDES)
    console.say(f"\n{last}")


def show_standing(stands: Standing, agents: Sequence[str], sides: bool) -> None:
    """Print ratings, the cross table, and endings other than by the rules."""
    rated, *crossed = tables_of(stands, agents, sides, console.screen().width)
    console.show(rated)
    who = "the row, at the first seat," if sides else "the row"
    if crossed:
        console.show(f"\npoints of {who} against the column, in percent, with 95 % intervals")
    for table in crossed:
        console.show(table)
    for line in fault_lines(one.row(agents) for one in stands.faults):
        console.say(line)
