"""Shares, differences, pairs, cross tables: honest, and those of the field where it has them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from ludex.stats import (
    PairCounts,
    Tally,
    cross_table,
    difference,
    elo,
    expected_share,
    mean_return,
    pair_counts,
    pair_difference,
)
from ludex.stats.share import Z, normal_cdf, wilson
from ludex.stats.student import mass_within, t_quantile

pytestmark = pytest.mark.plain

counts = st.integers(0, 1000)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 9, 10, 29, 200, 1001, 50_000])
def test_few_values_reach_as_far_as_student_says(freedom: int) -> None:
    assert t_quantile(freedom) == pytest.approx(t.ppf(0.975, freedom), rel=1e-9)
    assert t_quantile(freedom) > Z
    assert mass_within(1.5, freedom) == pytest.approx(1 - 2 * t.sf(1.5, freedom), rel=1e-12)


def test_a_difference_is_that_of_other_programs() -> None:
    found = difference(136, 111, 96)  # printed by c-chess-cli as 40.70 ± 30.43, LOS 99.60 %
    assert (round(found.elo, 2), round(found.error, 2)) == (40.70, 30.43)
    assert round(found.superiority, 4) == 0.9960


def test_the_ends_of_a_difference_are_those_of_the_share() -> None:
    low, high = difference(90, 0, 10)[1:3]
    reach = Z * math.sqrt(0.9 * 0.1 / 100)
    assert expected_share(low) == pytest.approx(0.9 - reach)
    assert expected_share(high) == pytest.approx(0.9 + reach)
    assert high - elo(0.9) > elo(0.9) - low


def test_wilson_intervals_are_those_of_the_books() -> None:
    # Wilson's interval for 81 of 263, as computed in Newcombe's paper of 1998.
    low, high = wilson(81 / 263, 263)
    assert (low, high) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0.0, 10)[0] == 0.0
    assert all(wilson(1.0, trials)[1] == 1.0 for trials in range(1, 50))
    assert wilson(0.5, 0) == (0.0, 1.0)


def test_nothing_played_says_nothing() -> None:
    assert difference(0, 0, 0) == (0.0, -math.inf, math.inf, 0.5)
    assert pair_difference(PairCounts()) == difference(0, 0, 0)


@pytest.mark.parametrize("matches", [1, 10, 1000])
def test_who_won_all_is_not_known_to_be_infinitely_better(matches: int) -> None:
    won = difference(matches, 0, 0)
    assert won.elo == won.high == math.inf and won.low < math.inf
    assert 0.5 < won.superiority <= normal_cdf(math.sqrt(matches))


def test_draws_alone_show_no_difference_but_do_not_exclude_one() -> None:
    drawn = difference(0, 4, 0)
    assert drawn.elo == 0.0 and drawn.superiority == 0.5
    assert drawn.low == pytest.approx(-drawn.high) and drawn.high > 100


@given(counts, counts, counts)
def test_the_other_agent_sees_the_opposite(wins: int, draws: int, losses: int) -> None:
    ours, theirs = difference(wins, draws, losses), difference(losses, draws, wins)
    assert ours.low <= ours.elo <= ours.high
    assert (ours.elo, ours.low, ours.high) == pytest.approx(
        (-theirs.elo, -theirs.high, -theirs.low)
    )
    assert ours.superiority == pytest.approx(1 - theirs.superiority, abs=1e-9)


@given(st.floats(-2000, 2000))
def test_a_share_is_read_back_from_its_elo(size: float) -> None:
    assert elo(expected_share(size)) == pytest.approx(size, abs=1e-6)


def test_three_quarters_of_the_points_are_191_elo() -> None:
    assert round(elo(0.75)) == 191  # docs/measuring.md says so


def test_the_normal_distribution_is_that_of_tables() -> None:
    assert normal_cdf(0.0) == 0.5 and normal_cdf(Z) == pytest.approx(0.975, abs=1e-15)
    assert normal_cdf(-9.0) > 0.0


def test_pairs_are_counted_by_their_points() -> None:
    worth = [-1, -1, -1, 0, 1, -1, 0, 0, 0.5, 0, 1, 1, -0.2, 0.2, 1]  # the last has no partner
    assert pair_counts(worth) == PairCounts(1, 1, 3, 1, 1)


def test_pairs_go_by_the_numbers_of_matches() -> None:
    assert pair_counts({5: 1.0, 2: -1.0, 1: 1.0, 4: 0.0, 6: 1.0}) == PairCounts(one_and_half=1)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=60))
def test_pairs_have_the_points_of_their_matches(worth: list[float]) -> None:
    found = pair_counts(worth)
    complete = worth[: len(worth) // 2 * 2]
    assert sum(found) == len(complete) // 2
    assert sum(k * count for k, count in enumerate(found)) / 2 == sum(
        (1 + one) / 2 for one in complete
    )


def test_shared_luck_makes_the_interval_of_pairs_narrower() -> None:
    rng = np.random.default_rng(1)
    luck = rng.random(500) < 0.7  # the first seat has an advantage, whoever sits there
    skill = rng.random(500) < 0.1
    worth = np.empty(1000)
    worth[0::2] = np.where(luck | skill, 1, -1)
    worth[1::2] = np.where(luck & ~skill, -1, 1)
    wins = int((worth > 0).sum())
    alone, paired = difference(wins, 0, 1000 - wins), pair_difference(pair_counts(list(worth)))
    assert paired.elo == pytest.approx(alone.elo)
    assert paired.error < alone.error / 2


@pytest.mark.parametrize("counts", [(0, 0, 0, 1, 2), (0, 0, 0, 0, 1), (0, 0, 4, 0, 16)])
def test_a_few_pairs_are_no_surer_than_their_matches(counts: tuple[int, ...]) -> None:
    found, pairs = pair_difference(counts), sum(counts)
    share = sum(k * count for k, count in enumerate(counts)) / (4 * pairs)
    low, high = wilson(share, 2 * pairs)
    assert found.elo == elo(share)
    assert found.low <= elo(low) and (found.high >= elo(high) or share == 0.0)
    assert (
        abs(found.superiority - 0.5) <= normal_cdf(abs(2 * share - 1) * math.sqrt(2 * pairs)) - 0.5
    )


def test_the_share_may_be_of_more_matches_than_the_pairs() -> None:
    assert pair_difference((0, 0, 1, 0, 0), 2 / 3).elo == elo(2 / 3)


@pytest.mark.parametrize("wrong", [(1, 2, 3), (1, 2, 3, 4, -5)])
def test_what_are_no_counts_of_pairs_is_refused(wrong: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected .*counts"):
        pair_difference(wrong)


def test_a_cross_table_counts_every_meeting_from_both_sides() -> None:
    table = cross_table(
        [((0, 1), (1, -1)), ((1, 0), (0, 0)), ((1, 0), (1, -1)), ((0, 1), (1, -1))], 3
    )
    assert table[0][1] == Tally(2, 1, 1) and table[1][0] == Tally(1, 1, 2)
    assert table[0][1].share == 0.625
    low, high = table[0][1].interval
    assert low < 0.625 < high
    assert table[0][2].share == 0.0 and table[0][2].interval == (0.0, 1.0)
    assert all(table[agent][agent].matches == 0 for agent in range(3))


def test_at_a_table_of_three_each_two_are_compared() -> None:
    table = cross_table([((2, 0, 1), (1.0, -0.5, -0.5))], 3)
    assert table[2] == [Tally(wins=1), Tally(wins=1), Tally()]
    assert table[0][1] == table[1][0] == Tally(draws=1)


def test_an_agent_at_two_seats_does_not_meet_itself() -> None:
    table = cross_table([((0, 0, 1), (1, -1, 0))], 2)
    assert table[0][0] == Tally() and table[0][1] == Tally(1, 0, 1)


def test_a_tally_counts_returns_by_their_sign() -> None:
    tally = Tally.of(np.array([1.0, 0.25, 0.0, -0.5]))
    assert tally == Tally(2, 1, 1) and [type(one) for one in tally] == [int] * 3
    assert (tally.matches, tally.share, tally.record()) == (4, 0.625, "2-1-1")
    assert tally.interval == wilson(0.625, 4)
    assert Tally().share == 0.0 and Tally().interval == (0.0, 1.0)


def test_a_mean_return_is_that_of_a_t_test_over_pairs() -> None:
    worth = [0.5, 1.0, -0.5, 0.5, 1.0, 1.0, -1.0, 0.5]
    found = mean_return(dict(enumerate(worth)))
    means = np.array(worth).reshape(-1, 2).mean(axis=1)
    wanted = t.interval(0.95, 3, means.mean(), means.std(ddof=1) / 2)
    assert found == pytest.approx((means.mean(), *wanted))


def test_a_mean_of_one_pair_has_no_interval() -> None:
    assert mean_return({0: 0.5, 1: -0.25}) == (0.125, -math.inf, math.inf)
