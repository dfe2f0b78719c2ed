"""Student's t-distribution: intervals of a mean whose variance is estimated from few values."""

import functools
import math

EXACT = 1e-12  # of an angle, between which the search ends
TWO_SIDED = 0.95


def inside(deviations: float, freedom: int) -> float:
    """Return how likely a mean lies within so many standard errors, by degrees of freedom.

    The finite series for whole degrees: Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    angle = math.atan(deviations / math.sqrt(freedom))
    term = math.cos(angle) if freedom % 2 else 1.0
    total = 0.0
    for power in range(freedom % 2 + 2, freedom + 1, 2):
        total += term
        term *= (power - 1) / power * math.cos(angle) ** 2
    if freedom % 2:
        return 2.0 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


@functools.cache
def reach(freedom: int) -> float:
    """Return how many standard errors a 95 % interval reaches to either side of a mean."""
    low, high = 0.0, math.pi / 2  # angles, for the distances have no end
    while high - low > EXACT:
        middle = (low + high) / 2
        if inside(math.tan(middle) * math.sqrt(freedom), freedom) < TWO_SIDED:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)
