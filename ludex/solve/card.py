"""Solve a game on an NVIDIA card: list its states, and compute their values level by level.

For games in which play never stays in a block of states (`values/blocks.py`). One thread expands
one state. What comes out is the same listing and the same values as on the CPU, bit for bit.
"""

import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import cuda, types

from ludex.core.rules import Rules, State, canonical
from ludex.kernel.cuda import Kernel
from ludex.solve.states.exploration import (
    DONE,
    FALLS,
    NOT_SETS,
    RISES,
    TARGET_COUNT,
    Exploration,
    changes_without_gain,
)
from ludex.solve.states.index import SHIFT, WORD, bit_of, is_hashed
from ludex.solve.states.keys import lower_fields, possible_keys, unpack
from ludex.solve.states.listing import Listing, TooBig
from ludex.solve.states.state_space import sample_fields
from ludex.solve.states.successors import expand, make_scratch
from ludex.solve.values.acyclic import ON_A_CYCLE, evaluate_state, seems_acyclic
from ludex.solve.values.blocks import ranges_by_level
from ludex.solve.values.induction import Induction
from ludex.solve.values.transitions import folded_nodes, make_matrices

BLOCK = 128  # threads
MOST_THREADS = 1 << 17  # as many as a large card runs at once have scratch
SCRATCH_SHARE = 8  # of the free memory, an eighth at most is scratch
MOST_POSSIBLE = 1 << 35  # keys that may have a bit each, in 4 GiB
STATE_BYTES = 40  # of a state on the card: key, value, two tie values, progress
CYCLIC = "play can come back to a position: the cores of the CPU compute the values instead"

INT, FLOAT = types.int64, types.float64
LONGS, DOUBLES = INT[::1], FLOAT[::1]
ROWS = INT[:, ::1]
SCRATCH = (ROWS, ROWS, ROWS, FLOAT[:, ::1], ROWS)


def kernels_of(rules: Rules, first: State, folding: int) -> dict[str, Callable[..., None]]:
    """Return the kernels for some rules, which are compiled in.

    Each thread has a column of every scratch array, because threads side by side use places side by
    side. It remembers no state after an outcome: `own[:0]` has no rows.
    """

    def explore(
        fields, guards, sets, begin, end, most, queue, words, count, work, misfits,
        kinds, degrees, targets, chances, own,
    ):  # fmt: skip
        thread, threads = cuda.grid(1), cuda.gridsize(1)
        for number in range(begin + thread, end, threads):
            before = queue[number]
            nodes, written = expand(
                rules, unpack(first, before, fields), folding, fields, kinds[:, thread],
                degrees[:, thread], targets[:, thread], chances[:, thread], own[:, thread],
                own[:0],
            )  # fmt: skip
            if nodes < 0:
                misfits[0, thread], misfits[1, thread] = nodes, written
                return
            rises = falls = not_sets = 0
            for place in range(written):
                key = int(targets[place, thread])
                if key < 0:
                    continue
                bit = bit_of(key)
                if words[key >> SHIFT] & bit == 0:
                    if cuda.atomic.or_(words, key >> SHIFT, bit) & bit == 0:
                        slot = cuda.atomic.add(count, 0, 1)
                        if slot < most:
                            queue[slot] = key
                rises |= lower_fields(before, key, guards)
                falls |= lower_fields(key, before, guards)
                not_sets |= changes_without_gain(before, key, fields, sets)
            cuda.atomic.add(work, TARGET_COUNT, written)
            if rises & ~work[RISES]:
                cuda.atomic.or_(work, RISES, rises)
            if falls & ~work[FALLS]:
                cuda.atomic.or_(work, FALLS, falls)
            if not_sets & ~work[NOT_SETS]:
                cuda.atomic.or_(work, NOT_SETS, not_sets)

    def evaluate(
        fields, keys, words, starts, before, blocks, many, shift, folded, room, values, tie_values,
        progress, gaps, kinds, degrees, targets, chances, own, games, mixtures, tableau,
    ):  # fmt: skip
        thread, threads = cuda.grid(1), cuda.gridsize(1)
        scratch = (
            kinds[:, thread], degrees[:, thread], targets[:, thread], chances[:, thread],
            own[:, thread], own[:0],
        )  # fmt: skip
        matrices = games[:, :, :, thread], mixtures[:, :, thread], tableau[:, :, thread]
        for place in range(thread, many, threads):
            low, high = 0, blocks  # the block of the state: the last one that begins before it
            while high - low > 1:
                middle = (low + high) // 2
                if before[middle] <= place:
                    low = middle
                else:
                    high = middle
            number = starts[low] + place - before[low]
            gap = evaluate_state(
                rules, number, (first, folding, fields, keys, words), shift,
                folded + thread * room, (values, tie_values, progress), scratch, matrices,
            )  # fmt: skip
            if gap == ON_A_CYCLE:
                gaps[thread] = ON_A_CYCLE
                return
            gaps[thread] = max(gaps[thread], gap)

    return {"explore": explore, "evaluate": evaluate}


def signatures_of(hashed: bool) -> dict[str, tuple[types.Type, ...]]:
    """Return the arguments of each kernel; keys may be found by hashing."""
    known = DOUBLES, FLOAT[:, ::1], DOUBLES
    index = types.int32[::1] if hashed else ROWS
    matrices = FLOAT[:, :, :, ::1], FLOAT[:, :, ::1], FLOAT[:, :, ::1]
    queue, changes = (INT, INT, INT, LONGS, LONGS, LONGS), (LONGS, ROWS)
    blocks = LONGS, LONGS, INT, INT, INT, INT, INT
    return {
        "explore": (ROWS, ROWS, LONGS, *queue, *changes, *SCRATCH),
        "evaluate": (ROWS, LONGS, index, *blocks, *known, DOUBLES, *SCRATCH, *matrices),
    }


