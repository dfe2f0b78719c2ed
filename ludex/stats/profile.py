"""The profile likelihood of a difference of strengths.

For each value of the difference, all strengths are re-estimated under it. The value belongs to
the 95 % interval if the likelihood falls no further than chance explains (Wilks). Unlike an
interval from the Hessian alone it is asymmetric where the data are: an agent that won ten times
and never lost is surely better, but nobody knows by how much.
"""

import math

import numpy as np

from ludex.stats.bradleyterry import BradleyTerry, Strengths
from ludex.stats.share import Z, normal

STEPS = 50  # towards an end of an interval; it takes about five
CLOSE = 1e-8  # standard deviations from an end


class Profile:
    """What is known of one difference: the product of strengths with numbers whose sum is 0."""

    def __init__(self, model: BradleyTerry, best: Strengths, difference: Strengths) -> None:
        """Start from the likeliest strengths."""
        self.model, self.best, self.difference = model, best, difference
        self.top = model.likelihood(best)
        self.value = float(difference @ best)
        # The way the other strengths follow when the difference changes a little.
        way = np.linalg.solve(model.information(best), difference)
        self.way = way / float(difference @ way)
        self.spread = math.sqrt(float(difference @ way))

    def deviations(self, strengths: Strengths) -> float:
        """Return by how many standard deviations the likelihood has fallen from its top."""
        return math.sqrt(max(2 * (self.top - self.model.likelihood(strengths)), 0.0))

    def moved(self, strengths: Strengths, change: float) -> Strengths:
        """Return the likeliest strengths with the difference changed by so much."""
        return self.model.likeliest(strengths + change * self.way, self.difference)

    def end(self, side: int) -> float:
        """Return the lower end of the 95 % interval with side -1, the upper one with side 1."""
        strengths = self.moved(self.best, side * Z * self.spread)
        for _ in range(STEPS):
            fallen = self.deviations(strengths)
            if abs(fallen - Z) < CLOSE:
                break
            # The surplus is a multiple of the difference here: the slope of the likelihood.
            slope = abs(float(self.way @ self.model.surplus(strengths)))
            strengths = self.moved(strengths, side * (Z - fallen) * fallen / slope)
        return float(self.difference @ strengths)

    def superiority(self) -> float:
        """Return how likely the difference is above 0, by the fall of the likelihood to 0."""
        fallen = self.deviations(self.moved(self.best, -self.value))
        return normal(math.copysign(fallen, self.value))
