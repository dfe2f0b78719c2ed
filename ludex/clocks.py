"""How long agents may think, and a match may last."""

import math
from typing import NamedTuple

from ludex.reading import nearest, read_int

PLIES = 2000  # after so many a match is a draw
DAY = 86400.0


class Clocks(NamedTuple):
    """The limits of a match: seconds of thinking for each seat, and plies of the whole."""

    decision: float = math.inf
    turn: float = math.inf
    """Decisions of one seat, one after the other, with no other seat and no chance between."""
    match: float = math.inf
    plies: int = PLIES


def read_clocks(text: str) -> Clocks:
    """Return the clocks of a text such as `turn=1,match=60`; a ValueError says what is expected."""
    values: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in Clocks._fields:
            known = ", ".join(Clocks._fields)
            raise ValueError(
                f"no clock {name!r}{nearest(name, Clocks._fields)} (there are {known})"
            )
        if not equals:
            raise ValueError(f"clock {part.strip()!r}: expected {name}=NUMBER")
        if name in values:
            raise ValueError(f"clock {name} is there twice: {text!r}")
        values[name] = (
            read_int(value, "clock plies:", 1, 10**9) if name == "plies" else seconds(name, value)
        )
    return Clocks(**values)  # type: ignore[arg-type]


def seconds(name: str, text: str) -> float:
    """Return the seconds of a clock from their text."""
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        number = math.nan
    if not 0.0 < number <= DAY:
        raise ValueError(f"clock {name} {text!r}: expected seconds above 0, at most {DAY:.0f}")
    return number


def write_clocks(clocks: Clocks) -> str:
    """Return the text that `read_clocks` reads; it is empty where nothing is limited."""
    usual = Clocks()
    return ",".join(
        f"{name}={value!r}".removesuffix(".0")
        for name, value, other in zip(Clocks._fields, clocks, usual, strict=True)
        if value != other
    )
