"""Policy evaluation: values while both seats keep to one action in every state.

Nobody is left who chooses, and iterated from 0 the values converge to those of the reachable
terminal states; infinite play stays at 0, which is right.
"""

from ludex.kernel.jit import compiled
from ludex.solve.states.successors import MATRIX, MAXIMUM, ODDS
from ludex.solve.values.transitions import NODES


@compiled
def pick_best_targets(tape, values, picks):
    """Write for every node which of its targets is the best for who chooses there.

    Return at how many nodes both choose at once, who cannot keep to one action.
    """
    _, kinds, degrees, targets, _, work = tape
    place = unsettled = 0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        best = 0
        if kind >= MATRIX:
            unsettled += 1
        elif kind != ODDS:
            sign = 1.0 if kind == MAXIMUM else -1.0
            for index in range(1, degree):
                if sign * values[targets[place + index]] > sign * values[targets[place + best]]:
                    best = index
        picks[node] = best
        place += degree
    return unsettled


@compiled
def sweep_chain(tape, values, picks):
    """Compute the value of every node from the targets that were picked; return the most change."""
    numbers, kinds, degrees, targets, chances, work = tape
    change = 0.0
    place = odd = 0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        worth = 0.0
        if kind == ODDS:
            for index in range(degree):
                worth += chances[odd + index] * values[targets[place + index]]
            odd += degree
        else:
            worth = values[targets[place + picks[node]]]
        place += degree
        number = numbers[node]
        change = max(change, abs(worth - values[number]))
        values[number] = worth
    return change
