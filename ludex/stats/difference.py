"""The difference in Elo between two agents, with an interval and the likelihood of superiority.

The share of the points is taken for normal, as in cutechess and c-chess-cli: the ends of its 95 %
interval, seen as Elo, are the ends here. Because Elo bends, they lie at unequal distances.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ludex.stats.likelihood import worths
from ludex.stats.share import Z, elo, normal, wilson


class Difference(NamedTuple):
    """By how much the first agent is stronger, in Elo; infinite where it won or lost everything."""

    elo: float
    low: float
    """The lower end of the 95 % interval, at least minus infinity."""
    high: float
    superiority: float
    """How likely the first agent is the stronger one (LOS), from 0 to 1."""

    @property
    def error(self) -> float:
        """Half of the interval: the number that other programs print after ±."""
        return (self.high - self.low) / 2


def difference(wins: int, draws: int, losses: int) -> Difference:
    """Return the difference that matches show which are independent of one another."""
    return of_counts((losses, draws, wins))


def pair_difference(counts: Sequence[int]) -> Difference:
    """Return the difference that pairs show, from the five counts of `pair_counts`."""
    if len(counts) != 5:
        raise ValueError(f"{tuple(counts)}: expected five counts of pairs")
    return of_counts(counts)


def of_counts(counts: Sequence[int]) -> Difference:
    """Return the difference that results show, counted from the worst to the best.

    Where all results are the same they have no spread. Then the interval is Wilson's, and the
    superiority is measured by the spread of even matches without draws.
    """
    if min(counts) < 0:
        raise ValueError(f"{tuple(counts)}: expected counts of at least 0")
    total = sum(counts)
    if total == 0:
        return Difference(0.0, -math.inf, math.inf, 0.5)
    worth = worths(len(counts))
    share = sum(count * a for count, a in zip(counts, worth, strict=True)) / total
    if max(counts) == total:
        low, high = wilson(share, total)
        error = 0.5 / math.sqrt(total)
    else:
        variance = sum(c * (a - share) ** 2 for c, a in zip(counts, worth, strict=True)) / total
        error = math.sqrt(variance / total)
        low, high = share - Z * error, share + Z * error
    return Difference(elo(share), elo(low), elo(high), normal((share - 0.5) / error))
