"""Plots of a search for balance."""

from itertools import accumulate

from matplotlib.figure import Figure

from ludex.lab.balance.fairness import Fairness
from ludex.lab.report.plots import COLOURS, INK, Curve, figure_svg, share_line, share_plot


def comparison_plot(shown: list[tuple[str, Fairness]], names: tuple[str, str]) -> str:
    """Plot the three figures of several sets of rules."""
    x, worst = range(len(shown)), [fair.worst for _, fair in shown]
    low, high = ([one.interval[end] for one in worst] for end in (0, 1))
    lines = [
        Curve(f"{names[0]} at the worst level", x, [one.share for one in worst], low, high),
        share_line(f"better player as {names[0]}", x, [fair.first for _, fair in shown]),
        share_line(f"better player as {names[1]}", x, [fair.second for _, fair in shown]),
    ]
    rows = [name if name == "as it is" else f"proposal {name}" for name, _ in shown]
    return share_plot(rows, lines, "share of the points")


def trial_plot(tried: list[tuple[dict[str, str], float]]) -> str:
    """Plot the cost of each trial, and the least so far."""
    costs = [value for _, value in tried]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        places = range(1, len(costs) + 1)
        axes.plot(places, costs, "o", color=COLOURS[0], markersize=5, label="a trial")
        least = list(accumulate(costs, min))
        axes.step(places, least, where="post", color=INK, label="the least so far")
        axes.axhline(costs[0], color=COLOURS[1], linestyle="--", label="the rules as they are")
        axes.set(xlabel="trial", ylabel="cost", ylim=(0, None))
        axes.grid(alpha=0.25)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=3, frameon=False)

    return figure_svg(draw, 3.6)
