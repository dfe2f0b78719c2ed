"""A twin of examples/tictactoe.py whose state has a tuple of cells instead of bits."""

from pathlib import Path

from ludex import Game, load

BITS = Path("examples/tictactoe.py")

TUPLE = '''
"""Tic-tac-toe on a tuple of nine cells."""

from typing import NamedTuple

from ludex.core.rules import OVER
from ludex.kernel.jit import shared
from ludex.kernel.tuples import replace_at

ACTIONS = 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class CellsRules(NamedTuple):
    pass


class Cells(NamedTuple):
    cells: tuple[int, ...]  # 0 if free, else 1 for a cross and 2 for a nought
    seat: int


def initial(rules):
    return Cells((0,) * 9, 0)


@shared
def has_line(cells, mark):
    for first, second, third in LINES:
        if cells[first] == mark and cells[second] == mark and cells[third] == mark:
            return True
    return False


def turn(rules, state):
    if has_line(state.cells, 1) or has_line(state.cells, 2):
        return OVER
    for cell in state.cells:
        if cell == 0:
            return state.seat
    return OVER


def legal(rules, state, seat, action):
    return state.cells[action] == 0


def apply(rules, state, move):
    return Cells(replace_at(state.cells, move, state.seat + 1), 1 - state.seat)


def returns(rules, state, seat):
    if has_line(state.cells, 1):
        return 1.0 if seat == 0 else -1.0
    if has_line(state.cells, 2):
        return 1.0 if seat == 1 else -1.0
    return 0.0


def label(rules, state, move):
    return f"cell {move + 1}"
'''


def tuple_board(folder: Path) -> Game:
    """Return tic-tac-toe on a tuple, from a file in a folder."""
    file = folder / "cells.py"
    file.write_text(TUPLE, encoding="utf-8")
    return load(file)


def both_boards(folder: Path) -> tuple[Game, Game]:
    """Return tic-tac-toe on bits, and on a tuple."""
    return load(BITS), tuple_board(folder)
