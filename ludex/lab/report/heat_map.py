"""Heat maps of shares: white at one half, with numbers that can be read on every colour."""

from collections.abc import Sequence
from typing import Literal

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ludex.lab.report.plots import is_narrow

INK = "#111111"  # unlike that of axes, it stays dark where a page is
DIVERGING = "PuOr"  # orange, white at one half, purple
DARK_LUMINANCE = 0.24  # below it, white text has more contrast than ink


def luminance(share: float) -> float:
    """Return the relative luminance of the colour of a share, from 0 to 1."""
    linear = [
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4
        for one in matplotlib.colormaps[DIVERGING](share)[:3]
    ]
    return sum(part * one for part, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def draw_heat_map(
    figure: Figure,
    shares: Sequence[Sequence[float]],
    texts: Sequence[Sequence[str]],
    label: str,
    origin: Literal["upper", "lower"] = "upper",
    font: int = 10,
) -> Axes:
    """Draw a table of shares as colours with texts, if there are any, and a colour bar."""
    axes = figure.subplots()
    image = axes.imshow(shares, cmap=DIVERGING, vmin=0.0, vmax=1.0, aspect="auto", origin=origin)
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            cell = axes.text(column, row, text, ha="center", va="center", fontsize=font)
            dark = luminance(shares[row][column]) < DARK_LUMINANCE
            cell.set_color("white" if dark else INK)
    axes.spines[:].set_visible(False)
    narrow = is_narrow(figure)
    bar = figure.colorbar(image, ax=axes, label=label, location="bottom" if narrow else "right")
    (bar.ax.xaxis if narrow else bar.ax.yaxis).set_major_formatter(
        PercentFormatter(1.0, symbol=" %")
    )
    return axes
