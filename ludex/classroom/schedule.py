"""Which two programs play next on the ladder: those whose match tells most.

A pair of matches tells most where the result is open and the difference between the two is not well
known: the gain is p (1 - p) times the variance of that difference, by the Bradley-Terry model of
all results. Matches that are being played count as played, so that several workers do not play the
same pair. The choice follows from what is stored and from the seed of the class alone.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.stats.bradleyterry import BradleyTerry, Strengths, expected_shares
from ludex.stats.ratings import PRIOR

ENOUGH = 3  # pairs of matches; if all have the same moves, more of them tell nothing
PAIR = 2  # matches of a job

Pair = tuple[int, int]
"""The numbers of two programs, the smaller first."""


class PairResult(NamedTuple):
    """What two programs have played against each other."""

    jobs: int = 0
    """That were planned, whatever became of them."""
    played: int = 0
    """Matches."""
    points: float = 0.0
    """Of the first program."""
    running: int = 0
    """Jobs that are not done yet."""
    failed: int = 0
    variants: int = 0
    """Jobs with different moves."""
    squares: float = 0.0
    """The sum of the squares of the points of each job."""

    @property
    def exhausted(self) -> bool:
        """Whether more matches would tell nothing: they repeat themselves, or cannot be played."""
        done = self.jobs - self.running - self.failed
        return (done >= ENOUGH and self.variants == 1) or self.failed >= ENOUGH


Results = Mapping[Pair, PairResult]


def next_pair(
    players: Sequence[int], house: set[int], results: Results, most: int, seed: int
) -> Pair | None:
    """Return the two players whose matches tell most; None if nobody needs to play.

    A program needs to play until it has `most` matches; house agents play with those who do, and
    among themselves as long as both need it.
    """
    if len(players) < 2:
        return None
    numbers = sorted({*players, *(one for pair in results for one in pair)})
    place = {number: at for at, number in enumerate(numbers)}
    matches = dict.fromkeys(numbers, 0)
    for pair, found in results.items():
        for number in pair:
            matches[number] += found.played + PAIR * found.running
    gains = gains_of(numbers, results)
    best: tuple[float, bytes, Pair] | None = None
    ordered = sorted(players)
    for at, one in enumerate(ordered):
        for other in ordered[at + 1 :]:
            needs = [matches[number] < most for number in (one, other) if number not in house]
            wanted = any(needs) if needs else max(matches[one], matches[other]) < most
            if wanted and not results.get((one, other), PairResult()).exhausted:
                gain = round(float(gains[place[one], place[other]]), 9)
                offer = (gain, tie_breaker(seed, one, other), (one, other))
                best = max(best, offer) if best else offer
    return best[2] if best else None


def points_of(numbers: Sequence[int], results: Results) -> NDArray[np.float64]:
    """Return the points of each program against each other."""
    place = {number: at for at, number in enumerate(numbers)}
    taken = np.zeros((len(numbers), len(numbers)))
    for (one, other), found in results.items():
        taken[place[one], place[other]] += found.points
        taken[place[other], place[one]] += found.played - found.points
    return taken


def fit(numbers: Sequence[int], results: Results) -> tuple[BradleyTerry, Strengths]:
    """Return a model of all results that knows that matches come in pairs, and its strengths.

    If the two matches of a pair tend to end alike, they tell less than two independent ones, and
    count for so much less (as in quasi-likelihood); they never count for more.
    """
    taken = points_of(numbers, results)
    model = BradleyTerry(taken, PRIOR)
    strengths = model.maximise(np.zeros(len(numbers)))
    factor = dispersion(numbers, results, strengths)
    if factor == 1.0:
        return model, strengths
    model = BradleyTerry(taken / factor, PRIOR)
    return model, model.maximise(strengths)


def dispersion(numbers: Sequence[int], results: Results, strengths: Strengths) -> float:
    """Return the variance of the points of a pair, relative to that of independent matches.

    It is 1 at least, and 2 at most, where the second match always ends as the first.
    """
    place = {number: at for at, number in enumerate(numbers)}
    shares = expected_shares(strengths[:, None] - strengths[None, :])
    seen = expected = 0.0
    for (one, other), found in results.items():
        share = float(shares[place[one], place[other]])
        mean = PAIR * share
        seen += found.squares - 2 * mean * found.points + mean**2 * found.played / PAIR
        expected += found.played * share * (1 - share)
    return min(max(seen / expected, 1.0), float(PAIR)) if expected else 1.0


def gains_of(numbers: Sequence[int], results: Results) -> NDArray[np.float64]:
    """Return how much a pair of matches between each two programs would tell."""
    model = BradleyTerry(points_of(numbers, results), PRIOR)
    strengths = model.maximise(np.zeros(len(numbers)))
    shares = expected_shares(strengths[:, None] - strengths[None, :])
    place = {number: at for at, number in enumerate(numbers)}
    information = model.information(strengths)
    for (one, other), found in results.items():
        first, second = place[one], place[other]
        weight = PAIR * found.running * shares[first, second] * shares[second, first]
        information[[first, second], [first, second]] += weight
        information[[first, second], [second, first]] -= weight
    return np.asarray(shares * (1 - shares) * variances(information))


def variances(information: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the variance of the difference of each two strengths."""
    spread = np.linalg.inv(information)
    own = np.diag(spread)
    return np.asarray(own[:, None] + own[None, :] - 2 * spread)


def certainty(model: BradleyTerry, strengths: Strengths) -> NDArray[np.float64]:
    """Return the difference of each two strengths, in standard deviations."""
    spread = np.sqrt(np.maximum(variances(model.information(strengths)), 1e-12))
    return np.asarray((strengths[:, None] - strengths[None, :]) / spread)


def tie_breaker(seed: int, *facts: object) -> bytes:
    """Return a hash that nobody can foresee who does not know the seed."""
    return hashlib.sha256("/".join(map(str, (seed, *facts))).encode()).digest()
