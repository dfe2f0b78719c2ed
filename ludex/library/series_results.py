"""Results of series, with confidence intervals: of recorded matches, or of those on a device."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ludex.batch.series import Matches
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.io.table import Table, with_headline
from ludex.library.results import Results, fault_lines
from ludex.stats import (
    Difference,
    MeanReturn,
    PairCounts,
    SprtState,
    mean_return,
    pair_counts,
    wilson,
)
from ludex.stats.pairs import Worths
from ludex.tournaments.event import Event
from ludex.tournaments.series import StopRule, distinct_matches, first_returns, series_difference
from ludex.tournaments.standing import Fault, Score, score

MOST_POINTS = 1000  # of a plot
NOT_KEPT = ("records", "played", "event", "different")


class SeriesScores(ABC):
    """What a series of matches says of its agents; the score is that of the first."""

    agents: tuple[str, ...]
    interrupted = False
    sprt: SprtState | None = None

    @abstractmethod
    def score_of(self, agent: int) -> Score:
        """Return the score of an agent."""

    @property
    @abstractmethod
    def returns(self) -> Worths:
        """The returns of the first agent, in the order of the matches or by their numbers."""

    @property
    @abstractmethod
    def endings(self) -> dict[str, int]:
        """The number of matches by ending."""

    @property
    @abstractmethod
    def failures(self) -> Table:
        """The matches that did not end by the rules, and why."""

    @property
    def first(self) -> Score:
        """The score of the first agent."""
        return self.score_of(0)

    @property
    def matches(self) -> int:
        """The number of matches that were played."""
        return self.first.matches

    @property
    def wins(self) -> int:
        """How many the first agent won."""
        return self.first.wins

    @property
    def draws(self) -> int:
        """How many were drawn."""
        return self.first.draws

    @property
    def losses(self) -> int:
        """How many the first agent lost."""
        return self.first.losses

    @property
    def share(self) -> float:
        """The points of the first agent, a draw one half, divided by the matches."""
        return self.first.share

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share."""
        return self.first.interval

    @property
    def pairs(self) -> PairCounts:
        """The pentanomial counts of pairs of matches with the same random numbers."""
        return pair_counts(self.returns)

    @property
    def difference(self) -> Difference:
        """The difference in Elo in favour of the first of two agents, with its interval."""
        return series_difference(self.pairs, self.first)

    @property
    def elo(self) -> float:
        """The Elo difference in favour of the first of two agents."""
        return self.difference.elo

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of `elo`, from pairs of matches with the same random numbers."""
        return self.difference.low, self.difference.high

    @property
    def mean_return(self) -> MeanReturn:
        """The mean return of the first agent, which counts what was at stake, and its interval."""
        return mean_return(self.returns)

    @property
    def table(self) -> Table:
        """A row for each agent."""
        return Table(self.score_of(number).row(agent) for number, agent in enumerate(self.agents))

    def plot(self) -> Any:
        """Return a figure of the first agent's share of points, match by match."""
        from ludex.io.figure import SvgFigure

        won = np.cumsum(1 + np.sign(listed(self.returns))) / 2
        counts = np.unique(np.linspace(1, len(won), min(len(won), MOST_POINTS)).astype(int))
        shares = won[counts - 1] / counts
        axes = SvgFigure(figsize=(6.4, 3.6), layout="constrained").add_subplot()
        title = " against ".join(self.agents)
        axes.set(title=title, xlabel="matches", ylabel="share of the points", ylim=(0.0, 1.0))
        axes.axhline(0.5, color="0.7", linewidth=1, zorder=0)
        lows, highs = zip(*map(wilson, shares.tolist(), counts.tolist()), strict=True)
        axes.fill_between(counts, lows, highs, alpha=0.25, linewidth=0)
        axes.plot(counts, shares, marker="o" if len(counts) < 40 else None, markersize=3)
        axes.locator_params("x", integer=True, min_n_ticks=1)
        return axes.figure

    @property
    def repetitions(self) -> list[str]:
        """A line that warns of repeated matches, if these are more than half."""
        return []

    @property
    def comparison(self) -> list[str]:
        """The lines that compare two agents: Elo and, where stakes differ, the mean return."""
        if len(self.agents) != 2:
            return []
        found = self.difference
        paired = "from pairs with the same random numbers, " if self.matches > 1 else ""
        lines = [
            f"Elo {found.elo:+.0f} ({paired}{found.low:+.0f} to {found.high:+.0f}),"
            f" stronger with a probability of {100 * found.superiority:.1f} %"
        ]
        if not np.isin(np.abs(listed(self.returns)), (0.0, 1.0)).all():
            mean, low, high = self.mean_return
            lines.append(f"mean return {mean:+.3f} ({low:+.3f} to {high:+.3f}): stakes differ")
        return lines

    def __repr__(self) -> str:
        low, high = self.interval
        told = f"Series{', interrupted' * self.interrupted}: {self.agents[0]}" + (
            f" {self.wins} won, {self.draws} drawn, {self.losses} lost"
            f" against {', '.join(self.agents[1:])}; {100 * self.share:.1f} %"
            f" ({100 * low:.1f} to {100 * high:.1f})"
        )
        notes = [*self.comparison, *self.repetitions, *fault_lines(self.failures)]
        return "\n".join([f"<{told}>", *notes])

    def _repr_html_(self) -> str:
        return with_headline(repr(self), self.table)


