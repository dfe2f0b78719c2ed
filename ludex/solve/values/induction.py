"""Backward induction: the values of all states, from the end of the game to its start.

States are solved in blocks (`blocks.py`), whose successors outside are then known; several threads
solve blocks that do not depend on one another, or parts of a large one. What a block comes to does
not depend on the thread that solves it, nor on how many there are.
"""

from collections.abc import Callable

import numpy as np

from ludex.core.rules import Rules
from ludex.kernel.threads import run_in_threads
from ludex.solve.cores import default_threads
from ludex.solve.policy import FixedPolicy
from ludex.solve.states.listing import Listing
from ludex.solve.values.block_part import BlockPart, Problem, scratch_for
from ludex.solve.values.block_solver import BlockSolver
from ludex.solve.values.blocks import Blocks, is_large
from ludex.solve.values.equations import VALUES
from ludex.solve.values.iteration import ATTEMPT, GAP, RESIDUAL, STAGE, UNPROVEN
from ludex.solve.values.large_block import PARTS, LargeBlock
from ludex.solve.values.transitions import folded_nodes

PADDING = 16  # numbers, as many as two cache lines hold: some processors fetch them in pairs
AUDIT_BLOCK = 1 << 16  # states that are audited at a time


class Induction:
    """Backward induction over a listing; the first `finished` steps of its blocks are solved.

    `residual` is the greatest change in the last sweep of a block, `gap` the greatest between the
    guarantees of the two seats at simultaneous moves, and `unproven` the number of states without
    progress. With a fixed policy one seat keeps to it; ties are then not broken.
    """

    def __init__(
        self,
        rules: Rules,
        listing: Listing,
        fixed: FixedPolicy | None = None,
        threads: int | None = None,
    ) -> None:
        self.rules, self.listing, self.fixed = rules, listing, fixed
        self.blocks, self.states = Blocks(listing), len(listing.keys)
        self.finished, self.unproven = 0, 0
        self.residual = self.gap = 0.0
        count = threads or default_threads(rules)
        parts = PARTS if self.blocks.largest else 0
        # Each part has numbers of its own for the nodes that are folded, far enough from those of
        # others: threads that write to the same cache line wait for one another.
        self.folded = folded_nodes(scratch_for(rules, fixed)) + PADDING
        self.others = self.states + max(count, parts) * self.folded
        size = self.others + self.blocks.largest
        self.known = np.zeros(size), np.zeros((2, size)), np.ones(size)
        self.problem = Problem(rules, listing, fixed, self.known)
        self.workers = [BlockSolver(self.problem, part) for part in self.make_parts(count)]

    def make_parts(self, count: int) -> list[BlockPart]:
        """Return some parts that may be used at the same time."""
        firsts = [self.states + one * self.folded for one in range(count)]
        return [BlockPart(self.problem, first, self.blocks.shift) for first in firsts]

    def large_block(self, low: int, high: int) -> LargeBlock:
        """Return a block in parts."""
        return LargeBlock(self.problem, low, high, self.make_parts(PARTS), self.others)

    @property
    def values(self) -> np.ndarray:
        """The value of each state for seat 0."""
        return self.known[0][: self.states]

    @property
    def tie_values(self) -> np.ndarray:
        """The tie values of each seat."""
        return self.known[1][:, : self.states]

    @property
    def progress(self) -> np.ndarray:
        """The progress of the seat that is ahead."""
        return self.known[2][: self.states]

    def solve_step(
        self,
        tell: Callable[[str, int, int], None] = lambda what, done, total: None,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """Solve the blocks of the next step; `tell` gets the task, what is done, and the total.

        `keep` is called after the step, and now and then while one thread or all iterate a block.
        """
        chunks, before = self.blocks.chunks_of(self.finished), self.blocks.done(self.finished)
        first = self.workers[0]

        def tell_sweep() -> None:
            tell(f"solving{first.stage}", before + first.solved, self.states)

        def tell_and_keep() -> None:
            tell_sweep()
            keep()

        def tell_all() -> None:
            done = sum(worker.solved for worker in self.workers)
            tell("solving", before + done, self.states)

        for worker in self.workers:
            worker.solved = 0
        if is_large(chunks[0]):
            self.large_block(*chunks[0][0].tolist()).solve(self.workers, tell_sweep, keep)
        elif len(chunks) == 1 or len(self.workers) == 1:
            for chunk in chunks:
                first.solve(chunk, tell_and_keep)
        else:
            run_in_threads([worker.solve for worker in self.workers], chunks, tell_all)
        for worker in self.workers:
            self.residual = max(self.residual, float(worker.facts[RESIDUAL]))
            self.gap = max(self.gap, float(worker.facts[GAP]))
            self.unproven += int(worker.facts[UNPROVEN])
            worker.facts[:] = 0.0
        self.finished += 1
        keep()

    def resumable_values(self) -> np.ndarray:
        """Return the values from which solving can go on to the same result, bit for bit.

        They are those of finished steps and, of a block whose values the first thread or all still
        iterate, those of its last sweep. All others begin with 0 again, and so does a block whose
        values have converged, but whose progress or tie values have not, or that needs discounts.
        """
        worker = self.workers[0]
        keep = self.blocks.finished_states(self.finished)
        if worker.block is not None and worker.cursor[[STAGE, ATTEMPT]].tolist() == [VALUES, 0]:
            keep[worker.block[0] : worker.block[1]] = True
        return np.where(keep, self.values, 0.0)

    def audit(self, tell: Callable[[int], None] = lambda states: None) -> tuple[float, float]:
        """Compute every value again from its successors; return the greatest change and gap."""
        changes, gaps = [0.0], [0.0]
        for low in range(0, self.states, AUDIT_BLOCK):
            high = min(low + AUDIT_BLOCK, self.states)
            before = self.values[low:high].copy()
            change, gap = self.workers[0].evaluate(low, high)
            # Terminal states are evaluated as their transitions are written.
            changes += [change, float(np.abs(self.values[low:high] - before).max())]
            gaps.append(gap)
            tell(high)
        return max(changes), max(gaps)
