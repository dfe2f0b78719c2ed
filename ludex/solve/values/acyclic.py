"""The value of a state that play never comes back to, computed at once from its successors.

In many games every move changes a field that only rises or only falls. Nothing is iterated there,
and successors need not be kept: they are computed from the rules where they are asked for. The
result is that of the equations (`iteration.py`), bit for bit.
"""

import numpy as np

from ludex.core.rules import Rules, returns
from ludex.kernel.jit import shared
from ludex.solve.states import exploration
from ludex.solve.states.index import number_of
from ludex.solve.states.keys import guard_fields, unpack
from ludex.solve.states.listing import Listing
from ludex.solve.states.successors import EXPECTATION, MATRIX, TERMINAL, expand
from ludex.solve.values.equations import VALUES, matrix_number
from ludex.solve.values.progress_measure import plain_progress
from ludex.solve.values.tie_breaking import (
    TIE_DISCOUNT,
    best_strategy,
    is_tie_optimal,
    most_progress,
)
from ludex.solve.values.transitions import plain_value

SAMPLED = 500  # states by which it is guessed whether play can stay in a block
ON_A_CYCLE = -1.0  # what `evaluate_state` returns if that is possible


def seems_acyclic(rules: Rules, listing: Listing, shift: int) -> bool:
    """Return whether every move leads out of its block, in a sample of the states.

    A key is shifted to what the states of a block have in common.
    """
    expander = exploration.Expander(rules)
    room = np.zeros(len(expander.scratch.targets), np.int64)
    source = listing, guard_fields(listing.fields), np.zeros(0, np.int64)
    for number in np.unique(np.linspace(0, len(listing.keys) - 1, SAMPLED, dtype=np.int64)):
        expander.begin(len(listing.keys), room)
        expander.expand(source, (int(number), int(number) + 1))
        targets = expander.scratch.targets[: expander.work[exploration.TARGET_COUNT]]
        if (targets[targets >= 0] >> shift == listing.keys[number] >> shift).any():
            return False
    return True


@shared
def number_targets(written, own, shift, folded, keys, lookup, targets):
    """Replace keys of targets by numbers; return whether all of them are in other blocks.

    `own` is the key of the state itself, and `folded` the number of the first folded node.
    """
    for place in range(written):
        key = int(targets[place])
        if key < 0:
            targets[place] = folded - 1 - key
        elif key >> shift == own >> shift:
            return False
        else:
            targets[place] = number_of(key, keys, lookup)
    return True


@shared
def tie_value_of(seat, value, kind, place, degree, targets, chances, solved, ties, matrices):
    """Return the tie value of a seat at a node, before it is discounted."""
    values, progress = solved
    if kind >= MATRIX:
        columns = kind - MATRIX
        tie_value, _ = best_strategy(
            seat, value, place, degree // columns, columns, targets, solved, ties, matrices[1][0],
            matrices,
        )  # fmt: skip
        return tie_value
    if kind == seat:
        sign, best = 1.0 if seat == 0 else -1.0, -np.inf
        most = most_progress(sign, value, place, place + degree, targets, values, progress)
        for index in range(place, place + degree):
            target = targets[index]
            if is_tie_optimal(sign, value, target, values, progress, most):
                best = max(best, ties[target])
        return best
    mean = 0.0
    for index in range(place, place + degree):
        weight = chances[index] if kind == EXPECTATION else 1.0 / degree
        mean += weight * ties[targets[index]]
    return mean


@shared
def evaluate_nodes(nodes, number, folded, kinds, degrees, targets, chances, known, matrices):
    """Write the values and tie values of nodes, of which the last is a state; return its gap."""
    values, tie_values, progress = known
    place, gap = 0, 0.0
    for node in range(nodes):
        kind, degree = int(kinds[node]), int(degrees[node])
        here = number if node == nodes - 1 else folded + node
        if kind >= MATRIX:
            value, gap = matrix_number(
                VALUES, 0, here, kind, degree, place, targets, values, (values, progress), matrices
            )
        else:
            value = plain_value(kind, place, degree, targets, chances, place, values)
        values[here] = value
        if node < nodes - 1:
            progress[here] = plain_progress(
                value, kind, place, degree, targets, chances, place, values, progress
            )
        for seat in range(2):
            ties = tie_values[seat]
            ties[here] = TIE_DISCOUNT * tie_value_of(
                seat, value, kind, place, degree, targets, chances, (values, progress), ties,
                matrices,
            )  # fmt: skip
        place += degree
    return gap


@shared
def evaluate_state(rules, number, listing, shift, folded, known, scratch, matrices):
    """Write the value and tie values of a state; return the gap of its value, or ON_A_CYCLE."""
    like, folding, fields, keys, lookup = listing
    values, tie_values, _ = known
    kinds, degrees, targets, chances, own, seen = scratch
    key = int(keys[number])
    state = unpack(like, key, fields)
    nodes, written = expand(
        rules, state, folding, fields, kinds, degrees, targets, chances, own, seen
    )
    if kinds[nodes - 1] == TERMINAL:
        values[number] = returns(rules, state, 0)
        tie_values[0, number], tie_values[1, number] = values[number], -values[number]
        return 0.0
    if not number_targets(written, key, shift, folded, keys, lookup, targets):
        return ON_A_CYCLE
    return evaluate_nodes(nodes, number, folded, kinds, degrees, targets, chances, known, matrices)
