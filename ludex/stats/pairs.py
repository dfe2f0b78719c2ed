"""Pairs of matches with common random numbers, counted by the first agent's points.

Matches number 2k and 2k + 1 have the same seed and swapped seats. What chance and the first seat
give to one agent in the first match they give to the other in the second, so a pair tells more
than two independent matches.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class PairCounts(NamedTuple):
    """Pentanomial counts: the number of pairs by the points of the first agent.

    A win is one point, a draw half a point.
    """

    none: int = 0
    half: int = 0
    one: int = 0
    one_and_half: int = 0
    two: int = 0


def pair_counts(worth: Sequence[float] | Mapping[int, float]) -> PairCounts:
    """Return the counts of complete pairs, from the returns of the first agent.

    A list has all matches in the order of their numbers, a mapping some of them by number.
    """
    known = worth if isinstance(worth, Mapping) else dict(enumerate(worth))
    counts = [0] * 5
    for number, first in known.items():
        if number % 2 == 0 and number + 1 in known:
            counts[half_points(first) + half_points(known[number + 1])] += 1
    return PairCounts(*counts)


def half_points(worth: float) -> int:
    """Return 2 for a win, 1 for a draw, 0 for a loss."""
    return 1 + (worth > 0) - (worth < 0)
