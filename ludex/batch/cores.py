"""A batch on the cores of the CPU: its boards are divided among threads of compiled code."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba.core import config

from ludex.batch import lines, stepping
from ludex.batch.stepping import Boards, Policies, Policy, Series, Terms, check_actions
from ludex.core.rules import Rules, State
from ludex.core.search_profile import Learned
from ludex.kernel.jit import allocating, compiled
from ludex.kernel.threads import run_in_threads
from ludex.kernel.tuples import columns_of, flatten

# The least that a job has: starting a thread costs as much as stepping some hundreds of boards.
BOARDS, MATCHES, POSITIONS = 1 << 12, 1 << 7, 1 << 5
UNEVEN = 4  # jobs for each thread, where some take longer than others


@compiled
def step_boards(policies, rules, first, boards, terms, chosen, others, low, high):
    """Step some of the boards."""
    for board in range(low, high):
        stepping.step_board(policies, rules, first, boards, board, terms, chosen, others)


@compiled
def view_boards(rules, first, boards, viewer, planes, low, high):
    """Write the observations of some of the boards."""
    for board in range(low, high):
        planes[board] = 0.0
        stepping.view_board(rules, first, boards, board, viewer, planes[board])


@compiled
def mask_boards(rules, first, boards, viewer, masks, low, high):
    """Write the legal actions of some of the boards."""
    for board in range(low, high):
        stepping.mask_board(rules, first, boards, board, viewer, masks[board])


@compiled
def sample_boards(rules, first, boards, viewer, actions, low, high):
    """Write random legal actions on some of the boards."""
    for board in range(low, high):
        stepping.sample_board(rules, first, boards, board, viewer, actions)


@compiled
def score_boards(rules, first, boards, returns, low, high):
    """Write the returns of some of the boards."""
    for board in range(low, high):
        stepping.score_board(rules, first, boards, board, returns)


@compiled
def settle_boards(rules, first, boards, rewards, over, cut, illegal, mine, low, high):
    """Write rewards and ends of some of the boards."""
    for board in range(low, high):
        stepping.settle_board(rules, first, boards, board, rewards, over, cut, illegal, mine)


@compiled
def play_some(policies, rules, first, starts, series, results, low, high):
    """Play some of the matches of a series."""
    stepping.play_matches(policies, rules, first, starts, series, results, (low, high, 1))


@allocating
def lines_below(rules, first, none, positions, depth, low, high):
    """Return how many lines are 1, 2, … `depth` plies long below some of the positions."""
    totals = np.zeros(depth, np.int64)
    stack = (
        np.empty((len(flatten(first)), depth), np.int64),
        np.empty((len(flatten(none)), depth), np.int64),
    )
    some = positions[:, low:high], depth, stack, totals, (0, high - low, 1)
    lines.count_lines(rules, first, none, *some)
    return totals


def own_scratch(policies: Policies) -> Policies:
    """Return the same agents with scratch of their own, for a thread of its own."""

    def copied(policy: Policy | None) -> Policy | None:
        if policy is None or not isinstance(policy.profile, Learned):
            return policy
        profile = policy.profile._replace(places=policy.profile.places.copy())
        return policy._replace(profile=profile)

    return tuple(map(copied, policies))


class Cores:
    """All cores of this machine, or some of them."""

    name = "cpu"

    def __init__(self, rules: Rules, first: State, policies: Policies, threads: int = 0) -> None:
        self.rules, self.first, self.policies = rules, first, policies
        self.threads = 1 if config.DISABLE_JIT else threads or int(config.NUMBA_NUM_THREADS)
        self.least_portion = MATCHES * self.threads
        self.portion = 8 * self.least_portion

    def zeros(self, shape: tuple[int, ...], kind: Any) -> np.ndarray:
        """Return an array of this device."""
        return np.zeros(shape, kind)

    def put(self, array: np.ndarray) -> np.ndarray:
        """Return an array of this device with these numbers."""
        return array

    def actions(self, given: Any, many: int) -> np.ndarray:
        """Return actions given by the user as an array of this device."""
        actions = np.asarray(given)
        check_actions(actions, many)
        return actions

    def public(self, array: np.ndarray) -> np.ndarray:
        """Return an array as users get it."""
        return array

    def wait(self) -> None:
        """Do nothing: each call returns when its work is done."""

    def run(self, many: int, work: Callable[[int, int], None], least: int, jobs_each: int) -> None:
        """Do the work from one number up to another, on all cores."""
        chunk = max(least, -(-many // (self.threads * jobs_each)))
        jobs = [(low, min(low + chunk, many)) for low in range(0, many, chunk)]
        workers = [lambda job, pause: work(*job)] * min(self.threads, len(jobs))
        if len(workers) == 1:
            work(0, many)
        else:
            run_in_threads(workers, jobs)

    def on_all(self, boards: Boards, work: Callable[[int, int], None]) -> None:
        """Do the work for the boards from one number up to another, on all cores."""
        self.run(len(boards.ends), work, BOARDS, 1)

    def step(self, boards: Boards, terms: Terms, chosen: Any, others: Any) -> None:
        """Step every match."""
        given = self.rules, self.first, boards, terms, chosen, others
        self.on_all(boards, lambda *part: step_boards(own_scratch(self.policies), *given, *part))

    def view(
        self, boards: Boards, viewer: int, planes: np.ndarray, masks: np.ndarray | None = None
    ) -> None:
        """Write the observations of all boards, and also the legal actions if `masks` is given."""
        if masks is not None:
            self.mask(boards, viewer, masks)
        given = self.rules, self.first, boards, viewer, planes
        self.on_all(boards, partial(view_boards, *given))

    def mask(self, boards: Boards, viewer: int, masks: np.ndarray) -> None:
        """Write the legal actions of all boards."""
        given = self.rules, self.first, boards, viewer, masks
        self.on_all(boards, partial(mask_boards, *given))

    def sample(self, boards: Boards, viewer: int, actions: np.ndarray) -> None:
        """Write a random legal action on all boards."""
        given = self.rules, self.first, boards, viewer, actions
        self.on_all(boards, partial(sample_boards, *given))

    def score(self, boards: Boards, returns: np.ndarray) -> None:
        """Write the returns of all boards."""
        given = self.rules, self.first, boards, returns
        self.on_all(boards, partial(score_boards, *given))

    def settle(self, boards: Boards, *results: Any) -> None:
        """Write the fields of `Outcome` for all boards."""
        given = self.rules, self.first, boards, *results
        self.on_all(boards, partial(settle_boards, *given))

    def play(
        self, series: Series, returns: np.ndarray, lengths: np.ndarray, starts: Any = None
    ) -> None:
        """Play whole matches between agents."""
        begin = columns_of(self.first) if starts is None else starts
        given = self.rules, self.first, begin, series, (returns, lengths)
        self.run(
            len(lengths),
            lambda *part: play_some(own_scratch(self.policies), *given, *part),
            MATCHES,
            UNEVEN,
        )

    def lines(self, positions: np.ndarray, depth: int) -> np.ndarray:
        """Return how many lines of play are 1, 2, … `depth` plies long below some positions."""
        given = self.rules, self.first, lines.no_moves_left(self.rules), positions, depth
        totals = [np.zeros(depth, np.int64)]
        self.run(
            positions.shape[1],
            lambda *part: totals.append(lines_below(*given, *part)),
            POSITIONS,
            UNEVEN,
        )
        added: np.ndarray = np.sum(totals, axis=0)
        return added
