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
"""The agent at each seat, and the return of each seat."""

Points = NDArray[np.float64]
"""The points of the row agent against the column agent."""


def comparisons(result: Result) -> Iterator[tuple[int, int, float]]:
    """Yield each two agents of a match, and the points of the first: 1, 1/2 or 0.

    An agent at several seats is not compared with itself.
    """
    seats = list(zip(*result, strict=True))
    for (agent, worth), (other, others) in itertools.combinations(seats, 2):
        if agent != other:
            yield agent, other, (1 + (worth > others) - (worth < others)) / 2


def points(results: Iterable[Result], agents: int) -> Points:
    """Return the weighted points of the agents against one another.

    The comparisons in a match are dependent: together they weigh one less than it has seats.
    """
    taken = np.zeros((agents, agents))
    for result in results:
        weight = 2 / len(result[0])
        for agent, other, won in comparisons(result):
            taken[agent, other] += weight * won
            taken[other, agent] += weight * (1 - won)
    return taken


def closure(links: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which agents are reached from each, itself included, by Warshall's algorithm."""
    reach = links | np.eye(len(links), dtype=bool)
    for through in range(len(links)):
        reach |= np.outer(reach[:, through], reach[through])
    return reach
