"""A match as pairwise comparisons of agents, by their returns.

With two seats a match is one comparison. With more, every two agents in it are compared by their
returns: the larger return wins, equal returns are a draw. In a game with one winner the others
therefore draw with one another.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Result = tuple[Sequence[int], Sequence[float]]
"""The number of the agent at each seat, and what the match was worth to the seat."""

Points = NDArray[np.float64]
"""What the agent of a row has taken from the agent of a column."""


def comparisons(result: Result) -> Iterator[tuple[int, int, float]]:
    """Yield two agents of a match and the points of the first of them: 1, 1/2 or 0.

    An agent that sat at several seats is not compared with itself.
    """
    seats = list(zip(*result, strict=True))
    for (agent, worth), (other, others) in itertools.combinations(seats, 2):
        if agent != other:
            yield agent, other, (1 + (worth > others) - (worth < others)) / 2


def weight(seats: int) -> float:
    """Return what one comparison in a match of so many seats counts as.

    Its comparisons depend on one another. Together they count as one less than there are seats,
    which is as many as put the seats in an order.
    """
    return 2 / seats


def points(results: Iterable[Result], agents: int) -> Points:
    """Return the weighted points that so many agents have taken from one another."""
    taken = np.zeros((agents, agents))
    for result in results:
        counts = weight(len(result[0]))
        for agent, other, won in comparisons(result):
            taken[agent, other] += counts * won
            taken[other, agent] += counts * (1 - won)
    return taken
