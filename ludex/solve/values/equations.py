"""The equations of a block: each state, or node folded into it, in terms of others of the block.

What lies outside a block is known, and so are states of which all targets are known: they become
constants. Most states are settled in this way when their equations are written; the rest depend on
one another, and are swept until they converge. The same equations serve for values, for the values
of a policy, for progress and for tie values.
"""

from typing import NamedTuple

import numpy as np

from ludex.kernel.jit import compiled, shared
from ludex.kernel.matrix_game import guarantees, solve
from ludex.solve.states.successors import EXPECTATION, MATRIX, MAXIMUM, MINIMUM
from ludex.solve.values.progress_measure import (
    PROGRESS_DISCOUNT,
    is_ahead,
    keeps_value,
    plain_progress,
)
from ludex.solve.values.tie_breaking import (
    TIE_DISCOUNT,
    best_strategy,
    is_tie_optimal,
    most_progress,
)
from ludex.solve.values.transitions import (
    END,
    FOLDED,
    HIGH,
    LOW,
    NODES,
    OTHERS,
    gather,
    plain_value,
)

# What equations are about; progress and tie values are those of one seat.
VALUES, POLICY, PROGRESS, TIES = range(4)
COUNT, TERMS, WEIGHTS = range(3)  # indices into the work array
NO_OTHERS = 1 << 62  # above all numbers: the block is not in parts


class Equations(NamedTuple):
    """The equations that are not settled: a number, a kind, a constant, and some targets.

    The targets at chance nodes have weights. `is_open` tells for each state of the block and each
    folded node whether it has an equation.
    """

    numbers: np.ndarray
    kinds: np.ndarray
    degrees: np.ndarray
    constants: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    is_open: np.ndarray
    work: np.ndarray


def make_equations(kinds: np.dtype, degrees: np.dtype, room: int, states: int) -> Equations:
    """Return room for equations; only memory that is written to is ever used."""
    return Equations(
        np.zeros(room, np.int32),
        np.zeros(room, kinds),
        np.zeros(room, degrees),
        np.zeros(room),
        np.zeros(room, np.int32),
        np.zeros(room),
        np.zeros(states, np.bool_),
        np.zeros(WEIGHTS + 1, np.int64),
    )


@shared
def neutral(kind):
    """Return the constant that changes nothing in an equation of a kind."""
    return 0.0 if kind == EXPECTATION else -np.inf if kind == MAXIMUM else np.inf


@shared
def kind_of_equation(kind, about, seat):
    """Return how the targets of a node are combined."""
    if kind == EXPECTATION or kind >= MATRIX or about == VALUES:
        return kind
    if about == POLICY:
        return EXPECTATION
    if kind == seat:
        return MAXIMUM
    return MINIMUM if about == PROGRESS else EXPECTATION


@shared
def best_target(kind, begin, degree, targets, values):
    """Return the best target for the seat that chooses."""
    sign, best = 1.0 if kind == MAXIMUM else -1.0, int(targets[begin])
    for place in range(begin + 1, begin + degree):
        if sign * values[targets[place]] > sign * values[best]:
            best = int(targets[place])
    return best


@shared
def discount_of(about, is_state, discount):
    """Return by how much a state or a folded node is discounted."""
    if about == TIES:
        return TIE_DISCOUNT
    if not is_state or about == POLICY:
        return 1.0
    return PROGRESS_DISCOUNT if about == PROGRESS else discount


@shared
def counts(about, seat, value, kind, target, chosen, most, values, progress):
    """Return whether a target counts where a seat chooses; `chosen` is the best one."""
    sign = 1.0 if seat == 0 else -1.0
    if about == POLICY:
        return target == chosen
    if about == PROGRESS and kind == seat:
        return keeps_value(sign, value, values[target])
    if about == TIES and kind == seat:
        return is_tie_optimal(sign, value, target, values, progress, most)
    return True


