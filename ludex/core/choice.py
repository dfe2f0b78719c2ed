"""The choice of an agent: its action, value, and the reasons."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

# Values closer than this are the same; sums of chances are not exact.
CLOSE = 1e-9


class Choice(NamedTuple):
    """An action with what the agent knows about it; values are for the seat that chooses."""

    action: int
    value: float = float("nan")
    nodes: int = 0
    depth: int = 0
    line: tuple[int, ...] = ()
    """The expected moves, this one first; at a BOTH state the first is the action."""
    values: Mapping[int, float] = MappingProxyType({})
    """The value of each action, as far as it is known."""
    mixture: Mapping[int, float] = MappingProxyType({})
    """The probability of each action; a missing action has probability 0.

    If the agent is `policy_known`, it is exact and depends on the state alone. Otherwise, as
    under a clock or for mcts, it is an estimate, such as the share of the visits.
    """


def uniform_best(values: Mapping[int, float]) -> dict[int, float]:
    """Return the uniform mixture over the actions of the highest value, in ascending order."""
    best = max(values.values())
    equals = sorted(action for action, value in values.items() if value >= best - CLOSE)
    return dict.fromkeys(equals, 1.0 / len(equals))


def draw_action(mixture: Mapping[int, float], rng: np.random.Generator) -> int:
    """Draw an action from a mixture."""
    left = rng.random()
    found = -1
    for action, share in mixture.items():
        if share > 0.0:
            found = action
            left -= share
            if left < 0.0:
                break
    return found  # the last, in case of rounding
