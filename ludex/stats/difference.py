"""The difference in Elo between two agents, with an interval and the likelihood of superiority.

For independent matches, the score is approximated as normal, as in cutechess and c-chess-cli: the
ends of its 95 % interval are converted to Elo. The scale is nonlinear, so the interval is
asymmetric.

Pairs of matches tell more than matches, but the variance of a few of them is unreliable. Two
pseudo-pairs, one won and one lost, keep it positive (as Agresti and Coull do with a proportion).
The variance determines the effective number of independent matches, and Wilson's interval for that
number stays within what is possible.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ludex.stats.likelihood import worths
from ludex.stats.share import Z, elo, normal, wilson

MADE_UP = 2  # pairs


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


def pair_difference(counts: Sequence[int], share: float | None = None) -> Difference:
    """Return the difference that pairs show, from the five counts of `pair_counts`.

    The share is that of the pairs, unless one of more matches is given.
    """
    if len(counts) != 5 or min(counts) < 0:
        raise ValueError(f"{tuple(counts)}: expected five counts of pairs, at least 0")
    if sum(counts) == 0:
        return of_counts(counts)
    seen, _ = mean_and_variance(counts)
    share = seen if share is None else share
    none, *between, two = counts
    amount = sum(counts) + MADE_UP
    mean, variance = mean_and_variance((none + MADE_UP // 2, *between, two + MADE_UP // 2))
    matches = mean * (1 - mean) * amount / variance - MADE_UP
    low, high = wilson(share, matches)
    superiority = normal((share - 0.5) * 2 * math.sqrt(matches))
    return Difference(elo(share), elo(low), elo(high), superiority)


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
    share, variance = mean_and_variance(counts)
    if max(counts) == total:
        low, high = wilson(share, total)
        error = 0.5 / math.sqrt(total)
    else:
        error = math.sqrt(variance / total)
        low, high = share - Z * error, share + Z * error
    return Difference(elo(share), elo(low), elo(high), normal((share - 0.5) / error))


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Return the mean of results, as a share of the points, and how they vary around it."""
    total, worth = sum(counts), worths(len(counts))
    mean = sum(count * a for count, a in zip(counts, worth, strict=True)) / total
    return mean, sum(c * (a - mean) ** 2 for c, a in zip(counts, worth, strict=True)) / total