@shared
def copy_targets(begin, degree, targets, terms, work):
    """Write the terms of a simultaneous move, which is never settled: only sweeps solve games."""
    for index in range(begin, begin + degree):
        terms[work[TERMS]] = targets[index]
        work[TERMS] += 1
    return 0.0


@compiled
def write_terms(
    about, seat, value, kind, begin, degree, luck, ranges,
    targets, chances, known, values, progress, terms, weights, is_open, work,
):  # fmt: skip
    """Write the terms of a node at which one seat or chance moves; return the constant.

    The ranges are four numbers: states from low to below high and numbers from `folded` on may have
    equations, and those from `others` on are in another part of the block.
    """
    low, high, folded, others = ranges
    sign, new_kind = 1.0 if seat == 0 else -1.0, kind_of_equation(kind, about, seat)
    constant = neutral(new_kind)
    chosen, most = -1, 0.0
    if about == POLICY and kind != EXPECTATION:
        chosen = best_target(kind, begin, degree, targets, values)
    if about == TIES and kind == seat:
        most = most_progress(sign, value, begin, begin + degree, targets, values, progress)
    for index in range(degree):
        target = int(targets[begin + index])
        weight = 1.0
        if kind == EXPECTATION:
            weight = chances[luck + index]
        elif not counts(about, seat, value, kind, target, chosen, most, values, progress):
            continue
        elif about == TIES:
            weight = 1.0 / degree
        elif about == POLICY:
            chosen = -1  # once is enough, although several actions may lead there
        is_one = about == PROGRESS and not is_ahead(sign, values[target])
        is_term = target >= others
        if low <= target < high:
            is_term = is_open[target - low]
        elif folded <= target < others:
            is_term = is_open[target - folded + high - low]
        if is_term and not is_one:
            terms[work[TERMS]] = target
            work[TERMS] += 1
            if new_kind == EXPECTATION:
                weights[work[WEIGHTS]] = weight
                work[WEIGHTS] += 1
            continue
        one = 1.0 if is_one else float(known[target])
        if new_kind == EXPECTATION:
            constant += weight * one
        else:
            constant = max(constant, one) if new_kind == MAXIMUM else min(constant, one)
    return constant


@compiled
def matrix_number(about, seat, number, kind, degree, begin, targets, known, solved, matrices):
    """Return the value, progress or tie value at a simultaneous move, and the gap of the value."""
    values, _ = solved
    games, mixtures, tableau = matrices
    columns = kind - MATRIX
    rows = degree // columns
    if about == VALUES:
        first, second = mixtures[0], mixtures[1]
        gather(0, 1.0, values, targets, begin, rows, columns, games[0])
        value = solve(games[0], rows, columns, first, second, tableau)
        least, most = guarantees(games[0], rows, columns, first, second)
        return value, most - least
    tie_value, least = best_strategy(
        seat, values[number], begin, rows, columns, targets, solved, known, mixtures[0], matrices
    )
    return least if about == PROGRESS else tie_value, 0.0


@shared
def kind_of_state(kinds, node):
    """Return the kind of the state into which a node is folded."""
    while kinds[node] < 0:
        node += 1
    return int(kinds[node])


@shared
def evaluate_folded(
    about, seat, mover, number, kind, begin, degree, luck, targets, chances, values, progress
):
    """Compute the value and the progress of a folded node, as far as its equation needs them.

    `mover` is the kind of the state that it is folded into.
    """
    if about == POLICY or about == PROGRESS or (about == TIES and seat in (mover, kind)):
        values[number] = plain_value(kind, begin, degree, targets, chances, luck, values)
    if about == TIES and mover == seat:
        progress[number] = plain_progress(
            values[number], kind, begin, degree, targets, chances, luck, values, progress
        )


