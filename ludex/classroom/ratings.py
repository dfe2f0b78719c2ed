"""Ratings of the programs on the ladder, with intervals, and ranks that equals share."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, case, delete, func, insert, select

from ludex.classroom.classroom import VALID, Classroom
from ludex.classroom.jobs import CLAIMED, DONE, FAILED, MATCH, OPEN
from ludex.classroom.schedule import Pair, PairResult, Results, certainty, fit, points_of
from ludex.classroom.schema import history, jobs, programs, ratings
from ludex.match.record import now
from ludex.stats.bradleyterry import BradleyTerry, Strengths
from ludex.stats.profile import Profile
from ludex.stats.ratings import ELO
from ludex.stats.share import Z
from ludex.store.schema import lock

LOCK = 0x10E0  # held while ratings are written
OFTEN = 1.05  # the growth of the matches after which ratings are computed
GROWTH = 1.1  # the share of matches after which a rating goes into the history


class Rated(NamedTuple):
    """The rating of a program, relative to the first house agent."""

    program: int
    elo: float
    low: float
    high: float
    matches: int
    rank: int | None
    """A new one begins at the first program that is certainly worse than one that shares the last.

    None without matches.
    """
    best: int
    worst: int


def results_of(connection: Connection, final: int = 0) -> dict[tuple[int, int], PairResult]:
    """Return what each two programs have played, on the ladder or in a final."""
    column = jobs.c

    def count(*states: str) -> Any:
        return func.sum(case((column.state.in_(states), 1), else_=0))

    digests = func.count(func.distinct(case((column.state == DONE, column.digest))))
    sums = (func.sum(column.matches), func.sum(column.points))
    counts = (count(OPEN, CLAIMED), count(FAILED), digests)
    squares = func.sum(column.points * column.points)
    wanted = select(column.one, column.other, func.count(), *sums, *counts, squares)
    ours = wanted.where(column.kind == MATCH, column.final == final)
    rows = connection.execute(ours.group_by(column.one, column.other)).all()
    kinds = (int, int, float, int, int, int, float)
    return {
        (row[0], row[1]): PairResult._make(
            kind(one) for kind, one in zip(kinds, row[2:], strict=True)
        )
        for row in rows
    }


def rate(players: Sequence[int], anchor: int, results: Results) -> list[Rated]:
    """Return the ratings of the players, the best first, and those without matches last.

    Programs that no longer play count as opponents.
    """
    return rate_and_compare(players, anchor, results)[0]


def rate_and_compare(
    players: Sequence[int], anchor: int, results: Results
) -> tuple[list[Rated], set[Pair]]:
    """Return what `rate` does, and the pairs of players of which the first is certainly better.

    Players without matches are in no pair.
    """
    numbers = sorted({*players, anchor, *(one for pair in results for one in pair)})
    model, strengths = fit(numbers, results)
    taken = points_of(numbers, results)
    places, zero = [numbers.index(one) for one in players], numbers.index(anchor)
    played = (taken + taken.T).sum(axis=1)[places]
    better = certainty(model, strengths)[np.ix_(places, places)] > Z
    better &= np.minimum.outer(played, played) > 0  # the prior alone makes nothing certain
    order = sorted(range(len(players)), key=lambda at: (not played[at], -strengths[places[at]]))
    ranks = shared_ranks(better, [at for at in order if played[at]])
    rated = []
    for at in order:
        elo, low, high = elo_of(model, strengths, places[at], zero, bool(played[at]))
        best, worst = 1 + int(better[:, at].sum()), len(players) - int(better[at].sum())
        matches = round(float(played[at]))
        rated.append(Rated(players[at], elo, low, high, matches, ranks.get(at), best, worst))
    return rated, {(players[one], players[other]) for one, other in np.argwhere(better)}


def elo_of(
    model: BradleyTerry, strengths: Strengths, place: int, zero: int, played: bool
) -> tuple[float, float, float]:
    """Return the rating of a program relative to that at `zero`, and the ends of its interval."""
    if place == zero:
        return 0.0, 0.0, 0.0
    if not played:
        return 0.0, -math.inf, math.inf
    single = np.eye(len(strengths))
    known = Profile(model, strengths, single[place] - single[zero])
    return ELO * known.value, ELO * known.end(-1), ELO * known.end(1)


def shared_ranks(better: NDArray[np.bool_], order: Sequence[int]) -> dict[int, int]:
    """Return ranks in an order, such as 1, 2, 2, 4.

    A new one begins at the first who is certainly worse than one of those that share the last, so
    neighbours may have different ranks though nobody knows which of them is better.
    """
    ranks: dict[int, int] = {}
    equals: list[int] = []
    for place, at in enumerate(order, start=1):
        if any(better[other, at] for other in equals):
            equals = []
        equals.append(at)
        ranks[at] = place + 1 - len(equals)
    return ranks


def update_ratings(classroom: Classroom, factor: float = OFTEN) -> bool:
    """Rate the programs on the ladder anew; return False if that is not due.

    It is if programs have come or gone, or if the matches have grown by a factor.
    """
    with classroom.transaction(reading=True) as connection:
        results = results_of(connection)
        playing, anchor = players_of(connection, classroom)
        known = {row.program: row for row in connection.execute(select(ratings))}
    total = sum(one.played for one in results.values())
    newest = max((row.played for row in known.values()), default=0)
    if known.keys() == set(playing) and (total == newest or total < factor * newest):
        return False
    rows = [
        {
            **one._asdict(),
            "rank": one.rank or 0,
            "low": one.low if math.isfinite(one.low) else None,
            "high": one.high if math.isfinite(one.high) else None,
            "played": total,
        }
        for one in rate(playing, anchor, results)
    ]
    with classroom.transaction() as connection:
        lock(connection, LOCK)
        newest = connection.execute(select(func.max(ratings.c.played))).scalar() or 0
        if newest > total:  # another process was faster
            return False
        connection.execute(delete(ratings))
        if rows:
            connection.execute(insert(ratings), rows)
            keep_history(connection, rows, total)
    return True


def keep_history(connection: Connection, rows: list[dict[str, Any]], total: int) -> None:
    """Keep ratings whose number of matches has grown enough since the last time."""
    last = func.max(history.c.played)
    found = connection.execute(select(history.c.program, last).group_by(history.c.program))
    times: dict[int, int] = {row[0]: row[1] for row in found}
    columns = ("program", "played", "elo", "rank", "low", "high")
    due = [
        {**{name: row[name] for name in columns}, "at": now()}
        for row in rows
        if row["matches"] and total >= max(GROWTH * times.get(row["program"], 0), 1)
    ]
    due = [row for row in due if times.get(row["program"]) != total]
    if due:
        connection.execute(insert(history), due)


def players_of(connection: Connection, classroom: Classroom) -> tuple[list[int], int]:
    """Return the numbers of the programs on the ladder, and that of the first house agent."""
    own = select(programs.c.id, programs.c.agent).order_by(programs.c.id)
    rows = connection.execute(own.where(programs.c.playing, programs.c.state == VALID)).all()
    first = classroom.settings.house[0]
    return [row.id for row in rows], next(row.id for row in rows if row.agent == first)
