"""A plot of the balance along one rule."""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ludex.lab.balance import design
from ludex.lab.balance.fairness import Fairness
from ludex.lab.balance.sweeps import Sweep, current_value
from ludex.lab.report.blocks import Drawing
from ludex.lab.report.plots import FAINT, INK, Curve, annotate, share_curves, share_line
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.task import Known

LABEL_GAP = 0.09  # of the width of an axis; closer labels would overlap
IN_AXES: Any = {"xycoords": ("data", "axes fraction")}


def fairness_plot(
    experiment: Experiment, axis: Sweep, fair: list[Fairness], known: Known
) -> Drawing:
    """Plot the balance over one rule, with marks at the flips and at the current value."""
    x = [float(value) if axis.numeric else place for place, value in enumerate(axis.values)]
    first, standard = experiment.seat_names[0], current_value(axis.key, experiment.variant())
    worse = [min((one.first, one.second), key=lambda count: count.share) for one in fair]
    lines = [
        extreme_line(f"{first}, level where it wins most", x, fair, 1),
        extreme_line(f"{first}, level where it wins least", x, fair, -1),
        share_line("better player, worse side", x, worse),
    ]

    def finish(axes: Axes) -> None:
        axes.set_xlabel(axis.key)
        if not axis.numeric:
            axes.set_xticks(range(len(axis.values)), axis.values)
            return
        axes.xaxis.set_major_locator(MaxNLocator(10, integer=True, steps=[1, 2, 5, 10]))
        if standard and x[0] <= float(standard) <= x[-1]:
            axes.axvline(float(standard), color=FAINT, linewidth=1.2, label="as it is")
        gap, last, high = LABEL_GAP * (max(x) - min(x)), -math.inf, False
        flips = design.flips_along(experiment, known)[0]
        for _, flip in sorted(flips, key=lambda one: float(one[1].before)):
            value = (float(flip.before) + float(flip.after)) / 2
            axes.axvline(value, color=INK, linewidth=1.2, linestyle=":")
            high = not high and value - last < gap  # or labels would overlap
            last, text = value, f"{flip.before} | {flip.after}"
            annotate(axes, text, (value, 1.0), (0, 16 if high else 3), ha="center", **IN_AXES)

    return share_curves(dodge_lines(lines), "share of the points", finish)


def extreme_line(name: str, x: list[float], fair: list[Fairness], sign: int) -> Curve:
    """Return the largest share of all levels over a rule, or the least if `sign` is -1."""
    return share_line(name, x, [max(one.levels, key=lambda a: sign * a.share) for one in fair])


def dodge_lines(lines: Sequence[Curve]) -> list[Curve]:
    """Return lines shifted sideways a little, so that no interval hides another."""
    x = sorted({one for line in lines for one in line.x})
    gaps = [b - a for a, b in pairwise(x)] or [1.0]
    gap = min(0.22 * median(gaps), 0.5 * min(gaps))  # each stays nearest to its own x
    moved = [gap * (place - (len(lines) - 1) / 2) for place in range(len(lines))]
    return [
        line._replace(x=[one + way for one in line.x])
        for line, way in zip(lines, moved, strict=True)
    ]
