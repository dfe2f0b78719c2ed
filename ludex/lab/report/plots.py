"""Plots of the lab in one style, distinguished by shape as well as by colour."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, PercentFormatter

from ludex.io.figure import SvgFigure
from ludex.io.text import UNITS
from ludex.lab.report.blocks import Drawing

# The colour-blind safe palette of Okabe and Ito, without yellow, which is too faint on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#444444")
MARKERS = "osD^vPX"
INK, FAINT = "#22304A", "#8A93A6"
WIDTH, NARROW = 9.0, 4.3  # inches, the width of a page and of a phone
NAME_WIDTH = 16  # letters of a name in one line of a narrow plot
SMALL = 10  # the least font size; pages show a figure so wide that it is 11 pixels
STYLE: Any = {
    "svg.hashsalt": "ludex",  # for reproducible bytes
    "svg.fonttype": "path",
    "font.size": 11,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


class Curve(NamedTuple):
    """The points of a line, optionally with intervals."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    texts: Sequence[str] = ()
    """Labels beside the points."""

    def errors(self) -> tuple[list[float], list[float]]:
        """Return how far the intervals reach below and above the points."""
        below = [max(y - low, 0.0) for y, low in zip(self.y, self.low, strict=True)]
        return below, [max(high - y, 0.0) for y, high in zip(self.y, self.high, strict=True)]


def share_line(
    name: str, x: Sequence[float], shares: Sequence[Any], texts: Sequence[str] = ()
) -> Curve:
    """Return the shares of tallies or levels as a line with intervals."""
    low, high = ([one.interval[end] for one in shares] for end in (0, 1))
    return Curve(name, x, [one.share for one in shares], low, high, texts)


def make_drawing(
    draw: Callable[[Figure], None], height: float, narrow_height: float | None = None
) -> Drawing:
    """Return a figure, drawn by a function at either width."""
    wide = figure_svg(draw, WIDTH, height)
    narrow = figure_svg(draw, NARROW, narrow_height or height)
    # Both are on one page, where every name of a part must be unique.
    return Drawing(wide, re.sub(r'( id="|href="#|url\(#)', r"\1narrow-", narrow))


def figure_svg(draw: Callable[[Figure], None], width: float, height: float) -> str:
    """Return a figure of a size in inches as SVG, drawn by a function."""
    with matplotlib.rc_context(STYLE):
        figure = SvgFigure(figsize=(width, height), layout="constrained")
        draw(figure)
        return figure.svg()


def is_narrow(figure: Any) -> bool:
    """Return whether a figure has the width of a phone."""
    return bool(figure.get_figwidth() < WIDTH)


def fitted_names(figure: Any, names: Sequence[str]) -> list[str]:
    """Return names as labels of a figure, in several lines if it is narrow."""
    return [wrap_name(name) for name in names] if is_narrow(figure) else list(names)


def wrap_name(name: str) -> str:
    """Return the name of an agent in short lines, broken after colons, commas and spaces."""
    lines = [""]
    for part in re.split(r"(?<=[:, ])", name):
        if lines[-1] and len(lines[-1] + part.rstrip()) > NAME_WIDTH:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.strip() for line in lines)


def line_style(place: int) -> dict[str, Any]:
    """Return colour and marker of the line with this index."""
    return {"color": COLOURS[place % len(COLOURS)], "marker": MARKERS[place % len(MARKERS)]}


def draw_lines(axes: Axes, lines: Sequence[Curve], band: bool = False) -> None:
    """Draw lines, with bands or error bars where intervals are known."""
    for place, line in enumerate(lines):
        kind = line_style(place)
        axes.plot(line.x, line.y, label=line.name, linewidth=1.8, markersize=6, **kind)
        if len(line.low) and band:
            axes.fill_between(line.x, line.low, line.high, color=kind["color"], alpha=0.18, lw=0)
        elif len(line.low):
            look = {"fmt": "none", "ecolor": kind["color"], "capsize": 3, "lw": 1.2}
            axes.errorbar(line.x, line.y, line.errors(), **look)
    axes.grid(alpha=0.25)


def legend_below(figure: Figure, axes: Axes) -> None:
    """Put the legend below a figure."""
    handles, names = axes.get_legend_handles_labels()
    if len(names) > 1:
        columns = 1 if is_narrow(figure) else min(len(names), 3)
        figure.legend(handles, names, loc="outside lower center", ncols=columns, frameon=False)


def legend_above(axes: Axes, columns: int, **more: Any) -> None:
    """Put the legend above the axes."""
    place, columns = (0.5, 1.0), 1 if is_narrow(axes.figure) else columns
    axes.legend(loc="lower center", bbox_to_anchor=place, ncols=columns, frameon=False, **more)


