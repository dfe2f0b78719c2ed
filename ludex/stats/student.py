"""Student's t-distribution: intervals of a mean whose variance is estimated from few values."""

import functools
import math

from ludex.stats.share import Z

ANGLE_TOLERANCE = 1e-12  # in radians
TWO_SIDED = 0.95
MOST_SUMMED = 1000  # degrees of freedom, beyond which a short expansion is exact enough


def mass_within(deviations: float, freedom: int) -> float:
    """Return the probability within some standard errors of the mean, by degrees of freedom.

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
def t_quantile(freedom: int) -> float:
    """Return the half-width of a 95 % interval of a mean in standard errors."""
    if freedom > MOST_SUMMED:  # Abramowitz and Stegun, 26.7.5
        terms = (
            (Z**3 + Z) / 4,
            (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
            (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        )
        return Z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))
    low, high = 0.0, math.pi / 2  # angles, because the quantile is unbounded
    while high - low > ANGLE_TOLERANCE:
        middle = (low + high) / 2
        if mass_within(math.tan(middle) * math.sqrt(freedom), freedom) < TWO_SIDED:
            low = middle
        else:
            high = middle
    return math.tan(low) * math.sqrt(freedom)