@compiled
def write_equations(transitions, equations, known, solved, about, seat, discount):
    """Write the equations of a block, and settle what can be settled.

    `known` has the numbers that the equations are about, `solved` values and progress. Return the
    greatest change of a state that is settled.
    """
    kinds, degrees, targets, chances, transition_work = transitions
    numbers, new_kinds, new_degrees, constants, terms, weights, is_open, work = equations
    values, progress = solved
    low, high, first = transition_work[LOW], transition_work[HIGH], transition_work[FOLDED]
    others = transition_work[OTHERS] if transition_work[OTHERS] > 0 else NO_OTHERS
    work[:] = 0
    is_open[: high - low] = True
    sign, change = 1.0 if seat == 0 else -1.0, 0.0
    place = chance_at = 0
    state, folded, mover = transition_work[END], first, 0
    for node in range(transition_work[NODES]):
        is_state, degree = kinds[node] >= 0, int(degrees[node])
        kind = int(kinds[node]) if is_state else -1 - int(kinds[node])
        begin, luck = int(place), int(chance_at)
        place += degree
        chance_at += degree if kind == EXPECTATION else 0
        if is_state:
            state, folded = state - 1, first
            number, flag = state, state - low if low < high else -1
        else:
            mover = kind_of_state(kinds, node) if folded == first else mover
            number, flag = folded, folded - first + high - low
            folded += 1
        if flag >= 0:
            is_open[flag] = False
        if not is_state:
            if about == PROGRESS and not is_ahead(sign, values[state - 1]):
                continue  # nobody asks
            evaluate_folded(
                about, seat, mover, number, kind, begin, degree, luck,
                targets, chances, values, progress,
            )  # fmt: skip
        value = values[number]
        if about == PROGRESS and not is_ahead(sign, value):
            if not is_state or not is_ahead(-sign, value):
                known[number] = 1.0
            continue
        if degree == 0:
            continue
        before = work[TERMS]
        if kind >= MATRIX:
            constant = copy_targets(begin, degree, targets, terms, work)
        else:
            constant = write_terms(
                about, seat, value, kind, begin, degree, luck, (low, high, first, others),
                targets, chances, known, values, progress, terms, weights, is_open, work,
            )  # fmt: skip
        if work[TERMS] > before:
            numbers[work[COUNT]] = number
            new_kinds[work[COUNT]] = kind_of_equation(kind, about, seat)
            constants[work[COUNT]], new_degrees[work[COUNT]] = constant, work[TERMS] - before
            work[COUNT] += 1
            if flag >= 0:
                is_open[flag] = True
            known[number] = 0.0 if about == PROGRESS else known[number]
        else:
            found = discount_of(about, is_state, discount) * constant
            change = max(change, abs(found - known[number]) if is_state else 0.0)
            known[number] = found
    return change


@compiled
def begin_with_0(equations, first_folded, known):
    """Let all states that are not settled begin with 0."""
    for at in range(equations.work[COUNT]):
        if equations.numbers[at] < first_folded:
            known[equations.numbers[at]] = 0.0


@compiled
def sweep(equations, first_folded, known, solved, about, seat, discount, matrices):
    """Compute every number from its targets; return the greatest change, zeros, and the gap.

    Only states count, and not the nodes that are folded into them.
    """
    numbers, kinds, degrees, constants, targets, weights, _, work = equations
    change = gap = 0.0
    place = weight_at = zeros = 0
    for at in range(work[COUNT]):
        kind, degree, number = int(kinds[at]), int(degrees[at]), int(numbers[at])
        found = constants[at]
        if kind == EXPECTATION:
            for index in range(degree):
                found += weights[weight_at + index] * known[targets[place + index]]
            weight_at += degree
        elif kind == MAXIMUM:
            for index in range(place, place + degree):
                found = max(found, known[targets[index]])
        elif kind == MINIMUM:
            for index in range(place, place + degree):
                found = min(found, known[targets[index]])
        else:
            found, wide = matrix_number(
                about, seat, number, kind, degree, int(place), targets, known, solved, matrices
            )
            gap = max(gap, wide)
        place += degree
        is_state = number < first_folded
        found *= discount_of(about, is_state, discount)
        if is_state:
            change = max(change, abs(found - known[number]))
            zeros += found == 0.0
        known[number] = found
    return change, zeros, gap
