"""Ratings agree with other programs, are safe where little is known, and know how little it is."""

import itertools
import math
import warnings

import numpy as np
import pytest

from ludex.stats import Rating, difference, ratings
from ludex.stats.comparison import Result, points
from ludex.stats.ratings import ELO

pytestmark = pytest.mark.plain

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import choix


def round_robin(seed: int, agents: int = 5, matches: int = 12) -> list[Result]:
    """Return matches without draws in which agents of larger numbers are weaker."""
    rng = np.random.default_rng(seed)
    return [
        ((a, b), (1.0, -1.0) if rng.random() < 1 / (1 + math.exp((a - b) / 3)) else (-1.0, 1.0))
        for a, b in itertools.combinations(range(agents), 2)
        for _ in range(matches)
    ]


def by_agent(rated: list[Rating]) -> list[Rating]:
    return sorted(rated, key=lambda one: one.agent)


def elos(results: list[Result], agents: int, prior: float = 0.5) -> list[float]:
    return [one.elo for one in by_agent(ratings(results, agents, prior))]


@pytest.mark.parametrize("seed", range(3))
def test_without_a_prior_ratings_are_those_of_choix(seed: int) -> None:
    results = round_robin(seed)
    wins = [(a, b) if worth[0] > 0 else (b, a) for (a, b), worth in results]
    other = ELO * choix.ilsr_pairwise(5, wins, alpha=0)
    assert elos(results, 5, 0) == pytest.approx(list(other - other.mean()), abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_a_draw_counts_as_half_a_win_of_either(seed: int) -> None:
    rng = np.random.default_rng(seed)
    results = [
        (seats, worth if rng.random() < 0.6 else (0.0, 0.0)) for seats, worth in round_robin(seed)
    ]
    won = {1.0: (0, 0), -1.0: (1, 1), 0.0: (0, 1)}  # a draw is half a win of either
    told = choix.ilsr_pairwise(
        5, [(seats[one], seats[1 - one]) for seats, worth in results for one in won[worth[0]]]
    )
    assert elos(results, 5, 0) == pytest.approx(list(ELO * (told - told.mean())), abs=1e-3)


def test_of_two_agents_the_ratings_are_their_difference() -> None:
    won: Result = ((0, 1), (1, -1))
    lost: Result = ((0, 1), (-1, 1))
    results = [won] * 90 + [lost] * 60
    anchored = ratings(results, 2, prior=0, anchor=1)
    known = difference(90, 0, 60)
    assert anchored[0].elo == pytest.approx(known.elo)
    assert anchored[0][2:4] == pytest.approx(known[1:3], abs=3)
    assert anchored[0].superiority == pytest.approx(known.superiority, abs=1e-3)
    assert anchored[1] == Rating(1, 0.0, 0.0, 0.0, 0, None)


@pytest.mark.parametrize("anchor", [None, 0, 3])
def test_the_mean_or_the_anchor_is_at_zero(anchor: int | None) -> None:
    rated = by_agent(ratings(round_robin(1), 5, anchor=anchor))
    zero = np.mean([one.elo for one in rated]) if anchor is None else rated[anchor].elo
    assert zero == pytest.approx(0, abs=1e-6)
    distances = [one.elo - rated[0].elo for one in rated]
    usual = by_agent(ratings(round_robin(1), 5))
    assert distances == pytest.approx([one.elo - usual[0].elo for one in usual])


def test_the_best_come_first_and_are_likelier_better_than_worse() -> None:
    rated = ratings(round_robin(2), 5)
    assert [one.elo for one in rated] == sorted((one.elo for one in rated), reverse=True)
    assert all(one.low < one.elo < one.high for one in rated)
    assert all(one.superiority is not None and one.superiority >= 0.5 for one in rated[:-1])
    assert rated[-1].superiority is None


def test_equal_agents_are_equal() -> None:
    results: list[Result] = [((a, b), (0, 0)) for a in range(4) for b in range(4) if a != b]
    rated = ratings(results, 4)
    assert [one.agent for one in rated] == [0, 1, 2, 3]
    assert [one.elo for one in rated] == pytest.approx([0] * 4, abs=1e-9)
    assert [one.superiority for one in rated[:-1]] == pytest.approx([0.5] * 3)


def test_who_won_all_has_a_finite_rating_and_a_long_way_up() -> None:
    won: Result = ((0, 1), (1, -1))
    drawn: Result = ((1, 2), (0, 0))
    results = [won] * 10 + [drawn] * 5
    best = ratings(results, 3)[0]
    assert best.agent == 0 and 0 < best.low < best.elo < best.high < math.inf
    assert best.high - best.elo > 2 * (best.elo - best.low)
    with pytest.raises(ValueError, match="agent 1 took nothing from agent 0"):
        ratings(results, 3, prior=0)


def test_strangers_are_rated_in_groups_of_their_own() -> None:
    results: list[Result] = [((0, 1), (1, -1)), ((3, 4), (-1, 1)), ((3, 5), (-1, 1))]
    rated = ratings(results, 6)
    assert [(one.agent, one.group) for one in rated] == [
        (4, 0),
        (5, 0),
        (3, 0),
        (0, 1),
        (1, 1),
        (2, 2),
    ]
    assert [one.superiority is None for one in rated] == [False, False, True, False, True, True]
    assert rated[-1][1:4] == (0.0, -math.inf, math.inf)
    assert ratings(results, 6, anchor=1)[0].group == 0
    assert {one.agent for one in ratings(results, 6, anchor=1) if one.group == 0} == {0, 1}
    assert ratings(results, 6, anchor=2)[0] == Rating(2, 0.0, 0.0, 0.0, 0, None)


def test_who_met_through_others_is_of_one_group() -> None:
    met = [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 6)]
    assert {one.group for one in ratings([(pair, (0, 0)) for pair in met], 7)} == {0}


