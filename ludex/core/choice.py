"""The choice of an agent: its action, value, and the reasons."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Self

from numpy.random import Generator

# Values closer than this are equal: sums of probabilities are not exact.
CLOSE = 1e-9
UNKNOWN: Mapping[int, float] = MappingProxyType({})


class Choice(NamedTuple):
    """An action with what the agent knows about it; values are those of the seat that chooses."""

    action: int
    value: float = float("nan")
    nodes: int = 0
    depth: int = 0
    line: tuple[int, ...] = ()
    """The expected moves, this one first; at a BOTH state the first is the action."""
    values: Mapping[int, float] = UNKNOWN
    """The value of each action, as far as it is known."""
    mixture: Mapping[int, float] = UNKNOWN
    """The probability of each action; 0 if missing.

    If the agent says `policy_known`, it is exact and depends only on the state; otherwise it is an
    estimate, such as the share of visits.
    """

    @classmethod
    def draw(
        cls, mixture: Mapping[int, float], rng: Generator, values: Mapping[int, float] = UNKNOWN
    ) -> Self:
        """Return the choice of an action drawn from a mixture."""
        action = draw_action(mixture, rng)
        return cls(action, values.get(action, float("nan")), values=values, mixture=mixture)

    @classmethod
    def best(cls, values: Mapping[int, float], rng: Generator, nodes: int, depth: int) -> Self:
        """Return a choice of the highest value; ties are broken uniformly at random."""
        choice = cls.draw(uniform_over_best(values), rng, values)
        return choice._replace(nodes=nodes, depth=depth, line=(choice.action,))


def uniform_over_best(values: Mapping[int, float]) -> dict[int, float]:
    """Return the uniform mixture of the actions with the highest value, in ascending order."""
    best = max(values.values())
    return uniform_over(sorted(one for one, value in values.items() if value >= best - CLOSE))


def uniform_over(actions: Sequence[int]) -> dict[int, float]:
    """Return the uniform mixture of some actions."""
    return dict.fromkeys(actions, 1.0 / len(actions))


def draw_action(mixture: Mapping[int, float], rng: Generator) -> int:
    """Return an action drawn from a mixture."""
    left = rng.random()
    found = -1
    for action, share in mixture.items():
        if share > 0.0:
            found = action
            left -= share
            if left < 0.0:
                break
    return found  # the last one, in case of rounding
