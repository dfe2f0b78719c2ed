"""The mean return of an agent, in games whose stakes differ from match to match."""

import math
import statistics
from collections.abc import Mapping
from typing import NamedTuple

from ludex.stats.student import t_quantile


class MeanReturn(NamedTuple):
    """A mean from -1 to 1, and its 95 % interval."""

    mean: float
    low: float
    high: float


def mean_return(returns: Mapping[int, float]) -> MeanReturn:
    """Return the mean of the returns of matches, by their numbers.

    The interval is from the means of pairs with common random numbers, and infinite with fewer
    than two pairs.
    """
    pairs = [
        (first + returns[number + 1]) / 2
        for number, first in returns.items()
        if number % 2 == 0 and number + 1 in returns
    ]
    mean = statistics.fmean(returns.values()) if returns else 0.0
    error = math.inf
    if len(pairs) > 1:
        error = t_quantile(len(pairs) - 1) * statistics.stdev(pairs) / math.sqrt(len(pairs))
    return MeanReturn(mean, mean - error, mean + error)
