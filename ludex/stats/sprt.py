"""The sequential probability ratio test: play until one of two hypotheses is accepted.

Under H0 the difference is `elo0`, under H1 it is `elo1`. After each match, or pair of matches, the
log-likelihood ratio (LLR) is compared with Wald's two bounds. Pairs decide sooner where random
numbers are shared.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ludex.core.options import read_options
from ludex.io.text import nearest, number_or_nan, read_word
from ludex.stats.likelihood import ratio, with_mean, with_t
from ludex.stats.share import expected_share

GO_ON, ACCEPT_H0, ACCEPT_H1 = "go on", "accept H0", "accept H1"

NORMALIZED, LOGISTIC = "normalized", "logistic"
ELO_MAX = {NORMALIZED: 200.0, LOGISTIC: 1000.0}  # beyond it no t-value is found, or all is won
T = math.log(10) / 800  # t-value of one normalized Elo in a single match


class SprtState(NamedTuple):
    """The state of a test."""

    llr: float
    low: float
    """The bound at which H0 is accepted."""
    high: float
    """The bound at which H1 is accepted."""

    @property
    def verdict(self) -> str:
        """One of `GO_ON`, `ACCEPT_H0`, `ACCEPT_H1`."""
        if self.llr >= self.high:
            return ACCEPT_H1
        return ACCEPT_H0 if self.llr <= self.low else GO_ON

    @property
    def fraction(self) -> float:
        """The progress: 0 at the start, 1 where H1 is accepted, -1 where H0 is."""
        part = self.llr / self.high if self.llr > 0 else -self.llr / self.low
        return min(max(part, -1.0), 1.0)


@dataclass(frozen=True)
class Sprt:
    """A test of two differences in Elo with error probabilities `alpha` and `beta`.

    `logistic` Elo is that of shares. `normalized` Elo is 800 / ln 10 times the distance of the
    share from one half in standard deviations of one match: it measures how soon a difference
    shows, whatever the share of draws, and equals logistic Elo near 0 without draws.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = NORMALIZED

    def __post_init__(self) -> None:
        """Raise a ValueError if a parameter is out of range."""
        read_word(self.model, "model", list(ELO_MAX))
        largest = ELO_MAX[self.model]
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= largest:
                fault = f"{name} {getattr(self, name):g}: expected -{largest:g} to {largest:g}"
                raise ValueError(f"{fault} with model={self.model}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 {self.elo0:g}: expected less than elo1, {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                fault = f"{name} {getattr(self, name):g}"
                raise ValueError(f"{fault}: expected a number between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLRs at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def words(self, verdict: str, first: str, second: str) -> str:
        """Explain a verdict on two agents, and its error probability.

        It does not estimate the difference: accepting H1 says that it is above `elo0`, accepting
        H0 that it is below `elo1`.
        """
        if verdict == GO_ON:
            return "not decided: more matches may do it"
        if verdict == ACCEPT_H1:
            claim = claim_text(first, second, "stronger", "weaker", self.elo0)
            otherwise, wrong = f"{self.elo0:g} {self.model} Elo or less", self.alpha
        else:
            claim = claim_text(first, second, "weaker", "stronger", -self.elo1)
            otherwise, wrong = f"{self.elo1:g} {self.model} Elo or more", self.beta
        return (
            f"{claim}; were it {otherwise}, at most about {100 * wrong:g} % of tests would say so"
        )

    def after_matches(self, wins: int, draws: int, losses: int) -> SprtState:
        """Return the state of the test after independent matches."""
        return self._progress((losses, draws, wins))

    def after_pairs(self, counts: Sequence[int]) -> SprtState:
        """Return the state of the test after pairs, from the five counts of `pair_counts`."""
        if len(counts) != 5:
            raise ValueError(f"{tuple(counts)}: expected five counts of pairs")
        return self._progress(counts)

    def _progress(self, counts: Sequence[int]) -> SprtState:
        if min(counts) < 0:
            raise ValueError(f"{tuple(counts)}: expected counts of at least 0")
        if self.model == LOGISTIC:
            llr = ratio(counts, with_mean, expected_share(self.elo0), expected_share(self.elo1))
        else:
            # The deviation of the mean of two independent matches is smaller by the root of two.
            scale = T * math.sqrt(2) if len(counts) == 5 else T
            llr = ratio(counts, with_t, scale * self.elo0, scale * self.elo1)
        return SprtState(llr, *self.bounds)


def claim_text(first: str, second: str, more: str, less: str, bound: float) -> str:
    """Say that one agent is stronger or weaker than another by more than a bound."""
    if bound < 0:
        return f"{first} is not {less} than {second} by {-bound:g} Elo or more"
    return f"{first} is {more} than {second}{f' by more than {bound:g} Elo' if bound else ''}"


def read_sprt(text: str) -> Sprt:
    """Parse a test such as `elo0=0,elo1=10,alpha=0.05,model=logistic`."""
    given = read_options(text)
    names = list(Sprt.__dataclass_fields__)
    for name in given:
        if name not in names:
            there = f"there are {', '.join(names)}"
            raise ValueError(f"no option {name!r}{nearest(name, names)} ({there})")
    for name in ("elo0", "elo1"):
        if name not in given:
            raise ValueError(f"{name} is missing")
    model = given.pop("model", NORMALIZED)
    return Sprt(**{name: read_number(name, value) for name, value in given.items()}, model=model)


def read_number(name: str, text: str) -> float:
    """Parse a finite number."""
    number = number_or_nan(text)
    if not math.isfinite(number):
        raise ValueError(f"{name} {text!r}: expected a number")
    return number
