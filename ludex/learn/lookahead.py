"""A search of one or two decisions, whose values a learned estimate is trained on.

It is not recursive: compiled code that calls a recursive function cannot be cached on disk.
It stops after an unlikely outcome.
"""

from ludex.core.leaf_value import leaf_value
from ludex.core.rules import CHANCE, OVER, apply, candidates, chance, foreseen, returns, turn
from ludex.core.search_profile import UNLIKELY
from ludex.kernel.bits import lowest
from ludex.kernel.jit import compiled, shared

DEEPEST_LOOK = 2


@compiled
def looks_worth(rules, state, seat, profile):
    """Return what a state looks worth to the seat; compiled by itself, because it is much code."""
    if turn(rules, state) == OVER:
        return returns(rules, state, seat)
    return leaf_value(rules, state, seat, profile)


@shared
def expected_worth(rules, state, seat, profile):
    """Return what a state looks worth, or on average what chance makes of it."""
    if turn(rules, state) != CHANCE:
        return looks_worth(rules, state, seat, profile)
    total = 0.0
    bits = foreseen(rules, state, profile)
    while bits:
        outcome = lowest(bits)
        bits &= bits - 1
        after = apply(rules, state, outcome)
        total += chance(rules, state, outcome) * looks_worth(rules, after, seat, profile)
    return total


@compiled
def chosen_worth(rules, state, seat, profile):
    """Return what a state is worth to the seat after whoever is to choose has chosen."""
    mover = turn(rules, state)
    if mover < 0:
        return looks_worth(rules, state, seat, profile)
    best = -2.0 if mover == seat else 2.0
    bits = candidates(rules, state, mover, profile)
    while bits:
        worth = expected_worth(rules, apply(rules, state, lowest(bits)), seat, profile)
        best = max(best, worth) if mover == seat else min(best, worth)
        bits &= bits - 1
    return best


@shared
def worth_after_decision(rules, state, seat, profile):
    """Return what a state is worth one decision later, on average where chance comes first."""
    if turn(rules, state) != CHANCE:
        return chosen_worth(rules, state, seat, profile)
    total = 0.0
    bits = foreseen(rules, state, profile)
    while bits:
        outcome = lowest(bits)
        bits &= bits - 1
        p = chance(rules, state, outcome)
        after = apply(rules, state, outcome)
        if p < UNLIKELY:
            total += p * looks_worth(rules, after, seat, profile)
        else:
            total += p * chosen_worth(rules, after, seat, profile)
    return total


@shared
def look(rules, state, mover, depth, profile):
    """Return what is best one or two decisions ahead, the first among equals, and its worth."""
    best, best_action = -2.0, -1
    bits = candidates(rules, state, mover, profile)
    while bits:
        action = lowest(bits)
        bits &= bits - 1
        after = apply(rules, state, action)
        if depth > 1:
            worth = worth_after_decision(rules, after, mover, profile)
        else:
            worth = expected_worth(rules, after, mover, profile)
        if worth > best:
            best, best_action = worth, action
    return best_action, best
