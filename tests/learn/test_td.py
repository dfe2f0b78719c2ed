"""Learned estimates: patterns, weights, and learning from matches."""

from typing import Any

import numpy as np
import pytest

from ludex.core.leaf_value import leaf_value, learned_value
from ludex.core.rules import (
    OVER,
    Rules,
    estimate,
    initial,
    patterns,
    patterns_size,
    patterns_text,
    seats,
    turn,
)
from ludex.core.search_profile import Learned, style_part, words_of
from ludex.learn.evaluation import compare
from ludex.learn.lookahead import shallow_search
from ludex.learn.table import memory_from
from ludex.learn.td import TdLearner
from ludex.learn.weights import MOST_PATTERNS, Weights, as_arrays, scratch, weights_of
from ludex.search.alphabeta import AlphaBeta
from ludex.search.minimax import Minimax
from tests.lines import both_ways, random_states, variant

pytestmark = pytest.mark.plain

VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("trap", {}),
    ("trap", {"size": 3}),
    ("aeroplane", {}),
    ("aeroplane", {"planes": 2, "stacks": "block"}),
    ("aeroplane", {"seats": 4}),
)


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_patterns_are_places_of_weights_and_each_is_there_once(
    game: str, rules: dict[str, Any]
) -> None:
    chosen = variant(game, **rules)
    most = patterns_size(chosen)
    for state in random_states(chosen, 3, 300):
        for seat in range(seats(chosen)):
            places = scratch()
            count = patterns(chosen, state, seat, places)
            assert 0 < count <= MOST_PATTERNS
            assert places[:count].min() >= 0 and places[:count].max() < most


def test_what_one_seat_has_learned_counts_against_the_other() -> None:
    rules = variant("trap")
    weights = np.random.default_rng(1).normal(size=patterns_size(rules))
    for state in random_states(rules, 5, 60):
        mine = learned_value(rules, state, 0, weights, scratch())
        assert mine == pytest.approx(-learned_value(rules, state, 1, weights, scratch()))
        assert -1.0 < mine < 1.0


def test_a_style_is_an_int_or_learned() -> None:
    rules = variant("trap")
    learned = Learned(1 << 3, np.zeros(patterns_size(rules)), scratch())
    assert words_of(5) == 5 and words_of(learned) == 8
    assert style_part(learned, 1) == 1 and style_part(learned, 0) == 0
    state = initial(rules)
    assert leaf_value(rules, state, 0, 0) == estimate(rules, state, 0)
    assert leaf_value(rules, state, 0, learned) == 0.0


def test_searches_agree_on_a_learned_estimate() -> None:
    rules = variant("trap", size=4)
    weights = np.random.default_rng(2).normal(scale=0.2, size=patterns_size(rules))
    profile = Learned(0, weights.astype(np.float32), scratch())
    rng = np.random.default_rng(0)
    for state in list(random_states(rules, 8, 30))[::7]:
        seat = turn(rules, state)
        if seat >= 0:
            plain = Minimax(2, profile).consider(rules, state, seat, rng)
            pruned = AlphaBeta(2, profile=profile).consider(rules, state, seat, rng)
            assert pruned.value == pytest.approx(plain.value)
            assert abs(plain.value - Minimax(2).consider(rules, state, seat, rng).value) > 1e-6


def trained(rules: Rules, matches: int, seed: int, **options: Any) -> Weights:
    learner = TdLearner(**options)
    return learner.train(rules, learner.begin(rules), np.random.default_rng(seed), 0, matches)


def test_the_same_seed_learns_the_same_weights() -> None:
    rules = variant("trap", size=3)
    one, same, other = trained(rules, 3, 1), trained(rules, 3, 1), trained(rules, 3, 2)
    assert np.array_equal(one.values, same.values) and np.array_equal(one.visits, same.visits)
    assert not np.array_equal(one.values, other.values)


def test_a_match_that_is_over_moves_its_states_towards_its_end() -> None:
    rules = variant("trap", size=3)
    weights = trained(rules, 1, 4, decay=1.0, explore="0").values
    # The last step before the end was the winner's: its patterns gained, the loser's lost.
    assert weights.max() > 0.0 > weights.min()


def test_a_value_moves_as_far_to_its_target_as_the_rate_says() -> None:
    rules = variant("trap", size=3)
    learner = TdLearner(rate="1", decay=1.0, explore="0")
    weights = learner.begin(rules)
    learner.train(rules, weights, np.random.default_rng(4), 0, 1)
    # From 0 to a target of 1 or -1, shared by all the patterns that both seats see.
    steps = np.abs(weights.values[weights.visits == 1])
    state = initial(rules)
    count = sum(patterns(rules, state, seat, scratch()) for seat in range(2))
    assert np.any(np.isclose(steps, 1.0 / count))


