"""The likelihood ratio of two hypotheses about counted results, as fishtest computes it.

Results are counted by score, the lowest first: three counts for matches, five for pairs of
matches, spaced evenly from 0 to 1. A hypothesis fixes one number of their distribution and nothing
else: its mean, or its t-value, which is the distance of the mean from one half in standard
deviations. The maximum-likelihood distribution under each hypothesis is computed exactly.

Source: Van den Bergh, "A practical introduction to the GSPRT", "Comments on normalized Elo" and the
maximum likelihood of a multinomial with a known mean or t-value. It departs from fishtest in the
solver (Newton's, with bisection, instead of Brent's).
"""

import math
from collections.abc import Callable, Sequence

UNSEEN_COUNT = 1e-3  # of a result that never occurred; from fishtest
SHARE_TOLERANCE = 1e-9  # from fishtest
RELATIVE_TOLERANCE = 1e-15  # near the precision of floats
SOLVER_STEPS = 200  # it takes about ten; bisection alone would take sixty
T_VALUE_ROUNDS = 200  # at the largest t-value it takes seventy

Shares = list[float]
Likeliest = Callable[[Shares, float], Shares]


def ratio(counts: Sequence[float], likeliest: Likeliest, first: float, second: float) -> float:
    """Return the log-likelihood ratio of the second hypothesis to the first, 0 without counts.

    `with_mean` takes means between 0 and 1, ends excluded; `with_t` t-values up to
    0.82, that of a pair at 200 normalized Elo: at 250 the iteration diverges.
    """
    if not any(counts):
        return 0.0
    # A zero count would rule the result out for good.
    seen = [count or UNSEEN_COUNT for count in counts]
    total = sum(seen)
    shares = [count / total for count in seen]
    pairs = zip(seen, likeliest(shares, first), likeliest(shares, second), strict=True)
    return sum(count * math.log(q1 / q0) for count, q0, q1 in pairs)


def result_scores(results: int) -> list[float]:
    """Return the score of each kind of result, from 0 to 1."""
    return [kind / (results - 1) for kind in range(results)]


def with_mean(shares: Shares, mean: float) -> Shares:
    """Return the maximum-likelihood distribution with this mean."""
    return tilt(shares, [worth - mean for worth in result_scores(len(shares))])


def with_t(shares: Shares, t: float) -> Shares:
    """Return the maximum-likelihood distribution with this t-value.

    The condition is not linear in the distribution, so its tangent is solved repeatedly, until
    the distribution converges.
    """
    worth = result_scores(len(shares))
    found = [1 / len(shares)] * len(shares)
    for _ in range(T_VALUE_ROUNDS):
        mean = sum(q * a for q, a in zip(found, worth, strict=True))
        spread = math.sqrt(sum(q * (a - mean) ** 2 for q, a in zip(found, worth, strict=True)))
        pulls = [a - 0.5 - t * spread * (1 + ((a - mean) / spread) ** 2) / 2 for a in worth]
        before, found = found, tilt(shares, pulls)
        if max(abs(p - q) for p, q in zip(before, found, strict=True)) < SHARE_TOLERANCE:
            return found
    raise ValueError(f"no distribution with a t-value of {t:g} was found")


def tilt(shares: Shares, pulls: list[float]) -> Shares:
    """Return the maximum-likelihood distribution in which the mean of the pulls is 0.

    Its shares are share / (1 + x * pull), with the one x that keeps all of them positive and
    balances the pulls. Some pulls must be positive and some negative.
    """
    if sum(share * pull for share, pull in zip(shares, pulls, strict=True)) < 0:
        pulls = [-pull for pull in pulls]
    # So x is between 0 and a pole, possibly very close to it, where a share is tiny: we solve for
    # the distance from the pole; `fixed` is 1 + x * pull at the pole.
    pole = -1 / min(pulls)
    fixed = [1 - pull / min(pulls) for pull in pulls]
    low, high, distance = 0.0, pole, pole
    for _ in range(SOLVER_STEPS):
        weights = [
            share / (at - distance * pull)
            for share, at, pull in zip(shares, fixed, pulls, strict=True)
        ]
        rest = sum(weight * pull for weight, pull in zip(weights, pulls, strict=True))
        if rest < 0:
            low = distance
        else:
            high = distance
        slope = sum(
            weight * weight * pull * pull / share
            for weight, pull, share in zip(weights, pulls, shares, strict=True)
        )
        newton = distance - rest / slope
        following = newton if low < newton < high else (low + high) / 2
        if abs(following - distance) <= RELATIVE_TOLERANCE * distance:
            break
        distance = following
    return weights
