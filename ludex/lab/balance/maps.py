"""Maps of two rules: the winner for each pair of values."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from ludex.lab.balance.sweeps import Sweep, leader
from ludex.lab.report.blocks import ReportTable
from ludex.lab.report.heat_map import draw_heat_map
from ludex.lab.report.plots import COLOURS, FAINT, INK, figure_svg, legend_above
from ludex.lab.run.series import percentage

TICKS_MAX = 26
COLUMNS_MAX = 20  # with room for a number in each cell
ROWS_MAX = 40  # likewise
SIDE_COLOURS = (COLOURS[1], "#F2F2F2", COLOURS[0])  # seat 1 wins, nobody, seat 0 wins


def ticks(values: tuple[str, ...]) -> tuple[list[int], list[str]]:
    """Return positions and labels of ticks that do not overlap."""
    step = -(-len(values) // TICKS_MAX)
    places = list(range(0, len(values), step))
    return places, [values[place] for place in places]


def label_axes(
    axes: Any, first: Sweep, second: Sweep, standard: tuple[str, str], framed: bool = False
) -> None:
    """Label the axes, and mark the current rules by a cross, or a frame around a number."""
    axes.set_xticks(*ticks(first.values), fontsize=9)
    axes.set_yticks(*ticks(second.values), fontsize=9)
    axes.set(xlabel=first.key, ylabel=second.key)
    axes.spines[:].set_visible(False)
    x, y = (
        axis_position(axis, value) for axis, value in zip((first, second), standard, strict=True)
    )
    if x is None or y is None:
        return
    if framed and x.is_integer() and y.is_integer():
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, lw=2.5, clip_on=False))
    else:
        axes.plot(x, y, "x", color="black", markersize=11, markeredgewidth=2.5)


def axis_position(axis: Sweep, value: str) -> float | None:
    """Return the position of a value on an axis, interpolated between its neighbours."""
    if value in axis.values:
        return float(axis.values.index(value))
    if not axis.numeric or not value.isdigit():
        return None
    numbers = [float(one) for one in axis.values]
    if not min(numbers) <= float(value) <= max(numbers):
        return None
    return float(np.interp(float(value), numbers, np.arange(len(numbers))))


def map_table(
    caption: str,
    first: Sweep,
    second: Sweep,
    texts: Mapping[tuple[str, ...], str],
    facts: Mapping[tuple[str, ...], dict[str, Any]],
) -> ReportTable:
    """Return a map as a table, with unrounded numbers."""
    return ReportTable(
        caption,
        (f"{second.key} \\ {first.key}", *first.values),
        [(y, *(texts[x, y] for x in first.values)) for y in second.values],
        facts=[{first.key: x, second.key: y, **facts[x, y]} for x, y in facts],
        folded=True,
    )


def winner_map(
    first: Sweep,
    second: Sweep,
    proven: Mapping[tuple[str, ...], float | None],
    names: tuple[str, str],
    standard: tuple[str, str],
) -> str:
    """Plot the winner for each pair of values; unproven ones stay white."""
    sides = np.array(
        [[leader(proven[x, y]) for x in first.values] for y in second.values], dtype=float
    )

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.imshow(
            sides,
            cmap=ListedColormap(SIDE_COLOURS),
            vmin=-1,
            vmax=1,
            aspect="auto",
            origin="lower",
            interpolation="nearest",
        )
        ahead = np.argwhere(sides > 0)  # dots, for colour-blind readers
        axes.scatter(ahead[:, 1], ahead[:, 0], s=5, color="white")
        label_axes(axes, first, second, standard)
        axes.set_xticks(np.arange(-0.5, len(first.values)), minor=True)
        axes.set_yticks(np.arange(-0.5, len(second.values)), minor=True)
        axes.grid(which="minor", color="white", linewidth=0.8)
        axes.tick_params(which="minor", length=0)
        labels = {1: f"{names[0]} wins (dotted)", -1: f"{names[1]} wins", 0: "nobody wins"}
        patches = [
            Patch(facecolor=SIDE_COLOURS[sign + 1], edgecolor=FAINT, label=label)
            for sign, label in labels.items()
            if (sides == sign).any()
        ]
        legend_above(axes, 3, handles=patches, labelcolor=INK)

    return figure_svg(draw, min(7.5, 1.8 + 0.24 * len(second.values)))


def has_room(first: Sweep, second: Sweep) -> bool:
    """Return whether the cells of a map have room for numbers."""
    return len(first.values) <= COLUMNS_MAX and len(second.values) <= ROWS_MAX


def map_caption(first: Sweep, second: Sweep) -> str:
    """Explain how to read a map of shares."""
    if has_room(first, second):
        return (
            "in percent; white is fair. The frame, or a cross between cells, is the game as it is."
        )
    return (
        "by colour; white is fair. The cross is the game as it is. There is no room for numbers:"
        " the table has them."
    )


def share_map(
    first: Sweep,
    second: Sweep,
    shares: Mapping[tuple[str, ...], float],
    name: str,
    standard: tuple[str, str],
) -> str:
    """Plot the share for each pair of values, with numbers where there is room."""
    grid = [[shares[x, y] for x in first.values] for y in second.values]
    room = has_room(first, second)
    texts = [[percentage(share) for share in row] for row in grid] if room else []

    def draw(figure: Figure) -> None:
        axes = draw_heat_map(figure, grid, texts, f"points of {name}", "lower", 8)
        label_axes(axes, first, second, standard, room)

    # Below three inches the label of the colour bar would be cut off.
    return figure_svg(draw, min(7.5, max(3.0, 1.8 + 0.24 * len(second.values))))
