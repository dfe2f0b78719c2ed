"""A transposition table of bounded size.

A row holds a complete state, so that two states are never confused, and an entry: the depth, the
search, whether the value is exact or a bound, and the best action. The value is in the same
memory, read as a float. Depths must match exactly: the value of a deeper search would be better,
but differ from that of a search without the table.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import State
from ludex.kernel.hash_table import empty_rows
from ludex.kernel.hashing import mix, mix_all
from ludex.kernel.jit import shared
from ludex.kernel.tuples import flatten, write_row

# Indices into the work array of a search with a table.
STOP, NODES, ESTIMATED, SEARCH = range(4)

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
NO_ACTION = 2047

# An entry, from its lowest bits: action, bound, search, depth.
BOUND_AT, SEARCH_AT, DEPTH_AT = 11, 13, 21
SEARCHES = 1 << (DEPTH_AT - SEARCH_AT)


class TranspositionTable(NamedTuple):
    """Rows of states with entries, and the same memory as floats: the last one is the value.

    The number of rows is a power of two, or 0.
    """

    rows: np.ndarray
    values: np.ndarray


def make_table(state: State, mebibytes: int) -> TranspositionTable:
    """Return an empty table for states of this type within a memory limit."""
    rows = empty_rows(state, 2, mebibytes)
    # Whole rows, not a column: without rows a column has another type, to be compiled for.
    return TranspositionTable(rows, rows.view(np.float64))


def next_search(table: TranspositionTable, search: int) -> int:
    """Return the number of the next search.

    Clear the table when the counter wraps, so that old entries do not look new.
    """
    search = (search + 1) % SEARCHES
    if search == 0:
        table.rows[:, -2] = 0
    return search


@shared
def row_of(state, depth, rows):
    """Return the only row that may hold a state searched to a depth.

    Different depths of a state have different rows. Otherwise they would evict one another in
    games with transpositions at different plies, and the search would never end.
    """
    # The depth is hashed first: small numbers would cancel out.
    return mix_all(mix(0, depth), state) & (rows.shape[0] - 1)


@shared
def entry_action(entry):
    """Return the best action of an entry."""
    return entry & NO_ACTION


@shared
def bound_of(value, low, high):
    """Return whether the result of a search with this window is exact or a bound."""
    return AT_MOST if value <= low else AT_LEAST if value >= high else EXACT


@shared
def decides(entry, value, depth, search, low, high):
    """Return whether an entry of this depth and search makes searching this window unnecessary."""
    bound = entry >> BOUND_AT & 3
    return entry >> SEARCH_AT == depth << (DEPTH_AT - SEARCH_AT) | search and (
        bound == EXACT
        or (bound == AT_LEAST and value >= high)
        or (bound == AT_MOST and value <= low)
    )


@shared
def store(state, rows, values, row, depth, search, bound, action, value):
    """Write a state into its row, unless it holds a deeper entry of this search."""
    place = len(flatten(state))
    old = rows[row, place]
    same_search = old >> SEARCH_AT & (SEARCHES - 1) == search
    if not same_search or old >> DEPTH_AT <= depth:
        write_row(state, rows, row)
        rows[row, place] = depth << DEPTH_AT | search << SEARCH_AT | bound << BOUND_AT | action
        values[row, -1] = value
