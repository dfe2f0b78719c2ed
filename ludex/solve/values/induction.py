"""Backward induction: the values of all states, from the end of the game to its start.

States are solved in blocks (`blocks.py`), whose successors outside are then known; several threads
solve blocks that do not depend on one another. What a block comes to does not depend on the thread
that solves it, nor on how many there are.
"""

from collections.abc import Callable

import numpy as np
from numba.core import config

from ludex.core.rules import Rules, game_of
from ludex.kernel.threads import run_in_threads
from ludex.solve.policy import FixedPolicy, make_policy_scratch
from ludex.solve.states.state_space import Listing
from ludex.solve.states.successors import Scratch, make_scratch
from ludex.solve.values import iteration, transitions
from ludex.solve.values.blocks import Blocks
from ludex.solve.values.equations import VALUES, Equations, make_equations, sweep, write_equations
from ludex.solve.values.iteration import (
    ATTEMPT,
    GAP,
    RESIDUAL,
    STAGE,
    SWEEPS,
    UNPROVEN,
    Block,
    enter,
    solve_block,
)
from ludex.solve.values.transitions import DONE, FOLDED, HIGH, LOW, NO_ROOM

AUDIT_BLOCK = 1 << 16  # states that are audited at a time
SLICE = 1 << 23  # targets between progress reports; until then Ctrl-C has to wait
STAGES = ("", "policy ", "progress ", "tie-break ", "check ")  # of a block, in words
REPORT_SECONDS = 0.2  # between the reports of several threads


def default_threads(rules: Rules) -> int:
    """Return as many threads as there are cores; only compiled code runs side by side."""
    interpreted = config.DISABLE_JIT or getattr(game_of(rules), "INTERPRETED", False)
    return 1 if interpreted else int(config.NUMBA_NUM_THREADS)


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
        folded = transitions.folded_nodes(self.make_scratch())
        # Each thread has numbers of its own for the nodes that are folded.
        size = self.states + count * folded
        self.known = np.zeros(size), np.zeros((2, size)), np.ones(size)
        self.workers = [Worker(self, self.states + one * folded) for one in range(count)]

    def make_scratch(self) -> Scratch:
        """Return room for an expansion."""
        return make_scratch(self.rules) if self.fixed is None else make_policy_scratch(self.rules)

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

        `keep` is called whenever what is known can be kept, also while one block takes long.
        """
        chunks, before = self.blocks.chunks_of(self.finished), self.blocks.done(self.finished)
        first = self.workers[0]

        def tell_sweep() -> None:
            tell(f"solving{first.stage}", before + first.solved, self.states)
            keep()

        def tell_all() -> None:
            done = sum(worker.solved for worker in self.workers)
            tell("solving", before + done, self.states)

        for worker in self.workers:
            worker.solved = 0
        if len(chunks) == 1 or len(self.workers) == 1:
            for chunk in chunks:
                first.solve(chunk, tell_sweep)
        else:
            run_in_threads(
                [worker.solve for worker in self.workers], chunks, tell_all, REPORT_SECONDS
            )
        for worker in self.workers:
            self.residual = max(self.residual, float(worker.facts[RESIDUAL]))
            self.gap = max(self.gap, float(worker.facts[GAP]))
            self.unproven += int(worker.facts[UNPROVEN])
            worker.facts[:] = 0.0
        self.finished += 1
        keep()

    def resumable_values(self) -> np.ndarray:
        """Return the values from which solving can go on to the same result, bit for bit.

        They are those of finished steps and, where one thread iterates a block, those of its last
        sweep; all others begin with 0 again.
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


class Worker:
    """What a thread needs to solve blocks: room for the transitions of one, and scratch."""

    def __init__(self, induction: Induction, folded: int) -> None:
        self.induction, self.rules = induction, induction.rules
        self.scratch = induction.make_scratch()
        leading = induction.blocks.shift
        self.transitions = transitions.make_transitions(self.rules, 0, 0, folded, leading)
        self.equations = self.make_equations(0)
        self.matrices = transitions.make_matrices(self.rules)
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

    def solve(self, chunk: np.ndarray, pause: Callable[[], None]) -> None:
        """Solve the blocks of a chunk; `pause` is called now and then, and may raise."""
        known, with_ties = self.induction.known, self.induction.fixed is None
        for low, high in chunk.tolist():
            self.write(low, high, pause)
            self.block = low, high
            self.cursor[:] = 0
            enter(self.cursor, VALUES, 0)
            arrays = self.transitions, self.equations, self.matrices, self.cursor, self.facts
            while solve_block(Block(*arrays), known, with_ties, SLICE) != DONE:
                pause()
            self.block = None
            self.solved += high - low

    def write(self, low: int, high: int, pause: Callable[[], None] = lambda: None) -> None:
        """Write the transitions of a block, in as much room as they need."""
        induction = self.induction
        room = (high - low) * (1 + induction.listing.targets // induction.states)
        source = induction.listing, low, high, induction.known, induction.fixed
        while (
            why := transitions.write(self.rules, *source, self.transitions, self.scratch, SLICE)
        ) != DONE:
            if why == NO_ROOM:
                room = max(room, 2 * len(self.transitions.targets)) + len(self.scratch.targets)
                self.transitions = transitions.widened(self.transitions, room)
            else:
                pause()
        states = high - low + transitions.folded_nodes(self.scratch)
        narrow = len(self.equations.numbers) < len(self.transitions.targets)
        if narrow or len(self.equations.is_open) < states:
            self.equations = self.make_equations(states)

    def make_equations(self, states: int) -> Equations:
        """Return as much room for equations as there is for transitions."""
        kinds, degrees, targets, _, _ = self.transitions
        return make_equations(kinds.dtype, degrees.dtype, len(targets), states)

    def evaluate(self, low: int, high: int) -> tuple[float, float]:
        """Compute values from those of all successors; return the greatest change and gap."""
        self.write(low, high)
        return self.evaluate_written()

    def evaluate_written(self) -> tuple[float, float]:
        """Do the same with states whose transitions are written."""
        # Without a block, nothing is left open.
        self.transitions.work[[LOW, HIGH]] = 0
        values, _, progress = self.induction.known
        source = values, (values, progress), VALUES, 0, 1.0
        settled = write_equations(self.transitions, self.equations, *source)
        first = self.transitions.work[FOLDED]
        change, _, gap = sweep(self.equations, first, *source, self.matrices)
        return max(float(settled), float(change)), float(gap)
