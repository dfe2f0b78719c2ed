"""Learned estimates: patterns, weights, and learning from matches."""

from typing import Any

import numpy as np
import pytest

from ludex.guess import guess, learned_value
from ludex.learn.td import MOST_PATTERNS, make_scratch, train
from ludex.rules import OVER, Rules, estimate, initial, patterns, patterns_size, seats, turn
from ludex.search.alphabeta import AlphaBeta
from ludex.search.plain import Minimax
from ludex.style import Learned, style_part, words_of
from tests.lines import random_states, variant

VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("trap", {}),
    ("trap", {"size": 3}),
    ("aeroplane", {}),
    ("aeroplane", {"planes": 2, "stacks": "block"}),
    ("aeroplane", {"seats": 4}),
)


def scratch() -> np.ndarray:
    return np.zeros(MOST_PATTERNS, np.int64)


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
    assert guess(rules, state, 0, 0) == estimate(rules, state, 0)
    assert guess(rules, state, 0, learned) == 0.0


def test_searches_agree_on_a_learned_estimate() -> None:
    rules = variant("trap", size=4)
    weights = np.random.default_rng(2).normal(scale=0.2, size=patterns_size(rules))
    style = Learned(0, weights, scratch())
    rng = np.random.default_rng(0)
    for state in list(random_states(rules, 8, 30))[::7]:
        seat = turn(rules, state)
        if seat >= 0:
            plain = Minimax(2, style).consider(rules, state, seat, rng)
            pruned = AlphaBeta(2, style=style).consider(rules, state, seat, rng)
            assert pruned.value == pytest.approx(plain.value)
            assert abs(plain.value - Minimax(2).consider(rules, state, seat, rng).value) > 1e-6


def trained(rules: Rules, matches: int, seed: int) -> np.ndarray:
    weights = np.zeros(patterns_size(rules))
    train(rules, weights, np.random.default_rng(seed), matches, 0.3, 0.8, 0.1, *make_scratch(200))
    return weights


def test_the_same_seed_learns_the_same_weights() -> None:
    rules = variant("trap", size=3)
    assert np.array_equal(trained(rules, 3, 1), trained(rules, 3, 1))
    assert not np.array_equal(trained(rules, 3, 1), trained(rules, 3, 2))


def test_a_match_that_is_over_moves_its_states_towards_its_end() -> None:
    rules = variant("trap", size=3)
    weights = trained(rules, 1, 4)
    # The last step before the end was the winner's: its patterns gained, the loser's lost.
    assert weights.max() > 0.0 > weights.min()
    assert weights.sum() == pytest.approx(0.0)


@pytest.mark.compiled
def test_what_was_learned_tells_who_is_better_in_most_solved_positions() -> None:
    from ludex.solve.induction import Induction
    from ludex.solve.listing import best_folding, list_states

    rules = variant("trap", size=3)
    first = initial(rules)
    listing = list_states(rules, first, best_folding(rules, first), 1 << 20)
    induction = Induction(rules, listing)
    while induction.finished < len(induction.blocks):
        induction.go_on()
    weights = trained(rules, 4000, 1)
    agree = total = 0
    for number in range(0, len(listing.keys), 37):
        state, value = listing.state(number), induction.values[number]
        if turn(rules, state) != OVER and abs(value) > 0.3:
            total += 1
            agree += learned_value(rules, state, 0, weights, scratch()) * value > 0.0
    assert total > 100 and agree / total > 0.65
