"""A series of matches with swapped seats, on all cores."""

import functools
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import NamedTuple

from ludex.agents import frugal, make_agent
from ludex.games import find, rules_class
from ludex.match import Match, play_match
from ludex.rules import Rules, initial
from ludex.stats import elo, wilson
from ludex.variant import read_rules

LARGEST = 8  # matches in a job, so that a bar moves
WARM = 200  # plies, after which every seat of our games has chosen


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
    def elo(self) -> float | None:
        """The difference in Elo that explains the share; there is none between more than two."""
        return elo(self.share) if len(self.seconds) == 2 else None


def play_job(job: Job) -> list[tuple[int, Match]]:
    """Return the matches of a job with the seat of the first agent.

    Matches come in groups, one for each way around the table, that share their luck. Agents are
    made for each match, so that it does not matter what else is in a job.
    """
    rules = read_rules(rules_class(find(job.game))(), dict(job.rules))
    played = []
    for number in job.numbers:
        group, turned = divmod(number, len(job.agents))
        agents = [make_agent(text, rules) for text in job.agents]
        sitting = agents[-turned:] + agents[:-turned] if turned else agents
        try:
            warm_up(rules, job.agents)
            match = play_match(rules, initial(rules), sitting, job.seed, group)
        except Exception as error:
            said = " ".join(str(error).split())[:200]
            fault = f"match {number + 1} failed with {type(error).__name__}: {said}"
            raise ValueError(f"{fault} (ludex check says more)") from error
        played.append((turned, match))
    return played


@functools.lru_cache(maxsize=None, typed=True)  # rules of two games may be equal as tuples
def warm_up(rules: Rules, agents: tuple[str, ...]) -> None:
    """Play something with the least budgets, once in a process: compiling is not thinking."""
    sitting = [frugal(make_agent(text, rules)) for text in agents]
    play_match(rules, initial(rules), sitting, 0, plies=WARM)


def job_size(matches: int, processes: int) -> int:
    """Return how many matches a job has: few enough for every process to have several jobs."""
    return min(max(matches // (4 * processes), 1), LARGEST)


def jobs_of(
    game: str,
    rules: dict[str, str],
    agents: tuple[str, ...],
    matches: int,
    seed: int,
    size: int = LARGEST,
) -> list[Job]:
    """Return the jobs of a series, each with so many matches."""
    changed = tuple(rules.items())
    return [
        Job(game, changed, agents, tuple(range(start, min(start + size, matches))), seed)
        for start in range(0, matches, size)
    ]


def play_series(
    jobs: list[Job], processes: int, tell: Callable[[int], None]
) -> list[tuple[int, Match]]:
    """Return all matches in their order, telling how many have been played meanwhile.

    A ValueError says what failed. However it ends, nothing goes on in other processes.
    """
    if processes == 1:
        played = []
        for job in jobs:
            played += play_job(job)
            tell(len(job.numbers))
        return played
    others = active_children()
    pool = ProcessPoolExecutor(processes, get_context("spawn"))
    try:
        with uninterrupted():
            futures = [pool.submit(play_job, job) for job in jobs]
        for future in as_completed(futures):
            tell(len(future.result()))
    except BaseException as error:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            if process not in others:
                process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise ValueError("a process that played matches has ended without a word") from error
        raise
    pool.shutdown()
    return [played for future in futures for played in future.result()]


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from this process for a while, and for ever from those that it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
