"""Drawing: every plot of the lab in one manner, told apart by shape as well as by colour."""

import io
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ludex.lab.series import Count

# Okabe and Ito's colours, which the colour-blind tell apart; the yellow is left out on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#444444")
MARKERS = "osD^vPX"
INK, FAINT = "#22304A", "#8A93A6"
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
        for line in lines:
            for x, y, text in zip(line.x, line.y, line.texts, strict=True):
                axes.annotate(text, (x, y), xytext=(6, -13), textcoords="offset points", fontsize=9)
        axes.set_xlabel("seconds for a decision, on average")
        shares_on(axes, label)
        legend_below(figure, axes)

    return drawn(draw, 4.8)


def curves(lines: list[Line], x: str, label: str) -> str:
    """Return shares over a number that grows by factors, with bands."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lines_on(axes, lines, band=True)
        axes.set_xscale("symlog", linthresh=100)
        top = max(max(line.x) for line in lines)
        ticks = [0, *(10**power for power in range(2, math.ceil(math.log10(max(top, 100))) + 1))]
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.set_xlim(-5, top * 1.15)
        axes.set_xlabel(x)
        shares_on(axes, label)
        legend_below(figure, axes)

    return drawn(draw, 4.6)


def over(
    lines: list[Line],
    x: str,
    label: str,
    marked: Sequence[tuple[float, str]] = (),
    standard: float | None = None,
) -> str:
    """Return shares over a rule, with some of its values marked, and the one that it has."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        lines_on(axes, lines)
        axes.set_xlabel(x)
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
        for value, text in marked:
            axes.axvline(value, color=INK, linewidth=1.2, linestyle=":")
            axes.annotate(
                text,
                (value, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=9,
            )
        legend_below(figure, axes)

    return drawn(draw, 4.6)


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
        image = axes.imshow(shares, cmap="PuOr", vmin=0.0, vmax=1.0, aspect="auto")
        for row, line in enumerate(texts):
            for column, text in enumerate(line):
                dark = not 0.12 < shares[row][column] < 0.75  # purple darkens before orange
                axes.text(
                    column,
                    row,
                    text,
                    ha="center",
                    va="center",
                    fontsize=10,
                    color="white" if dark else INK,
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