class Series(Results, SeriesScores):
    """The results of a series of matches; the score is that of the first agent."""

    def __init__(self, event: Event, watch: StopRule, chance: bool) -> None:
        super().__init__(event)
        self.watch, self.chance = watch, chance

    def score_of(self, agent: int) -> Score:
        """Return the score of an agent, with its thinking time."""
        return score(self.played, agent)

    @property
    def returns(self) -> dict[int, float]:
        """The returns of the first agent, by the numbers of the matches."""
        return first_returns(self.played)

    @property
    def sprt(self) -> SprtState | None:  # type: ignore[override]
        """The state of the sequential test, if there is one."""
        return self.watch.progress

    @cached_property
    def different(self) -> int:
        """How many matches are different; all of them if chance is drawn, or no record is kept."""
        lines = [] if self.chance else self.event.lines
        return distinct_matches(lines) if lines else self.matches

    @property
    def repetitions(self) -> list[str]:
        """A line that warns of repeated matches, if these are more than half."""
        if 2 * self.different >= self.matches:
            return []
        return [
            f"only {self.different} of the matches are different, the others went as one of"
            " these: the interval is too narrow"
        ]

    @property
    def comparison(self) -> list[str]:
        """The lines that compare two agents: Elo, the mean return, and the sequential test."""
        lines, test, progress = super().comparison, self.watch.test, self.sprt
        if test and progress:
            bounds = f"{progress.low:.2f} to {progress.high:.2f}"
            lines += [
                f"SPRT: {progress.verdict} (LLR {progress.llr:.2f}, bounds {bounds})",
                test.words(progress.verdict, *self.agents),
                "a test decides and does not measure: sizes come from series of a fixed length",
            ]
        return lines


class DeviceSeries(SeriesScores):
    """The results of a series on a device, which keeps no record of any match."""

    def __init__(self, agents: Sequence[str], matches: Matches, device: str, seed: int) -> None:
        self.agents, self.results, self.device, self.seed = tuple(agents), matches, device, seed

    def __getattr__(self, name: str) -> Any:
        if name in NOT_KEPT:
            raise AttributeError(f"{name}: a series on a device keeps no records of its matches")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def score_of(self, agent: int) -> Score:
        """Return the score of an agent; its thinking time is not measured."""
        return Score.of(self.results.returns[:, agent])

    @property
    def returns(self) -> np.ndarray:
        """The returns of the first agent, in the order of the matches."""
        first: np.ndarray = self.results.returns[:, 0]
        return first

    @property
    def plies(self) -> int:
        """The number of plies of all matches."""
        return self.results.plies()

    @property
    def endings(self) -> dict[str, int]:
        """The number of matches by ending."""
        cut = self.results.cut_off
        counts = {BY_RULES: len(self.results.lengths) - cut, TRUNCATED: cut}
        return {ending: number for ending, number in counts.items() if number}

    @property
    def failures(self) -> Table:
        """The matches that were cut off."""
        fault = Fault(-1, TRUNCATED, self.results.cut_off, "")
        return Table([fault.row(self.agents)] if fault.matches else [])

    @property
    def table(self) -> Table:
        """A row for each agent."""
        return Table({**row, "seconds_per_decision": None} for row in super().table)


def listed(returns: Worths) -> np.ndarray:
    """Return the returns of matches in their order."""
    every = list(returns.values()) if isinstance(returns, Mapping) else returns
    return np.asarray(every, float)
