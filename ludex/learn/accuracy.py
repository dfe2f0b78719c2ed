"""The accuracy of a learner: its decisions in a fixed sample, compared with exact values."""

from typing import NamedTuple

import numpy as np

from ludex.core.choice import CLOSE
from ludex.core.rules import State

SLIGHT = 0.01  # a loss up to which a mixture at simultaneous moves counts as best


class Accuracy(NamedTuple):
    """How well decisions were made, on average."""

    best: float
    """The share of best moves."""
    loss: float
    """The loss per decision: the value of the state minus that of what is played."""


class DecisionSample(NamedTuple):
    """Decisions of one seat each, with the exact value of all that can happen next.

    All arrays have a row for each decision.
    """

    decisions: list[tuple[State, int]]
    """The states, each with the seat that is to move."""
    keys: np.ndarray
    """What the seat observes, as in the table of a learner."""
    legal: np.ndarray
    """Whether an action is legal."""
    values: np.ndarray
    """The value of the state to the seat."""
    payoffs: np.ndarray
    """The value to the seat after each of its actions, by the action of the other seat.

    Where seats take turns, there is one column, or all are equal.
    """
    at_once: np.ndarray
    """Whether both seats choose."""

    def accuracy(self, policies: np.ndarray) -> Accuracy:
        """Return the accuracy of policies: the probability of each action in each decision.

        The value of a policy is what it guarantees. Where seats take turns, its share of best moves
        is the probability of a best action; where both choose at once, it is 1 if the policy loses
        no more than `SLIGHT`, else 0.
        """
        guaranteed = np.einsum("da,dao->do", policies, self.payoffs).min(axis=1)
        losses = np.maximum(self.values - guaranteed, 0.0)
        best = self.legal & (self.payoffs[:, :, 0] >= self.values[:, np.newaxis] - CLOSE)
        shares = np.where(self.at_once, losses <= SLIGHT, (policies * best).sum(axis=1))
        return Accuracy(float(shares.mean()), float(losses.mean()))
