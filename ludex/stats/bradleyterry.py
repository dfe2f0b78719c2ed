"""The Bradley-Terry model: strengths whose differences explain the results.

An agent of strength s expects a score of 1 / (1 + exp(t - s)) against one of strength t; a draw is
half a win and half a loss. The maximum-likelihood strengths are found by Newton's method.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludex.stats.comparison import Points, closure

NEWTON_STEPS = 100  # Newton takes about ten
STRENGTH_TOLERANCE = 1e-10  # far below any statistical error

Strengths = NDArray[np.float64]


@dataclass(frozen=True)
class BradleyTerry:
    """The points between connected agents, and a prior.

    The prior is a number of drawn matches of each agent against a phantom of strength 0; if it is
    0, `check_finite` must hold.
    """

    taken: Points
    prior: float

    def log_likelihood(self, strengths: Strengths) -> float:
        """Return the log-likelihood of strengths."""
        lost = np.logaddexp(0, strengths[None, :] - strengths[:, None])
        phantom = np.logaddexp(0, strengths) + np.logaddexp(0, -strengths)
        return float(-(self.taken * lost).sum() - self.prior / 2 * phantom.sum())

    def gradient(self, strengths: Strengths) -> Strengths:
        """Return the gradient: the points of each agent above expectation."""
        shares = expected_shares(strengths[:, None] - strengths[None, :])
        surplus = (self.taken - (self.taken + self.taken.T) * shares).sum(axis=1)
        return np.asarray(surplus + self.prior * (0.5 - expected_shares(strengths)))

    def information(self, strengths: Strengths) -> NDArray[np.float64]:
        """Return the Fisher information: minus the Hessian of the log-likelihood."""
        shares = expected_shares(strengths[:, None] - strengths[None, :])
        weights = (self.taken + self.taken.T) * shares * (1 - shares)
        alone = expected_shares(strengths)
        own = weights.sum(axis=1) + self.prior * alone * (1 - alone)
        # Without a prior only differences matter; the last term fixes the mean and changes no step.
        return np.asarray(np.diag(own) - weights + float(self.prior == 0))

    def maximise(self, start: Strengths, fixed: Strengths | None = None) -> Strengths:
        """Return the maximum-likelihood strengths, with their product with `fixed` kept constant.

        `fixed` is a difference of strengths: its sum is 0.
        """
        strengths, least = start, self.log_likelihood(start)
        for _ in range(NEWTON_STEPS):
            step = self.step(strengths, fixed)
            scale, found = 1.0, self.log_likelihood(strengths + step)
            # A log-likelihood has about twelve reliable digits.
            while found < least - 1e-12 * abs(least) and scale > STRENGTH_TOLERANCE:
                scale /= 2
                found = self.log_likelihood(strengths + scale * step)
            strengths, least = strengths + scale * step, found
            if np.abs(step).max() < STRENGTH_TOLERANCE:
                break
        return strengths

    def step(self, strengths: Strengths, fixed: Strengths | None) -> Strengths:
        """Return Newton's step, projected so that the product with `fixed` stays constant."""
        surplus, information = self.gradient(strengths), self.information(strengths)
        if fixed is None:
            return np.asarray(np.linalg.solve(information, surplus))
        free, back = np.linalg.solve(information, np.array([surplus, fixed]).T).T
        return np.asarray(free - back * (fixed @ free) / (fixed @ back))


def expected_shares(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the expected shares at differences of strength."""
    return np.asarray(0.5 + np.tanh(differences / 2) / 2)


def check_finite(taken: Points) -> None:
    """Raise a ValueError if strengths are infinite without a prior (Ford's condition)."""
    reach = closure(taken > 0)
    if not reach.all():
        weak, strong = np.argwhere(~reach)[0]
        raise ValueError(
            f"agent {weak} took nothing from agent {strong}, not even through others: "
            "without a prior their difference is infinite"
        )
