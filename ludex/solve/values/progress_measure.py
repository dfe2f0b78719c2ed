"""The progress measure: how soon the seat that is ahead can leave the cycles.

Infinite play has value 0. A seat with a higher value must make progress; and values that merely
satisfy the equations may be right only as long as nobody cycles. The progress measure settles both.
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
from ludex.solve.states.successors import MATRIX, ODDS
from ludex.solve.values.transitions import NODES, gather_from

AHEAD_BY = CLOSE  # who is worth more than that is ahead
VALUE_LOSS = 1e-11  # what an action may lose that keeps the value: values stand still at 1e-13
ROUND_LOSS = 1e-12  # what a row may lose where both choose at once: there it is lost in every round
PROGRESS_LEFT = 0.99  # what is left of progress by one state
# Progress that is less by this share is as good. It must be less than a step takes, or the seat
# could go on and on without getting on.
PROGRESS_SLACK = 0.004


@shared
def ahead(sign, value):
    """Return whether the seat of a sign, 1 or -1, is worth more than endless play."""
    return sign * value > AHEAD_BY


@shared
def progress_of(sign, number, values, progress):
    """Return the progress of a seat at a node; it is 1 where the seat is not ahead."""
    return float(progress[number]) if ahead(sign, values[number]) else 1.0


@shared
def keeps(sign, value, target_value):
    """Return whether an action to a target gives away nothing of a value."""
    return sign * target_value >= sign * value - VALUE_LOSS


@compiled
def careful_choice(games, rows, columns, first, second, tableau):
    """Write how the row player chooses, who may not lose value; return its hope and progress.

    games are what each pair is worth, its hope and its progress. Of the rows that guarantee the
    value it is one of most progress, and of these one of most hope; if no row does, a mixture
    that does, whatever its hope.
    """
    value = solve(games[0], rows, columns, first, second, tableau)
    most = -1.0
    for row in range(rows):
        worst, least = games[0, row, 0], games[2, row, 0]
        for column in range(1, columns):
            worst = min(worst, games[0, row, column])
            least = min(least, games[2, row, column])
        if worst >= value - ROUND_LOSS:
            most = max(most, least)
    best, best_hope = -1, 0.0
    mixed_hope, mixed_least = 0.0, 1.0
    for column in range(columns):
        mean = 0.0
        for row in range(rows):
            mean += first[row] * games[2, row, column]
            mixed_hope += first[row] * games[1, row, column] / columns
        mixed_least = min(mixed_least, mean)
    if most < 0.0:
        return mixed_hope, mixed_least
    for row in range(rows):
        worst, least, hope = games[0, row, 0], games[2, row, 0], 0.0
        for column in range(columns):
            worst = min(worst, games[0, row, column])
            least = min(least, games[2, row, column])
            hope += games[1, row, column] / columns
        good = worst >= value - ROUND_LOSS and least >= (1.0 - PROGRESS_SLACK) * most
        if good and (best < 0 or hope > best_hope):
            best, best_hope = row, hope
    for row in range(rows):
        first[row] = 1.0 if row == best else 0.0
    return best_hope, most


@shared
def gather_progress(sign, values, progress, targets, place, rows, columns, game):
    """Write the progress of targets into a matrix whose rows are the actions of a sign's seat."""
    for row in range(rows):
        for column in range(columns):
            target = targets[place + row * columns + column]
            share = progress_of(sign, target, values, progress)
            if sign > 0.0:
                game[row, column] = share
            else:
                game[column, row] = share


@compiled
def sweep_progress(tape, values, progress, states, circles, seat, matrices):
    """Compute the progress of a seat at every node where it is ahead, from that of its targets.

    Return the most that was gained, and at how many nodes there is none. States themselves have
    1 if nothing goes in circles.
    """
    numbers, kinds, degrees, targets, chances, work = tape
    games, mixtures, tableau = matrices
    gained, stuck = 0.0, 0
    place = odd = 0
    sign = 1.0 if seat == 0 else -1.0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        begin, chance = place, odd
        place += degree
        odd += degree if kind == ODDS else 0
        number = numbers[node]
        if not ahead(sign, values[number]):
            continue
        share = 0.0
        if kind == ODDS:
            for index in range(degree):
                target = targets[begin + index]
                share += chances[chance + index] * progress_of(sign, target, values, progress)
        elif kind >= MATRIX:
            columns = kind - MATRIX
            rows = degree // columns
            gather_from(seat, sign, values, targets, begin, rows, columns, games[0])
            gather_progress(sign, values, progress, targets, begin, rows, columns, games[2])
            mine, theirs = (rows, columns) if seat == 0 else (columns, rows)
            share = careful_choice(games, mine, theirs, mixtures[0], mixtures[1], tableau)[1]
        else:
            share = 0.0 if kind == seat else 1.0
            for index in range(degree):
                target = targets[begin + index]
                one = progress_of(sign, target, values, progress)
                if kind != seat:
                    share = min(share, one)
                elif keeps(sign, values[number], values[target]):
                    share = max(share, one)
        if number < states:
            share = PROGRESS_LEFT * share if circles else 1.0
        gained = max(gained, share - progress[number])
        progress[number] = share
        stuck += progress[number] == 0.0
    return gained, stuck
