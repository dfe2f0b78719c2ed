"""Limits of games: the numbers of seats, actions and outcomes, and the fields of a state."""

from collections.abc import Iterator
from types import ModuleType

from ludex.core import rules as ask
from ludex.core.rules import MOST_ACTIONS, MOST_SEATS, Rules, State

ONLY_INTS = {int}


def size_faults(game: Rules | ModuleType) -> Iterator[str]:
    """Yield why a game, given its rules or its module, has too many or too few moves."""
    for name, count, least in (("ACTIONS", ask.actions, 1), ("OUTCOMES", ask.outcomes, 0)):
        yield from fault_outside(name, count(game), least, MOST_ACTIONS)


def seats_faults(rules: Rules) -> Iterator[str]:
    """Yield why a game has too many or too few seats under some rules."""
    yield from fault_outside("seats", ask.seats(rules), 2, MOST_SEATS)


def fault_outside(name: str, count: int, least: int, most: int) -> Iterator[str]:
    """Yield a sentence if a number is outside its limits."""
    if not least <= count <= most:
        yield f"{name} is {count}; it must be {least} to {most}"


def state_faults(rules: Rules, state: State) -> Iterator[str]:
    """Yield what is wrong with the type and the fields of a state."""
    wanted = type(rules).__qualname__.removesuffix("Rules")
    if type(state) is not getattr(ask.game_of(rules), wanted, None):
        yield f"{state!r}; it must be a {wanted}"
    elif {*map(type, state)} != ONLY_INTS:
        for name, value in state._asdict().items():
            yield from field_faults(rules, name, value)


def field_faults(rules: Rules, name: str, value: object) -> Iterator[str]:
    """Yield what is wrong with the value of a field, as the end of a sentence."""
    kind = type(value).__name__
    if not isinstance(value, tuple):
        if type(value) is not int:
            yield (
                f"a state whose {name} is {value!r}, a {kind}; it must be an int or a tuple of ints"
            )
        return
    for number in value:
        if type(number) is not int:
            kind = type(number).__name__
            yield f"a state whose {name} has {number!r}, a {kind}; it must have only ints"
    wanted = getattr(ask.initial(rules), name)
    if not value or not isinstance(wanted, tuple) or len(value) != len(wanted):
        yield (
            f"a state whose {name} is {value!r}; its length must be that in the initial state,"
            f" {wanted!r}"
        )
