"""Backward induction on an NVIDIA card."""

import sys
from collections.abc import Callable

import numpy as np

from ludex.core.rules import Rules
from ludex.kernel.cuda import cuda
from ludex.solve.card.kernels import Launcher
from ludex.solve.states.index import is_hashed
from ludex.solve.states.listing import Listing
from ludex.solve.values.acyclic import ON_A_CYCLE, seems_acyclic
from ludex.solve.values.blocks import ranges_by_level
from ludex.solve.values.induction import Induction

STAYS = "some moves stay in a block of states: the cores of the CPU compute the values"


class CardInduction(Induction):
    """Backward induction, level by level, in which each thread of a card computes one value.

    The cores of the CPU take over if a move stays in its block of states.
    """

    def __init__(self, rules: Rules, listing: Listing) -> None:
        super().__init__(rules, listing)
        self.on_card = seems_acyclic(rules, listing, self.blocks.shift)
        if not self.on_card:
            print(STAYS, file=sys.stderr)

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
        launcher = Launcher(self.rules, listing.first, listing.folding, is_hashed(listing.lookup))
        size = self.states + launcher.count * launcher.folded_nodes
        values, tie_values = cuda.device_array(size), cuda.device_array((2, size))
        known = values, tie_values, cuda.to_device(np.ones(size))
        gaps = cuda.to_device(np.zeros(launcher.count))
        index = tuple(map(cuda.to_device, (listing.fields, listing.keys, listing.lookup)))
        done = 0
        for ranges in ranges_by_level(listing):
            starts = np.ascontiguousarray(ranges[:, 0])
            counts = np.append(0, np.diff(ranges, axis=1).cumsum())
            launcher.run(
                "evaluate", *index, cuda.to_device(starts), cuda.to_device(counts[:-1]),
                len(starts), int(counts[-1]), self.blocks.shift, self.states, launcher.folded_nodes,
                *known, gaps, *launcher.scratch, *launcher.matrices,
            )  # fmt: skip
            done += int(counts[-1])
            tell("solving", done, self.states)
        found = gaps.copy_to_host()
        self.on_card = found.min() != ON_A_CYCLE
        if not self.on_card:
            print(STAYS, file=sys.stderr)
            return False
        self.gap = float(found.max())
        self.values[:] = values.copy_to_host()[: self.states]
        self.tie_values[:] = tie_values.copy_to_host()[:, : self.states]
        self.finished = len(self.blocks)
        return True
