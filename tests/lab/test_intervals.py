"""Intervals of shares: they allow for matches that are alike, and for no more than that."""

import dataclasses

import pytest

from ludex.lab.page import report_blocks
from ludex.lab.report.blocks import ReportTable
from ludex.lab.run.series import Count, sum_counts
from ludex.store.notebook import Notebook
from tests.experiments import outcome_of, ways, won

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]


def test_equal_beginnings_make_an_interval_wider() -> None:
    alone = Count(10, 0, 10, lines=ways(20), starts={str(n): (float(n % 2), 1) for n in range(20)})
    alike = Count(10, 0, 10, lines=ways(20), starts={str(n): (10.0 * n, 10) for n in range(2)})
    assert alone.effective_size == 19 and alike.effective_size == 1
    assert alike.interval[0] < alone.interval[0]


def test_matches_that_went_alike_count_once() -> None:
    same = Count(40, 0, 0, lines=ways(1), starts={str(n): (1.0, 1) for n in range(40)})
    assert same.effective_size == 1


def test_counts_add_up_by_beginnings_and_what_went_alike_stays_one_match() -> None:
    one = Count(1, 0, 1, 0.5, 3, ways(2), {"a": (1.0, 1), "b": (0.0, 1)})
    other = dataclasses.replace(one, lines=ways(3) - ways(1))
    both = sum_counts([one, other])
    assert both == Count(2, 0, 2, 1.0, 6, ways(3), {"a": (2.0, 2), "b": (0.0, 2)})
    assert both.distinct == 3


@pytest.mark.parametrize("different", [2, 12, 37, 40])
@pytest.mark.parametrize("groups", [1, 2, 3, 20, 40])
def test_winning_all_is_never_less_sure_than_winning_nearly_all(
    groups: int, different: int
) -> None:
    for lost in (1, 2, 5):
        (low, high), (less, more) = (won(n, different, groups).interval for n in (0, lost))
        assert low >= less and high - low <= more - less
    assert (
        sum_counts([won(0, different, groups)] * 3).effective_size
        == won(0, different, groups).effective_size
    )


def test_a_perfect_score_counts_as_many_matches_as_differ() -> None:
    assert won(0, 37).effective_size == 37 and 0.90 < won(0, 37).interval[0] < 0.91
    assert won(0, 3).effective_size == 3 and won(0, 37, groups=1).effective_size == 1


def test_beginnings_that_are_all_even_show_no_dependence() -> None:
    even = Count(20, 0, 20, lines=ways(40), starts={str(n): (5.0, 10) for n in range(4)})
    assert even.effective_size == 40


@pytest.mark.parametrize(("most", "most_weight"), [(1, 1), (2, 6)])
def test_searches_that_play_alike_prove_little_however_often(
    most: int, most_weight: int, notebook: Notebook
) -> None:
    # With one nut a turn there is one match; with two there are three beginnings, which decide.
    levels = ["alphabeta:depth=4", "alphabeta:depth=6"]
    told = {"sweep": {}, "matches": 30, "rules": {"nuts": 10, "most": most}, "levels": levels}
    outcome = outcome_of({"kind": "balance", "game": "nuts"} | told, notebook)
    table = next(block for block in report_blocks(outcome) if isinstance(block, ReportTable))
    for fact in table.facts:
        assert fact["amounts_to"] <= most_weight and fact["wins"] + fact["losses"] >= 30
        assert fact["interval"][1] - fact["interval"][0] > 0.5
