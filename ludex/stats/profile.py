"""The profile likelihood of a difference of strengths.

For each value of the difference, all strengths are re-estimated under it. The value belongs to
the 95 % interval if the likelihood falls no further than chance explains (Wilks). Unlike an
interval from the Hessian alone it is asymmetric where the data are: an agent that won ten times
and never lost is surely better, but nobody knows by how much.
"""

import math

import numpy as np

from ludex.stats.bradleyterry import BradleyTerry, Strengths
from ludex.stats.share import Z, normal_cdf

INTERVAL_STEPS = 50  # it takes about five
DEVIATION_TOLERANCE = 1e-8  # in standard deviations


class Profile:
    """The profile likelihood of a difference: a linear form of strengths with sum 0."""

    def __init__(self, model: BradleyTerry, best: Strengths, difference: Strengths) -> None:
        """Start from the maximum-likelihood strengths."""
        self.model, self.best, self.difference = model, best, difference
        self.top = model.log_likelihood(best)
        self.value = float(difference @ best)
        # The direction in which strengths follow a small change of the difference.
        way = np.linalg.solve(model.information(best), difference)
        self.way = way / float(difference @ way)
        self.spread = math.sqrt(float(difference @ way))

    def deviations(self, strengths: Strengths) -> float:
        """Return the fall of the likelihood from its maximum, in standard deviations."""
        return math.sqrt(max(2 * (self.top - self.model.log_likelihood(strengths)), 0.0))

    def shift(self, strengths: Strengths, change: float) -> Strengths:
        """Return the maximum-likelihood strengths with the difference changed by `change`."""
        return self.model.maximise(strengths + change * self.way, self.difference)

    def end(self, side: int) -> float:
        """Return the lower (side -1) or upper (side 1) end of the 95 % interval."""
        strengths = self.shift(self.best, side * Z * self.spread)
        for _ in range(INTERVAL_STEPS):
            fallen = self.deviations(strengths)
            if abs(fallen - Z) < DEVIATION_TOLERANCE:
                break
            # The gradient is a multiple of the difference here, which gives the slope.
            slope = abs(float(self.way @ self.model.gradient(strengths)))
            strengths = self.shift(strengths, side * (Z - fallen) * fallen / slope)
        return float(self.difference @ strengths)

    def superiority(self) -> float:
        """Return the likelihood that the difference is above 0."""
        fallen = self.deviations(self.shift(self.best, -self.value))
        return normal_cdf(math.copysign(fallen, self.value))
