"""The rules of play, which every algorithm uses, interpreted and compiled."""

from typing import Any

from numba.extending import overload

from ludex.core.rules.dispatch import Rules, State, answers, constant, game_of, question
from ludex.kernel.bits import NumberSet, contains, empty_set, include
from ludex.kernel.jit import INLINED, shared

# Kinds of turn that are not a seat's.
CHANCE, BOTH, OVER = -1, -2, -3

# Instead of the move that led to a state, if there was none.
NO_MOVE = -1

# One action of each seat makes one move: from its lowest bits on, the low bits of seat 1's action,
# those of seat 0's, and the high bits of either, which small games do not need.
LOW_BITS, HIGH_BITS = 6, 5
LOW, HIGH = (1 << LOW_BITS) - 1, (1 << HIGH_BITS) - 1

MOST_ACTIONS, MOST_SEATS = 1024, 4

# The largest int of compiled code.
LARGEST = 2**63 - 1

# What a game must define; everything else has a default.
REQUIRED = ("initial", "turn", "apply", "returns")


@constant
def actions(rules: Rules) -> int:
    """Return the number of actions of the game, at most 1024; they are numbered from 0."""
    return 0


@constant
def outcomes(rules: Rules) -> int:
    """Return the number of chance outcomes, at most 1024; they are numbered from 0."""
    return 0


@constant
def at_once(rules: Rules) -> int:
    """Return whether the game has simultaneous moves: it sets AT_ONCE = True."""
    return 0


@question
def seats(rules: Rules) -> int:
    """Return the number of seats."""
    return 2


@question
def initial(rules: Rules) -> State:
    """Return the initial state of a match."""
    raise NotImplementedError


@question
def turn(rules: Rules, state: State) -> int:
    """Return the seat to act, or CHANCE, BOTH (seats 0 and 1 at once) or OVER."""
    raise NotImplementedError


@question
def legal(rules: Rules, state: State, seat: int, action: int) -> int:
    """Return whether the action is legal for the seat, which is to move."""
    return contains(moves(rules, state, seat), action)


@question
def moves(rules: Rules, state: State, seat: int) -> NumberSet:
    """Return the legal actions of the seat, which is to move, as a bit set.

    A game defines this or `legal`; the other is derived. With at most 63 actions and outcomes, a
    set is an int; with more, a tuple that `no_moves` begins and `include` fills.
    """
    bits = no_moves(rules)
    for action in range(actions(rules)):
        if legal(rules, state, seat, action):
            bits = include(bits, action)
    return bits


@question
def chance(rules: Rules, state: State, outcome: int) -> float:
    """Return the probability of an outcome at a CHANCE state."""
    return 0.0


@question
def possible(rules: Rules, state: State) -> NumberSet:
    """Return the outcomes of positive probability at a CHANCE state, as a bit set."""
    bits = no_moves(rules)
    for outcome in range(outcomes(rules)):
        if chance(rules, state, outcome) > 0.0:
            bits = include(bits, outcome)
    return bits


@question
def apply(rules: Rules, state: State, move: int) -> State:
    """Return the successor after a legal move: an action, an outcome, or a `pair`."""
    raise NotImplementedError


@question
def returns(rules: Rules, state: State, seat: int) -> float:
    """Return the value of an OVER state to the seat, from -1 to 1; zero-sum over all seats."""
    raise NotImplementedError


@question
def estimate(rules: Rules, state: State, seat: int) -> float:
    """Return a heuristic value of the state for the seat, strictly between -1 and 1."""
    return 0.0


# Hidden information. ------------------------------------------------------------------------------


@question
def information_state(rules: Rules, state: State, seat: int) -> State:
    """Return the state as the seat knows it: what it cannot see has a fixed value instead.

    By default a seat sees everything. It also sees whose turn it is and, on its turn, its legal
    actions, and it has perfect recall: states that look the same to it have the same past, as far
    as it saw it. A finished match is seen whole, so that this is not called for an OVER state.
    """
    return state


def imperfect_information(rules: Rules) -> bool:
    """Return whether the game hides anything: whether it defines `information_state`."""
    return answers(game_of(rules), information_state.__name__)


@overload(imperfect_information, strict=False, jit_options=INLINED)
def _imperfect_information(rules: Rules) -> Any:
    hides = imperfect_information(rules)
    return lambda rules: hides


# Sets of moves. -----------------------------------------------------------------------------------


def no_moves(rules: Rules) -> NumberSet:
    """Return the empty set of actions or outcomes: both have the same kind in a game."""
    return empty_set(max(actions(rules), outcomes(rules)))


@overload(no_moves, strict=False, jit_options=INLINED)
def _no_moves(rules: Rules) -> Any:
    none = no_moves(rules)
    return lambda rules: none


@shared
def lone_move(rules):
    """Return the set of 0 alone, in place of the choices of a seat that has none."""
    return include(no_moves(rules), 0)


# Moves of both seats. -----------------------------------------------------------------------------


@shared
def pair(first, second):
    """Return the move in which seat 0 and seat 1 choose these actions at once."""
    low = (first & LOW) << LOW_BITS | second & LOW
    high = first >> LOW_BITS << HIGH_BITS | second >> LOW_BITS
    return high << 2 * LOW_BITS | low


@shared
def with_action(mover, move, seat, action):
    """Return the action of a seat as a move; at BOTH, seat 1's with the move of seat 0 so far."""
    return pair(move, action) if mover == BOTH and seat == 1 else action


@shared
def part(move, seat):
    """Return the action of seat 0 or seat 1 in a pair."""
    high = move >> 2 * LOW_BITS
    if seat == 0:
        return high >> HIGH_BITS << LOW_BITS | move >> LOW_BITS & LOW
    return (high & HIGH) << LOW_BITS | move & LOW
