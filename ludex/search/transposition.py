"""A transposition table of bounded size.

A row holds a complete state, so that two states are never confused, and a note: the depth, the
search, whether the value is exact or a bound, and the best action. The value is in the same
memory, read as a float. A depth must match exactly: a deeper value would be better, but differ
from that of a search without the table.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import State
from ludex.kernel.hashing import mix, mix_all
from ludex.kernel.jit import shared

# Places in the array of ints that a search with a table works with.
STOP, NODES, GUESSED, SEARCH = range(4)

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
NO_ACTION = 63

# A note, from its lowest bits: action, bound, search, depth.
BOUND_AT, SEARCH_AT, DEPTH_AT = 6, 8, 16
SEARCHES = 1 << (DEPTH_AT - SEARCH_AT)


class TranspositionTable(NamedTuple):
    """Rows of states with notes, and their values; the number of rows is a power of two."""

    rows: np.ndarray
    values: np.ndarray


def make_table(state: State, mebibytes: int) -> TranspositionTable:
    """Return an empty table for states of this kind that takes at most this much memory."""
    width = len(state) + 2
    fit = (mebibytes << 20) // (8 * width)
    rows = np.zeros((1 << fit.bit_length() - 1 if fit else 0, width), np.int64)
    return TranspositionTable(rows, rows.view(np.float64)[:, -1])


def next_search(table: TranspositionTable, search: int) -> int:
    """Return the number of the search after this one.

    When the numbers begin again every note goes, or one of an old search would pass for new.
    """
    search = (search + 1) % SEARCHES
    if search == 0:
        table.rows[:, -2] = 0
    return search


@shared
def row_of(state, depth, rows):
    """Return the row in which a state searched to a depth stands, if it stands there at all.

    Depths of one state stand in different rows: in a game whose lines meet after any number of
    moves they would drive out one another, and the search would take for ever.
    """
    # Small numbers would cancel one another, so the depth is spread over all bits first.
    return mix_all(mix(0, depth), state) & (rows.shape[0] - 1)


@shared
def holds(state, rows, row):
    """Return whether a row has this very state."""
    for place in range(len(state)):
        if rows[row, place] != state[place]:
            return False
    return rows[row, len(state)] != 0


@shared
def note_of(depth, search, bound, action):
    """Return a note, which is never 0."""
    return depth << DEPTH_AT | search << SEARCH_AT | bound << BOUND_AT | action


@shared
def note_action(note):
    """Return the best action in a note."""
    return note & NO_ACTION


@shared
def note_bound(note):
    """Return whether the value is exact or a bound."""
    return note >> BOUND_AT & 3


@shared
def note_matches(note, depth, search):
    """Return whether a note was made at this depth, in this search."""
    return note >> SEARCH_AT == depth << (DEPTH_AT - SEARCH_AT) | search


@shared
def keep(state, rows, values, row, note, value, search):
    """Write a state into its row, unless this search has a deeper one there."""
    place = len(state)
    old = rows[row, place]
    same_search = old >> SEARCH_AT & (SEARCHES - 1) == search
    if not same_search or old >> DEPTH_AT <= note >> DEPTH_AT:
        for index in range(place):
            rows[row, index] = state[index]
        rows[row, place] = note
        values[row] = value
