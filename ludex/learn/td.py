"""A learned estimate: weights on the patterns of a state, by temporal differences.

Source: TD(lambda) with a function that is linear before it is squashed, from matches against
itself (Sutton, Machine Learning 3, 1988; Tesauro's backgammon). Departures: returns are computed
backwards after each match instead of by traces, which comes to the same but for the weights
changing only then; and there is one table for both seats, whose weights are taken with opposite
signs, so that what is good for one is bad for the other from the start.
"""

import math

import numpy as np

from ludex.bits import lowest
from ludex.compiled import compiled, shared
from ludex.draw import pick, pick_outcome
from ludex.guess import learned_value
from ludex.rules import (
    CHANCE,
    OVER,
    apply,
    candidates,
    chance,
    initial,
    patterns,
    possible,
    returns,
    turn,
)

MOST_PATTERNS = 16  # of one seat in a state


@shared
def expected(rules, state, seat, weights, places):
    """Return what weights say of a state, or on average of what chance makes of it."""
    mover = turn(rules, state)
    if mover == OVER:
        return returns(rules, state, seat)
    if mover != CHANCE:
        return learned_value(rules, state, seat, weights, places)
    total = 0.0
    bits = possible(rules, state)
    while bits:
        outcome = lowest(bits)
        bits &= bits - 1
        after = apply(rules, state, outcome)
        if turn(rules, after) == OVER:
            worth = returns(rules, after, seat)
        else:
            worth = learned_value(rules, after, seat, weights, places)
        total += chance(rules, state, outcome) * worth
    return total


@shared
def best_action(rules, state, seat, weights, places):
    """Return the action after which weights say most to the seat; the first among equals."""
    best, best_worth = -1, -math.inf
    bits = candidates(rules, state, seat, 0)
    while bits:
        action = lowest(bits)
        bits &= bits - 1
        worth = expected(rules, apply(rules, state, action), seat, weights, places)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@compiled
def train(rules, weights, rng, matches, rate, decay, explore, places, seen, counts):
    """Play matches of the weights against themselves, and learn from each; return the decisions.

    rate is how far a value moves towards what came of it, decay is lambda, explore the share of
    actions that are drawn. seen and counts are scratch: the patterns of both seats at each
    decision, as many as a match may have.
    """
    decisions = 0
    for _ in range(matches):
        state = initial(rules)
        plies = 0
        mover = turn(rules, state)
        while mover != OVER and plies < len(counts):
            if mover == CHANCE:
                state = apply(rules, state, pick_outcome(rules, state, rng))
            else:
                for seat in range(2):
                    counts[plies, seat] = patterns(rules, state, seat, places)
                    for index in range(counts[plies, seat]):
                        seen[plies, seat, index] = places[index]
                plies += 1
                if rng.random() < explore:
                    action = pick(candidates(rules, state, mover, 0), rng)
                else:
                    action = best_action(rules, state, mover, weights, places)
                state = apply(rules, state, action)
            mover = turn(rules, state)
        target = returns(rules, state, 0) if mover == OVER else 0.0
        for ply in range(plies - 1, -1, -1):
            value = 0.0
            for seat in range(2):
                for index in range(counts[ply, seat]):
                    weight = weights[seen[ply, seat, index]]
                    value += weight if seat == 0 else -weight
            value = math.tanh(value)
            active = counts[ply, 0] + counts[ply, 1]
            step = rate * (target - value) / active
            for seat in range(2):
                for index in range(counts[ply, seat]):
                    weights[seen[ply, seat, index]] += step if seat == 0 else -step
            target = (1.0 - decay) * value + decay * target
        decisions += plies
    return decisions


def make_scratch(plies: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what `train` needs for matches of at most so many decisions."""
    return (
        np.zeros(MOST_PATTERNS, np.int64),
        np.zeros((plies, 2, MOST_PATTERNS), np.int64),
        np.zeros((plies, 2), np.int64),
    )
