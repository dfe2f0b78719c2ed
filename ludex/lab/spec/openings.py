"""Random openings of matches: each once before any is repeated, if they can be enumerated."""

import functools

import numpy as np

from ludex.core.play import choices
from ludex.core.rules import OVER, Rules, State, apply, at_once, initial, outcomes, turn
from ludex.core.sampling import playout

MOST = 2000  # beginnings that are listed
RETRIES = 100  # of a beginning that has ended the match already
OPENING = 2  # moves at random before a match in which nothing else is left to chance
AUTOMATIC = -1  # a number that is left to us


def opening_of(rules: Rules, asked: int = AUTOMATIC) -> int:
    """Return with how many random moves matches begin.

    Without chance, agents that choose the same again and again would play one match many times.
    """
    if asked != AUTOMATIC:
        return asked
    return 0 if outcomes(rules) or at_once(rules) else OPENING


def opened(rules: Rules, plies: int, seed: int, table: int) -> State:
    """Return the state in which the match of a number begins, after so many moves at random."""
    if plies == 0:
        return initial(rules)
    listed = shuffled(rules, plies, seed)
    return listed[table % len(listed)] if listed else drawn(rules, plies, seed, table)


def goes_on(rules: Rules, plies: int, seed: int) -> bool:
    """Return whether a match can begin with so many moves at random and not be over."""
    if plies < 1:
        return True
    return bool(shuffled(rules, plies, seed)) or drawn(rules, plies, seed, 0) != initial(rules)


@functools.lru_cache(maxsize=64, typed=True)  # rules of two games may be equal as tuples
def shuffled(rules: Rules, plies: int, seed: int) -> list[State]:
    """Return all beginnings in an order of the seed, or nothing if they cannot be listed."""
    listed = [initial(rules)]
    for _ in range(plies):
        longer = []
        for state in listed:
            mover = turn(rules, state)
            if mover < 0 and mover != OVER:  # chance, or both at once
                return []
            if mover != OVER:
                longer += [apply(rules, state, move) for move in choices(rules, state, mover)]
        if len(longer) > MOST:
            return []
        listed = longer
    going = [state for state in listed if turn(rules, state) != OVER]
    order = np.random.default_rng(seed).permutation(len(going))
    return [going[place] for place in order]


def drawn(rules: Rules, plies: int, seed: int, table: int) -> State:
    """Return a state after moves at random, or the first one if every try has ended the match."""
    rng = np.random.default_rng((1, table, seed))
    for _ in range(RETRIES):
        state = playout(rules, initial(rules), rng, plies)
        if turn(rules, state) != OVER:
            return state
    return initial(rules)
