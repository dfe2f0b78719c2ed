"""Series of matches as tasks, and their totals."""

import math
from collections.abc import Iterable, Mapping
from statistics import NormalDist
from types import MappingProxyType
from typing import Any, NamedTuple

from ludex.lab.spec.entrant import Contender
from ludex.lab.spec.task import Known, Task, make_task
from ludex.stats import wilson
from ludex.stats.pairs import half_points

PORTION = 10  # matches in a task: what is lost when a process ends is little
SLACK = 1e-9  # of a percent: 0.575 is a little less than itself as a binary number


class Count(NamedTuple):
    """What one seat has won in some matches, and how long it has thought."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    lines: frozenset[tuple[int, str]] = frozenset()
    """How matches went, with the seat from which they are seen; only new ones say something."""
    seconds: float = 0.0
    decisions: int = 0
    starts: Mapping[str, tuple[float, int]] = MappingProxyType({})
    """The points and matches of each beginning and luck; matches that share them are alike."""

    @property
    def matches(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def different(self) -> int:
        """How many matches went differently from all others."""
        return len(self.lines)

    @property
    def share(self) -> float:
        """The share of the points, a draw one half."""
        return (self.wins + self.draws / 2) / max(self.matches, 1)

    @property
    def weight(self) -> int:
        """To how many independent matches these amount.

        As many as differ, or fewer if beginnings differ by more than so many matches would by
        chance (Kish's design effect). Equal results show no such thing, nor does a lost one among
        them, so that winning all is never less sure than winning nearly all. One beginning has
        nothing to be compared with, and is one match.
        """
        groups = len(self.starts)
        if groups < 2:
            return min(self.different, groups)
        rest = (points - self.share * number for points, number in self.starts.values())
        variance = sum(one * one for one in rest) * groups / (groups - 1) / self.matches**2
        independent = self.share * (1 - self.share)
        if independent >= variance * self.different:
            return self.different
        return max(1, int(independent / variance))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.share, self.weight if self.matches else 0)

    def joint_interval(self, number: int) -> tuple[float, float]:
        """Return an interval of the share; so many of them hold at once with at least 95 %.

        That is Bonferroni's bound on Wilson's intervals, with half a match for continuity, without
        which whole numbers of matches may hold less often than they say.
        """
        if not self.matches:
            return 0.0, 1.0
        z, half = NormalDist().inv_cdf(1 - 0.025 / number), 0.5 / self.weight
        low = wilson(max(self.share - half, 0.0), self.weight, z)[0]
        return low, wilson(min(self.share + half, 1.0), self.weight, z)[1]

    @property
    def mean_seconds(self) -> float:
        """Seconds for a decision, on average."""
        return self.seconds / max(self.decisions, 1)


def plus(counts: Iterable[Count]) -> Count:
    """Return the sum of counts; what went alike in several of them is the same match still."""
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
        frozenset[tuple[int, str]]().union(*(one.lines for one in several)),
        sum(one.seconds for one in several),
        sum(one.decisions for one in several),
        starts,
    )


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
        frozenset((seat, line) for answer in answers for line in answer["lines"]),
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
    low, high = map(hundredths, interval)
    return f"{hundredths(share)} % ({low} to {high})"


def hundredths(share: float, digits: int = 0) -> str:
    """Return a share in percent for people; halves are rounded up, all of them."""
    scale = 10**digits
    return f"{math.floor(100 * scale * share + 0.5 + SLACK) / scale:.{digits}f}"
