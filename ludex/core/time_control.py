"""Time control: limits for decisions, turns and matches, and the length of a match."""

import math
from typing import NamedTuple

from ludex.io.text import nearest, number_or_nan, read_int

PLIES = 2000  # a longer match is a draw
DAY = 86400.0
NO_CLOCK = "none"
WALL_FACTOR = 5  # wall time allowed, as a multiple of the program's clock
ENDLESS = (math.inf, math.inf, math.inf)
SPANS = ("a decision", "a turn", "a match")


class Clocks(NamedTuple):
    """The limits of a match: seconds of thinking for each seat, and plies of the whole."""

    decision: float = math.inf
    turn: float = math.inf
    """Consecutive decisions of one seat, without chance in between."""
    match: float = math.inf
    plies: int = PLIES
    off: bool = False
    """Whether `none` was given, so that the default of the game does not apply."""
    programs: bool = False
    """Whether only external programs are limited: their opponents then never lose on time."""

    @property
    def limited(self) -> bool:
        """Whether thinking time is limited, not only the plies."""
        return self[:3] != ENDLESS

    def or_default(self, default: "Clocks") -> "Clocks":
        """Return these clocks, or the defaults if no time limit is set."""
        return self if self.limited or self.off else default._replace(plies=self.plies)


CLOCKS = ("decision", "turn", "match", "plies", NO_CLOCK)


def read_clocks(text: str) -> Clocks:
    """Return the clocks of a text such as `turn=1,match=60`; a ValueError says what is expected.

    `none`, alone or with `plies`, turns off all time limits.
    """
    values: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in CLOCKS:
            known = f"there are {', '.join(CLOCKS)}, as in turn=5"
            raise ValueError(f"no clock {name!r}{nearest(name, CLOCKS)} ({known})")
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
    number = number_or_nan(text) if text.isascii() and "_" not in text else math.nan
    if not 0.0 < number <= DAY:
        raise ValueError(f"clock {name} {text!r}: expected seconds above 0, at most {DAY:.0f}")
    return number


def write_clocks(clocks: Clocks) -> str:
    """Return the text that `read_clocks` reads; empty for the defaults."""
    limits = [
        f"{name}={value!r}".removesuffix(".0")
        for name, value, other in zip(Clocks._fields, clocks, Clocks(), strict=True)
        if value != other and name not in ("off", "programs")
    ]
    return ",".join([NO_CLOCK] * clocks.off + limits)


def clock_words(clocks: Clocks) -> str:
    """Return the time limits in words: `5 s a turn`."""
    limits = zip(clocks[:3], SPANS, strict=True)
    words = [f"{limit:g} s {span}" for limit, span in limits if limit < math.inf]
    return ", ".join(words) or "no limit"
