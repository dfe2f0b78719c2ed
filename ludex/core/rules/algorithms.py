"""What searches, solvers, learners and networks may ask of a game; all of it has a default."""

from typing import Any

import numpy as np

from ludex.core.rules.dispatch import Rules, State, constant, question
from ludex.core.rules.play import (
    OVER,
    estimate,
    information_state,
    initial,
    moves,
    possible,
    returns,
    turn,
)
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import NumberSet
from ludex.kernel.hashing import mix, mix_all
from ludex.kernel.tuples import flatten

# What a search asks. ----------------------------------------------------------------------------


@question
def estimate_as(rules: Rules, state: State, seat: int, profile: SearchProfile) -> float:
    """Return the estimate under this search profile, strictly between -1 and 1."""
    return estimate(rules, state, seat)


@question
def candidates(rules: Rules, state: State, seat: int, profile: SearchProfile) -> NumberSet:
    """Return the legal actions that a search with this profile considers, as a bit set."""
    return moves(rules, state, seat)


@question
def foreseen(rules: Rules, state: State, profile: SearchProfile) -> NumberSet:
    """Return the outcomes that a search with this profile considers, as a bit set.

    The others count as value 0, weighted by their probability.
    """
    return possible(rules, state)


@constant
def patterns_size(rules: Rules) -> int:
    """Return the number of weights of a learned estimate; the game sets PATTERNS_SIZE."""
    return 0


@question
def patterns(rules: Rules, state: State, seat: int, places: Any) -> int:
    """Write the indices of the weights active in a state for the seat; return their number.

    A learned estimate is the sum of these weights minus that of the other seat.
    """
    return 0


# What a solver asks. ----------------------------------------------------------------------------


@question
def canonical(rules: Rules, state: State) -> State:
    """Return the canonical representative of the state under symmetry.

    It has the same turn and value; its actions may be numbered differently.
    """
    return state


@question
def margin(rules: Rules, state: State) -> int:
    """Return the margin of an OVER state for seat 0, positive where it has won.

    States that are equivalent under symmetry have the same margin.
    """
    worth = returns(rules, state, 0)
    return int(worth > 0.0) - int(worth < 0.0)


# What a learner asks. ---------------------------------------------------------------------------


@question
def features(rules: Rules, state: State, seat: int) -> int:
    """Return what a learner observes of a state in which the seat is to move, as one int.

    States with equal features have the same legal actions. By default all that the seat sees is
    observed, and the seat at simultaneous moves.
    """
    key: int = mix_all(0, information_state(rules, state, seat))
    return key if turn(rules, state) == seat else mix(key, seat + 1)


@question
def reward(rules: Rules, state: State, after: State, seat: int) -> float:
    """Return the shaping reward of a transition for a seat that learns.

    It is added to the returns, and should be small compared with them.
    """
    return 0.0


# What a network sees. ----------------------------------------------------------------------------


@question
def view_shape(rules: Rules) -> tuple[int, int, int]:
    """Return the number of planes of an observation, of their rows and of their columns."""
    return 1, 1, len(flatten(initial(rules)))


@question
def view(rules: Rules, state: State, seat: int, planes: np.ndarray) -> None:
    """Write the observation of the seat, from 0 to 1, into planes that are all 0.

    By default it is the raw fields of the state, as the seat sees it.
    """
    seen = state if turn(rules, state) == OVER else information_state(rules, state, seat)
    for place, number in enumerate(flatten(seen)):
        planes[0, 0, place] = number
