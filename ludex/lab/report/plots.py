"""Plots of the lab in one style, distinguished by shape as well as by colour."""

import io
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator, PercentFormatter

from ludex.lab.report.blocks import UNITS
from ludex.lab.run.series import Count

# Okabe and Ito's colours, which the colour-blind tell apart; the yellow is left out on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#444444")
MARKERS = "osD^vPX"
INK, FAINT = "#22304A", "#8A93A6"
DIVERGING = "PuOr"  # from orange over white at one half to purple, of shares
DARK = 0.24  # of a cell on which white is read better than ink
NEAR = 0.09  # of the width of an axis, within which two texts touch
WIDTH = 9.0  # inches; a page is as wide
STYLE: Any = {
    "svg.hashsalt": "ludex",  # the same drawing has the same bytes
    "svg.fonttype": "path",
    "font.size": 11,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "text.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
NOTHING = dict.fromkeys(("Date", "Creator", "Format", "Type"))  # is said about a drawing


class Line(NamedTuple):
    """Points of a line with, if known, the ends of their intervals."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    texts: Sequence[str] = ()
    """What stands beside the points."""


def shares(
    name: str, x: Sequence[float], counts: Sequence[Count], texts: Sequence[str] = ()
) -> Line:
    """Return the shares of the points as a line, with the ends of their intervals."""
    low, high = ([one.interval[end] for one in counts] for end in (0, 1))
    return Line(name, x, [one.share for one in counts], low, high, texts)


def drawn(draw: Callable[[Figure], None], height: float, width: float = WIDTH) -> str:
    """Return what a function draws into a figure, as SVG."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata=NOTHING)
    svg = text.getvalue()
    return svg[svg.index("<svg") :]


def marks(place: int) -> dict[str, Any]:
    """Return colour and shape of the line or group of a number."""
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}


def lines_on(axes: Axes, lines: Sequence[Line], band: bool = False) -> None:
    """Draw lines, with bands or bars where intervals are known."""
    for place, line in enumerate(lines):
        kind = marks(place)
        axes.plot(line.x, line.y, label=line.name, linewidth=1.8, markersize=6, **kind)
        if len(line.low) and band:
            axes.fill_between(line.x, line.low, line.high, color=kind["color"], alpha=0.18, lw=0)
        elif len(line.low):
            below = [max(y - low, 0.0) for y, low in zip(line.y, line.low, strict=True)]
            above = [max(high - y, 0.0) for y, high in zip(line.y, line.high, strict=True)]
            axes.errorbar(
                line.x, line.y, (below, above), fmt="none", ecolor=kind["color"], capsize=3, lw=1.2
            )
    axes.grid(alpha=0.25)


def legend_below(figure: Figure, axes: Axes) -> None:
    """Put the names of the lines under a figure, where they cover nothing."""
    handles, names = axes.get_legend_handles_labels()
    if len(names) > 1:
        figure.legend(
            handles, names, loc="outside lower center", ncols=min(len(names), 3), frameon=False
        )


def shares_on(axes: Axes, label: str, horizontal: bool = False) -> None:
    """Let an axis show shares in percent, with the even one marked."""
    if horizontal:
        axes.set(xlim=(-0.02, 1.02), xlabel=label)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.axvline(0.5, color=FAINT, linewidth=1, linestyle="--")
    else:
        axes.set(ylim=(-0.02, 1.02), ylabel=label)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
        axes.axhline(0.5, color=FAINT, linewidth=1, linestyle="--")


def two_logs(left: list[Line], right: list[Line], x: str, labels: tuple[str, str]) -> str:
    """Return two plots side by side whose heights are logarithmic."""

    def draw(figure: Figure) -> None:
        for axes, lines, label in zip(figure.subplots(1, 2), (left, right), labels, strict=True):
            lines_on(axes, lines)
            axes.set_yscale("log")
            axes.set(xlabel=x, ylabel=label)
            axes.set_xticks(sorted({int(one) for line in lines for one in line.x}))
        legend_below(figure, axes)

    return drawn(draw, 4.2)


def bars(names: Sequence[str], lines: Sequence[Line], label: str) -> str:
    """Return shares as points with their intervals, a row for each name; x holds the rows."""
    groups = len(lines)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for place, line in enumerate(lines):
            kind = marks(place)
            rows = [row + 0.24 * (place - (groups - 1) / 2) for row in line.x]
            below = [y - low for y, low in zip(line.y, line.low, strict=True)]
            above = [high - y for y, high in zip(line.y, line.high, strict=True)]
            axes.errorbar(
                line.y,
                rows,
                xerr=(below, above),
                fmt=kind["marker"],
                color=kind["color"],
                capsize=3,
                markersize=7,
                label=line.name,
            )
        shares_on(axes, label, horizontal=True)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.grid(axis="x", alpha=0.25)
        if groups > 1:
            axes.legend(
                loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=min(groups, 3), frameon=False
            )

    return drawn(draw, 1.3 + 0.42 * len(names) * max(1.0, 0.6 * groups))


