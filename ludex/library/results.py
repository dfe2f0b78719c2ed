"""Results of tournaments, and what they share with those of series."""

from collections.abc import Iterable
from typing import Any

from ludex.core.termination import TRUNCATED
from ludex.io.table import Table, percent_text, with_headline
from ludex.io.text import many
from ludex.match.record import Record, read_record
from ludex.store import Played
from ludex.tournaments.event import Event
from ludex.tournaments.plan import SIDES
from ludex.tournaments.standing import Standing, endings, faults, standing


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