def test_nothing_played_rates_nobody() -> None:
    assert [one.group for one in ratings([], 3)] == [0, 1, 2] and ratings([], 0) == []


def test_twice_the_matches_are_known_better() -> None:
    once, twice = ratings(round_robin(3), 5, prior=0), ratings(round_robin(3) * 4, 5, prior=0)
    for few, many in zip(once, twice, strict=True):
        assert many.elo == pytest.approx(few.elo)
        assert (many.high - many.low) == pytest.approx((few.high - few.low) / 2, rel=0.05)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_counts_as_one_less_than_it_has_seats(seats: int) -> None:
    assert points([(range(seats), range(seats))], seats).sum() == pytest.approx(seats - 1)


def test_ratings_of_very_many_matches_settle() -> None:
    rated = ratings(round_robin(4) * 500, 5)
    assert [one.elo for one in rated] == pytest.approx(
        [one.elo for one in ratings(round_robin(4), 5, prior=0)], abs=0.1
    )
    assert all(1 < one.high - one.low < 10 for one in rated)


@pytest.mark.unmeasured
@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_hold_the_truth_as_often_as_they_say(seats: int) -> None:
    rng = np.random.default_rng(11)
    truth = np.array([0.9, 0.3, -0.2, -1.0])
    tables = list(itertools.combinations(range(4), seats))
    held = 0
    for _ in range(40):
        results: list[Result] = []
        for table in tables * (60 // len(tables)):
            order = (truth[list(table)] + rng.gumbel(size=seats)).argsort().argsort()
            results.append((table, [float(place) for place in order]))
        held += sum(one.low < ELO * truth[one.agent] < one.high for one in ratings(results, 4))
    assert 0.88 < held / 160 <= 1.0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"anchor": 2}, "anchor 2: expected the number of an agent, 0 to 1"),
        ({"prior": -1.0}, "prior -1: expected a number of matches, at least 0"),
        ({"prior": math.nan}, "prior nan: expected a number of matches, at least 0"),
    ],
)
def test_wrong_wishes_are_refused(options: dict[str, float], told: str) -> None:
    with pytest.raises(ValueError) as refused:
        ratings([((0, 1), (1, -1))], 2, **options)  # type: ignore[arg-type]
    assert str(refused.value) == told
