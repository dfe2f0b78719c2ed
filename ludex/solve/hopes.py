"""Hope: what a seat that never gives away value may get from one that chooses at random.

Of actions that are worth the same, a perfect player takes the one of most hope: it leaves a
weaker opponent the most chances to go wrong. Hope is what a seat wins on average if it keeps to
its best actions, and among them to those of most hope, while the other does anything, each as
likely. It shrinks a little with every step, so that of two ways to the same hope the shorter is
taken. Where play can go in circles this is not enough: there it may wait for ever.
"""

from ludex.compiled import compiled, shared
from ludex.matrix import solve
from ludex.solve.expansion import MATRIX, ODDS
from ludex.solve.tape import NODES

CLOSE = 1e-9  # values that differ by less are equal
SAFE = 1e-12  # the same where both choose at once: there a loss is made in every round
SHRINKING = 0.999


@compiled
def careful(game, hopes, rows, columns, first, second, tableau):
    """Write how the row player chooses, who may not lose value, and return its hope.

    It is the most hopeful of the rows that guarantee the value, if one does; else a mixture that
    does, whatever its hope.
    """
    value = solve(game, rows, columns, first, second, tableau)
    best, best_hope, mixed_hope = -1, 0.0, 0.0
    for row in range(rows):
        worst, hope = game[row, 0], 0.0
        for column in range(columns):
            worst = min(worst, game[row, column])
            hope += hopes[row, column] / columns
        mixed_hope += first[row] * hope
        if worst >= value - SAFE and (best < 0 or hope > best_hope):
            best, best_hope = row, hope
    if best < 0:
        return mixed_hope
    for row in range(rows):
        first[row] = 1.0 if row == best else 0.0
    return best_hope


@shared
def gather_from(seat, sign, numbers, targets, place, rows, columns, game):
    """Write numbers of targets into a matrix whose rows are the actions of the seat."""
    for row in range(rows):
        for column in range(columns):
            number = sign * numbers[targets[place + row * columns + column]]
            if seat == 0:
                game[row, column] = number
            else:
                game[column, row] = number


@compiled
def sweep_hopes(
    numbers, kinds, degrees, targets, chances, work, values, hopes, seat, games, mixtures, tableau
):  # fmt: skip
    """Compute the hope of a seat at every node from its targets; return the most that changed."""
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
            mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
            hope = careful(games[0], games[1], mine, theirs, mixtures[0], mixtures[1], tableau)
        elif kind == seat:
            hope = -2.0
            for index in range(degree):
                target = targets[place + index]
                if sign * values[target] >= sign * values[number] - CLOSE:
                    hope = max(hope, float(hopes[target]))
        else:
            for index in range(degree):
                hope += float(hopes[targets[place + index]]) / degree
        place += degree
        hope *= SHRINKING
        change = max(change, abs(hope - hopes[number]))
        hopes[number] = hope
    return change
