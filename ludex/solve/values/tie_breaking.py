"""Tie-breaking among optimal actions: the expected result against a random opponent.

Among actions of equal value and progress (`progress_measure.py`), a perfect player takes the one
of the highest tie value: it leaves a weaker opponent the most chances to go wrong. The tie value
is the expected result of a seat that plays so while the opponent chooses uniformly at random. It is
slightly discounted, so that the shorter of two equal lines is taken.
"""

from ludex.kernel.jit import compiled, shared
from ludex.solve.states.successors import EXPECTATION, MATRIX
from ludex.solve.values.progress_measure import (
    PROGRESS_SLACK,
    gather_progress,
    is_ahead,
    keeps_value,
    progress_of,
    safe_strategy,
)
from ludex.solve.values.transitions import NODES, gather

TIE_DISCOUNT = 0.999


@shared
def is_tie_optimal(sign, value, target, values, progress, most):
    """Return whether an action to a target keeps the value and makes the most progress."""
    return (
        keeps_value(sign, value, values[target])
        and progress_of(sign, target, values, progress) >= (1.0 - PROGRESS_SLACK) * most
    )


@shared
def tie_break(sign, value, begin, end, targets, values, progress, tie_values):
    """Return the most progress of actions that keep a value, and their highest tie value.

    The actions of the seat of a sign lead to targets[begin:end].
    """
    most = 0.0
    for place in range(begin, end):
        if keeps_value(sign, value, values[targets[place]]):
            most = max(most, progress_of(sign, targets[place], values, progress))
    tie_value = -2.0
    for place in range(begin, end):
        if is_tie_optimal(sign, value, targets[place], values, progress, most):
            tie_value = max(tie_value, float(tie_values[targets[place]]))
    return most, tie_value


@shared
def gather_games(seat, value, values, tie_values, progress, targets, place, rows, columns, games):
    """Write the values, tie values and progress of targets into matrices of the seat."""
    sign = 1.0 if seat == 0 else -1.0
    gather(seat, sign, values, targets, place, rows, columns, games[0])
    gather(seat, 1.0, tie_values, targets, place, rows, columns, games[1])
    if is_ahead(sign, value):
        gather_progress(sign, values, progress, targets, place, rows, columns, games[2])
    else:
        games[2] = 1.0


@compiled
def sweep_tie_values(transitions, values, progress, tie_values, seat, matrices):
    """Compute the tie value of a seat at every node; return the greatest change."""
    numbers, kinds, degrees, targets, chances, work = transitions
    games, mixtures, tableau = matrices
    change = 0.0
    place = chance_at = 0
    sign = 1.0 if seat == 0 else -1.0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        number = numbers[node]
        tie_value = 0.0
        if kind == EXPECTATION:
            for index in range(degree):
                tie_value += chances[chance_at + index] * tie_values[targets[place + index]]
            chance_at += degree
        elif kind >= MATRIX:
            columns = kind - MATRIX
            rows = degree // columns
            value = values[number]
            gather_games(
                seat, value, values, tie_values, progress, targets, place, rows, columns, games
            )
            mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
            own = sign * value
            tie_value = safe_strategy(games, own, mine, theirs, mixtures[0], mixtures[1], tableau)[
                0
            ]
        elif kind == seat:
            end = place + degree
            value = values[number]
            tie_value = tie_break(sign, value, place, end, targets, values, progress, tie_values)[1]
        else:
            for index in range(degree):
                tie_value += float(tie_values[targets[place + index]]) / degree
        place += degree
        tie_value *= TIE_DISCOUNT
        change = max(change, abs(tie_value - tie_values[number]))
        tie_values[number] = tie_value
    return change
