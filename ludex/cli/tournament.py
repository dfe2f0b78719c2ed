"""`ludex tournament`: many agents meet, and are rated."""

import time
from pathlib import Path
from typing import Any

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from ludex.cli.match import finite
from ludex.cli.options import (
    as_json,
    chosen_rules,
    counted,
    plain_table,
    print_json,
    rule_options,
    screen,
)
from ludex.cli.playing import Venue, effort, plan_of, played, venue_options
from ludex.cli.progress import bar
from ludex.clocks import Clocks, read_clocks
from ludex.ending import BY_RULES
from ludex.rules import seats
from ludex.stats import Cell
from ludex.store import Played
from ludex.tournament.order import Order, read_order
from ludex.tournament.plan import FORMATS, ROUND_ROBIN, SIDES, SWISS, Plan, total
from ludex.tournament.standing import Standing, standing

OFTEN = 0.5  # seconds between two live tables
WIDEST = 12  # agents that a cross table has room for


@click.command()
@click.argument("game", required=False)
@click.argument("agents", nargs=-1, metavar="AGENT...")
@rule_options
@click.option(
    "--file", "order", type=click.Path(path_type=Path), metavar="T.toml", help="Read the order."
)
@click.option("--format", "how", type=click.Choice(FORMATS), help="Who meets whom; all meet all.")
@click.option(
    "--matches", type=click.IntRange(min=1), help="How many for each meeting; 10, Swiss 2, sides 1."
)
@click.option("--rounds", type=click.IntRange(min=1), help="How many in the Swiss system; 5.")
@venue_options
@as_json
def tournament(
    game: str | None,
    agents: tuple[str, ...],
    pairs: tuple[str, ...],
    file: Path | None,
    order: Path | None,
    how: str | None,
    matches: int | None,
    rounds: int | None,
    venue: Venue,
    as_json: bool,
) -> None:
    """Let many agents meet, and rate them.

    In a round robin all meet all, in a gauntlet the first meets the others, in the Swiss system
    equals meet; sides lets each play from the first seat against each at the second. Ratings are
    in Elo, their mean is 0. A tournament that was interrupted goes on where it stopped if it is
    ordered again with the same seed.

    \b
    ludex tournament trap easy medium hard --rule size=5 --matches 20 --seed 1
    ludex tournament --file league.toml --json
    """
    said = read_order(order) if order else Order()
    game = game or said.game
    agents = agents or said.agents
    if game is None:
        raise ValueError("which game? ludex tournament GAME AGENT AGENT … (see --help)")
    check_entries(agents)
    given = tuple(f"{key}={value}" for key, value in said.rules)
    rules = chosen_rules(game, (*given, *pairs), file)
    if len(agents) < seats(rules):
        raise ValueError(f"{counted(len(agents), 'agent')} for {seats(rules)} seats: name more")
    how = how or said.format or ROUND_ROBIN
    matches = matches or said.matches or {SWISS: 2, SIDES: 1}.get(how, 10)
    rounds = (rounds or said.rounds or 5) if how == SWISS else 0
    venue = adjusted(venue, said)
    plan = plan_of(game, rules, agents, seats(rules), how, matches, rounds, venue)
    began = time.perf_counter()
    number, done, before = follow(plan, venue)
    if venue.store:
        venue.store.finish(number)
    stands = standing(done, len(agents), sides=how == SIDES)
    seconds = time.perf_counter() - began
    if as_json:
        print_json(facts(stands, plan, number, seconds))
    else:
        show(stands, plan, number, effort(stands.matches, before, seconds))


def check_entries(agents: tuple[str, ...]) -> None:
    """Raise a ValueError if there are too few agents, or one of them twice."""
    if len(agents) < 2:
        raise ValueError(f"a tournament needs two agents at least, not {len(agents)}")
    twice = next((text for text in agents if agents.count(text) > 1), None)
    if twice is not None:
        raise ValueError(f"the agent {twice!r} is there twice")


def adjusted(venue: Venue, said: Order) -> Venue:
    """Return the venue with seed and clocks of a file, where the command line has none."""
    if said.seed is not None and not venue.seeded:
        venue = venue._replace(seed=said.seed)
    if said.clock and venue.clocks == Clocks():
        venue = venue._replace(clocks=read_clocks(said.clock))
    return venue


