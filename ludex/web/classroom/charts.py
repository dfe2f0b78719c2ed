"""Ratings as pictures: intervals in a table, and how they came about."""

import html
import math
from collections.abc import Sequence
from typing import NamedTuple

from ludex.classroom.ladder import PastRating
from ludex.io.text import many, signed
from ludex.web.parts.numbers import interval_text

LINES = 4  # of the grid, about
ROOM = 40.0  # Elo that a chart shows at least around its values
UNKNOWN = '<span class="lx-soft">not known yet</span>'
"""Stands for the interval of a program that has played nothing."""


class Scale(NamedTuple):
    """A range of ratings that is drawn."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """Return where a rating is, from 0 to 100; what is beyond the ends is at the end."""
        return 100.0 * min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def ticks(self) -> list[int]:
        """Return round numbers for the lines of a grid."""
        rough = (self.high - self.low) / LINES
        power = 10 ** math.floor(math.log10(rough))
        step = int(next(one * power for one in (1, 2, 5, 10) if one * power >= rough))
        first = math.ceil(self.low / step)
        return [step * one for one in range(first, math.floor(self.high / step) + 1)]


def scale_of(values: Sequence[float], ends: Sequence[float] = ()) -> Scale:
    """Return a scale for ratings, and for the ends of intervals that are not much further out."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    spread = max(high - low, 200.0)
    near = [one for one in ends if low - spread <= one <= high + spread]
    return Scale(min([low, *near]) - ROOM, max([high, *near]) + ROOM)


def interval_bar(scale: Scale, elo: float, low: float, high: float) -> str:
    """Return a rating with its interval as a bar; an open end means that it goes on there."""
    left, right = scale.share(low), scale.share(high)
    ends = " lx-open-low" * (low < scale.low) + " lx-open-high" * (high > scale.high)
    return (
        f'<span class="lx-interval"><span class="lx-error{ends}" aria-hidden="true">'
        f'<s style="left:{scale.share(0.0):.1f}%"></s>'
        f'<i style="left:{left:.1f}%;width:{right - left:.1f}%"></i>'
        f'<b style="left:{scale.share(elo):.1f}%"></b></span>'
        f'<span class="lx-soft lx-small lx-unbroken">{interval_text(low, high)}</span></span>'
    )


class Line(NamedTuple):
    """The history of a program in a chart."""

    name: str
    past: list[PastRating]
    address: str
    own: bool = False


def history_chart(lines: Sequence[Line], band: bool = False) -> str:
    """Return how ratings have changed as HTML, with their intervals if `band`."""
    drawn = [line for line in lines if line.past]
    points = [one for line in drawn for one in line.past]
    last = max((one.played for one in points), default=0)
    if not last:
        return '<p class="lx-soft">Nothing has been played yet.</p>'
    ends = [end for one in points for end in (one.low, one.high)] if band else []
    scale = scale_of([one.elo for one in points], ends)
    grid = "".join(
        f'<span style="bottom:{scale.share(tick):.1f}%">{signed(tick, 0)}</span>'
        for tick in scale.ticks()
    )
    rules = "".join(
        f'<line x1="0" x2="100" y1="{y(scale, tick)}" y2="{y(scale, tick)}"/>'
        for tick in scale.ticks()
    )
    paths = "".join(
        (band_path(scale, line.past, last) if band else "")
        + f'<polyline class="lx-line-{number}{" lx-own" * line.own}"'
        f' points="{path(scale, line.past, last)}"/>'
        for number, line in enumerate(drawn)
    )
    return (
        f'<div class="lx-history"><div class="lx-ticks" aria-hidden="true">{grid}</div>'
        f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img"'
        f' aria-label="Ratings after each match of the ladder">{rules}{paths}</svg></div>'
        f'<div class="lx-soft lx-small lx-axis">{many(last, "match")} on the ladder</div>'
        f"{'' if band else legend(drawn)}"
    )


def path(scale: Scale, past: Sequence[PastRating], last: int) -> str:
    """Return the points of a line; a single one is there twice, so that it is drawn as a dot."""
    ends = past if len(past) > 1 else [*past, *past]
    return " ".join(f"{x(one, last)},{y(scale, one.elo)}" for one in ends)


def band_path(scale: Scale, past: Sequence[PastRating], last: int) -> str:
    """Return the area between the ends of the intervals."""
    top = [f"{x(one, last)},{y(scale, one.high)}" for one in past]
    bottom = [f"{x(one, last)},{y(scale, one.low)}" for one in reversed(past)]
    return f'<polygon points="{" ".join(top + bottom)}"/>'


def x(one: PastRating, last: int) -> str:
    """Return where a rating is from left to right."""
    return f"{100 * one.played / last:.2f}"


def y(scale: Scale, elo: float) -> str:
    """Return where a rating is from top to bottom."""
    return f"{100 - scale.share(elo):.2f}"


def legend(lines: Sequence[Line]) -> str:
    """Return the names of the lines."""
    items = (
        f'<li class="lx-line-{number}"><a href="{line.address}">{html.escape(line.name)}</a></li>'
        for number, line in enumerate(lines)
    )
    return f'<ul class="lx-legend">{"".join(items)}</ul>'
