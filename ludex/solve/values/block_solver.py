"""A thread that solves blocks, one after the other."""

from collections.abc import Callable

import numpy as np

from ludex.solve.values import iteration, transitions
from ludex.solve.values.block_part import SLICE, BlockPart, Problem, scratch_for
from ludex.solve.values.equations import VALUES, sweep, write_equations
from ludex.solve.values.iteration import STAGE, SWEEPS, Block, enter, solve_block
from ludex.solve.values.transitions import DONE, FOLDED, HIGH, LOW

STAGES = ("", "policy ", "progress ", "tie-break ", "check ")  # of a block, in words


class BlockSolver:
    """What a thread needs to solve blocks: scratch, and arrays for one block."""

    def __init__(self, problem: Problem, part: BlockPart) -> None:
        self.problem, self.part = problem, part
        self.scratch = scratch_for(problem.rules, problem.fixed)
        self.matrices = transitions.make_matrices(problem.rules)
        self.cursor, self.facts = iteration.make_cursor(), iteration.make_facts()
        self.block: tuple[int, int] | None = None
        """The block that is being solved."""
        self.solved = 0
        """How many states it has solved in this step."""

    @property
    def stage(self) -> str:
        """What is being done to a block that takes long, in words."""
        sweeps = int(self.cursor[SWEEPS])
        if self.block is None or sweeps < 1:
            return ""
        return f", {STAGES[int(self.cursor[STAGE])]}sweep {sweeps}"

    def begin(self, low: int, high: int) -> None:
        """Begin to solve a block."""
        self.block = low, high
        self.cursor[:] = 0
        enter(self.cursor, VALUES, 0)

    def end(self) -> None:
        """Note that the block is solved."""
        if self.block is not None:
            self.solved += self.block[1] - self.block[0]
        self.block = None

    def solve(self, chunk: np.ndarray, pause: Callable[[], None]) -> None:
        """Solve the blocks of a chunk; `pause` is called now and then, and may raise."""
        known, with_ties = self.problem.known, self.problem.fixed is None
        for low, high in chunk.tolist():
            self.part.write(low, high, self.scratch, pause)
            self.begin(low, high)
            while solve_block(self.arrays(self.part), known, with_ties, SLICE) != DONE:
                pause()
            self.end()

    def arrays(self, part: BlockPart) -> Block:
        """Return all arrays for solving a part with the scratch of this thread."""
        return Block(part.transitions, part.equations, self.matrices, self.cursor, self.facts)

    def evaluate(self, low: int, high: int) -> tuple[float, float]:
        """Compute values from those of all successors; return the greatest change and gap."""
        self.part.write(low, high, self.scratch)
        return self.evaluate_written()

    def evaluate_written(self) -> tuple[float, float]:
        """Do the same with states whose transitions are written."""
        arrays, equations = self.part.transitions, self.part.equations
        # Without a block, nothing is left open.
        arrays.work[[LOW, HIGH]] = 0
        values, _, progress = self.problem.known
        source = values, (values, progress), VALUES, 0, 1.0
        settled = write_equations(arrays, equations, *source)
        change, _, gap = sweep(equations, arrays.work[FOLDED], *source, self.matrices)
        return max(float(settled), float(change)), float(gap)
