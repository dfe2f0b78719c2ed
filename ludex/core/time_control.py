"""Time control: limits for decisions, turns and matches, and the length of a match."""

import math
from typing import NamedTuple

from ludex.io.text import nearest, read_int

PLIES = 2000  # after so many a match is a draw
DAY = 86400.0
NO_CLOCK = "none"
WALL_FACTOR = 5  # so many times a program's clock may pass, on the wall, until it answers
ENDLESS = (math.inf, math.inf, math.inf)
SPANS = {"decision": "a decision", "turn": "a turn", "match": "a match"}


class Clocks(NamedTuple):
    """The limits of a match: seconds of thinking for each seat, and plies of the whole."""

    decision: float = math.inf
    turn: float = math.inf
    """Decisions of one seat, one after the other, with no other seat and no chance between."""
    match: float = math.inf
    plies: int = PLIES
    off: bool = False
    """Whether there is no clock on purpose, so that the usual one of a game does not count."""
    programs: bool = False
    """Whether only external programs are limited: their opponents then never lose on time."""

    @property
    def limited(self) -> bool:
        """Whether thinking is limited, and not only the plies."""
        return self[:3] != ENDLESS

    def or_usual(self, usual: "Clocks") -> "Clocks":
        """Return these clocks, or usual ones if nobody has said how long to think."""
        return self if self.limited or self.off else usual._replace(plies=self.plies)


CLOCKS = ("decision", "turn", "match", "plies", NO_CLOCK)


def read_clocks(text: str) -> Clocks:
    """Return the clocks of a text such as `turn=1,match=60`; a ValueError says what is expected.

    `none`, alone or with `plies`, says that no thinking is limited.
    """
    values: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in CLOCKS:
            known = ", ".join(CLOCKS)
            raise ValueError(f"no clock {name!r}{nearest(name, CLOCKS)} (there are {known})")
        if name == NO_CLOCK:
            if equals:
                raise ValueError(f"clock {part.strip()!r}: expected {NO_CLOCK} alone")
            values["off"] = True
            continue
        if not equals:
            raise ValueError(f"clock {part.strip()!r}: expected {name}=NUMBER")
        if name in values:
            raise ValueError(f"clock {name} is there twice: {text!r}")
        values[name] = (
            read_int(value, "clock plies:", 1, 10**9) if name == "plies" else seconds(name, value)
        )
    if "off" in values and not values.keys() <= {"off", "plies"}:
        raise ValueError(
            f"clock {text!r}: {NO_CLOCK} and a limit of thinking: expected one of them"
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
    """Return the text that `read_clocks` reads; it is empty where nothing is said."""
    usual = Clocks()
    said = [
        f"{name}={value!r}".removesuffix(".0")
        for name, value, other in zip(Clocks._fields, clocks, usual, strict=True)
        if value != other and name not in ("off", "programs")
    ]
    return ",".join([NO_CLOCK] * clocks.off + said)


def clock_words(clocks: Clocks) -> str:
    """Return how long one may think, for people: `5 s a turn`."""
    limits = {name: getattr(clocks, name) for name in SPANS}
    said = [f"{limit:g} s {SPANS[name]}" for name, limit in limits.items() if limit < math.inf]
    return ", ".join(said) or "no limit"
