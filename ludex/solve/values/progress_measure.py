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
from ludex.kernel.jit import compiled, shared
from ludex.kernel.matrix_game import solve
from ludex.solve.states.successors import EXPECTATION, MATRIX
from ludex.solve.values.transitions import NODES, gather

AHEAD_BY = CLOSE  # a seat is ahead if its value exceeds this
VALUE_LOSS = 1e-11  # tolerance of a value-preserving action: values converge to 1e-13
ROUND_LOSS = 1e-12  # the same of a row at a simultaneous move, where it is lost in every round
PROGRESS_DISCOUNT = 0.99  # for each state
# Progress within this share of the best is as good. It must be less than the discount of a step,
# or the seat could cycle.
PROGRESS_SLACK = 0.004


@shared
def is_ahead(sign, value):
    """Return whether the seat of a sign, 1 or -1, has a higher value than infinite play."""
    return sign * value > AHEAD_BY


@shared
def progress_of(sign, number, values, progress):
    """Return the progress of a seat at a node, 1 if it is not ahead."""
    return float(progress[number]) if is_ahead(sign, values[number]) else 1.0


@shared
def keeps_value(sign, value, target_value):
    """Return whether an action to a target preserves the value."""
    return sign * target_value >= sign * value - VALUE_LOSS


@compiled
def safe_strategy(games, value, rows, columns, first, second, tableau):
    """Write an optimal strategy of the row player; return its tie value and its progress.

    games holds the value, tie value and progress of each pair of actions, and value is that of the
    first game. Of the rows that guarantee it, take one of the most progress, and of these one of
    the highest tie value; if no row does, an optimal mixture.
    """
    most = -1.0
    for row in range(rows):
        worst, least = row_minima(games, row, columns)
        if worst >= value - ROUND_LOSS:
            most = max(most, least)
    if most < 0.0:
        return safe_mixture(games, rows, columns, first, second, tableau)
    best, best_tie_value = -1, 0.0
    for row in range(rows):
        worst, least = row_minima(games, row, columns)
        if worst >= value - ROUND_LOSS and least >= (1.0 - PROGRESS_SLACK) * most:
            tie_value = 0.0
            for column in range(columns):
                tie_value += games[1, row, column] / columns
            if best < 0 or tie_value > best_tie_value:
                best, best_tie_value = row, tie_value
    for row in range(rows):
        first[row] = 1.0 if row == best else 0.0
    return best_tie_value, most


@shared
def row_minima(games, row, columns):
    """Return the lowest value and the least progress of a row."""
    worst, least = games[0, row, 0], games[2, row, 0]
    for column in range(1, columns):
        worst = min(worst, games[0, row, column])
        least = min(least, games[2, row, column])
    return worst, least


@shared
def safe_mixture(games, rows, columns, first, second, tableau):
    """Write an optimal mixture of the row player; return its tie value and its progress."""
    solve(games[0], rows, columns, first, second, tableau)
    tie_value, least = 0.0, 1.0
    for column in range(columns):
        mean = 0.0
        for row in range(rows):
            mean += first[row] * games[2, row, column]
            tie_value += first[row] * games[1, row, column] / columns
        least = min(least, mean)
    return tie_value, least


@shared
def gather_progress(sign, values, progress, targets, place, rows, columns, game):
    """Write the progress of targets into a matrix whose rows are the actions of the seat."""
    for row in range(rows):
        for column in range(columns):
            target = targets[place + row * columns + column]
            share = progress_of(sign, target, values, progress)
            if sign > 0.0:
                game[row, column] = share
            else:
                game[column, row] = share


@compiled
def sweep_progress(transitions, values, progress, states, cycles, seat, matrices):
    """Compute the progress of a seat at every node where it is ahead from that of its targets.

    Return the greatest gain, and the number of nodes without progress. Without cycles the
    progress of a state is 1.
    """
    numbers, kinds, degrees, targets, chances, work = transitions
    games, mixtures, tableau = matrices
    gained, stuck = 0.0, 0
    place = chance_at = 0
    sign = 1.0 if seat == 0 else -1.0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        begin, chance = place, chance_at
        place += degree
        chance_at += degree if kind == EXPECTATION else 0
        number = numbers[node]
        if not is_ahead(sign, values[number]):
            continue
        share = 0.0
        if kind == EXPECTATION:
            for index in range(degree):
                target = targets[begin + index]
                share += chances[chance + index] * progress_of(sign, target, values, progress)
        elif kind >= MATRIX:
            columns = kind - MATRIX
            rows = degree // columns
            gather(seat, sign, values, targets, begin, rows, columns, games[0])
            gather_progress(sign, values, progress, targets, begin, rows, columns, games[2])
            mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
            value = sign * values[number]
            share = safe_strategy(games, value, mine, theirs, mixtures[0], mixtures[1], tableau)[1]
        else:
            share = 0.0 if kind == seat else 1.0
            for index in range(degree):
                target = targets[begin + index]
                one = progress_of(sign, target, values, progress)
                if kind != seat:
                    share = min(share, one)
                elif keeps_value(sign, values[number], values[target]):
                    share = max(share, one)
        if number < states:
            share = PROGRESS_DISCOUNT * share if cycles else 1.0
        gained = max(gained, share - progress[number])
        progress[number] = share
        stuck += progress[number] == 0.0
    return gained, stuck
