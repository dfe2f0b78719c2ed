"""A cross table: the results of each agent against each other."""

from collections.abc import Iterable
from typing import NamedTuple

from ludex.stats.comparison import Result, comparisons
from ludex.stats.share import wilson


class Cell(NamedTuple):
    """The results of the row agent against the column agent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float | None:
        """The share of the points, a draw one half; None if they never met."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share."""
        return wilson(self.share or 0.0, self.matches)

    @property
    def swapped(self) -> "Cell":
        """The same results for the other agent."""
        return Cell(self.losses, self.draws, self.wins)


def cross_table(results: Iterable[Result], agents: int) -> list[list[Cell]]:
    """Return a row of cells for each agent; the diagonal is empty.

    With more than two seats, each pair of agents in a match is compared by returns.
    """
    table = [[Cell() for _ in range(agents)] for _ in range(agents)]
    for result in results:
        for agent, other, won in comparisons(result):
            old = table[agent][other]
            met = Cell(old.wins + (won == 1.0), old.draws + (won == 0.5), old.losses + (won == 0.0))
            table[agent][other], table[other][agent] = met, met.swapped
    return table
