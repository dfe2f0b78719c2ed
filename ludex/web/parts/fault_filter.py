"""Whose mistakes the viewer goes to."""

from collections.abc import Collection
from typing import NamedTuple

from nicegui import ui

from ludex.core.rules import Rules, seat_name, seats


class Side(NamedTuple):
    """Seats whose mistakes are looked at together."""

    name: str
    seats: frozenset[int]
    of: str = ""
    """Whose a mistake is, after the word; empty for everyone's."""


def sides_of(rules: Rules, mine: Collection[int]) -> list[Side]:
    """Return the sides to choose from: those with these seats first, if there are others."""
    every = range(seats(rules))
    own = frozenset(mine) if len(mine) < len(every) else frozenset()
    first = [Side("me", own, " of yours")] if own else []
    names = {seat: seat_name(rules, seat) for seat in every if {seat} != own}
    others = [Side(name, frozenset({seat}), f" of {name}") for seat, name in names.items()]
    return [*first, *others, Side("both" if len(every) == 2 else "everyone", frozenset(every))]


class FaultFilter:
    """The field for a side; at first it is one's own, or that of the only program, or everyone."""

    def __init__(self, rules: Rules, mine: Collection[int], programs: Collection[int]) -> None:
        self.sides = {one.name: one for one in sides_of(rules, mine)}
        names = list(self.sides)
        wanted = frozenset(mine or (programs if len(programs) == 1 else ()))
        usual = next((name for name in names if self.sides[name].seats == wanted), names[-1])
        self.field = ui.select(names, value=usual, label="mistakes of")
        self.field.props("outlined dense").style("min-width: 7.4rem")

    @property
    def side(self) -> Side:
        """The side whose mistakes are wanted."""
        return self.sides[self.field.value]
