"""Series of matches as tasks, and their totals."""

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

from ludex.batch.policies import policy_of
from ludex.games import game_rules
from ludex.lab.spec.entrant import Entrant
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.task import Known, Task
from ludex.stats import Tally, wilson
from ludex.stats.pairs import half_points
from ludex.tournaments.standing import Score

ON_DEVICE = "device_matches"  # the work of a whole series
TASK_MATCHES = 10  # small, so that little is lost when a process ends
ROUNDING_SLACK = 1e-9  # of a percent: as a float, 0.575 is slightly less


@dataclass(frozen=True)
class Count(Score):
    """The results of one seat in some matches, with what tells how independent they are."""

    lines: frozenset[tuple[int, str]] = frozenset()
    """The distinct lines of play, as hashes, each with the seat that is counted."""
    starts: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    """Points and matches by opening or seed; matches that share one are correlated."""

    @property
    def distinct(self) -> int:
        """The number of distinct matches."""
        return len(self.lines)

    @property
    def effective_size(self) -> int:
        """The effective number of independent matches.

        It is the number of distinct ones, or less if results vary between starts by more than
        chance explains (Kish's design effect). Equal results show no such variation, so that
        winning all is never less certain than winning nearly all. A single start counts as one.
        """
        groups = len(self.starts)
        if groups < 2:
            return min(self.distinct, groups)
        rest = (points - self.share * number for points, number in self.starts.values())
        variance = sum(one * one for one in rest) * groups / (groups - 1) / self.matches**2
        independent = self.share * (1 - self.share)
        if independent >= variance * self.distinct:
            return self.distinct
        return max(1, int(independent / variance))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.share, self.effective_size if self.matches else 0)

    def joint_interval(self, number: int) -> tuple[float, float]:
        """Return one of `number` intervals that hold simultaneously with at least 95 %.

        These are Wilson intervals with Bonferroni's and the continuity correction; without the
        latter, their coverage may fall short.
        """
        if not self.matches:
            return 0.0, 1.0
        z, half = NormalDist().inv_cdf(1 - 0.025 / number), 0.5 / self.effective_size
        low = wilson(max(self.share - half, 0.0), self.effective_size, z)[0]
        return low, wilson(min(self.share + half, 1.0), self.effective_size, z)[1]

    def text(self) -> str:
        """Return the share with its interval, for people."""
        return share_text(self.share, self.interval)


def sum_counts(counts: Iterable[Count]) -> Count:
    """Return the sum of counts; a line of play in several of them stays one."""
    several = list(counts)
    return Count(
        sum(one.wins for one in several),
        sum(one.draws for one in several),
        sum(one.losses for one in several),
        seconds=sum(one.seconds for one in several),
        decisions=sum(one.decisions for one in several),
        lines=frozenset[tuple[int, str]]().union(*(one.lines for one in several)),
        starts=sum_starts((start, *both) for one in several for start, both in one.starts.items()),
    )


def sum_starts(parts: Iterable[tuple[str, float, int]]) -> dict[str, tuple[float, int]]:
    """Return the points and matches by start."""
    starts: dict[str, tuple[float, int]] = {}
    for start, points, number in parts:
        old = starts.get(start, (0.0, 0))
        starts[start] = (old[0] + points, old[1] + number)
    return starts


def series_tasks(
    experiment: Experiment, agents: list[Entrant], matches: int, begin: int = 0
) -> list[Task]:
    """Return the tasks of a series in which agents keep their seats.

    Its matches are numbered from `begin`; the number selects the random numbers.
    """
    opening = experiment.given["opening"]
    common = {"agents": agents, "seed": experiment.seed, "opening": opening}
    if experiment.given.get("device") and all(runs_on_device(experiment.game, a) for a in agents):
        return [experiment.task(ON_DEVICE, first=begin, matches=matches, **common)]
    end = begin + matches
    return [
        experiment.task("matches", first=first, matches=min(TASK_MATCHES, end - first), **common)
        for first in range(begin, end, TASK_MATCHES)
    ]


def runs_on_device(game: str, agent: Entrant) -> bool:
    """Return whether an entrant plays whole matches on a device."""
    return isinstance(agent, str) and has_policy(game, agent)


@functools.cache
def has_policy(game: str, agent: str) -> bool:
    """Return whether an agent runs in compiled code alone."""
    try:
        policy_of(agent, game_rules(game))
    except ValueError:
        return False
    return True


def count_results(known: Known, tasks: list[Task], seat: int) -> Count:
    """Return the results of a seat in a series."""
    answers = [known[task] for task in tasks]
    worth = [returns[seat] for answer in answers for returns in answer["returns"]]
    begun = [start for answer in answers for start in answer["starts"]]
    points = (half_points(one) / 2 for one in worth)
    return Count.of(
        worth,
        seconds=sum(answer["seconds"][seat] for answer in answers),
        decisions=sum(answer["decisions"][seat] for answer in answers),
        lines=frozenset((seat, line) for answer in answers for line in answer["lines"]),
        starts=sum_starts((start, one, 1) for start, one in zip(begun, points, strict=True)),
    )


def count_facts(one: Count) -> dict[str, Any]:
    """Return a count as JSON."""
    return {
        "share": one.share,
        "interval": list(one.interval),
        "wins": one.wins,
        "draws": one.draws,
        "losses": one.losses,
        "different": one.distinct,
        "amounts_to": one.effective_size if one.matches else 0,
    }


def record_cell(facts: dict[str, Any]) -> str:
    """Return wins, draws and losses from the facts of a count."""
    return Tally(facts["wins"], facts["draws"], facts["losses"]).record()


def share_cell(facts: dict[str, Any]) -> str:
    """Return the share with its interval from the facts of a count."""
    return share_text(facts["share"], facts["interval"])


def share_text(share: float, interval: Sequence[float]) -> str:
    """Return a share with its interval, for people."""
    low, high = map(percentage, interval)
    return f"{percentage(share)} % ({low} to {high})"


def percentage(share: float, digits: int = 0) -> str:
    """Return a share in percent, with halves rounded up."""
    scale = 10**digits
    return f"{math.floor(100 * scale * share + 0.5 + ROUNDING_SLACK) / scale:.{digits}f}"
