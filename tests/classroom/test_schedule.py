"""The next match is the one that tells most."""

import pytest

from ludex.classroom.schedule import Pair, PairResult, Results, next_pair

pytestmark = pytest.mark.plain
MOST = 100


def played(points: float, matches: int, running: int = 0, variants: int = 9) -> PairResult:
    jobs = matches // 2 + running
    return PairResult(jobs, matches, points, running, 0, variants)


def chosen(
    players: list[int], results: Results, house: tuple[int, ...] = (), most: int = MOST
) -> Pair | None:
    return next_pair(players, set(house), results, most, seed=1)


def test_a_newcomer_plays_first() -> None:
    results = {(1, 2): played(20, 40), (1, 3): played(20, 40), (2, 3): played(20, 40)}
    for seed in range(9):  # not by a tie
        pair = next_pair([1, 2, 3, 4], set(), results, MOST, seed)
        assert pair is not None and 4 in pair


def test_close_programs_meet_rather_than_distant_ones() -> None:
    # 1 and 2 are equal, 3 loses to both; all have as many matches.
    results = {(1, 2): played(5, 10), (1, 3): played(10, 10), (2, 3): played(10, 10)}
    assert chosen([1, 2, 3], results) == (1, 2)


def test_what_is_being_played_counts_as_played() -> None:
    results = {(1, 2): played(0, 0, running=3), (1, 3): played(0, 0), (2, 3): played(0, 0)}
    for seed in range(9):
        pair = next_pair([1, 2, 3], set(), results, MOST, seed)
        assert pair is not None and 3 in pair


def test_the_same_results_and_seed_choose_the_same_pair() -> None:
    pairs = {next_pair(list(range(9)), set(), {}, MOST, seed) for seed in range(20)}
    assert len(pairs) > 5  # ties are broken by the seed
    assert len({next_pair(list(range(9)), set(), {}, MOST, 1) for _ in range(5)}) == 1


def test_nobody_plays_more_than_needed() -> None:
    results = {(1, 2): played(4, 8), (1, 3): played(4, 8), (2, 3): played(4, 8)}
    assert chosen([1, 2, 3], results, most=16) is None
    assert chosen([1, 2, 3], results, most=17) is not None


def test_house_agents_play_with_those_who_need_it() -> None:
    results = {(1, 2): played(50, 100)}
    assert chosen([1, 2], results, house=(1, 2)) is None
    pair = chosen([1, 2, 3], results, house=(1, 2))
    assert pair is not None and 3 in pair


def test_a_pair_that_repeats_itself_or_fails_is_left_alone() -> None:
    assert chosen([1, 2], {(1, 2): played(6, 6, variants=1)}) is None
    assert chosen([1, 2], {(1, 2): played(6, 6, variants=2)}) == (1, 2)
    assert chosen([1, 2], {(1, 2): PairResult(jobs=3, failed=3)}) is None


def test_alone_nobody_plays() -> None:
    assert chosen([1], {}) is None and chosen([], {}) is None
