"""The standings of an event."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ludex.core.termination import BY_RULES
from ludex.stats import Rating, Tally, cross_table, ratings
from ludex.stats.crosstable import tally_table
from ludex.store import Played


@dataclass(frozen=True)
class Score(Tally):
    """The results of one agent, and its thinking time."""

    seconds: float = 0.0
    decisions: int = 0

    @property
    def mean_seconds(self) -> float:
        """The mean seconds per decision."""
        return self.seconds / max(self.decisions, 1)

    def row(self, agent: str) -> dict[str, Any]:
        """Return the score as JSON, with the name of the agent."""
        return {
            "agent": agent,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "share": self.share,
            "interval": self.interval,
            "seconds_per_decision": self.mean_seconds,
        }


class Fault(NamedTuple):
    """Matches that an agent ended in the same irregular way."""

    agent: int
    """Its number, or -1 if no agent is at fault."""
    ending: str
    matches: int
    words: str
    """Those of the first."""

    def row(self, agents: Sequence[str]) -> dict[str, Any]:
        """Return the fault as JSON, with the name of the agent, or None."""
        return {**self._asdict(), "agent": agents[self.agent] if self.agent >= 0 else None}


class Standing(NamedTuple):
    """The standings of an event, by rating."""

    ratings: list[Rating]
    scores: list[Score]
    """Of each agent, by its number."""
    table: list[list[Tally]]
    """The results of each agent against each other."""
    endings: dict[str, int]
    matches: int
    faults: list[Fault]


def score(played: Iterable[Played], agent: int) -> Score:
    """Return the results of an agent."""
    seats = [(m, seat) for m in played for seat, who in enumerate(m.agents) if who == agent]
    return Score.of(
        (match.returns[seat] for match, seat in seats),
        seconds=sum(match.seconds[seat] for match, seat in seats),
        decisions=sum(match.decisions[seat] for match, seat in seats),
    )


def endings(played: Iterable[Played]) -> dict[str, int]:
    """Return the number of matches by ending."""
    return dict(Counter(match.ending for match in played))


def faults(played: Iterable[Played]) -> list[Fault]:
    """Return the irregular endings, the most frequent first."""
    found: dict[tuple[int, str], list[str]] = {}
    for match in played:
        if match.ending != BY_RULES:
            agent = match.agents[match.seat] if match.seat >= 0 else -1
            found.setdefault((agent, match.ending), []).append(match.words)
    alike = [Fault(*key, len(words), words[0]) for key, words in found.items()]
    return sorted(alike, key=lambda one: -one.matches)


def seat_table(played: Iterable[Played], agents: int) -> list[list[Tally]]:
    """Return the results of each agent at the first seat against each at the second."""
    met = ((one.agents[0], one.agents[1], one.returns[0]) for one in played)
    return tally_table(met, agents)


def standing(
    played: Sequence[Played], agents: int, anchor: int | None = None, sides: bool = False
) -> Standing:
    """Return the standings; the mean rating is 0, or that of the anchor is."""
    results = [(match.agents, match.returns) for match in played]
    return Standing(
        ratings(results, agents, anchor=anchor),
        [score(played, agent) for agent in range(agents)],
        seat_table(played, agents) if sides else cross_table(results, agents),
        endings(played),
        len(played),
        faults(played),
    )
