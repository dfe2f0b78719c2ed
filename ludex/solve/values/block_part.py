"""Room for the transitions and the equations of a block, or of a part of one."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.core.rules import Rules
from ludex.solve.policy import FixedPolicy, make_policy_scratch
from ludex.solve.states.listing import Listing
from ludex.solve.states.successors import Scratch, make_scratch
from ludex.solve.values import transitions
from ludex.solve.values.equations import Equations, make_equations
from ludex.solve.values.transitions import DONE, NO_ROOM, OTHERS, WHOLE_HIGH, WHOLE_LOW

SLICE = 1 << 23  # targets between progress reports; until then Ctrl-C has to wait


class Problem(NamedTuple):
    """What is to be solved, and what is known so far: values, tie values, progress.

    With a fixed policy one seat keeps to it; ties are then not broken.
    """

    rules: Rules
    listing: Listing
    fixed: FixedPolicy | None
    known: tuple[np.ndarray, np.ndarray, np.ndarray]


def scratch_for(rules: Rules, fixed: FixedPolicy | None) -> Scratch:
    """Return room for an expansion, with a fixed policy or without."""
    return make_scratch(rules) if fixed is None else make_policy_scratch(rules)


class BlockPart:
    """The arrays for some states; they have room for the most that were written so far."""

    def __init__(self, problem: Problem, folded: int, leading: int) -> None:
        self.problem = problem
        self.transitions = transitions.make_transitions(problem.rules, 0, 0, folded, leading)
        self.equations = self.make_equations(0)

    def join(self, low: int, high: int, others: int) -> None:
        """Become part of a block, whose states have second numbers from `others` on."""
        self.transitions.work[[WHOLE_LOW, WHOLE_HIGH, OTHERS]] = low, high, others

    def write(
        self, low: int, high: int, scratch: Scratch, pause: Callable[[], None] = lambda: None
    ) -> None:
        """Write the transitions of the states from low to below high."""
        rules, listing, fixed, known = self.problem
        room = (high - low) * (1 + listing.targets // len(listing.keys))
        source = rules, listing, low, high, known, fixed
        while (why := transitions.write(*source, self.transitions, scratch, SLICE)) != DONE:
            if why == NO_ROOM:
                room = max(room, 2 * len(self.transitions.targets)) + len(scratch.targets)
                self.transitions = transitions.widened(self.transitions, room)
            else:
                pause()
        states = high - low + transitions.folded_nodes(scratch)
        narrow = len(self.equations.numbers) < len(self.transitions.targets)
        if narrow or len(self.equations.is_open) < states:
            self.equations = self.make_equations(states)

    def make_equations(self, states: int) -> Equations:
        """Return as much room for equations as there is for transitions."""
        kinds, degrees, targets, _, _ = self.transitions
        return make_equations(kinds.dtype, degrees.dtype, len(targets), states)
