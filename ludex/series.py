"""A series of matches with swapped seats, on all cores."""

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import NamedTuple

from ludex.agents import make_agent
from ludex.games import find, rules_class
from ludex.match import Match, play_match
from ludex.rules import initial
from ludex.stats import elo, wilson
from ludex.variant import read_rules


class Job(NamedTuple):
    """Some matches of a series, as text and numbers, so that another process can play them."""

    game: str
    rules: tuple[tuple[str, str], ...]
    agents: tuple[str, ...]
    numbers: tuple[int, ...]
    seed: int


class Score(NamedTuple):
    """What the first agent of a series has won."""

    wins: int
    draws: int
    losses: int
    endings: dict[str, int]
    seconds: tuple[float, ...]
    """How long each agent has thought about a decision, on average."""

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


def play_job(job: Job) -> list[tuple[int, Match]]:
    """Return the matches of a job with the seat of the first agent.

    Matches come in groups, one for each way around the table, that share a seed.
    """
    rules = read_rules(rules_class(find(job.game))(), dict(job.rules))
    agents = [make_agent(text, rules) for text in job.agents]
    played = []
    for number in job.numbers:
        group, turned = divmod(number, len(agents))
        sitting = agents[-turned:] + agents[:-turned] if turned else agents
        match = play_match(rules, initial(rules), sitting, job.seed + group)
        played.append((turned, match))
    return played


def jobs_of(
    game: str,
    rules: dict[str, str],
    agents: tuple[str, ...],
    matches: int,
    seed: int,
    size: int = 8,
) -> list[Job]:
    """Return the jobs of a series, each with a few matches."""
    changed = tuple(rules.items())
    return [
        Job(game, changed, agents, tuple(range(start, min(start + size, matches))), seed)
        for start in range(0, matches, size)
    ]


def play_series(
    jobs: list[Job], processes: int, tell: Callable[[int], None]
) -> list[tuple[int, Match]]:
    """Return all matches in their order, telling how many have been played meanwhile."""
    if processes == 1:
        played = []
        for job in jobs:
            played += play_job(job)
            tell(len(job.numbers))
        return played
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        futures = [pool.submit(play_job, job) for job in jobs]
        for future in as_completed(futures):
            tell(len(future.result()))
        return [played for future in futures for played in future.result()]


def score(played: list[tuple[int, Match]], agents: int) -> Score:
    """Return what the first agent has won."""
    worth = [match.returns[seat] for seat, match in played]
    seconds, decisions = [0.0] * agents, [0] * agents
    for turned, match in played:
        for agent in range(agents):
            seat = (agent + turned) % agents
            seconds[agent] += match.seconds[seat]
            decisions[agent] += match.decisions[seat]
    return Score(
        sum(value > 0 for value in worth),
        sum(value == 0 for value in worth),
        sum(value < 0 for value in worth),
        dict(Counter(match.ending for _, match in played)),
        tuple(spent / max(count, 1) for spent, count in zip(seconds, decisions, strict=True)),
    )


def cores() -> int:
    """Return how many processes this machine runs side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
