"""Ratings have honest intervals, and equals share a rank."""

import math
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import event

from ludex.classroom.ladder import ladder_rows, rating_histories, rating_history
from ludex.classroom.ratings import rate, rate_and_compare, shared_ranks, update_ratings
from ludex.classroom.schedule import PairResult
from ludex.stats import ratings
from tests.classrooms import add_result, small_class

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
    for one in rate([1, 2, 3], 1, results):
        other = known[one.program]
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high))
        assert one.matches == 20


def test_pairs_that_end_alike_tell_less_than_independent_matches() -> None:
    # 10 pairs with 10 of 20 points: all split, as by chance, and all 2 or 0.
    widths = []
    for squares in (10.0, 15.0, 20.0):
        found = result(10, 20)._replace(squares=squares)
        rated = {one.program: one for one in rate([1, 2], 1, {(1, 2): found})}
        assert rated[2].elo == pytest.approx(0.0, abs=1e-6) and rated[2].matches == 20
        widths.append(rated[2].high - rated[2].low)
    independent = rate([1, 2], 1, {(1, 2): result(10, 20)})
    assert widths[0] == widths[1] == max(one.high - one.low for one in independent)
    assert 1.35 * widths[1] < widths[2] < 1.45 * widths[1]  # half as many matches


def test_without_matches_nothing_is_known() -> None:
    [first, second] = rate([1, 2], 1, {})
    assert (first.low, first.high) == (0.0, 0.0)
    assert (second.low, second.high) == (-math.inf, math.inf)
    assert (second.best, second.worst) == (1, 2)
    assert first.rank is second.rank is None


def test_programs_that_no_longer_play_count_as_opponents() -> None:
    # 1 has met only 9, and 2 has lost to 9: so 1 is better than 2.
    rated = {
        one.program: one for one in rate([1, 2], 2, {(1, 9): result(30, 30), (2, 9): result(0, 30)})
    }
    assert rated[1].elo > 400 and rated.keys() == {1, 2}


def test_programs_stand_in_the_order_of_their_ratings() -> None:
    results = {(1, 2): result(8, 20), (1, 3): result(1, 2), (2, 3): result(1, 2)}
    rated = rate([1, 2, 3, 4], 1, results)
    ratings = [one.elo for one in rated[:-1]]
    assert ratings == sorted(ratings, reverse=True) and rated[0].program == 2
    assert rated[-1].program == 4 and rated[-1].rank is None  # it has not played
    assert [one.rank for one in rated[:-1]] == [1, 1, 1]


def test_a_rank_is_shared_until_it_is_certain_who_is_better() -> None:
    for points, ranks in ((8, [1, 1]), (2, [1, 2])):  # of 20, for the first
        rated = rate([1, 2], 1, {(1, 2): result(points, 20)})
        assert [(one.program, one.rank) for one in rated] == list(zip([2, 1], ranks, strict=True))


def test_places_say_what_the_results_allow() -> None:
    results = {(1, 2): result(10, 20), (1, 3): result(20, 20), (2, 3): result(20, 20)}
    rated = {one.program: (one.best, one.worst) for one in rate([1, 2, 3], 1, results)}
    assert rated == {1: (1, 2), 2: (1, 2), 3: (3, 3)}


def test_nobody_is_certainly_better_without_matches() -> None:
    # Each of 9 has always won against the next, so 10, which is new, stands far above the last.
    results = {(one, one + 1): result(20, 20) for one in range(1, 9)}
    rated, certain = rate_and_compare(range(1, 11), 1, results)
    assert rated == rate(range(1, 11), 1, results)
    assert (1, 9) in certain and all(10 not in pair for pair in certain)
    assert [(one.best, one.worst) for one in rated if one.program == 10] == [(1, 10)]


def test_nobody_shares_a_rank_with_one_who_is_certainly_better() -> None:
    better = np.zeros((4, 4), bool)
    better[2, 0] = better[2, 3] = True  # but 1, a newcomer at the top, is not certainly better
    assert shared_ranks(better, [1, 2, 0, 3]) == {1: 1, 2: 1, 0: 3, 3: 3}


def test_the_ladder_shows_ratings_and_their_history(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, house=["random", "greedy"])
    assert [(row.matches, row.rank) for row in ladder_rows(classroom)] == [(0, None)] * 2
    assert update_ratings(classroom)
    assert [(row.matches, row.rank) for row in ladder_rows(classroom)] == [(0, None)] * 2
    for turn in range(8):
        add_result(classroom, 1, 2, turn, 0.5)
        assert update_ratings(classroom)
    add_result(classroom, 1, 2, 8, 0.5)
    assert not update_ratings(classroom, factor=2.0)  # not yet
    first, second = ladder_rows(classroom)
    assert (first.program.name, second.program.name) == ("greedy", "random")
    assert second.elo == 0.0 and first.low < first.elo < first.high and first.matches == 16
    assert (first.rank, second.rank) == (1, 1)  # 12 of 16 is not certain
    past = rating_history(classroom, first.program.id)
    assert [one.played for one in past] == list(range(2, 18, 2))
    assert past[-1].elo == first.elo and past[0].high - past[0].low > first.high - first.low


def test_a_history_ends_at_the_present_rating(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, house=["random", "greedy"])
    for turn in range(11):  # from here on, not every rating goes into the history
        add_result(classroom, 1, 2, turn, 0.5)
        update_ratings(classroom, factor=1.0)
    add_result(classroom, 1, 2, 11, 2.0)
    assert update_ratings(classroom, factor=1.0)
    [row] = [one for one in ladder_rows(classroom) if one.program.agent == "greedy"]
    past = rating_history(classroom, row.program.id)
    assert (past[-1].played, past[-1].elo) == (24, row.elo)
    assert len({one.played for one in past}) == len(past)


def test_the_histories_of_several_programs_are_read_with_one_query(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, house=["random", "greedy"])
    for turn in range(3):
        add_result(classroom, 1, 2, turn, 0.5)
        assert update_ratings(classroom)
    programs = [row.program.id for row in ladder_rows(classroom)]
    apart = {one: rating_history(classroom, one) for one in programs}
    asked: list[str] = []
    event.listen(classroom.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    together = rating_histories(classroom, [*programs, 99])
    assert together == {**apart, 99: []} and list(together) == [*programs, 99]
    assert len([text for text in asked if "class_history" in text]) == 1
