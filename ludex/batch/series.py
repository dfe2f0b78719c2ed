"""Series of whole matches on a device, between agents that run in compiled code.

As in other series, agents swap seats and all seatings share the same random numbers. A match is the
same on any device, and however many others are played.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from ludex.batch.devices import Device, open_device
from ludex.batch.policies import policy_of
from ludex.batch.stepping import CUT_OFF, Series
from ludex.core import rules as ask
from ludex.core.rules import Rules
from ludex.core.time_control import PLIES
from ludex.io.text import ParameterError, whole_number
from ludex.kernel.bits import as_word
from ludex.kernel.jit import thinking_time

DEVICE_MATCHES_MAX = 20_000_000  # in one series or after one action: their results are in memory
PORTION_SECONDS = 0.2  # of a call that cannot be interrupted
MatchCounter = Callable[[int], None]
"""Called with the number of matches played so far."""


class Matches(NamedTuple):
    """The results of matches, in order."""

    returns: np.ndarray
    """A row for each match: the returns of each seat, or of each agent in a series."""
    lengths: np.ndarray
    """In plies; CUT_OFF if there were too many."""

    @property
    def cut_off(self) -> int:
        """The number of matches that were cut off."""
        return int((self.lengths == CUT_OFF).sum())

    def plies(self, most: int = PLIES) -> int:
        """Return the number of plies, at most so many in each match."""
        return int(np.where(self.lengths == CUT_OFF, most, self.lengths).sum())


def read_matches(matches: SupportsIndex, least: int = 1) -> int:
    """Return a number of matches for a device; a ValueError says what is wrong with it."""
    most = whole_number("matches", matches, least)
    if most > DEVICE_MATCHES_MAX:
        raise ParameterError("{matches} {:,}: expected at most {:,}", most, DEVICE_MATCHES_MAX)
    return most


def play_matches(
    device: Device,
    series: Series,
    matches: int,
    seats: int,
    starts: np.ndarray | None = None,
    count: MatchCounter = lambda done: None,
) -> Matches:
    """Play matches from the first of a series on, in calls of about `PORTION_SECONDS` each.

    Longer calls remain where playing fewer matches would save no time.
    Each match has its own of the columns of `starts`, or all have the only one.
    """
    found = Matches(np.empty((matches, seats)), np.empty(matches, np.int32))
    done = 0
    while done < matches:
        end, began = min(done + device.portion, matches), thinking_time()
        given: dict[str, Any] = {}
        if starts is not None:
            given["starts"] = starts if starts.shape[1] == 1 else starts[:, done:end].copy()
        shapes = ((end - done, seats), np.float64), ((end - done,), np.int32)
        written = [device.zeros(*one) for one in shapes]
        device.play(series._replace(begin=series.begin + done), *written, **given)
        for whole, part in zip(found, written, strict=True):
            whole[done:end] = np.asarray(part)  # which waits for the device
        adjust_portion(device, end - done, thinking_time() - began)
        done = end
        count(done)
    return found


def adjust_portion(device: Device, played: int, seconds: float) -> None:
    """Let the next call play fewer or more matches, given those of the last and its duration."""
    if seconds > 2 * PORTION_SECONDS:
        device.portion = max(played // 2, device.least_portion)
    elif seconds < PORTION_SECONDS and played == device.portion:
        device.portion *= 2


def play_series(
    rules: Rules,
    agents: Sequence[str],
    matches: int,
    seed: int,
    device: str = "cpu",
    count: MatchCounter = lambda done: None,
) -> Matches:
    """Play a series; returns have a column for each agent."""
    policies = tuple(policy_of(text, rules) for text in agents)
    opened = open_device(device, rules, ask.initial(rules), policies)
    ways, before = len(agents), 0
    found = Matches(np.empty((matches, ways)), np.empty(matches, np.int32))
    for turned in range(min(ways, matches)):
        series = Series(as_word(seed), PLIES, turned=turned)
        own, add = len(range(turned, matches, ways)), partial(count_on, count, before)
        returns, lengths = play_matches(opened, series, own, ways, count=add)
        # The agent of seat 0 plays at this one.
        found.returns[turned::ways] = np.roll(returns, -turned, axis=1)
        found.lengths[turned::ways] = lengths
        before += own
    return found


def count_on(count: MatchCounter, before: int, done: int) -> None:
    """Count the matches played so far, and those of earlier seatings."""
    count(before + done)
