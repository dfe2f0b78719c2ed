"""A cross table: the results of each agent against each other."""

from collections.abc import Iterable

from ludex.stats.comparison import Result, comparisons
from ludex.stats.tally import Tally


def cross_table(results: Iterable[Result], agents: int) -> list[list[Tally]]:
    """Return the results of the agent of the row against that of the column.

    With more than two seats, each pair of agents in a match is compared by returns.
    """
    met: list[list[list[float]]] = [[[] for _ in range(agents)] for _ in range(agents)]
    for result in results:
        for agent, other, points in comparisons(result):
            met[agent][other].append(points - 0.5)
            met[other][agent].append(0.5 - points)
    return [[Tally.of(cell) for cell in row] for row in met]
