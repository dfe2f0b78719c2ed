"""Leaf values of a search: the game's estimate, or a learned one."""

import math

from numba import types
from numba.extending import overload

from ludex.core.rules import Rules, State, estimate_as, patterns, seats
from ludex.core.search_profile import Learned, SearchProfile
from ludex.kernel.jit import INLINED, shared

# Estimates stay strictly inside the range of returns.
SQUASHED_LIMIT = 1.0 - 1e-6


@shared
def squash(score):
    """Return a score of any size as a value strictly between -1 and 1."""
    return SQUASHED_LIMIT * score / math.sqrt(1.0 + score * score)


@shared
def learned_score(rules, state, seat, weights, places):
    """Return the sum of the weights of a state's patterns, as the seat sees them."""
    total = 0.0
    for index in range(patterns(rules, state, seat, places)):
        total += weights[places[index]]
    return total


@shared
def learned_value(rules, state, seat, weights, places):
    """Return the learned value for the seat: its score minus the best of the others, squashed."""
    mine = learned_score(rules, state, seat, weights, places)
    best = -math.inf
    for other in range(seats(rules)):
        if other != seat:
            best = max(best, learned_score(rules, state, other, weights, places))
    return squash(mine - best)


def leaf_value(rules: Rules, state: State, seat: int, profile: SearchProfile) -> float:
    """Return the estimated value of a state for the seat, strictly between -1 and 1."""
    if isinstance(profile, Learned):
        return float(learned_value(rules, state, seat, profile.weights, profile.places))
    return float(estimate_as(rules, state, seat, profile))


@overload(leaf_value, jit_options=INLINED)
def _leaf_value(rules, state, seat, profile):
    if isinstance(profile, types.Integer):
        return lambda rules, state, seat, profile: estimate_as(rules, state, seat, profile)

    def by_weights(rules, state, seat, profile):
        return learned_value(rules, state, seat, profile.weights, profile.places)

    return by_weights