def against_time(lines: list[Line], label: str) -> str:
    """Return shares over the time that a decision takes, which is logarithmic."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lines_on(axes, lines)
        axes.set_xscale("log")
        axes.margins(x=0.08)
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: duration(value)))
        axes.xaxis.set_minor_locator(NullLocator())
        for place, line in enumerate(lines):
            # Beside the interval, which is upright, and on the other side for the next line.
            way, end = (7, "left") if place % 2 == 0 else (-7, "right")
            for x, y, text in zip(line.x, line.y, line.texts, strict=True):
                axes.annotate(
                    text,
                    (x, y),
                    xytext=(way, -4 - 9 * (place % 2 == 0)),
                    textcoords="offset points",
                    ha=end,
                    fontsize=9,
                    color=marks(place)["color"],
                )
        axes.set_xlabel("time for a decision, on average")
        shares_on(axes, label)
        legend_below(figure, axes)

    return drawn(draw, 4.8)


def duration(seconds: float) -> str:
    """Return a round time for an axis."""
    size, unit = next((one for one in UNITS if seconds >= 0.999 * one[0]), UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


def curves(lines: list[Line], x: str, label: str) -> str:
    """Return shares over a number that grows by factors, with bands."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lines_on(axes, lines, band=True)
        axes.set_xscale("symlog", linthresh=100)
        top = max(max(line.x) for line in lines)
        ticks = [0, *(10**power for power in range(2, math.floor(math.log10(max(top, 100))) + 1))]
        if top > 1.5 * ticks[-1]:  # the end has a number, if it stands clear of the last one
            ticks.append(int(top))
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlim(-5, top * 1.15)
        axes.set_xlabel(x)
        shares_on(axes, label)
        legend_below(figure, axes)

    return drawn(draw, 4.6)


def apart(lines: Sequence[Line]) -> list[Line]:
    """Return lines over the same places moved a little, so that no interval hides another."""
    x = sorted({one for line in lines for one in line.x})
    gaps = [b - a for a, b in pairwise(x)] or [1.0]
    gap = min(0.22 * median(gaps), 0.5 * min(gaps))  # each stays nearest to its own place
    moved = [gap * (place - (len(lines) - 1) / 2) for place in range(len(lines))]
    return [
        line._replace(x=[one + way for one in line.x])
        for line, way in zip(lines, moved, strict=True)
    ]


def over(
    lines: list[Line],
    x: str,
    label: str,
    marked: Sequence[tuple[float, str]] = (),
    standard: float | None = None,
    words: Sequence[str] = (),
) -> str:
    """Return shares over a rule, with some of its values marked, and the one that it has.

    Where the values are words, they stand at 0, 1 and so on.
    """

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lines_on(axes, apart(lines))
        axes.set_xlabel(x)
        if words:
            axes.set_xticks(range(len(words)), words)
        else:
            axes.xaxis.set_major_locator(MaxNLocator(10, integer=True, steps=[1, 2, 5, 10]))
        shares_on(axes, label)
        if standard is not None:
            axes.axvline(standard, color=FAINT, linewidth=1.2)
            axes.annotate(
                "as it is",
                (standard, 0.02),
                xycoords=("data", "axes fraction"),
                xytext=(4, 0),
                textcoords="offset points",
                fontsize=9,
            )
        span = max(max(line.x) for line in lines) - min(min(line.x) for line in lines)
        last, high = -math.inf, False
        for value, text in sorted(marked):
            axes.axvline(value, color=INK, linewidth=1.2, linestyle=":")
            high = not high and value - last < NEAR * span  # two texts would lie on each other
            last = value
            axes.annotate(
                text,
                (value, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(0, 16 if high else 3),
                textcoords="offset points",
                ha="center",
                fontsize=9,
            )
        legend_below(figure, axes)

    return drawn(draw, 4.6)


def light_of(share: float) -> float:
    """Return how light the cell of a share is, from 0 to 1, as people see it."""
    linear = [
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4
        for one in matplotlib.colormaps[DIVERGING](share)[:3]
    ]
    return sum(part * one for part, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def ink_on(share: float) -> str:
    """Return the colour in which a text on the cell of a share can be read."""
    return "white" if light_of(share) < DARK else INK


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    shares: Sequence[Sequence[float]],
    texts: Sequence[Sequence[str]],
    labels: tuple[str, str, str],
) -> str:
    """Return a table of shares as colours; one half is white, so that bias is seen at once."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        image = axes.imshow(shares, cmap=DIVERGING, vmin=0.0, vmax=1.0, aspect="auto")
        for row, line in enumerate(texts):
            for column, text in enumerate(line):
                axes.text(
                    column,
                    row,
                    text,
                    ha="center",
                    va="center",
                    fontsize=10,
                    color=ink_on(shares[row][column]),
                )
        axes.set_xticks(
            range(len(columns)), columns, rotation=20 if len(columns) < 6 else 35, ha="right"
        )
        axes.set_yticks(range(len(rows)), rows)
        axes.set(xlabel=labels[0], ylabel=labels[1])
        axes.spines[:].set_visible(False)
        bar = figure.colorbar(image, ax=axes, label=labels[2])
        bar.ax.yaxis.set_major_formatter(PercentFormatter(1.0))

    return drawn(draw, 1.9 + 0.62 * len(rows))
