"""The progress measure: how soon the seat that is ahead can leave the cycles.

Infinite play has value 0. A seat with a higher value must make progress; and values that satisfy
the equations may be wrong if play can cycle for ever. The progress measure settles both.
It is 1 where the seat is not ahead, or off the cycles. Elsewhere it is slightly less than the
progress of the successors: the maximum over the value-preserving actions of the seat, the minimum
over the actions of the opponent, and the expectation at chance nodes. If no progress is 0, a seat
that takes actions of maximal progress leaves such states with probability 1, and the values that
satisfy the equations are unique (docs/solving.md has the proof).

Only one seat can be ahead, so a state has one number.
"""

from ludex.core.choice import CLOSE
from ludex.kernel.jit import shared
from ludex.solve.states.successors import EXPECTATION

AHEAD_BY = CLOSE  # a seat is ahead if its value exceeds this
VALUE_LOSS = 1e-11  # tolerance of a value-preserving action: values converge to 1e-13
PROGRESS_DISCOUNT = 0.99  # for each state
# Progress within this share of the best is as good. It must be less than the discount of a step,
# or the seat could cycle.
PROGRESS_SLACK = 0.004


@shared
def is_ahead(sign, value):
    """Return whether the seat of a sign, 1 or -1, has a higher value than infinite play."""
    return sign * value > AHEAD_BY


@shared
def keeps_value(sign, value, target_value):
    """Return whether an action to a target preserves the value."""
    return sign * target_value >= sign * value - VALUE_LOSS


@shared
def progress_of(sign, number, values, progress):
    """Return the progress of a seat at a node, 1 if it is not ahead."""
    return float(progress[number]) if is_ahead(sign, values[number]) else 1.0


@shared
def plain_progress(value, kind, place, degree, targets, chances, chance_at, values, progress):
    """Return the progress of who is ahead at a node where one seat or chance moves."""
    seat, sign = (0, 1.0) if value > 0.0 else (1, -1.0)
    if not is_ahead(sign, value):
        return 1.0
    if kind == EXPECTATION:
        mean = 0.0
        for index in range(degree):
            share = progress_of(sign, targets[place + index], values, progress)
            mean += chances[chance_at + index] * share
        return mean
    best = 0.0 if kind == seat else 1.0
    for index in range(place, place + degree):
        target = targets[index]
        share = progress_of(sign, target, values, progress)
        if kind != seat:
            best = min(best, share)
        elif keeps_value(sign, value, values[target]):
            best = max(best, share)
    return best
