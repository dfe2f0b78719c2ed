"""The score of the first seat for each pair of agents, as a plot and as a table."""

from matplotlib.figure import Figure

from ludex.lab.report.blocks import Block, Drawing, Plot, ReportTable
from ludex.lab.report.heat_map import draw_heat_map
from ludex.lab.report.plots import fitted_names, is_narrow, make_drawing
from ludex.lab.run.series import Count, count_facts, percentage

INTERVALS_MAX, NARROW_INTERVALS_MAX = 6, 4  # agents, with room for an interval in each cell


def win_blocks(
    plot: str, names: list[str], won: list[list[Count]], seats: tuple[str, str], more: str = ""
) -> list[Block]:
    """Report the results of the first seat, as a plot of this name and as a table.

    A sentence of its caption says what a cell shows; `more` holds the others.
    """
    captions = (
        f"{cell_words(names, narrow, seats[0])} {more}".rstrip() for narrow in (False, True)
    )
    return [Plot(plot, win_map(names, won, seats), *captions), win_table(names, won, seats)]


def has_intervals(names: list[str], narrow: bool) -> bool:
    """Return whether the cells of a heat map have room for intervals."""
    return len(names) <= (NARROW_INTERVALS_MAX if narrow else INTERVALS_MAX)


def cell_words(names: list[str], narrow: bool, seat: str) -> str:
    """Say what a cell of a heat map shows."""
    if has_intervals(names, narrow):
        return f"What {seat} wins in percent, with 95 % intervals."
    return f"What {seat} wins in percent; the table has the 95 % intervals."


def win_map(names: list[str], won: list[list[Count]], seats: tuple[str, str]) -> Drawing:
    """Plot the results of the first seat as a heat map."""
    shares = [[one.share for one in row] for row in won]

    def draw(figure: Figure) -> None:
        narrow, labels = is_narrow(figure), fitted_names(figure, names)
        texts = [[cell_text(one, has_intervals(names, narrow)) for one in row] for row in won]
        axes = draw_heat_map(figure, shares, texts, f"points of {seats[0]}")
        angle = 90 if narrow else 20 if len(names) < 6 else 35
        axes.set_xticks(
            range(len(names)), labels, rotation=angle, ha="center" if narrow else "right"
        )
        axes.set_yticks(range(len(names)), labels)
        axes.set(xlabel=f"{seats[1]} is", ylabel=f"{seats[0]} is")

    return make_drawing(draw, 1.9 + 0.62 * len(names), 3.2 + 0.5 * len(names))


def cell_text(count: Count, with_interval: bool) -> str:
    """Return a share in percent, and its interval on a second line."""
    interval = "\n" + "–".join(map(percentage, count.interval)) if with_interval else ""
    return percentage(count.share) + interval


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
