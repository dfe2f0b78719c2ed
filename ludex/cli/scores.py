"""Scores and failures of agents, as text and as JSON."""

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table

from ludex.cli import console
from ludex.stats import Tally
from ludex.tournaments.standing import Standing

WIDEST = 12  # most agents in a cross table
CELL = 14  # width of a cell


def json_number(number: float) -> float | None:
    """Return a number, or None if JSON cannot represent it."""
    return number if math.isfinite(number) else None


def cell_facts(cell: Tally) -> dict[str, Any] | None:
    """Return the score of one agent against another as JSON, or None if they never met."""
    if not cell.matches:
        return None
    return {**dataclasses.asdict(cell), "share": cell.share, "interval": list(cell.interval)}


def score_table(scores: Iterable[dict[str, Any]]) -> Table:
    """Return the scores of agents as a table, in the given order."""
    table = console.table("", "agent", "won", "drawn", "lost", "points (95 %)", "ms")
    for place, one in enumerate(scores, start=1):
        counts = (str(one[name]) for name in ("wins", "draws", "losses"))
        pace = pace_text(one["seconds_per_decision"])
        table.add_row(str(place), one["agent"], *counts, points_text(one), pace)
    return console.fit(table, "agent")


def elo_text(elo: float, low: float, high: float) -> str:
    """Return a rating with its interval."""
    middle, least, most = (f"{one:+.0f}".replace("-0", "+0") for one in (elo, low, high))
    return f"{middle} ({least} to {most})"


def pace_text(seconds: float | None) -> str:
    """Return the milliseconds of a decision; - if there was none, or it was not measured."""
    if not seconds:
        return "-"
    return f"{1000 * seconds:.2g}" if seconds < 0.1 else f"{1000 * seconds:.0f}"


def points_text(one: dict[str, Any]) -> str:
    """Return a share of the points with its interval; - if no match was played."""
    if not any(one[name] for name in ("wins", "draws", "losses")):
        return "-"
    low, high = one["interval"]
    return f"{100 * one['share']:.3g} % ({100 * low:.0f}-{100 * high:.0f})"


def tables_of(stands: Standing, agents: Sequence[str], sides: bool, width: int) -> list[Table]:
    """Return the ratings and the cross table, split to fit the screen.

    An agent has the same number in all of them: its rank or, by sides, its index.
    """
    places = [one.agent for one in stands.ratings]
    order = list(range(len(agents))) if sides else places
    rated = console.table("", "agent", "Elo (95 %)", "points (95 %)", "w-d-l", "ms")
    for one in stands.ratings:
        won = stands.scores[one.agent]
        rated.add_row(
            str(order.index(one.agent) + 1),
            agents[one.agent],
            elo_text(one.elo, one.low, one.high),
            points_text(won.row("")),
            won.record(),
            pace_text(won.mean_seconds),
        )
    console.fit(rated, "agent")
    if len(agents) > WIDEST:
        return [rated]
    names = [f"{number} {agents[agent]}" for number, agent in enumerate(order, start=1)]
    room = max((width - max(map(len, names))) // CELL, 1)
    parts = []
    for start in range(0, len(order), room):
        columns = order[start : start + room]
        part = console.table("", *(str(start + number) for number in range(1, len(columns) + 1)))
        for name, agent in zip(names, order, strict=True):
            part.add_row(name, *(cell_text(stands.table[agent][other]) for other in columns))
        parts.append(console.fit(part, ""))
    return [rated, *parts]


def cell_text(cell: Tally) -> str:
    """Return the points in percent with their interval."""
    if not cell.matches:
        return "-"
    low, high = cell.interval
    return f"{100 * cell.share:.0f} ({100 * low:.0f}-{100 * high:.0f})"
