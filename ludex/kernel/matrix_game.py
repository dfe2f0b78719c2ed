"""Matrix games: two-player zero-sum games in normal form.

Source: the simplex method in a condensed tableau, as Tucker wrote it (Dantzig, Linear
Programming and Extensions, 1963). The column player's program is solved: the largest sum of
weights that pays at most 1 in every row. The row player's mixed strategy is its dual and is read
from the same tableau. Saddle points are tried first, because most matrices of board games have one.
"""

from ludex.kernel.jit import compiled, shared

# All of these are relative to the range of the matrix, which is scaled to 1..2. A coefficient below
# GAIN is not worth a pivot; rows whose bounds differ by less than BOUND_ERROR tie.
GAIN, BOUND_ERROR = 1e-13, 1e-14
# How the entering column is chosen: by the largest coefficient, which is fast; by the largest
# pivot, which is stable; by its label (Bland), which cannot cycle.
STEEP, STABLE, BLAND = range(3)
# Nearly equal entries lead to tiny pivots, and these lose digits. The rules are tried in this order
# until the error of the mixtures is ACCEPTED; PIVOTS are the smallest pivots allowed. Before that,
# the mixtures are refined until they are as good as REFINED.
PIVOT_RULES, PIVOTS = (STEEP, STABLE, STABLE), (1e-10, 1e-10, 1e-8)
ACCEPTED = 1e-9
REFINEMENTS, REFINED = 2, 1e-14
# After this many pivots, ten times those of 63 x 63, it must be a cycle: go on by Bland's rule.
PIVOTS_BEFORE_BLAND, MOST_PIVOTS = 1000, 5000


@compiled
def solve(matrix, rows, columns, first, second, work):
    """Return the value of matrix[:rows, :columns] for the row player, who maximises.

    Write optimal mixtures to first[:rows] and second[:columns], which guarantee the value to 1e-9
    of the range of the matrix: the first saddle point if there is one, else any, the same each
    time. If no pivot rule is that accurate, the last one's mixtures are used, or pure strategies
    that guarantee more, and the value is the middle of what the two guarantee. work is scratch of
    at least (rows + 2) x (columns + 2).
    """
    row, least, column, most = safest(matrix, rows, columns)
    if least == most:
        play_purely(first, rows, row)
        play_purely(second, columns, column)
        return least
    low, span = extent(matrix, rows, columns)
    pure_least, pure_most = least, most
    for attempt in range(len(PIVOT_RULES)):
        tabulate(matrix, rows, columns, low, span, work)
        climb(rows, columns, work, PIVOT_RULES[attempt], PIVOTS[attempt])
        read_weights(rows, columns, first, second, work)
        for refinements in range(REFINEMENTS + 1):
            if refinements > 0:
                refine(matrix, rows, columns, low, span, first, second, work)
            least, most = guarantees(matrix, rows, columns, first, second)
            if most - least <= REFINED * span:
                break
        if most - least <= ACCEPTED * span:
            break
    else:
        if pure_least > least:
            least = pure_least
            play_purely(first, rows, row)
        if pure_most < most:
            most = pure_most
            play_purely(second, columns, column)
    normalise(first, rows)
    normalise(second, columns)
    return (least + most) / 2.0


@shared
def climb(rows, columns, work, chosen, tiny):
    """Pivot until the objective cannot be improved."""
    for pivots in range(MOST_PIVOTS):
        way = chosen if pivots < PIVOTS_BEFORE_BLAND else BLAND
        column = -1
        row = -1
        for j in range(columns):
            if work[rows, j] > GAIN:
                i = leaving_row(rows, columns, work, j, way, tiny)
                if i >= 0 and (
                    column < 0
                    or (way == STEEP and work[rows, j] > work[rows, column])
                    or (way == STABLE and work[i, j] > work[row, column])
                    or (way == BLAND and work[rows + 1, j] < work[rows + 1, column])
                ):
                    row, column = i, j
        if column < 0:
            break
        exchange(rows, columns, work, row, column)


@shared
def extent(matrix, rows, columns):
    """Return the smallest entry, and the range of all."""
    low = high = matrix[0, 0]
    for i in range(rows):
        for j in range(columns):
            low = min(low, matrix[i, j])
            high = max(high, matrix[i, j])
    return low, high - low


@shared
def safest(matrix, rows, columns):
    """Return the first row and the first column that guarantee most, each with what it does.

    If both guarantee the same, they are a saddle point.
    """
    row = column = 0
    least = most = 0.0
    for i in range(rows):
        worst = matrix[i, 0]
        for j in range(1, columns):
            worst = min(worst, matrix[i, j])
        if i == 0 or worst > least:
            least, row = worst, i
    for j in range(columns):
        worst = matrix[0, j]
        for i in range(1, rows):
            worst = max(worst, matrix[i, j])
        if j == 0 or worst < most:
            most, column = worst, j
    return row, least, column, most


