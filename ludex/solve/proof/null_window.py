"""Null-window searches to the end of the match, with a table of bounds.

A null-window search decides whether the value of a state is at least a given one. It looks up all
children before it searches one (enhanced transposition cutoffs); the others are ordered by the
game's own estimate. Bounds must not depend on the path to a state, so an infinite line has none:
it stops the search.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import OVER, State, apply, canonical, estimate, margin, moves, returns, turn
from ludex.kernel.bits import exclude, is_empty, lowest, members
from ludex.kernel.hash_table import empty_rows, holds
from ludex.kernel.hashing import mix_all
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import flatten, write_row

OBJECTIVES = ("outcome", "margin")
BY_MARGIN = OBJECTIVES.index("margin")
LONGEST_LINE = 256  # a longer line counts as infinite; Python's stack is deep enough

# Indices into the work array, and the values of the status.
STATUS, VISITED, NODE_LIMIT = range(3)
RUNNING, INTERRUPTED, ENDLESS, OUT_OF_NODES = range(4)


# The table: a row holds a state, the nodes spent on its bounds, and both bounds. -----------------


class BoundTable(NamedTuple):
    """Pairs of rows; `bounds` is the same memory read as floats."""

    rows: np.ndarray
    bounds: np.ndarray


def make_table(state: State, mebibytes: int) -> BoundTable:
    """Return an empty table for states of this type within a memory limit."""
    rows = empty_rows(state, 3, mebibytes, 2)
    return BoundTable(rows, rows.view(np.float64))


@shared
def pair_of(state, table):
    """Return the first of the two rows that may hold a state."""
    return mix_all(0, state) & (len(table.rows) - 2)


@shared
def row_of(state, table):
    """Return the row that holds a state, or -1."""
    row = pair_of(state, table)
    if holds(state, table.rows, row):
        return row
    return row + 1 if holds(state, table.rows, row + 1) else -1


@shared
def store_bounds(state, low, high, cost, table):
    """Store the bounds of a state, replacing the cheaper row of its pair if it has none."""
    row, place = row_of(state, table), len(flatten(state))
    if row < 0:
        row = pair_of(state, table)
        if table.rows[row + 1, place] < table.rows[row, place]:
            row += 1
        write_row(state, table.rows, row)
        table.rows[row, place] = 0
    table.rows[row, place] += cost
    table.bounds[row, place + 1] = low
    table.bounds[row, place + 2] = high


# The search. -------------------------------------------------------------------------------------


@shared
def known_bounds(rules, state, objective, table):
    """Return the known bounds on the value of a state."""
    if turn(rules, state) == OVER:
        value = float(margin(rules, state)) if objective == BY_MARGIN else returns(rules, state, 0)
        return value, value
    row = row_of(state, table)
    if row < 0:
        limit = np.inf if objective == BY_MARGIN else 1.0
        return -limit, limit
    place = len(flatten(state))
    return table.bounds[row, place + 1], table.bounds[row, place + 2]


@shared
def is_satisfied(mover, value, target):
    """Return whether the mover has reached its goal: seat 0 the target, seat 1 less."""
    return (value >= target) == (mover == 0)


@shared
def best_of(bits, ply, scores):
    """Return the action with the highest score at this ply, the first among equals."""
    best = lowest(bits)
    for action in members(exclude(bits, best)):
        if scores[ply, action] > scores[ply, best]:
            best = action
    return best


@compiled
def search(rules, state, objective, target, ply, table, scores, work):
    """Return a lower bound on the value that reaches the target, or an upper bound below it.

    Once work[STATUS] is not RUNNING, the bound is meaningless.
    """
    work[VISITED] += 1
    low, high = known_bounds(rules, state, objective, table)
    if low >= target:
        return low
    if high < target:
        return high
    if ply >= LONGEST_LINE or work[VISITED] > work[NODE_LIMIT]:
        work[STATUS] = ENDLESS if ply >= LONGEST_LINE else OUT_OF_NODES
        return 0.0

    before = work[VISITED]
    mover = turn(rules, state)
    bits = moves(rules, state, mover)
    best = -np.inf if mover == 0 else np.inf
    for action in members(bits):
        if is_satisfied(mover, best, target):
            break
        after = canonical(rules, apply(rules, state, action))
        least, most = known_bounds(rules, after, objective, table)
        if least < target <= most:
            scores[ply, action] = estimate(rules, after, mover)
        else:
            bits = exclude(bits, action)
            value = least if least >= target else most
            best = max(best, value) if mover == 0 else min(best, value)
    while not is_empty(bits) and not is_satisfied(mover, best, target):
        action = best_of(bits, ply, scores)
        bits = exclude(bits, action)
        after = canonical(rules, apply(rules, state, action))
        value = search(rules, after, objective, target, ply + 1, table, scores, work)
        if work[STATUS] != RUNNING:
            return 0.0
        best = max(best, value) if mover == 0 else min(best, value)

    if best >= target:
        low = max(low, best)
    else:
        high = min(high, best)
    store_bounds(state, low, high, work[VISITED] - before + 1, table)
    return best
