"""Tie-breaking among optimal actions: the expected result against a random opponent.

Among actions of equal value and progress (`progress_measure.py`), a perfect player takes the one
of most hope: it leaves a weaker opponent the most chances to go wrong. Hope is the expected result
of a seat that keeps to its best actions, and among them to those of most hope, while the opponent
chooses uniformly at random. It is slightly discounted, so that the shorter of two equal ways is
taken.
"""

from ludex.kernel.jit import compiled, shared
from ludex.solve.states.successors import MATRIX, ODDS
from ludex.solve.values.progress_measure import (
    PROGRESS_SLACK,
    ahead,
    careful_choice,
    gather_progress,
    keeps,
    progress_of,
)
from ludex.solve.values.transitions import NODES, gather_from

SHRINKING = 0.999


@shared
def is_favoured(sign, value, target, values, progress, most):
    """Return whether an action to a target keeps the value, and gets on as well as most."""
    return (
        keeps(sign, value, values[target])
        and progress_of(sign, target, values, progress) >= (1.0 - PROGRESS_SLACK) * most
    )


@shared
def favour(sign, value, begin, end, targets, values, progress, hopes):
    """Return the most progress of actions that keep a value, and the most hope with that.

    The actions lead to targets[begin:end], and the seat of a sign chooses.
    """
    most = 0.0
    for place in range(begin, end):
        if keeps(sign, value, values[targets[place]]):
            most = max(most, progress_of(sign, targets[place], values, progress))
    hope = -2.0
    for place in range(begin, end):
        if is_favoured(sign, value, targets[place], values, progress, most):
            hope = max(hope, float(hopes[targets[place]]))
    return most, hope


@compiled
def sweep_hopes(tape, values, progress, hopes, seat, matrices):
    """Compute the hope of a seat at every node from its targets; return the most that changed."""
    numbers, kinds, degrees, targets, chances, work = tape
    games, mixtures, tableau = matrices
    change = 0.0
    place = odd = 0
    sign = 1.0 if seat == 0 else -1.0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        number = numbers[node]
        hope = 0.0
        if kind == ODDS:
            for index in range(degree):
                hope += chances[odd + index] * hopes[targets[place + index]]
            odd += degree
        elif kind >= MATRIX:
            columns = kind - MATRIX
            rows = degree // columns
            gather_from(seat, sign, values, targets, place, rows, columns, games[0])
            gather_from(seat, 1.0, hopes, targets, place, rows, columns, games[1])
            if ahead(sign, values[number]):
                gather_progress(sign, values, progress, targets, place, rows, columns, games[2])
            else:
                games[2] = 1.0
            mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
            hope = careful_choice(games, mine, theirs, mixtures[0], mixtures[1], tableau)[0]
        elif kind == seat:
            end = place + degree
            value = values[number]
            hope = favour(sign, value, place, end, targets, values, progress, hopes)[1]
        else:
            for index in range(degree):
                hope += float(hopes[targets[place + index]]) / degree
        place += degree
        hope *= SHRINKING
        change = max(change, abs(hope - hopes[number]))
        hopes[number] = hope
    return change
