"""The contract of a game: every question that can be asked of its rules.

A game is a module. The module in which a rules class is defined answers the questions about
such rules: `turn(rules, state)` calls that module's `turn`. The interpreter dispatches on the
type of the rules, compiled code does so at compile time. If the module does not define a
function, the default body here applies. There is no registration and no inheritance.
"""

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple, TypeVar, cast

from numba.extending import overload

from ludex.core.scene import Scene, Shape
from ludex.core.search_profile import Style
from ludex.io.parsing import read_int, read_parts
from ludex.kernel.hashing import mixed, mixed_all
from ludex.kernel.jit import INLINED, shared

Rules = Any
"""A NamedTuple of ints and tuples of ints: all that stays fixed in a match."""
State = Any
"""A NamedTuple of ints: all that changes."""

Question = TypeVar("Question", bound=Callable[..., Any])

# Kinds of turn that are not a seat's.
CHANCE, BOTH, OVER = -1, -2, -3

# In the place of the move that led to a state, where there was none.
NO_MOVE = -1

# One action of each seat makes one move: seat 0's above these bits, seat 1's in them.
PAIR_BITS = 6


# The largest int of compiled code.
LARGEST = 2**63 - 1


class Rule(NamedTuple):
    """What a rule may be, for people: its range and one sentence about it.

    With `words` the rule is one of them, and `low` is the number of the first.
    """

    low: int
    high: int
    text: str
    words: tuple[str, ...] = ()


class Grid(NamedTuple):
    """Rules that people would rather see as a table; each is named ROW-COLUMN."""

    text: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]


def game_of(rules: Rules) -> ModuleType:
    """Return the module of some rules or, while compiling, of their Numba type."""
    return sys.modules[getattr(rules, "instance_class", type(rules)).__module__]


def question(default: Question) -> Question:
    """Ask the rules' own game; the decorated body answers for games that do not."""

    @functools.wraps(default)
    def ask(rules: Rules, *rest: Any) -> Any:
        return answer(rules.__class__)(rules, *rest)

    @functools.cache
    def answer(kind: type) -> Any:
        found = getattr(sys.modules[kind.__module__], default.__name__, ask)
        # A game that has merely imported the question does not answer it.
        return default if found is ask else found

    @overload(ask, strict=False, jit_options=INLINED)
    def ask_compiled(rules: Any, *rest: Any) -> Any:
        return answer(rules.instance_class)

    return cast(Question, ask)


def constant(default: Question) -> Question:
    """Answer with a number that stands in the rules' own game in capitals."""
    name = default.__name__.upper()

    @functools.wraps(default)
    def ask(rules: Rules) -> int:
        return answer(rules)

    def answer(rules: Rules) -> int:
        return int(getattr(game_of(rules), name, default(rules)))

    @overload(ask, strict=False, jit_options=INLINED)
    def ask_compiled(rules: Any) -> Any:
        number = answer(rules)
        return lambda rules: number

    return cast(Question, ask)


def constant_text(default: Question) -> Question:
    """Answer with a text that stands in the rules' own game in capitals."""
    name = default.__name__.upper()

    @functools.wraps(default)
    def ask(rules: Rules) -> str:
        return str(getattr(game_of(rules), name, default(rules)))

    return cast(Question, ask)


# What compiled code asks. ---------------------------------------------------------------------


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
    return moves(rules, state, seat) >> action & 1


@question
def moves(rules: Rules, state: State, seat: int) -> int:
    """Return the legal actions of the seat, which is to move, as a bit set.

    A game defines this or `legal`; the other is derived.
    """
    bits = 0
    for action in range(actions(rules)):
        if legal(rules, state, seat, action):
            bits |= 1 << action
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
            bits |= 1 << outcome
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


# What a search asks. ---------------------------------------------------------------------------


@question
def estimate_as(rules: Rules, state: State, seat: int, style: Style) -> float:
    """Return the estimate under this search style, strictly between -1 and 1."""
    return estimate(rules, state, seat)


