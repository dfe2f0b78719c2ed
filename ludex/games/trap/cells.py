"""The cells of the trap board as bit sets: players, traps and neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludex.kernel.jit import shared

if TYPE_CHECKING:
    from ludex.games.trap import Trap, TrapRules

LARGEST_SIZE = 7
CELLS = LARGEST_SIZE**2
STEP, THROW, LAND = range(3)


def distance_table() -> np.ndarray:
    """Return the Manhattan distance of any two cells, for every size of the board."""
    table = np.zeros((LARGEST_SIZE + 1, CELLS, CELLS), np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        rows, columns = np.divmod(np.arange(size * size), size)
        apart = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)
        table[size, : size * size, : size * size] = apart
    return table


def neighbour_table() -> np.ndarray:
    """Return the up to eight neighbours of any cell as bits, for every size of the board."""
    table = np.zeros((LARGEST_SIZE + 1, CELLS), np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        rows, columns = np.divmod(np.arange(size * size), size)
        for cell in range(size * size):
            near = (abs(rows - rows[cell]) <= 1) & (abs(columns - columns[cell]) <= 1)
            table[size, cell] = sum(1 << int(other) for other in near.nonzero()[0] if other != cell)
    return table


def column_table(column: int) -> np.ndarray:
    """Return the first column (0) or the last (-1) as bits, for every size of the board."""
    table = np.zeros(LARGEST_SIZE + 1, np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        table[size] = sum(1 << row * size + column % size for row in range(size))
    return table


def mirror_table() -> np.ndarray:
    """Return a row of cells as bits seen in a mirror, for every size of the board."""
    table = np.zeros((LARGEST_SIZE + 1, 1 << LARGEST_SIZE), np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        for row in range(1 << size):
            table[size, row] = sum(1 << size - 1 - cell for cell in range(size) if row >> cell & 1)
    return table


def place_tables() -> tuple[np.ndarray, np.ndarray]:
    """Return the row and the column of any cell, for every size of the board."""
    rows, columns = np.zeros((2, LARGEST_SIZE + 1, CELLS), np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        rows[size], columns[size] = np.divmod(np.arange(CELLS), size)
    return rows, columns


# Compiled code reads a table faster than it divides a cell into row and column.
ROWS, COLUMNS = place_tables()
DISTANCES, NEIGHBOURS = distance_table(), neighbour_table()
FIRST_COLUMN, LAST_COLUMN = column_table(0), column_table(-1)
MIRRORED = mirror_table()


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
    """Return the cells that a seat could step to as bits."""
    cell = state.cell1 if seat == 0 else state.cell2
    return neighbours(rules, cell) & ~(state.traps | players(state))


@shared
def mirror_cells(rules, cells):
    """Return cells as bits with left and right exchanged."""
    seen = 0
    for row in range(rules.size):
        bits = cells >> rules.size * row & (1 << rules.size) - 1
        seen |= int(MIRRORED[rules.size, bits]) << rules.size * row
    return seen


@shared
def hit_chance(rules, state):
    """Return the probability that the trap in the air lands where it was aimed."""
    thrower = state.cell1 if state.seat == 0 else state.cell2
    return 1.0 - 0.05 * (DISTANCES[rules.size, thrower, state.target] - 1)


# For people. ------------------------------------------------------------------------------------


def cell_text(rules: TrapRules, cell: int) -> str:
    """Return a cell as ROW,COLUMN."""
    return "{},{}".format(*divmod(cell, rules.size))


def marks(rules: TrapRules, state: Trap) -> list[str]:
    """Return the mark of each cell: 1 and 2 for the seats, x for a trap, a dot for nothing."""
    cells = ["x" if state.traps >> cell & 1 else "." for cell in range(rules.size**2)]
    cells[state.cell1], cells[state.cell2] = "1", "2"
    return cells
