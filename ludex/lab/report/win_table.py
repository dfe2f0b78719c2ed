"""The score of the first seat for each pair of agents, as a plot and as a table."""

from matplotlib.figure import Figure

from ludex.lab.report.blocks import Block, Plot, ReportTable
from ludex.lab.report.heat_map import draw_heat_map
from ludex.lab.report.plots import figure_svg
from ludex.lab.run.series import Count, count_facts, percentage

INTERVALS_MAX = 6  # agents, with room for an interval in each cell


def win_blocks(
    plot: str, names: list[str], won: list[list[Count]], seats: tuple[str, str], caption: str
) -> list[Block]:
    """Report the results of the first seat, as a plot of this name and as a table."""
    return [Plot(plot, win_map(names, won, seats), caption), win_table(names, won, seats)]


def win_map(names: list[str], won: list[list[Count]], seats: tuple[str, str]) -> str:
    """Plot the results of the first seat as a heat map."""
    small = len(names) <= INTERVALS_MAX
    texts = [
        [
            percentage(one.share)
            + ("\n" + "–".join(map(percentage, one.interval)) if small else "")
            for one in row
        ]
        for row in won
    ]
    shares = [[one.share for one in row] for row in won]

    def draw(figure: Figure) -> None:
        axes = draw_heat_map(figure, shares, texts, f"points of {seats[0]}")
        axes.set_xticks(range(len(names)), names, rotation=20 if len(names) < 6 else 35, ha="right")
        axes.set_yticks(range(len(names)), names)
        axes.set(xlabel=f"{seats[1]} is", ylabel=f"{seats[0]} is")

    return figure_svg(draw, 1.9 + 0.62 * len(names))


def win_table(names: list[str], won: list[list[Count]], seats: tuple[str, str]) -> ReportTable:
    """Return the heat map as a table, with unrounded numbers."""
    cells = [(a, b) for a in range(len(names)) for b in range(len(names))]
    return ReportTable(
        f"the same as a table: points of {seats[0]}, who is the agent of the row; {seats[1]} is"
        " that of the column",
        (seats[0], *names),
        [(name, *(one.text() for one in row)) for name, row in zip(names, won, strict=True)],
        facts=[{"first": names[a], "second": names[b], **count_facts(won[a][b])} for a, b in cells],
        folded=True,
    )
