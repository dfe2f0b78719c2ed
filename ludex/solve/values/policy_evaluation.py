"""Policy evaluation: values while both seats keep to one action in every state.

Iterated from 0, the values converge to those of the reachable terminal states; infinite play stays
at 0, which is its value.
"""

from ludex.kernel.jit import compiled
from ludex.solve.states.successors import EXPECTATION, MATRIX, MAXIMUM
from ludex.solve.values.transitions import NODES


@compiled
def pick_best_targets(transitions, values, picks):
    """Write the index of the best target of every node for the seat to move.

    Return the number of simultaneous moves, at which there is no single best action.
    """
    _, kinds, degrees, targets, _, work = transitions
    place = simultaneous = 0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        best = 0
        if kind >= MATRIX:
            simultaneous += 1
        elif kind != EXPECTATION:
            sign = 1.0 if kind == MAXIMUM else -1.0
            for index in range(1, degree):
                if sign * values[targets[place + index]] > sign * values[targets[place + best]]:
                    best = index
        picks[node] = best
        place += degree
    return simultaneous


@compiled
def sweep_policy(transitions, values, picks):
    """Compute the value of every node from its picked target; return the greatest change."""
    numbers, kinds, degrees, targets, chances, work = transitions
    change = 0.0
    place = chance_at = 0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        value = 0.0
        if kind == EXPECTATION:
            for index in range(degree):
                value += chances[chance_at + index] * values[targets[place + index]]
            chance_at += degree
        else:
            value = values[targets[place + picks[node]]]
        place += degree
        number = numbers[node]
        change = max(change, abs(value - values[number]))
        values[number] = value
    return change
