"""The mean return of an agent, in games whose stakes differ from match to match."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ludex.stats.pairs import Worths, complete_pairs
from ludex.stats.student import t_quantile


class MeanReturn(NamedTuple):
    """A mean from -1 to 1, and its 95 % interval."""

    mean: float
    low: float
    high: float


def mean_return(returns: Worths) -> MeanReturn:
    """Return the mean of the returns of matches.

    The interval is from the means of pairs with common random numbers, and infinite with fewer
    than two pairs.
    """
    first, second = complete_pairs(returns)
    every = list(returns.values()) if isinstance(returns, Mapping) else returns
    mean = float(np.mean(every)) if len(every) else 0.0
    error, pairs = math.inf, len(first)
    if pairs > 1:
        error = t_quantile(pairs - 1) * standard_error((first + second) / 2)
    return MeanReturn(mean, mean - error, mean + error)


def standard_error(numbers: np.ndarray) -> float:
    """Return the standard error of the mean of independent numbers, two at least."""
    return float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