def format_share_axis(axes: Axes, label: str, horizontal: bool = False) -> None:
    """Format an axis as percent, with a line at one half."""
    name, draw_line = ("x", axes.axvline) if horizontal else ("y", axes.axhline)
    axes.set(**{f"{name}lim": (-0.02, 1.02), f"{name}label": label})
    getattr(axes, f"{name}axis").set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    draw_line(0.5, color=FAINT, linewidth=1, linestyle="--")


def annotate(
    axes: Axes, text: str, at: tuple[float, float], offset: tuple[float, float], **look: Any
) -> None:
    """Write a small text at an offset in points."""
    axes.annotate(text, at, xytext=offset, textcoords="offset points", fontsize=SMALL, **look)


def depth_plots(left: list[Curve], right: list[Curve], labels: tuple[str, str]) -> Drawing:
    """Plot two sets of lines over the depth, side by side, on logarithmic axes."""

    def draw(figure: Figure) -> None:
        shape = (2, 1) if is_narrow(figure) else (1, 2)
        for axes, lines, label in zip(figure.subplots(*shape), (left, right), labels, strict=True):
            draw_lines(axes, lines)
            axes.set_yscale("log")
            axes.set(xlabel="depth (decisions ahead)", ylabel=label)
            axes.set_xticks(sorted({int(one) for line in lines for one in line.x}))
        legend_below(figure, axes)

    return make_drawing(draw, 4.2, 7.0)


def interval_plot(
    names: Sequence[str], lines: Sequence[Curve], label: str, ratios: bool = False
) -> Drawing:
    """Plot points with intervals, a row for each name: shares, or ratios on a logarithmic axis.

    The `x` of a line holds the rows.
    """
    groups = len(lines)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for place, line in enumerate(lines):
            kind = line_style(place)
            axes.errorbar(
                line.y,
                [row + 0.24 * (place - (groups - 1) / 2) for row in line.x],
                xerr=line.errors(),
                fmt=kind["marker"],
                color=kind["color"],
                capsize=3,
                markersize=7,
                label=line.name,
            )
        if ratios:
            axes.set(xscale="log", xlabel=label)
            axes.axvline(1.0, color=FAINT, linestyle="--", linewidth=1)
        else:
            format_share_axis(axes, label, horizontal=True)
        axes.set_yticks(range(len(names)), fitted_names(figure, names))
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.grid(axis="x", alpha=0.25)
        if groups > 1:
            legend_above(axes, min(groups, 3))

    return make_drawing(draw, 1.3 + 0.42 * len(names) * max(1.0, 0.6 * groups))


def share_curves(
    lines: Sequence[Curve],
    label: str,
    finish: Callable[[Axes], None],
    height: float = 4.6,
    band: bool = False,
) -> Drawing:
    """Plot shares as lines; `finish` formats the x-axis, and may add more."""

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        draw_lines(axes, lines, band)
        format_share_axis(axes, label)
        finish(axes)
        legend_below(figure, axes)

    return make_drawing(draw, height)


def time_plot(lines: list[Curve], label: str) -> Drawing:
    """Plot shares over the time of a decision, on a logarithmic axis."""

    def finish(axes: Axes) -> None:
        axes.set(xscale="log", xlabel="time for a decision, on average")
        axes.margins(x=0.08)
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, place: tick_time(value)))
        axes.xaxis.set_minor_locator(NullLocator())
        for place, line in enumerate(lines):
            # Beside the vertical interval, on alternating sides.
            offset, end = ((7, -13), "left") if place % 2 == 0 else ((-7, -4), "right")
            colour = line_style(place)["color"]
            for x, y, text in zip(line.x, line.y, line.texts, strict=True):
                annotate(axes, text, (x, y), offset, ha=end, color=colour)

    return share_curves(lines, label, finish, 4.8)


def tick_time(seconds: float) -> str:
    """Return a time as the label of a tick."""
    size, unit = next((one for one in UNITS if seconds >= 0.999 * one[0]), UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


def learning_plot(lines: list[Curve], label: str) -> Drawing:
    """Plot shares with bands over matches, on a logarithmic axis that includes 0."""

    def finish(axes: Axes) -> None:
        axes.set_xscale("symlog", linthresh=100)
        top = max(max(line.x) for line in lines)
        ticks = [0, *(10**power for power in range(2, math.floor(math.log10(max(top, 100))) + 1))]
        if top > 1.5 * ticks[-1]:  # label the end if there is room
            ticks.append(int(top))
        axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set(xlim=(-5, top * 1.15), xlabel="matches learned from")

    return share_curves(lines, label, finish, band=True)
