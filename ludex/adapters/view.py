"""Observations for networks: a state as planes of the board, from a seat's perspective.

A game that defines `view` and `view_shape` chooses its planes, with numbers from 0 to 1. For any
other game the observation is the raw fields of the state.
"""

import numpy as np

from ludex.core.rules import (
    BOTH,
    LARGEST,
    Rules,
    State,
    actions,
    answers,
    game_of,
    moves,
    turn,
    view,
    view_shape,
)
from ludex.kernel.jit import compiled, shared


def designed(rules: Rules) -> bool:
    """Return whether the game says itself what is seen."""
    return answers(game_of(rules), "view")


def bounds(rules: Rules) -> tuple[float, float, type[np.floating]]:
    """Return the least and the largest number of a view, and the kind of its numbers."""
    return (0.0, 1.0, np.float32) if designed(rules) else (-LARGEST, LARGEST, np.float64)


@compiled
def look(rules, state, seat, planes):
    """Write what the seat sees of a state into planes that are all 0."""
    view(rules, state, seat, planes)


def seen(rules: Rules, state: State, seat: int) -> np.ndarray:
    """Return what the seat sees of a state."""
    planes = np.zeros(view_shape(rules), bounds(rules)[2])
    look(rules, state, seat, planes)
    return planes


@shared
def choosable(rules, state, seat):
    """Return the legal actions of a seat as bits; none if it is not to act."""
    mover = turn(rules, state)
    if mover == seat or (mover == BOTH and seat < 2):
        return moves(rules, state, seat)
    return 0


def mask_of(rules: Rules, state: State, seat: int) -> np.ndarray:
    """Return for each action 1 if the seat may choose it now, or else 0."""
    bits = int(choosable(rules, state, seat))
    return np.array([bits >> action & 1 for action in range(actions(rules))], np.int8)