def test_after_an_action_that_was_only_tried_the_end_says_nothing() -> None:
    rules = variant("trap", size=3)
    same = [trained(rules, 1, 4, decay=decay, explore="1") for decay in (0.1, 0.9)]
    assert np.array_equal(same[0].values, same[1].values)
    other = [trained(rules, 1, 4, decay=decay, explore="0") for decay in (0.1, 0.9)]
    assert not np.array_equal(other[0].values, other[1].values)


@pytest.mark.parametrize("depth", [1, 2])
def test_looking_ahead_finds_what_alphabeta_finds(depth: int) -> None:
    rules = variant("trap", size=3)
    weights = np.random.default_rng(2).normal(scale=0.2, size=patterns_size(rules))
    profile = Learned(0, weights.astype(np.float32), scratch())
    compared = 0
    for state in random_states(rules, 8, 30):
        seat = turn(rules, state)
        if seat >= 0:
            searcher = AlphaBeta(depth, profile=profile, rare=depth)
            found = searcher.consider(rules, state, seat, np.random.default_rng(0))
            assert shallow_search(rules, state, seat, depth, profile)[1] == pytest.approx(
                found.value
            )
            compared += 1
    assert compared > 3


def test_weights_come_back_from_a_memory_as_they_were() -> None:
    rules = variant("trap", size=3)
    weights = trained(rules, 2, 1)
    again = weights_of(rules, memory_from(*as_arrays(weights)))
    assert np.array_equal(again.values, weights.values)
    assert np.array_equal(again.visits, weights.visits)


@pytest.mark.unmeasured
def test_a_style_plays_as_well_as_itself_whoever_starts() -> None:
    rules = variant("trap", size=3)
    tally = compare(rules, 0, 0, 1, 1, 60)
    assert sum(tally) == 60 and 0.3 < tally.share < 0.7


@pytest.mark.parametrize(("game", "rules"), VARIANTS)
def test_every_pattern_has_words_of_its_own(game: str, rules: dict[str, Any]) -> None:
    chosen = variant(game, **rules)
    places = range(0, patterns_size(chosen), 7)
    texts = [patterns_text(chosen, place) for place in places]
    assert all(texts) and len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("game", "wanted"), [("nuts", "this game says no `patterns`"), ("droids", "`patterns`")]
)
def test_a_game_without_patterns_is_refused(game: str, wanted: str) -> None:
    with pytest.raises(ValueError, match=wanted):
        TdLearner().begin(variant(game))
    with pytest.raises(ValueError, match="two seats"):
        TdLearner().begin(variant("aeroplane", seats=3))


@pytest.mark.compiled
def test_the_same_is_learned_of_trap_compiled_and_interpreted() -> None:
    compiled, interpreted = both_ways("tests.learn.test_td.sample")
    for one, other in zip(compiled[:2], interpreted[:2], strict=True):
        assert len(one) > 20
        assert np.abs(np.subtract(one, other)).max() < 1e-7  # single precision
    assert compiled[2:] == interpreted[2:]


def sample() -> list[Any]:
    """Return what some matches teach, what looking ahead finds then, and who wins a duel."""
    rules = variant("trap", size=3)
    weights = trained(rules, 3, 1)
    profile = Learned(0, weights.values, scratch())
    found = [
        shallow_search(rules, state, turn(rules, state), 2, profile)
        for state in random_states(rules, 8, 30)
        if turn(rules, state) >= 0
    ]
    taught = weights.values[weights.visits > 0].tolist()
    worths, actions = [float(worth) for _, worth in found], [int(action) for action, _ in found]
    return [taught, worths, actions, list(compare(rules, profile, 0, 1, 1, 4))]


@pytest.mark.compiled
def test_what_was_learned_tells_who_is_better_in_most_solved_positions() -> None:
    from ludex.solve.solving import finish, tell_nobody
    from ludex.solve.states.state_space import best_folding, list_states
    from ludex.solve.values.induction import Induction

    rules = variant("trap", size=3)
    first = initial(rules)
    listing = list_states(rules, first, best_folding(rules, first), 1 << 20)
    induction = Induction(rules, listing)
    finish(induction, tell_nobody)
    weights = trained(rules, 4000, 1, over=4000).values
    agree = total = 0
    for number in range(0, len(listing.keys), 37):
        state, value = listing.state(number), induction.values[number]
        if turn(rules, state) != OVER and abs(value) > 0.3:
            total += 1
            agree += learned_value(rules, state, 0, weights, scratch()) * value > 0.0
    assert total > 100 and agree / total > 0.65
