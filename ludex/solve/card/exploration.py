"""The enumeration of states on an NVIDIA card, breadth-first.

A wave of threads expands the states that are known, one each, and numbers those that are new: a bit
for each possible key tells which are. The result is the listing of `exploration.py`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ludex.core.rules import Rules, State, canonical
from ludex.kernel.cuda import cuda
from ludex.solve.card.kernels import Launcher, free_bytes
from ludex.solve.states.exploration import DONE, NOT_SETS, NOTHING, Exploration
from ludex.solve.states.index import SHIFT, WORD
from ludex.solve.states.keys import possible_keys
from ludex.solve.states.listing import Listing, TooBig
from ludex.solve.states.state_space import sample_fields

BITMAP_KEYS_MAX = 1 << 35  # 4 GiB
WAVE = 1 << 22  # states that are expanded between progress reports
STATE_BYTES = 72  # of a state on the card: key, index, block, value, two tie values, progress


class BitmapTooLarge(Exception):
    """A card has no room for a bit for each possible state."""


class CardExploration(Exploration):
    """An enumeration of states in which each thread of a card expands one, in waves."""

    def __init__(
        self, rules: Rules, first: State, folding: int, fields: np.ndarray, room: int
    ) -> None:
        super().__init__(rules, first, folding, fields)
        self.room, self.launcher = room, Launcher(rules, canonical(rules, first), folding)
        self.queue: Any = NOTHING
        self.words: Any = NOTHING
        self.send()

    def send(self) -> None:
        """Bring the keys that are found to the card, with a bit for each possible key."""
        possible = possible_keys(self.found.fields)
        self.queue = self.words = NOTHING  # freed before there are new ones
        if possible > BITMAP_KEYS_MAX or possible // 8 > free_bytes() // 2:
            raise BitmapTooLarge(f"{possible:,} states are possible, more than a card has bits for")
        known, words = self.found.keys[: self.count], np.zeros((possible >> SHIFT) + 1, np.int64)
        np.bitwise_or.at(words, known >> SHIFT, np.int64(1) << (known & WORD - 1))
        self.queue = cuda.device_array(min(possible, self.room), np.int64)
        self.queue[: self.count].copy_to_device(known)
        self.words = cuda.to_device(words)
        self.counter = cuda.to_device(np.array([self.count]))

    def receive(self) -> None:
        """Bring the keys that are found back."""
        keys = self.queue[: self.count].copy_to_host()
        self.found = self.found._replace(keys=keys)

    def expand_states(self, most: int) -> None:
        """Expand at most this many states, or widen a field."""
        source = _, guards, sets = self.source()
        work = cuda.to_device(np.zeros(NOT_SETS + 1, np.int64))
        misfits = cuda.to_device(np.zeros((2, self.launcher.count), np.int64))
        begin, end = self.done, min(self.count, self.done + most)
        known = (self.found.fields, guards, np.append(sets, 0))  # never empty
        self.launcher.run(
            "explore", *map(cuda.to_device, known), begin, end, len(self.queue), self.queue,
            self.words, self.counter, work, misfits, *self.launcher.scratch,
        )  # fmt: skip
        self.count = int(self.counter.copy_to_host()[0])
        if self.count > len(self.queue):
            raise TooBig(f"more than {len(self.queue):,} states")
        failed = misfits.copy_to_host()
        if failed.any():
            self.widen(*failed[:, failed[0].argmin()].tolist())
            return
        found = work.copy_to_host()
        found[DONE] = end - begin
        self.note(source, found)

    def widen(self, why: int, value: int) -> None:
        """Widen the field -1 - why, which has no room for a value."""
        self.receive()
        super().widen(why, value)
        self.send()

    def listing(self) -> Listing:
        """Return the states found so far, in the order of their keys."""
        self.receive()
        return super().listing()


def room_on_card() -> int:
    """Return the number of states that fit into the memory of the card."""
    return free_bytes() // 2 // STATE_BYTES


def list_states_on_card(
    rules: Rules,
    first: State,
    folding: int,
    room: int,
    tell: Callable[[int, int], None] = lambda done, count: None,
) -> Listing:
    """Return all states reachable from a first one, as `list_states` does."""
    exploration = CardExploration(rules, first, folding, sample_fields(rules, first), room)
    exploration.expand_all(room, WAVE, tell)
    return exploration.listing()
