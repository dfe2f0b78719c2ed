"""Series of matches as tasks, and what they add up to."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ludex.lab.contender import Contender
from ludex.lab.task import Known, Task, make_task
from ludex.rules import Rules, at_once, outcomes
from ludex.stats import wilson
from ludex.stats.pairs import half_points

TINY = 1e-12  # a variance below it is what rounding leaves of none
PORTION = 10  # matches in a task: what is lost when a process ends is little
OPENING = 2  # moves at random before a match in which nothing else is left to chance
AUTOMATIC = -1  # a number that is left to us


class Count(NamedTuple):
    """What one seat has won in some matches, and how long it has thought."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    different: int = 0
    """How many matches went differently from all others; only these say something new."""
    seconds: float = 0.0
    decisions: int = 0
    starts: Mapping[str, tuple[float, int]] = MappingProxyType({})
    """The points and matches of each beginning and luck; matches that share them are alike."""

    @property
    def matches(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of the points, a draw one half."""
        return (self.wins + self.draws / 2) / max(self.matches, 1)

    @property
    def weight(self) -> int:
        """To how many independent matches these amount.

        By the spread between beginnings (Kish's design effect), and no more than differ. Where
        there is no spread, there are as many as beginnings.
        """
        total, groups = self.matches, len(self.starts)
        rest = (points - self.share * number for points, number in self.starts.values())
        variance = sum(one * one for one in rest) * groups / max(groups - 1, 1) / max(total, 1) ** 2
        if variance < TINY:
            return min(self.different, groups)
        return max(1, min(self.different, int(self.share * (1 - self.share) / variance)))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.share, self.weight if self.matches else 0)

    @property
    def pace(self) -> float:
        """Seconds for a decision, on average."""
        return self.seconds / max(self.decisions, 1)


def plus(counts: Iterable[Count]) -> Count:
    """Return the sum of counts of different matches."""
    several = list(counts)
    starts: dict[str, tuple[float, int]] = {}
    for one in several:
        for start, (points, number) in one.starts.items():
            old = starts.get(start, (0.0, 0))
            starts[start] = (old[0] + points, old[1] + number)
    return Count(
        sum(one.wins for one in several),
        sum(one.draws for one in several),
        sum(one.losses for one in several),
        sum(one.different for one in several),
        sum(one.seconds for one in several),
        sum(one.decisions for one in several),
        starts,
    )


def opening_of(rules: Rules, asked: int = AUTOMATIC) -> int:
    """Return with how many random moves matches begin.

    Without chance, agents that choose the same again and again would play one match many times.
    """
    if asked != AUTOMATIC:
        return asked
    return 0 if outcomes(rules) or at_once(rules) else OPENING


def series(
    game: str,
    rules: dict[str, str],
    agents: list[Contender],
    seed: int,
    matches: int,
    opening: int,
    begin: int = 0,
) -> list[Task]:
    """Return the tasks of a series in which each agent keeps its seat.

    Its first match has the number `begin`; another number is other luck.
    """
    end = begin + matches
    return [
        make_task(
            "matches",
            game=game,
            rules=rules,
            agents=agents,
            seed=seed,
            first=first,
            matches=min(PORTION, end - first),
            opening=opening,
        )
        for first in range(begin, end, PORTION)
    ]


def count(known: Known, tasks: list[Task], seat: int) -> Count:
    """Return what a seat has won in a series."""
    answers = [known[task] for task in tasks]
    worth = [returns[seat] for answer in answers for returns in answer["returns"]]
    begun = [start for answer in answers for start in answer["starts"]]
    starts: dict[str, tuple[float, int]] = {}
    for start, one in zip(begun, worth, strict=True):
        points, number = starts.get(start, (0.0, 0))
        starts[start] = (points + half_points(one) / 2, number + 1)
    return Count(
        sum(one > 0 for one in worth),
        sum(one == 0 for one in worth),
        sum(one < 0 for one in worth),
        len({line for answer in answers for line in answer["lines"]}),
        sum(answer["seconds"][seat] for answer in answers),
        sum(answer["decisions"][seat] for answer in answers),
        starts,
    )


def count_facts(one: Count) -> dict[str, Any]:
    """Return a count for programs."""
    return {
        "share": one.share,
        "interval": list(one.interval),
        "wins": one.wins,
        "draws": one.draws,
        "losses": one.losses,
        "different": one.different,
        "amounts_to": one.weight if one.matches else 0,
    }


def percent(share: float, interval: tuple[float, float]) -> str:
    """Return a share with its interval for people."""
    low, high = (100 * end for end in interval)
    return f"{100 * share:.0f} % ({low:.0f} to {high:.0f})"
