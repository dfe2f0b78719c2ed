"""Elo ratings of many agents, from all matches together.

They are Bradley-Terry strengths on the Elo scale. Two things make them robust: each agent has half
a drawn match against a phantom, so that a perfect score gives a finite rating, and agents that
never met, not even indirectly, are rated in separate groups.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ludex.stats.bradleyterry import BradleyTerry, check_finite
from ludex.stats.comparison import Points, Result, closure, points
from ludex.stats.profile import Profile

PRIOR = 0.5  # drawn matches against a phantom
ELO = 400 / math.log(10)  # of one unit of strength


class Rating(NamedTuple):
    """The rating of one agent."""

    agent: int
    elo: float
    """Relative to the mean of its group, or to the anchor."""
    low: float
    """The lower end of its 95 % interval, by the profile likelihood."""
    high: float
    group: int
    """Ratings are comparable within a group; group 0 is the largest, or has the anchor."""
    superiority: float | None
    """The likelihood of superiority over the next agent; None for the last of a group."""


def ratings(
    results: Iterable[Result], agents: int, prior: float = PRIOR, anchor: int | None = None
) -> list[Rating]:
    """Return the ratings of the agents, group by group, the best first.

    The mean of a group is 0, or the agent `anchor` is in its group. The interval of an agent
    without matches is infinite. Without a prior, a ValueError says if ratings are not finite.
    """
    if anchor is not None and not 0 <= anchor < agents:
        raise ValueError(f"anchor {anchor}: expected the number of an agent, 0 to {agents - 1}")
    if not 0 <= prior < math.inf:
        raise ValueError(f"prior {prior:g}: expected a number of matches, at least 0")
    taken = points(results, agents)
    members = sorted(groups(taken), key=lambda group: (anchor not in group, -len(group), group))
    return [
        rating
        for number, group in enumerate(members)
        for rating in rate_group(taken, group, number, prior, anchor)
    ]


def rate_group(
    taken: Points, group: list[int], number: int, prior: float, anchor: int | None
) -> list[Rating]:
    """Return the ratings of one group, the best first."""
    if len(group) == 1:
        reach = 0.0 if anchor == group[0] else math.inf
        return [Rating(group[0], 0.0, -reach, reach, number, None)]
    among = taken[np.ix_(group, group)]
    if prior == 0:
        check_finite(among)
    model = BradleyTerry(among, prior)
    best = model.maximise(np.zeros(len(group)))
    single = np.eye(len(group))
    zero = single[group.index(anchor)] if anchor in group else single.mean(axis=0)
    # Ties stay in the order of their numbers.
    order = sorted(range(len(group)), key=lambda one: (-round(float(best[one]), 9), one))
    rated = []
    for one, after in zip(order, [*order[1:], None], strict=True):
        elo = low = high = 0.0
        if group[one] != anchor:
            known = Profile(model, best, single[one] - zero)
            elo, low, high = (ELO * x for x in (known.value, known.end(-1), known.end(1)))
        better = None
        if after is not None:
            better = Profile(model, best, single[one] - single[after]).superiority()
        rated.append(Rating(group[one], elo, low, high, number, better))
    return rated


def groups(taken: Points) -> list[list[int]]:
    """Return the connected components of agents that have met."""
    reach = closure((taken + taken.T) > 0)
    return [list(group) for group in sorted({tuple(np.flatnonzero(row).tolist()) for row in reach})]
