"""Dispatch of the contract: which function of which game answers a question.

The module in which a rules class is defined is the game of these rules: `turn(rules, state)` calls
that module's `turn`. The interpreter dispatches on the type of the rules, compiled code does so at
compile time. If the module does not define a function, the body of the declaration is the default.
There is no registration of games and no inheritance.
"""

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar, cast

from numba.extending import overload

from ludex.kernel.jit import INLINED, INLINED_RULES

Rules = Any
"""A NamedTuple of ints and tuples of ints: all that stays fixed in a match."""
State = Any
"""A NamedTuple of ints and tuples of ints, which have a fixed length: all that changes."""
Question = TypeVar("Question", bound=Callable[..., Any])

DECLARED: dict[str, Callable[..., Any]] = {}
"""Everything that a game may define, by its name in the game's module, in order of declaration."""
UNKNOWN = object()
"""In place of a constant that a game does not define."""


def declare(name: str, ask: Any) -> Any:
    """Add a declaration to the contract and return it."""
    return DECLARED.setdefault(name, ask)


def game_of(rules: Rules) -> ModuleType:
    """Return the module of some rules or, while compiling, of their Numba type."""
    return sys.modules[getattr(rules, "instance_class", type(rules)).__module__]


def answers(game: ModuleType, name: str) -> bool:
    """Return whether a game defines a declared name itself, and has not merely imported it."""
    found = getattr(game, name, DECLARED[name])
    return found is not DECLARED[name] and (name.isupper() or callable(found))


def question(default: Question) -> Question:
    """Let the game of the rules answer; the decorated body is the default."""

    @functools.cache
    def answer(kind: type) -> Any:
        found = getattr(sys.modules[kind.__module__], default.__name__, ask)
        # A game that has merely imported the question does not answer it.
        return default if found is ask else found

    ask = functools.wraps(default)(asking(answer, default))

    @overload(ask, strict=False, jit_options=INLINED_RULES)
    def ask_compiled(rules: Any, *rest: Any) -> Any:
        return answer(rules.instance_class)

    return cast(Question, declare(default.__name__, ask))


def asking(answer: Callable[[type], Any], default: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that takes what a declaration takes, and calls the answer with it.

    Interpreted games ask millions of times, and `*rest` takes three times as long.
    """

    def ask(rules: Rules, *rest: Any) -> Any:
        return answer(rules.__class__)(rules, *rest)

    def ask_of_state(rules: Rules, state: State) -> Any:
        return answer(rules.__class__)(rules, state)

    def ask_of_move(rules: Rules, state: State, move: Any) -> Any:
        return answer(rules.__class__)(rules, state, move)

    parameters = 0 if default.__defaults__ else default.__code__.co_argcount
    forms: dict[int, Callable[..., Any]] = {2: ask_of_state, 3: ask_of_move}
    return forms.get(parameters, ask)


def constant(default: Question) -> Question:
    """Answer with an int constant of the rules' game, also in compiled code."""
    tell = fact(default)

    @overload(tell, strict=False, jit_options=INLINED)
    def tell_compiled(rules: Any) -> Any:
        number = int(tell(rules))
        return lambda rules: number

    return tell


def fact(default: Question) -> Question:
    """Answer with a constant of a game, given its rules or its module; never compiled.

    The constant has the name of the function in capitals, without `_of`.
    """
    name = default.__name__.removesuffix("_of").upper()

    @functools.wraps(default)
    def tell(game: Rules | ModuleType) -> Any:
        module = game if isinstance(game, ModuleType) else game_of(game)
        found = getattr(module, name, UNKNOWN)
        return default(module) if found is UNKNOWN else found

    return cast(Question, declare(name, tell))
