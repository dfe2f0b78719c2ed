"""A large block, solved in parts that are swept side by side.

In a sweep, a part reads what the others had come to before it, and not what they are coming to. So
the result depends neither on which thread is faster, nor on how many there are.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from ludex.kernel.threads import run_in_threads
from ludex.solve.values.block_part import BlockPart, Problem
from ludex.solve.values.block_solver import BlockSolver
from ludex.solve.values.equations import COUNT, PROGRESS, TIES
from ludex.solve.values.iteration import (
    SEAT,
    SOLVED,
    STAGE,
    SWEEPS,
    Block,
    advance,
    follow,
    note_facts,
)
from ludex.solve.values.transitions import INSIDE

PARTS = 8  # many more would take more sweeps: each is a sweep behind the others

Numbered = tuple[BlockPart, tuple[int, int]]
Work = Callable[[BlockSolver, Numbered, Callable[[], None]], None]


class LargeBlock:
    """A block from low to below high, whose states have second numbers from `others` on."""

    def __init__(
        self, problem: Problem, low: int, high: int, parts: list[BlockPart], others: int
    ) -> None:
        self.problem, self.low, self.high = problem, low, high
        self.before = slice(others, others + high - low)
        bounds = np.linspace(low, high, len(parts) + 1, dtype=np.int64).tolist()
        self.parts = list(zip(parts, pairwise(bounds), strict=True))
        """Each with its first number, and the one after its last."""
        for part in parts:
            part.join(low, high, others)

    def solve(
        self, workers: list[BlockSolver], report: Callable[[], None], keep: Callable[[], None]
    ) -> None:
        """Solve the block with these threads.

        `report` is called now and then, `keep` after a sweep; both may raise. Ctrl-C waits until
        the threads have swept the parts that they are at.
        """
        first, known = workers[0], self.problem.known
        cursor, values, tie_values, progress = first.cursor, *known

        def write(worker: BlockSolver, one: Numbered, pause: Callable[[], None]) -> None:
            part, (low, high) = one
            part.write(low, high, worker.scratch, pause)

        def sweep(worker: BlockSolver, one: Numbered, pause: Callable[[], None]) -> None:
            found.append(advance(worker.arrays(one[0])._replace(cursor=cursor), known))

        first.begin(self.low, self.high)
        self.share(workers, write, report)
        self.remember(values, *tie_values, progress)
        while cursor[STAGE] != SOLVED:
            found: list[tuple[float, int, float]] = []
            changing = self.changing(cursor)
            cursor[SWEEPS] += 1
            try:
                self.share(workers, sweep, report)
                changes, zeros, gaps = zip(*found, strict=True)
                with_ties = self.problem.fixed is None
                follow(self.whole(first), max(changes), sum(zeros), max(gaps), with_ties)
            except BaseException:
                changing[self.low : self.high] = changing[self.before]
                raise
            self.remember(changing)
            if cursor[STAGE] != SOLVED:
                report()
                keep()
        note_facts(first.facts)
        first.end()

    def share(self, workers: list[BlockSolver], work: Work, report: Callable[[], None]) -> None:
        """Let the workers do something with every part."""

        def of(worker: BlockSolver) -> Callable[[Numbered, Callable[[], None]], None]:
            return lambda one, pause: work(worker, one, pause)

        run_in_threads([of(worker) for worker in workers], self.parts, report)

    def changing(self, cursor: np.ndarray) -> np.ndarray:
        """Return what changes at the stage of a cursor."""
        values, tie_values, progress = self.problem.known
        if cursor[STAGE] == TIES:
            return np.asarray(tie_values[cursor[SEAT]])
        return progress if cursor[STAGE] == PROGRESS else values

    def remember(self, *arrays: np.ndarray) -> None:
        """Let the other parts know what every part has come to."""
        for known in arrays:
            known[self.before] = known[self.low : self.high]

    def whole(self, worker: BlockSolver) -> Block:
        """Return arrays that tell of the whole block what `follow` asks: how much is open."""
        block = worker.arrays(self.parts[0][0])
        inside, count = block.transitions.work.copy(), block.equations.work.copy()
        inside[INSIDE] = sum(part.transitions.work[INSIDE] for part, _ in self.parts)
        count[COUNT] = sum(part.equations.work[COUNT] for part, _ in self.parts)
        return block._replace(
            transitions=block.transitions._replace(work=inside),
            equations=block.equations._replace(work=count),
        )
