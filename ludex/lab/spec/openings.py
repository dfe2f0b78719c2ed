"""Random openings of matches: each once before any is repeated, if they can be enumerated."""

import functools

import numpy as np

from ludex.core.play import choices
from ludex.core.rules import OVER, Rules, State, apply, at_once, initial, outcomes, turn
from ludex.core.sampling import playout

OPENINGS_MAX = 2000  # that are enumerated
OPENING_TRIES = 100  # to find an opening that does not end the match
OPENING_PLIES = 2  # random moves in games without chance
AUTOMATIC = -1  # a value to be resolved from the rules


def opening_plies(rules: Rules) -> int:
    """Return the default number of random moves at the start of matches.

    Without chance, deterministic agents would repeat the same match.
    """
    return 0 if outcomes(rules) or at_once(rules) else OPENING_PLIES


def opening_state(rules: Rules, plies: int, seed: int, table: int) -> State:
    """Return the initial state of a match, after `plies` random moves."""
    if plies == 0:
        return initial(rules)
    listed = shuffled_openings(rules, plies, seed)
    return listed[table % len(listed)] if listed else random_opening(rules, plies, seed, table)


def can_open(rules: Rules, plies: int, seed: int) -> bool:
    """Return whether some opening of `plies` random moves does not end the match."""
    if plies < 1:
        return True
    if shuffled_openings(rules, plies, seed):
        return True
    return bool(random_opening(rules, plies, seed, 0) != initial(rules))


@functools.lru_cache(maxsize=64, typed=True)  # rules of two games may be equal as tuples
def shuffled_openings(rules: Rules, plies: int, seed: int) -> list[State]:
    """Return all openings, shuffled by the seed, or none if they cannot be enumerated."""
    listed = [initial(rules)]
    for _ in range(plies):
        longer = []
        for state in listed:
            mover = turn(rules, state)
            if mover < 0 and mover != OVER:  # chance, or both at once
                return []
            if mover != OVER:
                longer += [apply(rules, state, move) for move in choices(rules, state, mover)]
        if len(longer) > OPENINGS_MAX:
            return []
        listed = longer
    going = [state for state in listed if turn(rules, state) != OVER]
    order = np.random.default_rng(seed).permutation(len(going))
    return [going[place] for place in order]


def random_opening(rules: Rules, plies: int, seed: int, table: int) -> State:
    """Return a state after random moves, or the initial one if every try ends the match."""
    rng = np.random.default_rng((1, table, seed))
    for _ in range(OPENING_TRIES):
        state = playout(rules, initial(rules), rng, plies)
        if turn(rules, state) != OVER:
            return state
    return initial(rules)