@question
def candidates(rules: Rules, state: State, seat: int, style: Style) -> int:
    """Return the legal actions that a search of this style considers, as a bit set."""
    return moves(rules, state, seat)


@question
def foreseen(rules: Rules, state: State, style: Style) -> int:
    """Return the outcomes that a search of this style considers, as a bit set.

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


# What a solver asks. ---------------------------------------------------------------------------


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


# What a learner asks. --------------------------------------------------------------------------


@question
def features(rules: Rules, state: State, seat: int) -> int:
    """Return what a learner observes of a state in which the seat is to move, as one int.

    States with equal features have the same legal actions. By default the whole state is
    observed, and the seat at simultaneous moves.
    """
    key: int = mixed_all(0, state)
    return key if turn(rules, state) == seat else mixed(key, seat + 1)


@question
def reward(rules: Rules, state: State, after: State, seat: int) -> float:
    """Return the shaping reward of a transition for a seat that learns.

    It is added to the returns, and should be small compared with them.
    """
    return 0.0


# Moves of both seats. ----------------------------------------------------------------------------


@shared
def pair(first, second):
    """Return the move in which seat 0 and seat 1 choose these actions at once."""
    return first << PAIR_BITS | second


@shared
def part(move, seat):
    """Return the action of seat 0 or seat 1 in a pair."""
    return move >> PAIR_BITS if seat == 0 else move & (1 << PAIR_BITS) - 1


# What people ask; these answers are never compiled. --------------------------------------------


@question
def seat_name(rules: Rules, seat: int) -> str:
    """Return the display name of the seat."""
    return f"Player {seat + 1}"


@constant_text
def clock(rules: Rules) -> str:
    """Return the default time control of external programs, as `--clock` takes it."""
    return "decision=10"


@question
def label(rules: Rules, state: State, move: int) -> str:
    """Return the name of one seat's action or, at a CHANCE state, of an outcome.

    Labels of the same state are distinct.
    """
    return str(move + 1)


@question
def position(rules: Rules, state: State) -> str:
    """Return the state as one line of text."""
    return " ".join(str(number) for number in state)


@question
def read_position(rules: Rules, text: str) -> State:
    """Return the state that a line of text describes; a ValueError says what is wrong."""
    first = initial(rules)
    parts = read_parts(text, " ".join(first._fields))
    return first._make(
        read_int(part, name, -LARGEST, LARGEST)
        for part, name in zip(parts, first._fields, strict=True)
    )


@question
def why_illegal(rules: Rules, state: State, seat: int, text: str) -> str:
    """Return why a label is not a legal action of the seat, as in "threw at your own cell 3,3".

    The text is the answer of a program and may not be a label at all; empty if unknown.
    """
    return ""


@question
def features_text(rules: Rules, key: int) -> str:
    """Return a description of a `features` int; empty if there is none."""
    return ""


@question
def patterns_text(rules: Rules, place: int) -> str:
    """Return a description of the weight at an index of `patterns`; empty if there is none."""
    return ""


@question
def render(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    """Return the state drawn as text with rich's markup; `last` is the move that led to it."""
    return position(rules, state)


@question
def scene(rules: Rules, state: State, last: int = NO_MOVE) -> Scene:
    """Return the state drawn as shapes; `last` is the move that led to it."""
    return Scene(100.0, 20.0, (Shape("text", "text", 50.0, 10.0, text=position(rules, state)),))


@question
def between(rules: Rules, state: State, move: int) -> tuple[Scene, ...]:
    """Return the scenes of an animation between a state and its successor, if any.

    Nothing can be chosen in them.
    """
    return ()


@question
def events(rules: Rules, state: State, move: int) -> list[str]:
    """Return the effects of a legal move beyond its label, as short sentences in order.

    For example hits, healing, jumps and captures. Each starts with a capital and ends with a full
    stop.
    """
    return []
