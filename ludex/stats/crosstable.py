"""A cross table: the results of each agent against each other."""

from collections import defaultdict
from collections.abc import Iterable

from ludex.stats.comparison import Result, comparisons
from ludex.stats.tally import Tally


def cross_table(results: Iterable[Result], agents: int) -> list[list[Tally]]:
    """Return the results of the agent of the row against that of the column.

    With more than two seats, each pair of agents in a match is compared by returns.
    """
    met = [(a, b, won - 0.5) for result in results for a, b, won in comparisons(result)]
    return tally_table(met + [(b, a, -worth) for a, b, worth in met], agents)


def tally_table(meetings: Iterable[tuple[int, int, float]], agents: int) -> list[list[Tally]]:
    """Count meetings by row and column, from the returns of the agent of the row."""
    met = defaultdict[tuple[int, int], list[float]](list)
    for row, column, worth in meetings:
        met[row, column].append(worth)
    return [[Tally.of(met[row, column]) for column in range(agents)] for row in range(agents)]
