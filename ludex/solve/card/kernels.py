"""The kernels that solve a game on an NVIDIA card, and scratch for their threads.

One thread expands one state, or computes one value. What comes out is what the CPU finds, bit for
bit.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from ludex.core.rules import Rules, State
from ludex.kernel.cuda import Kernel, cuda
from ludex.solve.states.exploration import (
    FALLS,
    NOT_SETS,
    RISES,
    TARGET_COUNT,
    changes_without_gain,
)
from ludex.solve.states.index import SHIFT, bit_of
from ludex.solve.states.keys import lower_fields, unpack
from ludex.solve.states.successors import expand, make_scratch
from ludex.solve.values.acyclic import ON_A_CYCLE, evaluate_state
from ludex.solve.values.transitions import folded_nodes, make_matrices

BLOCK = 128  # threads
MOST_THREADS = 1 << 17  # with scratch: enough to keep a large card busy
SCRATCH_SHARE = 8  # of the free memory, an eighth at most is scratch

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
        fields, keys, words, starts, done, blocks, many, shift, folded, room, values, tie_values,
        progress, gaps, kinds, degrees, targets, chances, own, games, mixtures, tableau,
    ):  # fmt: skip
        thread, threads = cuda.grid(1), cuda.gridsize(1)
        if gaps[thread] == ON_A_CYCLE:  # found at a level before
            return
        scratch = (
            kinds[:, thread], degrees[:, thread], targets[:, thread], chances[:, thread],
            own[:, thread], own[:0],
        )  # fmt: skip
        matrices = games[:, :, :, thread], mixtures[:, :, thread], tableau[:, :, thread]
        for place in range(thread, many, threads):
            low, high = 0, blocks  # the block of the state: the last one that begins before it
            while high - low > 1:
                middle = (low + high) // 2
                if done[middle] <= place:
                    low = middle
                else:
                    high = middle
            number = starts[low] + place - done[low]
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


def free_bytes() -> int:
    """Return the free memory of the card."""
    return int(cuda.current_context().get_memory_info()[0])


class Launcher:
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
