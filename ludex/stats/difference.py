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

from ludex.stats.likelihood import result_scores
from ludex.stats.share import Z, elo, normal_cdf, wilson

PSEUDO_PAIRS = 2  # one won, one lost


class Difference(NamedTuple):
    """The difference in Elo in favour of the first agent; infinite if it won or lost everything."""

    elo: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    superiority: float
    """The likelihood of superiority of the first agent (LOS), from 0 to 1."""

    @property
    def error(self) -> float:
        """Half the width of the interval, as other programs print it after ±."""
        return (self.high - self.low) / 2


def difference(wins: int, draws: int, losses: int) -> Difference:
    """Return the difference from independent matches."""
    return difference_of_counts((losses, draws, wins))


def pair_difference(counts: Sequence[int], share: float | None = None) -> Difference:
    """Return the difference from the five counts of `pair_counts`.

    A `share` that includes unpaired matches replaces that of the pairs.
    """
    if len(counts) != 5 or min(counts) < 0:
        raise ValueError(f"{tuple(counts)}: expected five counts of pairs, at least 0")
    if sum(counts) == 0:
        return difference_of_counts(counts)
    seen, _ = mean_and_variance(counts)
    share = seen if share is None else share
    none, *between, two = counts
    amount = sum(counts) + PSEUDO_PAIRS
    mean, variance = mean_and_variance((none + 1, *between, two + 1))
    matches = mean * (1 - mean) * amount / variance - PSEUDO_PAIRS
    low, high = wilson(share, matches)
    superiority = normal_cdf((share - 0.5) * 2 * math.sqrt(matches))
    return Difference(elo(share), elo(low), elo(high), superiority)


def difference_of_counts(counts: Sequence[int]) -> Difference:
    """Return the difference from counts of results, the worst first.

    If all results are equal, their variance is 0: then the interval is Wilson's, and the
    superiority uses the variance of even matches without draws.
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
    return Difference(elo(share), elo(low), elo(high), normal_cdf((share - 0.5) / error))


def mean_and_variance(counts: Sequence[float]) -> tuple[float, float]:
    """Return mean and variance of results, as shares of the points."""
    total, worth = sum(counts), result_scores(len(counts))
    mean = sum(count * a for count, a in zip(counts, worth, strict=True)) / total
    return mean, sum(c * (a - mean) ** 2 for c, a in zip(counts, worth, strict=True)) / total
