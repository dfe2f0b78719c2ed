"""The ladder: ratings with intervals, ranks, and how they came about."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import select

from ludex.classroom.classroom import Classroom
from ludex.classroom.programs import Program, playing_programs
from ludex.classroom.schema import history, ratings


class Row(NamedTuple):
    """A program on the ladder."""

    program: Program
    rank: int | None
    """Shared by programs of which none is certainly better than another; None without matches."""
    best: int
    """The best and the worst place that its results allow."""
    worst: int
    elo: float
    low: float
    """The ends of the 95 % interval, which may be infinite."""
    high: float
    matches: int


class PastRating(NamedTuple):
    """The rating of a program at a time."""

    played: int
    """Matches on the whole ladder until then."""
    elo: float
    low: float
    high: float
    rank: int


def ladder_rows(classroom: Classroom) -> list[Row]:
    """Return the programs on the ladder by rating; those without matches come last."""
    with classroom.transaction(reading=True) as connection:
        known = {row.program: row for row in connection.execute(select(ratings))}
    playing = sorted(playing_programs(classroom), key=lambda one: one.id)
    rated = [one for one in playing if one.id in known]
    ranks = [known[one.id].rank for one in rated if known[one.id].matches]
    rows = [
        Row(one, rank, row.best, row.worst, row.elo, *bounds(row.low, row.high), row.matches)
        for one in rated
        for row in [known[one.id]]
        # A program may have left since the ratings were computed, so that ranks are counted anew.
        for rank in [1 + sum(other < row.rank for other in ranks) if row.matches else None]
    ]
    rows.sort(key=lambda row: (not row.matches, -row.elo))
    last = len(playing)
    return rows + [
        Row(one, None, 1, last, 0.0, -math.inf, math.inf, 0)
        for one in playing
        if one.id not in known
    ]


def past_rating(row: Any) -> PastRating:
    """Return the rating in a row of the present or of the past."""
    return PastRating(row.played, row.elo, *bounds(row.low, row.high), row.rank)


def bounds(low: float | None, high: float | None) -> tuple[float, float]:
    """Return the ends of an interval, infinite where there is none."""
    return -math.inf if low is None else low, math.inf if high is None else high


def rating_history(classroom: Classroom, program: int) -> list[PastRating]:
    """Return how the rating of a program has changed, the oldest first."""
    return rating_histories(classroom, [program])[program]


def rating_histories(classroom: Classroom, programs: Sequence[int]) -> dict[int, list[PastRating]]:
    """Return how the ratings of programs have changed up to now, the oldest first."""
    present = select(ratings).where(ratings.c.program.in_(programs), ratings.c.matches > 0)
    wanted = select(history).where(history.c.program.in_(programs)).order_by(history.c.played)
    found: dict[int, list[PastRating]] = {program: [] for program in programs}
    with classroom.transaction(reading=True) as connection:
        for row in connection.execute(wanted):
            found[row.program].append(past_rating(row))
        for row in connection.execute(present):
            earlier = [one for one in found[row.program] if one.played < row.played]
            found[row.program] = [*earlier, past_rating(row)]
    return found
