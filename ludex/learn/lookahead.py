"""A search of one or two decisions, towards whose values a learned estimate is trained.

It is not recursive: compiled code that calls a recursive function cannot be cached on disk.
It does not search beyond unlikely outcomes.
"""

from ludex.core.leaf_value import leaf_value
from ludex.core.rules import CHANCE, OVER, apply, candidates, chance, foreseen, returns, turn
from ludex.core.search_profile import UNLIKELY
from ludex.kernel.bits import members
from ludex.kernel.jit import compiled, shared

DEEPEST_LOOK = 2


@compiled
def static_value(rules, state, seat, profile):
    """Return the returns or the estimate for the seat; compiled separately to limit code size."""
    if turn(rules, state) == OVER:
        return returns(rules, state, seat)
    return leaf_value(rules, state, seat, profile)


@shared
def expected_value(rules, state, seat, profile):
    """Return the static value of a state, or its expectation at a chance node."""
    if turn(rules, state) != CHANCE:
        return static_value(rules, state, seat, profile)
    total = 0.0
    for outcome in members(foreseen(rules, state, profile)):
        after = apply(rules, state, outcome)
        total += chance(rules, state, outcome) * static_value(rules, after, seat, profile)
    return total


@compiled
def backed_up_value(rules, state, seat, profile):
    """Return the value of a state for the seat after one decision."""
    mover = turn(rules, state)
    if mover < 0:
        return static_value(rules, state, seat, profile)
    best = -2.0 if mover == seat else 2.0
    for action in members(candidates(rules, state, mover, profile)):
        value = expected_value(rules, apply(rules, state, action), seat, profile)
        best = max(best, value) if mover == seat else min(best, value)
    return best


@shared
def value_after_decision(rules, state, seat, profile):
    """Return the value of a state after one decision, or its expectation at a chance node."""
    if turn(rules, state) != CHANCE:
        return backed_up_value(rules, state, seat, profile)
    total = 0.0
    for outcome in members(foreseen(rules, state, profile)):
        p = chance(rules, state, outcome)
        after = apply(rules, state, outcome)
        if p < UNLIKELY:
            total += p * static_value(rules, after, seat, profile)
        else:
            total += p * backed_up_value(rules, after, seat, profile)
    return total


@shared
def shallow_search(rules, state, mover, depth, profile):
    """Return the best action by a search of one or two decisions, and its value.

    Ties are broken by the first action.
    """
    best, best_action = -2.0, -1
    for action in members(candidates(rules, state, mover, profile)):
        after = apply(rules, state, action)
        if depth > 1:
            value = value_after_decision(rules, after, mover, profile)
        else:
            value = expected_value(rules, after, mover, profile)
        if value > best:
            best, best_action = value, action
    return best_action, best
