"""A score with its confidence interval, and as a difference in Elo."""

import math

Z = 1.959963984540054  # the normal quantile of 97.5 %: two sides make 95 %


def wilson(share: float, trials: float, z: float = Z) -> tuple[float, float]:
    """Return the Wilson score interval of a share that was seen in so many trials.

    It reaches z standard deviations to either side, which is 95 % if nothing else is said.
    """
    if trials == 0:
        return 0.0, 1.0
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # Rounding must not keep the interval off a share of exactly 0 or 1.
    low = 0.0 if share == 0.0 else (centre - spread) / scale
    high = 1.0 if share == 1.0 else (centre + spread) / scale
    return low, high


def elo(share: float) -> float:
    """Return the difference in Elo that explains a share of the points; infinite at 0 and 1."""
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share / (1.0 - share))


def expected_share(difference: float) -> float:
    """Return the share of the points that a difference in Elo explains: the inverse of `elo`."""
    return 1.0 / (1.0 + math.pow(10.0, -difference / 400.0))


def normal(deviations: float) -> float:
    """Return how likely a normal number is less than so many standard deviations."""
    return math.erfc(-deviations / math.sqrt(2.0)) / 2.0
