"""The learning curve: strength over the number of matches, as a table and a plot."""

from pathlib import Path

from matplotlib.figure import Figure

from ludex.io.figure import SvgFigure
from ludex.io.files import atomic_file, csv_text, write_text
from ludex.stats import Tally

Point = tuple[int, Tally, float, float]
"""Matches, how those ended that measured, and the ends of the interval of the share."""

CURVE_COLUMNS = ("matches", "wins", "draws", "losses", "share", "low", "high")


def write_csv(path: Path, points: list[Point]) -> None:
    """Write a curve as a table with a line for each measurement."""
    rows = [
        (matches, *tally, *(f"{number:.4f}" for number in (tally.share, low, high)))
        for matches, tally, low, high in points
    ]
    write_text(path, csv_text([CURVE_COLUMNS, *rows]))


def curve_figure(points: list[Point], title: str, opponent: str) -> SvgFigure:
    """Return a figure of a curve with its intervals."""
    figure = SvgFigure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.subplots()
    matches = [point[0] for point in points]
    axes.fill_between(matches, *zip(*(point[2:] for point in points), strict=True), alpha=0.25)
    axes.plot(matches, [point[1].share for point in points], marker=".")
    axes.set_xscale("symlog", linthresh=100)
    axes.set(ylim=(0.0, 1.02), xlabel="matches", ylabel=f"share against {opponent}", title=title)
    axes.grid(alpha=0.3)
    return figure


def write_png(path: Path, figure: Figure) -> None:
    """Write a figure as a picture."""
    with atomic_file(path) as file:
        figure.savefig(file, format="png", dpi=120)
