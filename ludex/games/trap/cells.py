"""The cells of the trap board as bit sets: players, traps and neighbours."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ludex.core.rules import Rules, State
from ludex.kernel.jit import shared

LARGEST_SIZE = 7
CELLS = LARGEST_SIZE**2
STEP, THROW, LAND = range(3)


def for_every_size(table_of: Callable[[int], np.ndarray], *shape: int) -> np.ndarray:
    """Return an array of the tables of every size of the board, padded with 0."""
    tables = np.zeros((LARGEST_SIZE + 1, *shape), np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        table = table_of(size)
        inside: Any = tuple(slice(length) for length in table.shape)
        tables[(size, *inside)] = table
    return tables


def distance_table(size: int) -> np.ndarray:
    """Return the Manhattan distance of any two cells."""
    rows, columns = np.divmod(np.arange(size * size), size)
    return np.asarray(abs(rows[:, None] - rows) + abs(columns[:, None] - columns))


def neighbour_table(size: int) -> np.ndarray:
    """Return the up to eight neighbours of any cell as bits."""
    rows, columns = np.divmod(np.arange(size * size), size)
    apart = np.maximum(abs(rows[:, None] - rows), abs(columns[:, None] - columns))
    return np.asarray((apart == 1) @ (1 << np.arange(size * size)))


def column_bits(size: int, column: int) -> np.ndarray:
    """Return a column as bits."""
    return np.asarray(np.sum(1 << (np.arange(size) * size + column)))


# Compiled code reads a table faster than it divides a cell into row and column.
ROWS = for_every_size(lambda size: np.arange(CELLS) // size, CELLS)
COLUMNS = for_every_size(lambda size: np.arange(CELLS) % size, CELLS)
DISTANCES = for_every_size(distance_table, CELLS, CELLS)
NEIGHBOURS = for_every_size(neighbour_table, CELLS)
FIRST_COLUMN = for_every_size(lambda size: column_bits(size, 0))
LAST_COLUMN = for_every_size(lambda size: column_bits(size, size - 1))


@shared
def neighbours(rules, cell):
    """Return the cells around a cell as bits."""
    return int(NEIGHBOURS[rules.size, cell])


@shared
def players(state):
    """Return the cells of both seats as bits."""
    return 1 << state.cell1 | 1 << state.cell2


@shared
def free_cells(rules, state):
    """Return the cells that hold neither a trap nor a seat as bits."""
    return ((1 << rules.size * rules.size) - 1) & ~(state.traps | players(state))


@shared
def spread(rules, cells):
    """Return cells as bits with all their neighbours; bits beyond the last row are not cells."""
    wide = cells | (cells & ~int(LAST_COLUMN[rules.size])) << 1
    wide |= (cells & ~int(FIRST_COLUMN[rules.size])) >> 1
    return wide | wide << rules.size | wide >> rules.size


@shared
def steps(rules, state, seat):
    """Return the cells that a seat can step to, as bits."""
    cell = state.cell1 if seat == 0 else state.cell2
    return neighbours(rules, cell) & ~(state.traps | players(state))


@shared
def hit_chance(rules, state):
    """Return the probability that the trap in the air lands where it was aimed."""
    thrower = state.cell1 if state.seat == 0 else state.cell2
    return 1.0 - 0.05 * (DISTANCES[rules.size, thrower, state.target] - 1)


# For people. ------------------------------------------------------------------------------------


def cell_text(rules: Rules, cell: int) -> str:
    """Return a cell as ROW,COLUMN."""
    return "{},{}".format(*divmod(cell, rules.size))


def marks(rules: Rules, state: State) -> list[str]:
    """Return the mark of each cell: 1 and 2 for the seats, x for a trap, a dot for nothing."""
    cells = ["x" if state.traps >> cell & 1 else "." for cell in range(rules.size**2)]
    cells[state.cell1], cells[state.cell2] = "1", "2"
    return cells
