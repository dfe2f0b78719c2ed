"""Maps of two rules: the winner for each pair of values."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from ludex.lab.balance.sweeps import Sweep
from ludex.lab.report.blocks import Drawing, ReportTable
from ludex.lab.report.heat_map import draw_heat_map
from ludex.lab.report.plots import COLOURS, FAINT, INK, SMALL, is_narrow, legend_above, make_drawing
from ludex.lab.run.series import percentage

TICKS_MAX, NARROW_TICKS_MAX = 26, 12
COLUMNS_MAX, NARROW_COLUMNS_MAX = 20, 11  # with room for a number in each cell
ROWS_MAX = 40  # likewise
SIDE_COLOURS = (COLOURS[1], "#F2F2F2", COLOURS[0])  # seat 1 wins, nobody, seat 0 wins


Cells = Mapping[tuple[str, ...], Any]
"""Something for each pair of values."""


class RuleMap(NamedTuple):
    """The axes of a map: two swept rules, and their current values."""

    first: Sweep
    second: Sweep
    standard: tuple[str, str]

    @property
    def roomy(self) -> bool:
        """Whether the cells have room for numbers."""
        return len(self.first.values) <= COLUMNS_MAX and len(self.second.values) <= ROWS_MAX

    @property
    def height(self) -> float:
        """The height of a plot in inches."""
        return min(7.5, 1.8 + 0.24 * len(self.second.values))

    def rows(self, cells: Cells) -> list[list[Any]]:
        """Return what there is for each pair, row by row."""
        return [[cells[x, y] for x in self.first.values] for y in self.second.values]

    def table(self, caption: str, texts: Cells, facts: Cells) -> ReportTable:
        """Return the map as a table, with unrounded numbers."""
        first, second = self.first.key, self.second.key
        return ReportTable(
            caption,
            (f"{second} \\ {first}", *self.first.values),
            [(y, *row) for y, row in zip(self.second.values, self.rows(texts), strict=True)],
            facts=[{first: x, second: y, **fact} for (x, y), fact in facts.items()],
            folded=True,
        )

    def caption(self) -> str:
        """Explain how to read a map of shares."""
        if self.roomy:
            return (
                "in percent; white is fair. The frame, or a cross between cells, is the game as it"
                " is."
            )
        return (
            "by colour; white is fair. The cross is the game as it is. There is no room for"
            " numbers: the table has them."
        )

    def label(self, axes: Axes, framed: bool = False) -> None:
        """Label the axes, and mark the current rules by a cross, or a frame around a number."""
        most = NARROW_TICKS_MAX if is_narrow(axes.figure) else TICKS_MAX
        axes.set_xticks(*ticks(self.first.values, most), fontsize=SMALL)
        axes.set_yticks(*ticks(self.second.values), fontsize=SMALL)
        axes.set(xlabel=self.first.key, ylabel=self.second.key)
        axes.spines[:].set_visible(False)
        x, y = map(axis_position, self[:2], self.standard)
        if x is None or y is None:
            return
        if framed and x.is_integer() and y.is_integer():
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, lw=2.5, clip_on=False))
        else:
            axes.plot(x, y, "x", color="black", markersize=11, markeredgewidth=2.5)


def ticks(values: tuple[str, ...], most: int = TICKS_MAX) -> tuple[list[int], list[str]]:
    """Return positions and labels of at most so many ticks."""
    step = -(-len(values) // most)
    return list(range(0, len(values), step)), list(values[::step])


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


def winner_map(where: RuleMap, leaders: Cells, names: tuple[str, str]) -> Drawing:
    """Plot the winner for each pair of values; unproven ones stay white."""
    sides = np.array(where.rows(leaders), dtype=float)

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
        where.label(axes)
        axes.set_xticks(np.arange(-0.5, sides.shape[1]), minor=True)
        axes.set_yticks(np.arange(-0.5, sides.shape[0]), minor=True)
        axes.grid(which="minor", color="white", linewidth=0.8)
        axes.tick_params(which="minor", length=0)
        labels = {1: f"{names[0]} wins (dotted)", -1: f"{names[1]} wins", 0: "nobody wins"}
        patches = [
            Patch(facecolor=SIDE_COLOURS[sign + 1], edgecolor=FAINT, label=label)
            for sign, label in labels.items()
            if (sides == sign).any()
        ]
        legend_above(axes, 3, handles=patches, labelcolor=INK)

    return make_drawing(draw, where.height, where.height + 0.5)


def share_map(where: RuleMap, shares: Cells, name: str) -> Drawing:
    """Plot the share for each pair of values, with numbers where there is room."""
    grid = where.rows(shares)
    texts = [[percentage(share) for share in row] for row in grid] if where.roomy else []

    def draw(figure: Figure) -> None:
        cramped = is_narrow(figure) and len(where.first.values) > NARROW_COLUMNS_MAX
        shown = [] if cramped else texts
        axes = draw_heat_map(figure, grid, shown, f"points of {name}", "lower", SMALL)
        where.label(axes, where.roomy)

    height = max(3.0, where.height)  # or the label of the bar would be cut off
    return make_drawing(draw, height, height + 0.8)
