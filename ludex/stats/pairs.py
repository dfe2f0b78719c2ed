"""Pairs of matches with common random numbers, counted by the first agent's points.

Matches number 2k and 2k + 1 have the same seed and swapped seats. What chance and the first seat
give to one agent in the first match they give to the other in the second, so a pair tells more
than two independent matches.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

Worths = Sequence[float] | Mapping[int, float] | np.ndarray
"""The returns of matches: of all in the order of their numbers, or of some by number."""


class PairCounts(NamedTuple):
    """Pentanomial counts: the number of pairs by the points of the first agent.

    A win is one point, a draw half a point.
    """

    none: int = 0
    half: int = 0
    one: int = 0
    one_and_half: int = 0
    two: int = 0


def complete_pairs(worth: Worths) -> tuple[np.ndarray, np.ndarray]:
    """Return the returns of the first and of the second match of each complete pair."""
    if isinstance(worth, Mapping):
        numbers = [one for one in worth if one % 2 == 0 and one + 1 in worth]
        both = [[worth[number] for number in numbers], [worth[number + 1] for number in numbers]]
        return np.array(both[0], float), np.array(both[1], float)
    returns = np.asarray(worth, float)
    end = len(returns) // 2 * 2
    return returns[0:end:2], returns[1:end:2]


def pair_counts(worth: Worths) -> PairCounts:
    """Return the counts of complete pairs, from the returns of the first agent."""
    first, second = complete_pairs(worth)
    points = (2 + np.sign(first) + np.sign(second)).astype(int)
    return PairCounts(*np.bincount(points, minlength=5).tolist())


def half_points(worth: float) -> int:
    """Return 2 for a win, 1 for a draw, 0 for a loss."""
    return 1 + (worth > 0) - (worth < 0)
