"""Evaluations: the values of a state and its actions, and the budget for finding them."""

import math
from typing import NamedTuple, Self

from ludex.core.devices import CPU
from ludex.solve.equilibrium.regret import PREDICTIVE, VARIANTS
from ludex.solve.equilibrium.solving import GAP
from ludex.solve.proof.mtdf import NO_NODE_LIMIT


class Budget(NamedTuple):
    """The limits of an evaluation."""

    list_all: bool = False
    """Whether to solve every game that fits into memory, or only small ones."""
    memory: float | None = None
    """GiB for a solution; the free memory if None."""
    table: int = 256
    """MiB for the table of a proof."""
    nodes: int = NO_NODE_LIMIT
    """The most nodes of a proof."""
    seconds: float = math.inf
    """The time limit of a proof, without compilation."""
    depth: int = 3
    """The depth of a search where there is no exact value."""
    gap: float = GAP
    """The largest gap of an equilibrium, where the game hides something."""
    algorithm: str = VARIANTS[PREDICTIVE]
    """The algorithm that finds one."""
    device: str = CPU
    """What lists the states and computes the values: "cpu", "cuda" or "auto"."""

    @classmethod
    def to_solve(cls, memory: float | None, nodes: int = NO_NODE_LIMIT) -> Self:
        """Return a budget to solve a game or prove a position, with memory in GiB."""
        table = 512 if memory is None else max(1, int(1024 * memory))
        return cls(True, memory, table, nodes)


class Evaluation(NamedTuple):
    """The value of a state and of each action for a seat that is to move."""

    seat: int
    value: float
    values: dict[int, float]
    """Of each action; at simultaneous moves, against a perfect opponent."""
    policy: dict[int, float]
    """The probability of each action in perfect play; empty if unknown."""
    exact: bool
    how: str
    """The source, in a few words."""
    line: tuple[int, ...] = ()
    """Best actions of all seats to the end of the match, if they were proven."""

    def loss(self, action: int) -> float:
        """Return how much value an action loses; NaN if it was not evaluated."""
        lost = self.value - self.values.get(action, math.nan)
        return 0.0 if lost < 0.0 else lost
