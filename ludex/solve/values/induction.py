"""Backward induction: the values of all states, from the end of the game to its start.

States are solved in blocks, the last first, by the fields that change monotonically; successors
outside a block are then known. Inside a block with cycles, values are iterated until they
converge, starting with 0, which is the value of infinite play.

Where there is chance and a seat can delay the end, the iteration may have other fixed points. The
right one is recognised by its progress measure (`progress_measure.py`). If that is 0 somewhere,
discounted values are computed, whose fixed point is unique, and both seats keep to their optimal
actions: with a small enough discount these are optimal without it.
"""

from collections.abc import Callable

import numpy as np

from ludex.core.rules import Rules
from ludex.solve.states.keys import columns
from ludex.solve.states.state_space import Listing
from ludex.solve.states.successors import make_scratch
from ludex.solve.values.policy_evaluation import pick_best_targets, sweep_chain
from ludex.solve.values.progress_measure import AHEAD_BY, sweep_progress
from ludex.solve.values.tie_breaking import sweep_hopes
from ludex.solve.values.transitions import (
    FOLDED,
    NODES,
    UNKNOWN,
    make_matrices,
    make_tape,
    sweep,
    write,
)

STILL = 1e-13  # values that change by less in a sweep stand still
FITTING = 1e-12  # by how much values of a chain may miss those that follow from one another
HOPE_STILL = 1e-4  # hopes only break ties
PROGRESS_STILL = 1e-3  # progress need not be exact, if only it is not 0
# After so many sweeps values need not stand still: where both choose at once they may creep.
MOST_SWEEPS = 100_000
# How much is left of a value by one state, if other values than the right ones stood still.
SHRINKS = (0.99, 0.999, 0.9999, 0.99999)
AUDITED = 1 << 16  # states that are audited at a time


def lateness(listing: Listing) -> np.ndarray:
    """Return a number for each state that never falls in the course of play."""
    late = np.zeros(len(listing.keys), np.int64)
    for column, direction in zip(
        columns(listing.keys, listing.fields), listing.directions.tolist(), strict=True
    ):
        if direction:
            late += direction * column
    return late


class Blocks:
    """The states in the order in which they are solved, and where each block begins."""

    def __init__(self, listing: Listing) -> None:
        late = lateness(listing)
        # Of a block the last listed come first: they are likely to be nearer to the end.
        self.order = np.lexsort((np.arange(len(late)), late))[::-1].astype(np.int32)
        steps = np.flatnonzero(np.diff(late[self.order]))
        self.starts = [0, *(steps + 1).tolist(), len(late)]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> np.ndarray:
        return self.order[self.starts[index] : self.starts[index + 1]]


