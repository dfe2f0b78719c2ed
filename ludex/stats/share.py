"""A score with its confidence interval, and as a difference in Elo."""

import math

Z = 1.959963984540054  # the normal quantile of 97.5 %, for two-sided 95 % intervals


def wilson(share: float, trials: float, z: float = Z) -> tuple[float, float]:
    """Return the Wilson score interval of a share observed in `trials` trials."""
    if trials == 0:
        return 0.0, 1.0
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # Despite rounding, the interval includes a share of exactly 0 or 1.
    low = 0.0 if share == 0.0 else (centre - spread) / scale
    high = 1.0 if share == 1.0 else (centre + spread) / scale
    return low, high


def elo(share: float) -> float:
    """Return the difference in Elo at a share of the points; infinite at 0 and 1."""
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share / (1.0 - share))


def expected_share(difference: float) -> float:
    """Return the expected share at a difference in Elo: the inverse of `elo`."""
    return 1.0 / (1.0 + math.pow(10.0, -difference / 400.0))


def normal_cdf(deviations: float) -> float:
    """Return the cumulative distribution function of the standard normal distribution."""
    return math.erfc(-deviations / math.sqrt(2.0)) / 2.0
