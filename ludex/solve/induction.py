"""Backward induction: the values of all states, from the end of the game to its start.

States are taken in blocks, the latest first, by the fields that only ever rise or fall. What
a block leads to beyond itself is then known. Inside a block, where play may go in circles,
values are swept until they stand still, beginning with 0, which is what endless play is worth.
Where chance has a part and both seats can put off the end, that need not be the only solution
that stands still.
"""

from collections.abc import Callable

import numpy as np

from ludex.rules import Rules, actions, at_once
from ludex.solve.expansion import make_scratch
from ludex.solve.hopes import sweep_hopes
from ludex.solve.keys import columns
from ludex.solve.listing import Listing
from ludex.solve.tape import FOLDED, UNKNOWN, make_tape, sweep, write

STILL = 1e-13  # values that change by less in a sweep stand still
HOPE_STILL = 1e-4  # hopes only break ties
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
    guarantees of two who choose at once were apart. `guesses` are what sweeping begins with.
    """

    def __init__(self, rules: Rules, listing: Listing) -> None:
        self.rules, self.listing, self.blocks = rules, listing, Blocks(listing)
        self.states = len(listing.keys)
        self.finished = 0
        self.residual = self.gap = 0.0
        self.values = np.full(self.states, np.nan)
        self.guesses = np.zeros(self.states)
        self.hopes = np.zeros((2, self.states), np.float32)
        self.scratch = make_scratch(rules)
        size = actions(rules) if at_once(rules) else 1
        self.games = np.zeros((2, size, size))
        self.matrices = np.zeros((2, size)), np.zeros((size + 2, size + 2))
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
        change, gap = self.sweep()
        sweeps = 1
        while circles and change > STILL:
            tell(sweeps)
            change, gap = self.sweep()
            sweeps += 1
        # Without circles the first sweep changes everything, and a second would change nothing.
        self.residual = max(self.residual, change if circles else 0.0)
        self.gap = max(self.gap, gap)
        for seat in range(2):
            while self.sweep_hopes(seat) > HOPE_STILL and circles:
                pass
        self.finished += 1

    def sweep(self) -> tuple[float, float]:
        """Sweep the values over the tape; return their greatest change, and the greatest gap."""
        change, gap = sweep(*self.tape, self.values, self.states, self.games[0], *self.matrices)
        return float(change), float(gap)

    def sweep_hopes(self, seat: int) -> float:
        """Sweep the hopes of a seat over the tape, and return their greatest change."""
        hopes = self.hopes[seat]
        return float(sweep_hopes(*self.tape, self.values, hopes, seat, self.games, *self.matrices))

    def load(self, block: np.ndarray) -> None:
        """Write a block onto the tape, with as much room as it needs."""
        listing = self.listing
        share = 1 + listing.targets // self.states
        room = len(block) * share
        while self.written(block) < len(block):
            widest = len(self.scratch.targets)
            self.tape = make_tape(room + widest, room + widest, room + widest)
            room *= 2
        missing = self.states + int(self.tape.work[FOLDED]) - len(self.values)
        if missing > 0:
            self.values = np.concatenate([self.values, np.zeros(missing)])
            self.hopes = np.concatenate([self.hopes, np.zeros((2, missing), np.float32)], axis=1)

    def written(self, block: np.ndarray) -> int:
        """Write a block onto the tape, and return for how many of its states there was room."""
        listing = self.listing
        count = write(
            *(self.rules, listing.first, listing.folding, listing.fields, listing.keys),
            *(listing.slots, block, self.values, *self.tape, *self.scratch),
        )
        return int(count)

    def audit(self, tell: Callable[[int], None] = lambda states: None) -> tuple[float, float]:
        """Compute every value once more from those that follow; return the worst change and gap.

        Values may change by as much as is returned.
        """
        changes, gaps = [0.0], [0.0]
        for start in range(0, self.states, AUDITED):
            self.load(self.blocks.order[start : start + AUDITED])
            change, gap = self.sweep()
            changes.append(change)
            gaps.append(gap)
            tell(min(start + AUDITED, self.states))
        return max(changes), max(gaps)