@shared
def play_purely(mixture, size, chosen):
    """Write the mixture of a single strategy."""
    for i in range(size):
        mixture[i] = 1.0 if i == chosen else 0.0


@shared
def tabulate(matrix, rows, columns, low, span, work):
    """Write the initial tableau: the matrix scaled to 1..2, with sides and labels around it.

    Column `columns` holds the basic variables' values, column `columns + 1` their labels: the
    slacks, from 0. Row `rows` holds the objective, row `rows + 1` the labels of the weights.
    """
    for i in range(rows):
        for j in range(columns):
            work[i, j] = 1.0 + (matrix[i, j] - low) / span
        work[i, columns] = 1.0
        work[i, columns + 1] = i
    for j in range(columns):
        work[rows, j] = 1.0
        work[rows + 1, j] = rows + j
    work[rows, columns] = 0.0


@shared
def leaving_row(rows, columns, work, column, way, tiny):
    """Return the row that leaves the basis for a column, by the ratio test.

    Ties, up to rounding, are broken by the largest pivot (Harris), which is stable; exact ties by
    the smallest label under Bland's rule.
    """
    slack = 0.0 if way == BLAND else BOUND_ERROR
    bound = -1.0
    for i in range(rows):
        if work[i, column] > tiny:
            ratio = (max(0.0, work[i, columns]) + slack) / work[i, column]
            if bound < 0.0 or ratio < bound:
                bound = ratio
    found = -1
    for i in range(rows):
        if work[i, column] > tiny and max(0.0, work[i, columns]) / work[i, column] <= bound:
            if way != BLAND:
                better = found < 0 or work[i, column] > work[found, column]
            else:
                better = found < 0 or work[i, columns + 1] < work[found, columns + 1]
            if better:
                found = i
    return found


@shared
def exchange(rows, columns, work, row, column):
    """Exchange the variables of a row and a column."""
    pivot = work[row, column]
    for j in range(columns + 1):
        if j != column:
            work[row, j] /= pivot
            for i in range(rows + 1):
                if i != row:
                    work[i, j] -= work[i, column] * work[row, j]
    for i in range(rows + 1):
        work[i, column] /= -pivot
    work[row, column] = 1.0 / pivot
    label = work[row, columns + 1]
    work[row, columns + 1] = work[rows + 1, column]
    work[rows + 1, column] = label


@shared
def read_weights(rows, columns, first, second, work):
    """Read both players' weights from the final tableau: values in the basis, duals outside it."""
    for i in range(rows):
        first[i] = 0.0
    for j in range(columns):
        second[j] = 0.0
    for i in range(rows):
        label = int(work[i, columns + 1])
        if label >= rows:
            second[label - rows] = work[i, columns]
    for j in range(columns):
        label = int(work[rows + 1, j])
        if label < rows:
            first[label] = -work[rows, j]


@shared
def refine(matrix, rows, columns, low, span, first, second, work):
    """Correct the weights by their residuals; the tableau holds the inverse.

    A pivot of 1e-8, which nearly equal entries lead to, costs half of all digits; this restores
    them. The residuals overwrite the sides of the tableau, which are no longer needed.
    """
    for j in range(columns):
        row = int(work[rows + 1, j])
        work[rows, j] = 0.0
        if row < rows:
            residual = 1.0
            for k in range(columns):
                residual -= second[k] * (1.0 + (matrix[row, k] - low) / span)
            work[rows, j] = residual
    for i in range(rows):
        column = int(work[i, columns + 1]) - rows
        work[i, columns] = 0.0
        if column >= 0:
            residual = 1.0
            for k in range(rows):
                residual -= first[k] * (1.0 + (matrix[k, column] - low) / span)
            work[i, columns] = residual
    for i in range(rows):
        column = int(work[i, columns + 1]) - rows
        for j in range(columns):
            row = int(work[rows + 1, j])
            if column >= 0 and row < rows:
                second[column] += work[i, j] * work[rows, j]
                first[row] += work[i, j] * work[i, columns]


@shared
def normalise(weights, size):
    """Clip and scale weights to a mixture."""
    total = 0.0
    for i in range(size):
        weights[i] = max(0.0, weights[i])
        total += weights[i]
    for i in range(size):
        weights[i] /= total


@shared
def guarantees(matrix, rows, columns, first, second):
    """Return the value that each player guarantees by its weights, the row player's first."""
    total = 0.0
    for i in range(rows):
        total += max(0.0, first[i])
    least = most = 0.0
    for j in range(columns):
        payoff = 0.0
        for i in range(rows):
            payoff += max(0.0, first[i]) * matrix[i, j]
        least = payoff if j == 0 else min(least, payoff)
    least /= total
    total = 0.0
    for j in range(columns):
        total += max(0.0, second[j])
    for i in range(rows):
        payoff = 0.0
        for j in range(columns):
            payoff += max(0.0, second[j]) * matrix[i, j]
        most = payoff if i == 0 else max(most, payoff)
    return least, most / total
