"""Observations for networks: what a seat sees, as planes of the board from its perspective.

A game that defines `view` and `view_shape` chooses its planes, with numbers from 0 to 1. For any
other game the observation is the raw fields of the state.
"""

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, LARGEST, OVER, Rules, State, view
from ludex.kernel.bits import contains
from ludex.kernel.jit import compiled, shared


def bounds(rules: Rules) -> tuple[float, float, type[np.floating]]:
    """Return the smallest and largest number of an observation, and its data type."""
    own = ask.answers(ask.game_of(rules), "view")
    return (0.0, 1.0, np.float32) if own else (-LARGEST, LARGEST, np.float64)


@shared
def seen_state(rules, state, seat):
    """Return the state as a seat sees it; the end is seen whole."""
    if ask.turn(rules, state) == OVER:
        return state
    return ask.information_state(rules, state, seat)


@compiled
def write_view(rules, state, seat, planes):
    """Write the observation of a seat into planes that are all 0."""
    seen = seen_state(rules, state, seat)
    view(rules, seen, seat, planes)  # by its name: Numba takes `.view` for an array's


def observation_of(rules: Rules, state: State, seat: int) -> np.ndarray:
    """Return the observation of a seat."""
    planes = np.zeros(ask.view_shape(rules), bounds(rules)[2])
    write_view(rules, state, seat, planes)
    return planes


@shared
def legal_bits(rules, state, seat):
    """Return the legal actions of a seat as a set; none if it is not to move."""
    return legal_bits_at(rules, state, seat, ask.turn(rules, state))


@shared
def legal_bits_at(rules, state, seat, mover):
    """Return the legal actions of a seat as a set, given whose turn it is."""
    if mover == seat or (mover == BOTH and seat < 2):
        return ask.moves(rules, state, seat)
    return ask.no_moves(rules)


def mask_of(rules: Rules, state: State, seat: int) -> np.ndarray:
    """Return the action mask of a seat: 1 for each legal action."""
    bits = legal_bits(rules, state, seat)
    return np.array([contains(bits, action) for action in range(ask.actions(rules))], np.int8)
