"""The standings of an event."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ludex.core.termination import BY_RULES
from ludex.stats import Cell, Rating, cross_table, elo, ratings, wilson
from ludex.store import Played


class Score(NamedTuple):
    """What one agent has won, and how long it has thought."""

    wins: int
    draws: int
    losses: int
    seconds: float
    decisions: int

    @property
    def matches(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of the points, a draw one half."""
        return (self.wins + self.draws / 2) / max(self.matches, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.share, self.matches)

    @property
    def elo(self) -> float:
        """The difference in Elo that explains the share."""
        return elo(self.share)

    @property
    def pace(self) -> float:
        """Seconds for a decision, on average."""
        return self.seconds / max(self.decisions, 1)

    def row(self, agent: str) -> dict[str, Any]:
        """Return the same for programs, with the name of the agent."""
        return {
            "agent": agent,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "share": self.share,
            "interval": self.interval,
            "seconds_per_decision": self.pace,
        }


class Fault(NamedTuple):
    """Matches that an agent has ended in the same way, other than by the rules."""

    agent: int
    """Its number, or -1 if nobody is to blame."""
    ending: str
    matches: int
    words: str
    """Of the first."""

    def row(self, agents: Sequence[str]) -> dict[str, Any]:
        """Return the same for programs, with the name of the agent, or None."""
        return {**self._asdict(), "agent": agents[self.agent] if self.agent >= 0 else None}


class Standing(NamedTuple):
    """How the agents of an event stand, the strongest rating first."""

    ratings: list[Rating]
    scores: list[Score]
    """Of each agent, by its number."""
    table: list[list[Cell]]
    """What each agent has won against each other one."""
    endings: dict[str, int]
    matches: int
    faults: list[Fault]


def score(played: Iterable[Played], agent: int) -> Score:
    """Return what an agent has won."""
    wins = draws = losses = decisions = 0
    seconds = 0.0
    for match in played:
        for seat, who in enumerate(match.agents):
            if who == agent:
                wins += match.returns[seat] > 0
                draws += match.returns[seat] == 0
                losses += match.returns[seat] < 0
                seconds += match.seconds[seat]
                decisions += match.decisions[seat]
    return Score(wins, draws, losses, seconds, decisions)


def endings(played: Iterable[Played]) -> dict[str, int]:
    """Return how often matches have ended in each way."""
    return dict(Counter(match.ending for match in played))


def faults(played: Iterable[Played]) -> list[Fault]:
    """Return what has ended otherwise than by the rules, the most frequent first."""
    found: dict[tuple[int, str], list[str]] = {}
    for match in played:
        if match.ending != BY_RULES:
            agent = match.agents[match.seat] if match.seat >= 0 else -1
            found.setdefault((agent, match.ending), []).append(match.words)
    alike = [Fault(*key, len(words), words[0]) for key, words in found.items()]
    return sorted(alike, key=lambda one: -one.matches)


def by_sides(played: Iterable[Played], agents: int) -> list[list[Cell]]:
    """Return what each agent has won from the first seat against each at the second."""
    table = [[Cell() for _ in range(agents)] for _ in range(agents)]
    for match in played:
        first, second, *_ = match.agents
        won = match.returns[0]
        added = Cell(won > 0, won == 0, won < 0)
        cells = zip(table[first][second], added, strict=True)
        table[first][second] = Cell(*(old + new for old, new in cells))
    return table


def standing(
    played: Sequence[Played], agents: int, anchor: int | None = None, sides: bool = False
) -> Standing:
    """Return how so many agents stand; the mean of the ratings is 0, or the anchor is."""
    results = [(match.agents, match.returns) for match in played]
    return Standing(
        ratings(results, agents, anchor=anchor),
        [score(played, agent) for agent in range(agents)],
        by_sides(played, agents) if sides else cross_table(results, agents),
        endings(played),
        len(played),
        faults(played),
    )