class Induction:
    """The values of a listing in the making; `finished` blocks are done.

    `residual` is the most that the last sweep of a block has changed, `gap` the most that the
    guarantees of two who choose at once were apart, `unproven` how many nodes have no progress.
    `guesses` are what sweeping begins with; `circling` says whether a block had circles.
    """

    def __init__(self, rules: Rules, listing: Listing) -> None:
        self.rules, self.listing, self.blocks = rules, listing, Blocks(listing)
        self.states = len(listing.keys)
        self.finished = self.unproven = 0
        self.circling = False
        self.residual = self.gap = 0.0
        self.values = np.full(self.states, np.nan)
        self.guesses = np.zeros(self.states)
        self.hopes = np.zeros((2, self.states), np.float32)
        self.progress = np.ones(self.states, np.float32)
        self.scratch = make_scratch(rules)
        self.matrices = make_matrices(rules)
        self.tape = make_tape(0, 0, 0)

    def go_on(self, tell: Callable[[int], None] = lambda sweeps: None) -> None:
        """Solve one more block, telling how often it was swept meanwhile."""
        block = self.blocks[self.finished]
        self.load(block)
        unknown = np.isnan(self.values[block])
        self.values[block[unknown]] = self.guesses[block[unknown]]
        over = block[~unknown]
        self.hopes[0, over], self.hopes[1, over] = self.values[over], -self.values[over]
        circles = bool(self.tape.work[UNKNOWN])
        if circles:
            change, gap, unproven = self.solve_circles(tell)
            self.circling = True
        else:
            # The first sweep changes everything, and a second would change nothing.
            change, gap, unproven = 0.0, self.sweep()[1], 0
            for seat in range(2 if self.circling else 0):
                self.sweep_progress(seat, circles)
        self.residual, self.gap = max(self.residual, change), max(self.gap, gap)
        self.unproven += unproven
        for seat in range(2):
            while self.sweep_hopes(seat) > HOPE_STILL and circles:
                pass
        self.finished += 1

    def solve_circles(self, tell: Callable[[int], None]) -> tuple[float, float, int]:
        """Solve the block on the tape, which has circles; return its residual, gap and unproven."""
        change, gap = self.sweep_until_still(1.0, tell)
        unproven = self.sweep_all_progress()
        if not unproven:
            return change, gap, int(change > STILL)
        nodes = self.tape.numbers[: self.tape.work[NODES]]
        for shrink in SHRINKS:
            self.sweep_until_still(shrink, tell)
            kept = self.values[nodes]
            self.keep_to_the_best(nodes)
            change, gap = self.sweep()
            unproven = max(self.sweep_all_progress(), int(change > FITTING))
            if not unproven:
                return change, gap, 0
            self.values[nodes] = kept
        return *self.sweep(), unproven

    def keep_to_the_best(self, nodes: np.ndarray) -> None:
        """Turn values into those of both seats keeping to the action that is best by them.

        Where both choose at once there is no such action, and they stay as they are.
        """
        picks = np.zeros(len(nodes), np.int16)
        if pick_best_targets(tuple(self.tape), self.values, picks) == 0:
            self.values[nodes] = 0.0
            for _ in range(MOST_SWEEPS):
                if sweep_chain(tuple(self.tape), self.values, picks) <= STILL:
                    break

    def sweep_until_still(self, shrink: float, tell: Callable[[int], None]) -> tuple[float, float]:
        """Sweep values that shrink until they stand still; return the last change, and the gap."""
        for sweeps in range(1, MOST_SWEEPS + 1):
            change, gap = self.sweep(shrink)
            if change <= STILL:
                break
            tell(sweeps)
        return change, gap

    def sweep(self, shrink: float = 1.0) -> tuple[float, float]:
        """Sweep the values over the tape; return their greatest change, and the greatest gap."""
        change, gap = sweep(tuple(self.tape), self.values, self.states, shrink, self.matrices)
        return float(change), float(gap)

    def sweep_all_progress(self) -> int:
        """Sweep the progress of both seats from 0; return how many nodes are left without any."""
        nodes = self.tape.numbers[: self.tape.work[NODES]]
        self.progress[nodes] = np.abs(self.values[nodes]) <= AHEAD_BY
        unproven = 0
        for seat in range(2):
            before, (gained, stuck) = -1, self.sweep_progress(seat, True)
            while gained > PROGRESS_STILL or 0 < stuck != before:
                before, (gained, stuck) = stuck, self.sweep_progress(seat, True)
            unproven += stuck
        return unproven

    def sweep_progress(self, seat: int, circles: bool) -> tuple[float, int]:
        """Sweep the progress of a seat over the tape; return the most gained, and who has none."""
        gained, stuck = sweep_progress(
            tuple(self.tape), self.values, self.progress, self.states, circles, seat, self.matrices
        )
        return float(gained), int(stuck)

    def sweep_hopes(self, seat: int) -> float:
        """Sweep the hopes of a seat over the tape, and return their greatest change."""
        change = sweep_hopes(
            tuple(self.tape), self.values, self.progress, self.hopes[seat], seat, self.matrices
        )
        return float(change)

    def load(self, block: np.ndarray) -> None:
        """Write a block onto the tape, with as much room as it needs."""
        listing = self.listing
        share = 1 + listing.targets // self.states
        room = len(block) * share
        while self.write_block(block) < len(block):
            widest = len(self.scratch.targets)
            self.tape = make_tape(room + widest, room + widest, room + widest)
            room *= 2
        missing = self.states + int(self.tape.work[FOLDED]) - len(self.values)
        if missing > 0:
            self.values = np.concatenate([self.values, np.zeros(missing)])
            self.hopes = np.concatenate([self.hopes, np.zeros((2, missing), np.float32)], axis=1)
            self.progress = np.concatenate([self.progress, np.ones(missing, np.float32)])

    def write_block(self, block: np.ndarray) -> int:
        """Write a block onto the tape, and return for how many of its states there was room."""
        return int(write(self.rules, self.listing, block, self.values, self.tape, self.scratch))

    def audit(self, tell: Callable[[int], None] = lambda states: None) -> tuple[float, float]:
        """Compute every value once more from those that follow; return the worst change and gap.

        Values may change by as much as is returned.
        """
        changes, gaps = [0.0], [0.0]
        for start in range(0, self.states, AUDITED):
            block = self.blocks.order[start : start + AUDITED]
            before = self.values[block]
            self.load(block)
            # States that are over got their values again just now, all others in the sweep.
            changes.append(float(np.abs(self.values[block] - before).max()))
            change, gap = self.sweep()
            changes.append(change)
            gaps.append(gap)
            tell(min(start + AUDITED, self.states))
        return max(changes), max(gaps)
