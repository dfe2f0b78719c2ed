"""Backward induction: the values of all states, from the end of the game to its start.

States are solved in blocks, the last first, by the fields that change monotonically; successors
outside a block are then known. Inside a block with cycles, values are iterated until they
converge, starting with 0, which is the value of infinite play.

Where there is chance and a seat can delay the end, the iteration may have other fixed points. The
right one is recognised by its progress measure (`progress_measure.py`). If that is 0 somewhere,
discounted values are computed, whose fixed point is unique, and the policy that is greedy by them
is evaluated: with discounting weak enough it is optimal without it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ludex.core.rules import Rules
from ludex.kernel.threads import run_interruptibly
from ludex.solve.policy import FixedPolicy
from ludex.solve.states.keys import columns
from ludex.solve.states.state_space import Listing
from ludex.solve.states.successors import make_scratch
from ludex.solve.values import transitions
from ludex.solve.values.policy_evaluation import pick_best_targets, sweep_policy
from ludex.solve.values.progress_measure import AHEAD_BY, sweep_progress
from ludex.solve.values.tie_breaking import sweep_tie_values
from ludex.solve.values.transitions import FOLDED, NODES, UNKNOWN

TOLERANCE = 1e-13  # values that change by less in a sweep have converged
CONSISTENCY_TOLERANCE = 1e-12  # of a policy's values in the equations of the game
TIE_TOLERANCE = 1e-4  # tie values only break ties
PROGRESS_TOLERANCE = 1e-3  # progress need not be exact, only positive
MOST_SWEEPS = 100_000  # convergence may be slow with simultaneous moves
DISCOUNTS = (0.99, 0.999, 0.9999, 0.99999)  # tried if the fixed point is not unique
AUDIT_BLOCK = 1 << 16  # states that are audited at a time
MANY_STATES = 10_000  # in a block; for fewer a thread takes longer to start than they take


def stages(listing: Listing) -> np.ndarray:
    """Return for each state a number that never decreases in the course of play."""
    stage = np.zeros(len(listing.keys), np.int64)
    for column, direction in zip(
        columns(listing.keys, listing.fields), listing.directions.tolist(), strict=True
    ):
        if direction:
            stage += direction * column
    return stage


class Blocks:
    """The states in the order in which they are solved, in blocks of one stage."""

    def __init__(self, listing: Listing) -> None:
        stage = stages(listing)
        # Within a block the highest keys come first: in a race they are nearest to the end.
        self.order = np.argsort(stage, kind="stable")[::-1].astype(np.int32)
        steps = np.flatnonzero(np.diff(stage[self.order]))
        self.starts = [0, *(steps + 1).tolist(), len(stage)]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> np.ndarray:
        return self.order[self.starts[index] : self.starts[index + 1]]


class Induction:
    """Backward induction over a listing; the first `finished` blocks are solved.

    `residual` is the greatest change in the last sweep of a block, `gap` the greatest between the
    guarantees of the two seats at simultaneous moves, `unproven` the number of nodes without
    progress. `initial_values` start the iteration; `has_cycles` tells whether a block had cycles,
    and `loaded` how many states the current one has.
    """

    fixed: FixedPolicy | None = None
    """The policy that one seat keeps to, if any."""

    def __init__(self, rules: Rules, listing: Listing) -> None:
        self.rules, self.listing, self.blocks = rules, listing, Blocks(listing)
        self.states = len(listing.keys)
        self.finished = self.unproven = self.loaded = 0
        self.has_cycles = False
        self.residual = self.gap = 0.0
        self.values = np.full(self.states, np.nan)
        self.initial_values = np.zeros(self.states)
        self.tie_values = np.zeros((2, self.states), np.float32)
        self.progress = np.ones(self.states, np.float32)
        self.scratch = make_scratch(rules)
        self.matrices = transitions.make_matrices(rules)
        self.transitions = transitions.make_transitions(rules, 0, 0)

    def solve_block(self, tell: Callable[[int], None] = lambda sweeps: None) -> None:
        """Solve the next block; `tell` is called with the number of sweeps so far."""
        block = self.blocks[self.finished]
        self.load(block)
        unknown = np.isnan(self.values[block])
        self.values[block[unknown]] = self.initial_values[block[unknown]]
        over = block[~unknown]
        self.tie_values[0, over], self.tie_values[1, over] = self.values[over], -self.values[over]
        cycles = bool(self.transitions.work[UNKNOWN])
        if cycles:
            change, gap, unproven = self.solve_cycles(tell)
            self.has_cycles = True
        else:
            # One sweep is enough.
            change, gap, unproven = 0.0, self.sweep()[1], 0
            for seat in range(2 if self.has_cycles else 0):
                self.sweep_progress(seat, cycles)
        self.residual, self.gap = max(self.residual, change), max(self.gap, gap)
        self.unproven += unproven
        for seat in range(2):
            while self.sweep_tie_values(seat) > TIE_TOLERANCE and cycles:
                pass
        self.finished += 1

    def solve_cycles(self, tell: Callable[[int], None]) -> tuple[float, float, int]:
        """Solve a block with cycles; return its residual, gap and unproven nodes."""
        change, gap = self.iterate_values(1.0, tell)
        unproven = self.sweep_all_progress()
        if not unproven:
            return change, gap, int(change > TOLERANCE)
        nodes = self.transitions.numbers[: self.transitions.work[NODES]]
        for discount in DISCOUNTS:
            self.iterate_values(discount, tell)
            discounted = self.values[nodes]
            self.evaluate_greedy_policy(nodes)
            change, gap = self.sweep()
            unproven = max(self.sweep_all_progress(), int(change > CONSISTENCY_TOLERANCE))
            if not unproven:
                return change, gap, 0
            self.values[nodes] = discounted
        return *self.sweep(), unproven

    def evaluate_greedy_policy(self, nodes: np.ndarray) -> None:
        """Replace the values by those of the policy that is greedy by them.

        With simultaneous moves there is no such policy, and the values stay.
        """
        picks = np.zeros(len(nodes), np.int32)
        if pick_best_targets(tuple(self.transitions), self.values, picks) == 0:
            self.values[nodes] = 0.0
            for _ in range(MOST_SWEEPS):
                if self.run(sweep_policy, tuple(self.transitions), self.values, picks) <= TOLERANCE:
                    break

    def iterate_values(self, discount: float, tell: Callable[[int], None]) -> tuple[float, float]:
        """Iterate discounted values until they converge; return the last change and the gap."""
        for sweeps in range(1, MOST_SWEEPS + 1):
            change, gap = self.sweep(discount)
            if change <= TOLERANCE:
                break
            tell(sweeps)
        return change, gap

    def sweep(self, discount: float = 1.0) -> tuple[float, float]:
        """Sweep the values; return the greatest change and the greatest gap."""
        known = tuple(self.transitions), self.values, self.states
        change, gap = self.run(transitions.sweep, *known, discount, self.matrices)
        return float(change), float(gap)

    def sweep_all_progress(self) -> int:
        """Iterate the progress of both seats from 0; return the number of nodes without any."""
        nodes = self.transitions.numbers[: self.transitions.work[NODES]]
        self.progress[nodes] = np.abs(self.values[nodes]) <= AHEAD_BY
        unproven = 0
        for seat in range(2):
            before, (gained, stuck) = -1, self.sweep_progress(seat, True)
            while gained > PROGRESS_TOLERANCE or 0 < stuck != before:
                before, (gained, stuck) = stuck, self.sweep_progress(seat, True)
            unproven += stuck
        return unproven

    def sweep_progress(self, seat: int, cycles: bool) -> tuple[float, int]:
        """Sweep the progress of a seat; return the greatest gain and the nodes without any."""
        known = tuple(self.transitions), self.values, self.progress, self.states
        gained, stuck = self.run(sweep_progress, *known, cycles, seat, self.matrices)
        return float(gained), int(stuck)

    def sweep_tie_values(self, seat: int) -> float:
        """Sweep the tie values of a seat, and return the greatest change."""
        known = tuple(self.transitions), self.values, self.progress, self.tie_values[seat]
        return float(self.run(sweep_tie_values, *known, seat, self.matrices))

    def run(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a compiled function; in a large block, Ctrl-C does not wait for it to return."""
        many = self.loaded > MANY_STATES
        return run_interruptibly(kernel, *arguments) if many else kernel(*arguments)

    def load(self, block: np.ndarray) -> None:
        """Write the transitions of a block, in as much room as they need."""
        self.loaded = len(block)
        room = len(block) * (1 + self.listing.targets // self.states)
        source = self.rules, self.listing, block, self.values, self.fixed
        while self.run(transitions.write, *source, self.transitions, self.scratch) < len(block):
            widest = len(self.scratch.targets)
            self.transitions = transitions.make_transitions(
                self.rules, room + widest, room + widest
            )
            room *= 2
        missing = self.states + int(self.transitions.work[FOLDED]) - len(self.values)
        if missing > 0:
            self.values = np.concatenate([self.values, np.zeros(missing)])
            self.tie_values = np.concatenate(
                [self.tie_values, np.zeros((2, missing), np.float32)], axis=1
            )
            self.progress = np.concatenate([self.progress, np.ones(missing, np.float32)])

    def audit(self, tell: Callable[[int], None] = lambda states: None) -> tuple[float, float]:
        """Compute every value again from its successors; return the greatest change and gap."""
        changes, gaps = [0.0], [0.0]
        for start in range(0, self.states, AUDIT_BLOCK):
            block = self.blocks.order[start : start + AUDIT_BLOCK]
            before = self.values[block]
            self.load(block)
            # Loading sets the values of terminal states, sweeping all others.
            changes.append(float(np.abs(self.values[block] - before).max()))
            change, gap = self.sweep()
            changes.append(change)
            gaps.append(gap)
            tell(min(start + AUDIT_BLOCK, self.states))
        return max(changes), max(gaps)
