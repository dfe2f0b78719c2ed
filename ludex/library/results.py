"""Results of series and tournaments, with confidence intervals."""

import itertools
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from ludex.core.termination import TRUNCATED
from ludex.io.table import Table, percent_text, with_headline
from ludex.io.text import many
from ludex.match.record import Record, read_record
from ludex.stats import MeanReturn, SprtState, wilson
from ludex.store import Played
from ludex.tournaments.event import Event
from ludex.tournaments.plan import SIDES
from ludex.tournaments.series import (
    StopRule,
    distinct_matches,
    first_return,
    played_mean_return,
    series_difference,
)
from ludex.tournaments.standing import Score, Standing, endings, faults, score, standing


class Results:
    """The results of an event: its matches, their records, and failures."""

    def __init__(self, event: Event) -> None:
        self.event, self.agents, self.interrupted = event, event.agents, event.interrupted

    def __dir__(self) -> list[str]:  # what editors offer
        return sorted({*super().__dir__()} - {"event", "watch", "chance", "first"})

    @property
    def played(self) -> list[Played]:
        """All matches, in order."""
        return self.event.played

    @property
    def records(self) -> list[Record]:
        """The records of all matches, in order."""
        return [read_record(line) for line in self.event.lines]

    @property
    def endings(self) -> dict[str, int]:
        """The number of matches by ending."""
        return endings(self.played)

    @property
    def failures(self) -> Table:
        """The matches that did not end by the rules, and why."""
        return Table(one.row(self.agents) for one in faults(self.played))


class Series(Results):
    """The results of a series of matches; the score is that of the first agent."""

    def __init__(self, event: Event, watch: StopRule, chance: bool) -> None:
        super().__init__(event)
        self.watch, self.chance = watch, chance

    @property
    def first(self) -> Score:
        """The score of the first agent."""
        return score(self.played, 0)

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
    def elo(self) -> float:
        """The Elo difference in favour of the first of two agents."""
        return series_difference(self.played).elo

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of `elo`, from pairs of matches with the same random numbers."""
        found = series_difference(self.played)
        return found.low, found.high

    @property
    def mean_return(self) -> MeanReturn:
        """The mean return of the first agent, which counts what was at stake, and its interval."""
        return played_mean_return(self.played)

    @property
    def sprt(self) -> SprtState | None:
        """The state of the sequential test, if there is one."""
        return self.watch.progress

    @property
    def table(self) -> Table:
        """A row for each agent."""
        rows = enumerate(self.agents)
        return Table(score(self.played, number).row(agent) for number, agent in rows)

    def plot(self) -> Any:
        """Return a figure of the first agent's share of points, match by match."""
        from ludex.io.figure import SvgFigure

        won = itertools.accumulate((first_return(match) + 1.0) / 2.0 for match in self.played)
        shares = [points / count for count, points in enumerate(won, start=1)]
        counts = range(1, len(shares) + 1)
        axes = SvgFigure(figsize=(6.4, 3.6), layout="constrained").add_subplot()
        title = " against ".join(self.agents)
        axes.set(title=title, xlabel="matches", ylabel="share of the points", ylim=(0.0, 1.0))
        axes.axhline(0.5, color="0.7", linewidth=1, zorder=0)
        lows, highs = zip(*map(wilson, shares, counts), strict=True)
        axes.fill_between(counts, lows, highs, alpha=0.25, linewidth=0)
        axes.plot(counts, shares, marker="o" if len(counts) < 40 else None, markersize=3)
        axes.locator_params("x", integer=True, min_n_ticks=1)
        return axes.figure

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
        """The lines that compare two agents: Elo, and the sequential test."""
        if len(self.agents) != 2:
            return []
        found, test, progress = series_difference(self.played), self.watch.test, self.sprt
        paired = "from pairs with the same random numbers, " if self.matches > 1 else ""
        lines = [
            f"Elo {found.elo:+.0f} ({paired}{found.low:+.0f} to {found.high:+.0f}),"
            f" stronger with a probability of {100 * found.superiority:.1f} %"
        ]
        if any(abs(first_return(match)) not in (0.0, 1.0) for match in self.played):
            mean, low, high = self.mean_return
            lines.append(f"mean return {mean:+.3f} ({low:+.3f} to {high:+.3f}): stakes differ")
        if test and progress:
            bounds = f"{progress.low:.2f} to {progress.high:.2f}"
            lines += [
                f"SPRT: {progress.verdict} (LLR {progress.llr:.2f}, bounds {bounds})",
                test.words(progress.verdict, *self.agents),
                "a test decides and does not measure: sizes come from series of a fixed length",
            ]
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


class Tournament(Results):
    """The results of a tournament."""

    anchor: int | None = None
    """The agent whose rating is 0; if None, the mean of all is 0."""

    @property
    def standing(self) -> Standing:
        """Ratings, scores and the cross table, by the numbers of the agents."""
        sides = self.event.format == SIDES
        return standing(self.played, len(self.agents), self.anchor, sides)

    @property
    def table(self) -> Table:
        """A row for each agent, strongest first."""
        stands = self.standing
        return Table(
            {
                **stands.scores[one.agent].row(self.agents[one.agent]),
                "elo": one.elo,
                "elo_interval": (one.low, one.high),
            }
            for one in stands.ratings
        )

    @property
    def cross_table(self) -> Table:
        """The share of points of each agent against each other one."""
        rows = Table([], dict.fromkeys(self.agents, percent_text))
        for agent, row in zip(self.agents, self.standing.table, strict=True):
            shares = [one.share if one.matches else None for one in row]
            rows.append({"agent": agent} | dict(zip(self.agents, shares, strict=True)))
        return rows

    def __repr__(self) -> str:
        told = f"{type(self).__name__} of {many(len(self.agents), 'agent')}"
        told = f"<{told}{', interrupted' * self.interrupted}>\n{self.table}"
        return "\n".join([told, *fault_lines(self.failures)])

    def _repr_html_(self) -> str:
        told = [repr(self).splitlines()[0], *fault_lines(self.failures)]
        return with_headline("\n".join(told), self.table, self.cross_table)


def fault_lines(faults: Iterable[dict[str, Any]]) -> list[str]:
    """Return a line for each agent and ending other than by the rules."""
    lines = []
    for one in faults:
        ended = f"{many(one['matches'], 'match')} ended {one['ending']}"
        if one["agent"] is not None:
            lines.append(f"{ended} by {one['agent']}: {one['words']}")
        else:
            lines.append(f"{ended}{': too long, a draw' if one['ending'] == TRUNCATED else ''}")
    return lines
