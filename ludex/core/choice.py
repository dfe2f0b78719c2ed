"""The choice of an agent: its action, value, and the reasons."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

# Values closer than this are the same; sums of chances are not exact.
CLOSE = 1e-9


class Choice(NamedTuple):
    """An action with what the agent knows about it. Values are worth to the seat that chooses."""

    action: int
    value: float = float("nan")
    nodes: int = 0
    depth: int = 0
    line: tuple[int, ...] = ()
    """The moves that are expected, this one first; at a BOTH state the first is the action."""
    values: Mapping[int, float] = MappingProxyType({})
    """What each action is worth, as far as it is known."""
    mixture: Mapping[int, float] = MappingProxyType({})
    """The share of each action; an action that is missing has none, and all sum to 1.

    If the agent says `policy_known` it is the exact probability with which the action was drawn,
    which depends on the state alone: one answer tells all of what the agent would do there.
    Without it, as under a clock or for mcts, it is what this one answer came from: the
    probability once more or, where the most visited action is taken, the share of the visits.
    """


def evenly(values: Mapping[int, float]) -> dict[int, float]:
    """Return the actions of the highest value in ascending order, each with the same share."""
    best = max(values.values())
    equals = sorted(action for action, value in values.items() if value >= best - CLOSE)
    return dict.fromkeys(equals, 1.0 / len(equals))


def draw_action(mixture: Mapping[int, float], rng: np.random.Generator) -> int:
    """Return one of the actions, each as likely as its share."""
    left = rng.random()
    found = -1
    for action, share in mixture.items():
        if share > 0.0:
            found = action
            left -= share
            if left < 0.0:
                break
    return found  # the last, if rounding left a hair
