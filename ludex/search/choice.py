"""What an agent would do, and why."""

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
    """The share of each action, where the agent has one: of the probability with which a mixed
    choice was drawn or, where the most visited action is taken, of the visits. They sum to 1."""


def any_best(values: Mapping[int, float], rng: np.random.Generator) -> int:
    """Return one of the actions of the highest value, each as likely."""
    best = max(values.values())
    equals = [action for action, value in values.items() if value >= best - CLOSE]
    return equals[int(rng.random() * len(equals))]
