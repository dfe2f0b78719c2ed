"""The learning curve: strength over the number of matches, as a table and a plot."""

from pathlib import Path

from matplotlib.figure import Figure

from ludex.io.figure import SvgFigure
from ludex.io.files import atomic_file, csv_text, write_text
from ludex.learn.curve_point import CurvePoint

CURVE_COLUMNS = ("matches", "wins", "draws", "losses", "share", "low", "high")
ACCURACY_COLUMNS = ("best_moves", "loss")  # only if decisions were compared with exact values


def write_csv(path: Path, points: list[CurvePoint]) -> None:
    """Write a curve as a table with a line for each measurement."""
    accurate = any(one.accuracy for one in points)
    rows = []
    for matches, tally, accuracy in points:
        numbers = [f"{one:.4f}" for one in (tally.share, *tally.interval, *(accuracy or ()))]
        missing = [""] * len(ACCURACY_COLUMNS) if accurate and accuracy is None else []
        rows.append((matches, *tally, *numbers, *missing))
    columns = CURVE_COLUMNS + ACCURACY_COLUMNS if accurate else CURVE_COLUMNS
    write_text(path, csv_text([columns, *rows]))


def curve_figure(points: list[CurvePoint], title: str, opponent: str) -> SvgFigure:
    """Return a figure of a curve with its intervals, and with the accuracy if it is known."""
    figure = SvgFigure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.subplots()
    matches, label = [point.matches for point in points], f"share against {opponent}"
    low, high = zip(*(point.tally.interval for point in points), strict=True)
    axes.fill_between(matches, low, high, alpha=0.25)
    axes.plot(matches, [point.tally.share for point in points], marker=".", label=label)
    axes.set_xscale("symlog", linthresh=100)
    axes.set(ylim=(0.0, 1.02), xlabel="matches", ylabel=label, title=title)
    exact = [(point.matches, *point.accuracy) for point in points if point.accuracy]
    if exact:
        known, best, losses = zip(*exact, strict=True)
        axes.plot(known, best, marker=".", label="share of best moves")
        axes.plot(known, losses, marker=".", label="loss per decision")
        axes.set_ylabel("")
        axes.legend()
    axes.grid(alpha=0.3)
    return figure


def write_png(path: Path, figure: Figure) -> None:
    """Write a figure as a picture."""
    with atomic_file(path) as file:
        figure.savefig(file, format="png", dpi=120)
