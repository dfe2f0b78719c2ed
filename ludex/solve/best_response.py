"""Best response: what a perfect opponent gets against a fixed policy.

A known policy is chance: only one seat is left that chooses. So the transitions for backward
induction are written with the policy's choices as chance nodes, and evaluated as usual.
"""

import numpy as np

from ludex.core.rules import returns
from ludex.kernel.jit import compiled
from ludex.solve.policy import UNREACHED, Answers, answer
from ludex.solve.solving import Tell, finish, tell_nobody
from ludex.solve.states.keys import unpack
from ludex.solve.states.successors import END, expand
from ludex.solve.values.induction import Induction
from ludex.solve.values.transitions import put, room_left


@compiled
def write_answers(rules, listing, block, values, fixed, tape, scratch):
    """Write the states of a block that are reached onto an empty tape, as `transitions.write` does.

    The seat keeps to its fixed choices there. Return how many states of the block were looked at.
    """
    like, folding, fields, keys, slots, _, _ = listing
    seat, places, weights = fixed
    numbers, kinds, degrees, targets, chances, work = tape
    new_kinds, new_degrees, new_targets, new_odds, own = scratch
    work[:] = 0
    for done in range(len(block)):
        number = block[done]
        if places[number] == UNREACHED:
            continue
        if not room_left(numbers, targets, chances, work, new_kinds, new_targets, new_odds):
            return done
        state = unpack(like, int(keys[number]), fields)
        nodes, written = expand(
            rules, state, folding, fields, new_kinds, new_degrees, new_targets, new_odds, own
        )
        if new_kinds[nodes - 1] == END:
            values[number] = returns(rules, state, 0)
            continue
        nodes, written = answer(
            seat, weights, places[number], nodes, written,
            new_kinds, new_degrees, new_targets, new_odds, own,
        )  # fmt: skip
        put(
            number, nodes, keys, slots, values, numbers, kinds, degrees, targets, chances, work,
            new_kinds, new_degrees, new_targets, new_odds,
        )  # fmt: skip
    return len(block)


class Response(Induction):
    """The values of a listing while one seat keeps to its answers and the other plays its best.

    They are worth to seat 0, as all values. A state that is not reached counts as 0; nothing
    that is reached depends on it.
    """

    def __init__(self, answers: Answers) -> None:
        super().__init__(answers.rules, answers.listing)
        self.answers, self.scratch = answers, answers.scratch

    def write_block(self, block: np.ndarray) -> int:
        """Write a block onto the tape, and return for how many of its states there was room."""
        fixed = self.answers.fixed
        return int(
            write_answers(
                self.rules, self.listing, block, self.values, fixed, self.tape, self.scratch
            )
        )

    def sweep_hopes(self, seat: int) -> float:
        """Leave the hopes alone: who knows the policy need not hope."""
        return 0.0


def value_against(answers: Answers, tell: Tell = tell_nobody) -> float:
    """Return what the first state is worth to seat 0 if the other plays its best."""
    response = Response(answers)
    finish(response, tell)
    return float(response.values[0])
