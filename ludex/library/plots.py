"""Figures of the library, drawn with matplotlib on demand."""

from typing import TYPE_CHECKING, Any

from ludex.stats import wilson

if TYPE_CHECKING:
    from ludex.library.series import Series


def new_axes(title: str, across: str) -> Any:
    """Return axes for shares of the points, from 0 to 1."""
    from matplotlib.figure import Figure

    axes = Figure(figsize=(6.4, 3.6), layout="constrained").add_subplot()
    axes.set(title=title, xlabel=across, ylabel="share of the points", ylim=(0.0, 1.0))
    axes.axhline(0.5, color="0.7", linewidth=1, zorder=0)
    return axes


def draw_band(axes: Any, across: list[int], shares: list[float], ends: list[Any]) -> Any:
    """Draw shares with their 95 % intervals, and return the figure."""
    lows, highs = zip(*ends, strict=True)
    axes.fill_between(across, lows, highs, alpha=0.25, linewidth=0)
    axes.plot(across, shares, marker="o" if len(across) < 40 else None, markersize=3)
    return axes.figure


def share_plot(series: "Series") -> Any:
    """Return a figure of the share of points of the first agent after every match."""
    axes = new_axes(" against ".join(series.agents), "matches")
    points, shares, ends = 0.0, [], []
    for count, match in enumerate(series.played, start=1):
        points += (match.returns[match.agents.index(0)] + 1.0) / 2.0
        shares.append(points / count)
        ends.append(wilson(shares[-1], count))
    return draw_band(axes, list(range(1, len(shares) + 1)), shares, ends)
