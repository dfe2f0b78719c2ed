"""Maps of two rules: the winner for each pair of values."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import PercentFormatter

from ludex.lab.balance.sweep import Sweep, side
from ludex.lab.report.blocks import Table
from ludex.lab.report.plots import COLOURS, DIVERGING, FAINT, INK, drawn, ink_on
from ludex.lab.run.series import hundredths

MOST_TICKS = 26
WIDE = 20  # columns in whose cells a number can be read
HIGH = 40  # rows, likewise
SIDES = (COLOURS[1], "#F2F2F2", COLOURS[0])  # seat 1 wins, nobody, seat 0 wins


def ticks(values: tuple[str, ...]) -> tuple[list[int], list[str]]:
    """Return places and texts of so many ticks that they do not touch."""
    step = -(-len(values) // MOST_TICKS)
    places = list(range(0, len(values), step))
    return places, [values[place] for place in places]


def set_up(
    axes: Any, first: Sweep, second: Sweep, standard: tuple[str, str], framed: bool = False
) -> None:
    """Name the axes, and mark the rules as they are: by a cross, or a frame around a number."""
    axes.set_xticks(*ticks(first.values), fontsize=9)
    axes.set_yticks(*ticks(second.values), fontsize=9)
    axes.set(xlabel=first.key, ylabel=second.key)
    axes.spines[:].set_visible(False)
    x, y = (place(axis, value) for axis, value in zip((first, second), standard, strict=True))
    if x is None or y is None:
        return
    if framed and x.is_integer() and y.is_integer():
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, lw=2.5, clip_on=False))
    else:
        axes.plot(x, y, "x", color="black", markersize=11, markeredgewidth=2.5)


def place(axis: Sweep, value: str) -> float | None:
    """Return where a value lies on an axis of places, between two if it must be."""
    if value in axis.values:
        return float(axis.values.index(value))
    if not axis.numeric or not value.isdigit():
        return None
    numbers = [float(one) for one in axis.values]
    if not min(numbers) <= float(value) <= max(numbers):
        return None
    return float(np.interp(float(value), numbers, np.arange(len(numbers))))


def place_table(
    caption: str,
    first: Sweep,
    second: Sweep,
    texts: Mapping[tuple[str, ...], str],
    facts: Mapping[tuple[str, ...], dict[str, Any]],
) -> Table:
    """Return what a map shows as a table, and as numbers for programs."""
    return Table(
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
    """Return who wins by each pair of values; what is not proven is left white."""
    sides = np.array(
        [[side(proven[x, y]) for x in first.values] for y in second.values], dtype=float
    )

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.imshow(
            sides,
            cmap=ListedColormap(SIDES),
            vmin=-1,
            vmax=1,
            aspect="auto",
            origin="lower",
            interpolation="nearest",
        )
        ahead = np.argwhere(sides > 0)  # a dot, for those who do not see the colour
        axes.scatter(ahead[:, 1], ahead[:, 0], s=5, color="white")
        set_up(axes, first, second, standard)
        axes.set_xticks(np.arange(-0.5, len(first.values)), minor=True)
        axes.set_yticks(np.arange(-0.5, len(second.values)), minor=True)
        axes.grid(which="minor", color="white", linewidth=0.8)
        axes.tick_params(which="minor", length=0)
        kinds = [(names[0], SIDES[2], 1), (names[1], SIDES[0], -1), ("nobody", SIDES[1], 0)]
        patches = [
            Patch(
                facecolor=colour, edgecolor=FAINT, label=f"{name} wins" + " (dotted)" * (kind > 0)
            )
            for name, colour, kind in kinds
            if (sides == kind).any()
        ]
        axes.legend(
            handles=patches,
            loc="lower center",
            bbox_to_anchor=(0.5, 1.0),
            ncols=3,
            frameon=False,
            labelcolor=INK,
        )

    return drawn(draw, min(7.5, 1.8 + 0.24 * len(second.values)))


def written(first: Sweep, second: Sweep) -> bool:
    """Return whether the cells of a map have room for numbers."""
    return len(first.values) <= WIDE and len(second.values) <= HIGH


def share_words(first: Sweep, second: Sweep) -> str:
    """Return in words how a map of shares is read."""
    if written(first, second):
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
    """Return a share for each pair of values as colours, and in percent where there is room."""
    grid = np.array([[shares[x, y] for x in first.values] for y in second.values])

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        image = axes.imshow(grid, cmap=DIVERGING, vmin=0, vmax=1, aspect="auto", origin="lower")
        set_up(axes, first, second, standard, written(first, second))
        if written(first, second):
            for (row, column), share in np.ndenumerate(grid):
                text = axes.text(column, row, hundredths(share), ha="center", va="center")
                text.set(fontsize=8, color=ink_on(share))
        bar = figure.colorbar(image, ax=axes, label=f"points of {name}")
        bar.ax.yaxis.set_major_formatter(PercentFormatter(1.0))

    # Lower than three inches the name of the colours would not be whole.
    return drawn(draw, min(7.5, max(3.0, 1.8 + 0.24 * len(second.values))))