def follow(plan: Plan, venue: Venue) -> tuple[int, list[Played], int]:
    """Return what `played` does of a tournament, and show its table meanwhile."""
    console = Console(stderr=True)
    progress = bar()
    task = progress.add_task("matches", total=total(plan))
    known: list[Played] = []
    shown_at = 0.0
    with Live(progress, console=console, transient=True, auto_refresh=console.is_terminal) as live:

        def tell(some: list[Played]) -> bool:
            nonlocal shown_at
            known.extend(one._replace(record="") for one in some)
            progress.advance(task, len(some))
            if console.is_terminal and known and time.monotonic() > shown_at + OFTEN:
                stands = standing(known, len(plan.agents), sides=plan.format == SIDES)
                tables = tables_of(stands, plan)
                live.update(Group(*tables, progress))
                shown_at = time.monotonic()
            return False

        return played(plan, venue, tell)


def facts(stands: Standing, plan: Plan, number: int, seconds: float) -> dict[str, Any]:
    """Return what programs want to know of a tournament."""
    return {
        "game": plan.game,
        "format": plan.format,
        "matches": stands.matches,
        "ratings": [
            {
                "agent": plan.agents[one.agent],
                "elo": one.elo,
                "interval": [finite(one.low), finite(one.high)],
                "superiority": one.superiority,
                "group": one.group,
                "wins": stands.scores[one.agent].wins,
                "draws": stands.scores[one.agent].draws,
                "losses": stands.scores[one.agent].losses,
                "share": stands.scores[one.agent].share,
                "share_interval": list(stands.scores[one.agent].interval),
                "seconds_per_decision": stands.scores[one.agent].pace,
            }
            for one in stands.ratings
        ],
        "agents": list(plan.agents),
        "table": [[cell_facts(cell) for cell in row] for row in stands.table],
        "endings": stands.endings,
        "seed": plan.seed,
        "event": number or None,
        "seconds": seconds,
    }


def cell_facts(cell: Cell) -> dict[str, Any] | None:
    """Return what one agent has won against another, or None if they never met."""
    if not cell.matches:
        return None
    return {**cell._asdict(), "share": cell.share, "interval": list(cell.interval)}


def tables_of(stands: Standing, plan: Plan) -> list[Table]:
    """Return the ratings and the cross table for people."""
    rated = plain_table("", "agent", "Elo (95 %)", "points (95 %)", "won-drawn-lost", "ms")
    for place, one in enumerate(stands.ratings, start=1):
        won = stands.scores[one.agent]
        low, high = won.interval
        rated.add_row(
            str(place),
            plan.agents[one.agent],
            f"{one.elo:+.0f} ({one.low:+.0f} to {one.high:+.0f})",
            f"{100 * won.share:.1f} % ({100 * low:.1f}-{100 * high:.1f})",
            f"{won.wins}-{won.draws}-{won.losses}",
            f"{1000 * won.pace:.3g}",
        )
    if len(plan.agents) > WIDEST:
        return [rated]
    sides = plan.format == SIDES
    order = list(range(len(plan.agents))) if sides else [one.agent for one in stands.ratings]
    crossed = plain_table("", *(str(place) for place in range(1, len(order) + 1)))
    for place, agent in enumerate(order, start=1):
        cells = (cell_text(stands.table[agent][other]) for other in order)
        crossed.add_row(f"{place} {plan.agents[agent]}", *cells)
    return [rated, crossed]


def cell_text(cell: Cell) -> str:
    """Return a cell for people: the points in percent with their interval."""
    if not cell.matches:
        return "-"
    low, high = cell.interval
    return f"{100 * (cell.share or 0):.0f} ({100 * low:.0f}-{100 * high:.0f})"


def show(stands: Standing, plan: Plan, number: int, spent: str) -> None:
    """Print a tournament for people, with what it took."""
    rated, *crossed = tables_of(stands, plan)
    console = screen()
    console.print(rated)
    for table in crossed:
        who = "the row, at the first seat," if plan.format == SIDES else "the row"
        console.print(f"\npoints of {who} against the column, in percent, with 95 % intervals")
        console.print(table)
    for ending, count in stands.endings.items():
        if ending != BY_RULES:
            console.print(f"{count} ended otherwise: {ending}")
    kept = f"; event {number} (ludex history {number})" if number else ""
    console.print(f"\n{spent}; seed {plan.seed}{kept}")