class Threads:
    """The kernels for a game, and scratch for the threads that run them."""

    def __init__(self, rules: Rules, first: State, folding: int, hashed: bool = False) -> None:
        like, signatures = (numba.typeof(rules), numba.typeof(first)), signatures_of(hashed)
        self.kernels = {
            name: Kernel(function, signatures[name], like, f"{rules} {folding}")
            for name, function in kernels_of(rules, first, folding).items()
        }
        scratch, matrices = make_scratch(rules), make_matrices(rules)
        rows = scratch[:-1]
        each = sum(one.nbytes for one in (*rows, *matrices))
        self.folded_nodes = folded_nodes(scratch)
        self.count = (
            max(1, min(MOST_THREADS, free_bytes() // SCRATCH_SHARE // each) // BLOCK) * BLOCK
        )
        self.scratch = tuple(map(self.for_each, rows))
        self.matrices = tuple(map(self.for_each, matrices))

    def for_each(self, array: np.ndarray) -> Any:
        """Return an array of the card with as much for each thread, its last axis."""
        return cuda.device_array((*array.shape, self.count), array.dtype)

    def run(self, name: str, *arguments: Any) -> None:
        """Run a kernel in all threads, and wait for it."""
        self.kernels[name].bind(self.count // BLOCK, BLOCK, *arguments)()
        cuda.synchronize()


class CardExploration(Exploration):
    """An enumeration of states in which each thread of a card expands one, in waves."""

    def __init__(
        self, rules: Rules, first: State, folding: int, fields: np.ndarray, room: int
    ) -> None:
        super().__init__(rules, first, folding, fields)
        self.room, self.threads = room, Threads(rules, canonical(rules, first), folding)
        self.send()

    def send(self) -> None:
        """Bring the keys that are found to the card, with a bit for each possible key."""
        possible = possible_keys(self.found.fields)
        if possible > MOST_POSSIBLE:
            raise TooBig(f"up to {possible:,} states")
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
        """Expand all states that are known, or widen a field."""
        source = _, guards, sets = self.source()
        work = cuda.to_device(np.zeros(NOT_SETS + 1, np.int64))
        misfits = cuda.to_device(np.zeros((2, self.threads.count), np.int64))
        begin, end = self.done, self.count
        known = (self.found.fields, guards, np.append(sets, 0))  # never empty
        self.threads.run(
            "explore", *map(cuda.to_device, known), begin, end, len(self.queue), self.queue,
            self.words, self.counter, work, misfits, *self.threads.scratch,
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


class CardInduction(Induction):
    """Backward induction, level by level, in which each thread of a card computes one state.

    Where play can come back to a state, the cores of the CPU take over.
    """

    def __init__(self, rules: Rules, listing: Listing) -> None:
        super().__init__(rules, listing)
        self.on_card = seems_acyclic(rules, listing, self.blocks.shift)
        if not self.on_card:
            print(CYCLIC, file=sys.stderr)

    def solve_step(
        self,
        tell: Callable[[str, int, int], None] = lambda what, done, total: None,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """Solve all steps at once, without keeping anything in between."""
        if not (self.on_card and self.solve_levels(tell)):
            super().solve_step(tell, keep)

    def solve_levels(self, tell: Callable[[str, int, int], None]) -> bool:
        """Compute all values, and return whether that was possible."""
        listing = self.listing
        threads = Threads(self.rules, listing.first, listing.folding, is_hashed(listing.lookup))
        size = self.states + threads.count * threads.folded_nodes
        values, tie_values = cuda.device_array(size), cuda.device_array((2, size))
        known = values, tie_values, cuda.to_device(np.ones(size))
        gaps = cuda.to_device(np.zeros(threads.count))
        index = tuple(map(cuda.to_device, (listing.fields, listing.keys, listing.lookup)))
        done = 0
        for ranges in ranges_by_level(listing):
            sizes = np.diff(ranges, axis=1).ravel()
            before = np.append(0, sizes.cumsum())
            starts = np.ascontiguousarray(ranges[:, 0])
            threads.run(
                "evaluate", *index, cuda.to_device(starts), cuda.to_device(before[:-1]),
                len(starts), int(before[-1]), self.blocks.shift, self.states, threads.folded_nodes,
                *known, gaps, *threads.scratch, *threads.matrices,
            )  # fmt: skip
            done += int(before[-1])
            tell("solving", done, self.states)
        self.on_card = gaps.copy_to_host().min() != ON_A_CYCLE
        if not self.on_card:
            print(CYCLIC, file=sys.stderr)
            return False
        self.gap = float(gaps.copy_to_host().max())
        self.values[:] = values.copy_to_host()[: self.states]
        self.tie_values[:] = tie_values.copy_to_host()[:, : self.states]
        self.finished = len(self.blocks)
        return True


def free_bytes() -> int:
    """Return the free memory of the card."""
    return int(cuda.current_context().get_memory_info()[0])


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
    while exploration.done < exploration.count:
        exploration.expand_states(0)
        tell(exploration.done, exploration.count)
    return exploration.listing()
