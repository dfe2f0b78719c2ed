"""Ratings have honest intervals, and ranks do not drift by chance."""

import math
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import event, insert

from ludex.classroom import schema
from ludex.classroom.classroom import Classroom
from ludex.classroom.jobs import DONE, MATCH
from ludex.classroom.ladder import ladder_rows, rating_histories, rating_history
from ludex.classroom.programs import new_job
from ludex.classroom.ratings import rate, stable_ranks, update_ratings
from ludex.classroom.schedule import PairResult
from ludex.stats import ratings
from tests.classrooms import small_class

pytestmark = pytest.mark.plain


def result(points: float, matches: int) -> PairResult:
    return PairResult(jobs=matches // 2, played=matches, points=points)


def test_ratings_are_those_of_the_statistics_with_the_anchor_at_0() -> None:
    results = {(1, 2): result(7, 10), (1, 3): result(4, 10), (2, 3): result(3, 10)}
    met = {(0, 1): 7, (0, 2): 4, (1, 2): 3}
    lists = [
        (pair, (1.0, -1.0) if at < won else (-1.0, 1.0))
        for pair, won in met.items()
        for at in range(10)
    ]
    known = {one.agent + 1: one for one in ratings(lists, 3, anchor=0)}
    for one in rate([1, 2, 3], 1, results, {}):
        other = known[one.program]
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high))
        assert one.matches == 20


def test_without_matches_nothing_is_known() -> None:
    [first, second] = rate([1, 2], 1, {}, {})
    assert (first.low, first.high) == (0.0, 0.0)
    assert (second.low, second.high) == (-math.inf, math.inf)
    assert (second.best, second.worst) == (1, 2)


def test_programs_that_no_longer_play_count_as_opponents() -> None:
    # 1 has met only 9, and 2 has lost to 9: so 1 is better than 2.
    rated = {
        one.program: one
        for one in rate([1, 2], 2, {(1, 9): result(30, 30), (2, 9): result(0, 30)}, {})
    }
    assert rated[1].elo > 400 and rated.keys() == {1, 2}


def test_a_rank_changes_only_where_it_is_certain() -> None:
    before = {1: 1, 2: 2}
    for points, order in ((8, [1, 2]), (2, [2, 1])):  # of 20, for the first
        rated = rate([1, 2], 1, {(1, 2): result(points, 20)}, before)
        assert [one.program for one in rated] == order


def test_places_say_what_the_results_allow() -> None:
    results = {(1, 2): result(10, 20), (1, 3): result(20, 20), (2, 3): result(20, 20)}
    rated = {one.program: (one.best, one.worst) for one in rate([1, 2, 3], 1, results, {})}
    assert rated == {1: (1, 2), 2: (1, 2), 3: (3, 3)}


def test_nobody_stands_above_one_who_is_certainly_better() -> None:
    better = np.zeros((3, 3), bool)
    better[2, 0] = True  # the last before is certainly better than the first
    assert stable_ranks(better, np.array([0.0, 0.5, 1.0]), [1, 2, 3]) == [3, 1, 2]


def test_newcomers_are_placed_by_their_estimates() -> None:
    none = np.zeros((3, 3), bool)
    assert stable_ranks(none, np.array([2.0, 1.0, 1.5]), [1, 2, None]) == [1, 3, 2]


def add_results(classroom: Classroom, points: float, turn: int) -> None:
    row = new_job(MATCH, 1, 2, turn, 0)
    row |= {"state": DONE, "points": points, "matches": 2, "digest": str(turn)}
    with classroom.transaction() as connection:
        connection.execute(insert(schema.jobs).values(**row))


def test_the_ladder_shows_ratings_and_their_history(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, house=["random", "greedy"])
    assert [row.matches for row in ladder_rows(classroom)] == [0, 0]
    for turn in range(8):
        add_results(classroom, 0.5, turn)
        assert update_ratings(classroom)
    add_results(classroom, 0.5, 8)
    assert not update_ratings(classroom, factor=2.0)  # not yet
    first, second = ladder_rows(classroom)
    assert (first.program.name, second.program.name) == ("greedy", "random")
    assert second.elo == 0.0 and first.low < first.elo < first.high and first.matches == 16
    past = rating_history(classroom, first.program.id)
    assert [one.played for one in past] == list(range(2, 18, 2))
    assert past[-1].elo == first.elo and past[0].high - past[0].low > first.high - first.low


def test_the_histories_of_several_programs_are_read_with_one_query(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, house=["random", "greedy"])
    for turn in range(3):
        add_results(classroom, 0.5, turn)
        assert update_ratings(classroom)
    programs = [row.program.id for row in ladder_rows(classroom)]
    apart = {one: rating_history(classroom, one) for one in programs}
    asked: list[str] = []
    event.listen(classroom.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    together = rating_histories(classroom, [*programs, 99])
    assert together == {**apart, 99: []} and list(together) == [*programs, 99]
    assert len([text for text in asked if "class_history" in text]) == 1
