"""A cross table: the results of each agent against each other."""

from collections.abc import Iterable
from typing import NamedTuple

from ludex.stats.comparison import Result, comparisons
from ludex.stats.share import wilson


class Cell(NamedTuple):
    """How the agent of a row did against the agent of a column."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        """How often they met."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float | None:
        """The share of the points, a draw one half; None where they never met."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share."""
        return wilson(self.share or 0.0, self.matches)

    @property
    def turned(self) -> "Cell":
        """The same matches as the other agent sees them."""
        return Cell(self.losses, self.draws, self.wins)


def cross_table(results: Iterable[Result], agents: int) -> list[list[Cell]]:
    """Return a row of cells for each of so many agents; those on the diagonal are empty.

    In matches of more than two seats a meeting is a comparison of returns.
    """
    table = [[Cell() for _ in range(agents)] for _ in range(agents)]
    for result in results:
        for agent, other, won in comparisons(result):
            old = table[agent][other]
            met = Cell(old.wins + (won == 1.0), old.draws + (won == 0.5), old.losses + (won == 0.0))
            table[agent][other], table[other][agent] = met, met.turned
    return table
