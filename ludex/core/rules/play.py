"""The rules of play, which every algorithm uses, interpreted and compiled."""

from ludex.core.rules.dispatch import Rules, State, constant, question
from ludex.kernel.bits import contains, include
from ludex.kernel.jit import shared

# Kinds of turn that are not a seat's.
CHANCE, BOTH, OVER = -1, -2, -3

# Instead of the move that led to a state, if there was none.
NO_MOVE = -1

# One action of each seat makes one move: seat 0's above these bits, seat 1's in them.
PAIR_BITS = 6

# Actions and outcomes are bits of one int.
MOST_ACTIONS, MOST_SEATS = 63, 4

# The largest int of compiled code.
LARGEST = 2**63 - 1

# What a game must define; everything else has a default.
REQUIRED = ("initial", "turn", "apply", "returns")


@constant
def actions(rules: Rules) -> int:
    """Return the number of actions of the game, at most 63; they are numbered from 0."""
    return 0


@constant
def outcomes(rules: Rules) -> int:
    """Return the number of chance outcomes, at most 63; they are numbered from 0."""
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
def moves(rules: Rules, state: State, seat: int) -> int:
    """Return the legal actions of the seat, which is to move, as a bit set.

    A game defines this or `legal`; the other is derived.
    """
    bits = 0
    for action in range(actions(rules)):
        if legal(rules, state, seat, action):
            bits = include(bits, action)
    return bits


@question
def chance(rules: Rules, state: State, outcome: int) -> float:
    """Return the probability of an outcome at a CHANCE state."""
    return 0.0


@question
def possible(rules: Rules, state: State) -> int:
    """Return the outcomes of positive probability at a CHANCE state, as a bit set."""
    bits = 0
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


# Moves of both seats. -----------------------------------------------------------------------------


@shared
def pair(first, second):
    """Return the move in which seat 0 and seat 1 choose these actions at once."""
    return first << PAIR_BITS | second


@shared
def part(move, seat):
    """Return the action of seat 0 or seat 1 in a pair."""
    return move >> PAIR_BITS if seat == 0 else move & (1 << PAIR_BITS) - 1
