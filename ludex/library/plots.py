"""Figures of the library, drawn with matplotlib on demand."""

import itertools
from typing import TYPE_CHECKING, Any

from ludex.stats import wilson
from ludex.tournaments.series import first_return

if TYPE_CHECKING:
    from ludex.library.results import Series


def share_plot(series: "Series") -> Any:
    """Return a figure of the share of points of the first agent after every match."""
    from ludex.io.figure import SvgFigure

    won = itertools.accumulate((first_return(match) + 1.0) / 2.0 for match in series.played)
    shares = [points / count for count, points in enumerate(won, start=1)]
    counts = range(1, len(shares) + 1)
    axes = SvgFigure(figsize=(6.4, 3.6), layout="constrained").add_subplot()
    title = " against ".join(series.agents)
    axes.set(title=title, xlabel="matches", ylabel="share of the points", ylim=(0.0, 1.0))
    axes.axhline(0.5, color="0.7", linewidth=1, zorder=0)
    lows, highs = zip(*map(wilson, shares, counts), strict=True)
    axes.fill_between(counts, lows, highs, alpha=0.25, linewidth=0)
    axes.plot(counts, shares, marker="o" if len(counts) < 40 else None, markersize=3)
    axes.locator_params("x", integer=True, min_n_ticks=1)
    return axes.figure
