"""Tic-tac-toe: three in a row, column or diagonal win."""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import NO_MOVE, OVER
from ludex.core.scene import Scene, Shape, panel
from ludex.io.text import read_int, read_parts

TITLE = "Tic-tac-toe"
KIND = "turns, no chance, 2 seats"
VERSION = 1
ACTIONS = 9
# The cells are bits:
# 0 1 2
# 3 4 5
# 6 7 8
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777
WON = np.array([any(cells & line == line for line in LINES) for cells in range(FULL + 1)])
CROSS = """<path d="M-38-38 38 38M38-38-38 38" fill="none" stroke="{main}" stroke-width="18"
 stroke-linecap="round"/>"""


class TicTacToeRules(NamedTuple):
    pass


class TicTacToe(NamedTuple):
    crosses: int
    noughts: int
    seat: int


def initial(rules):
    return TicTacToe(0, 0, 0)


def turn(rules, state):
    if WON[state.crosses] or WON[state.noughts]:
        return OVER
    return OVER if state.crosses | state.noughts == FULL else state.seat


def moves(rules, state, seat):
    return FULL & ~(state.crosses | state.noughts)


def apply(rules, state, move):
    if state.seat == 0:
        return TicTacToe(state.crosses | 1 << move, state.noughts, 1)
    return TicTacToe(state.crosses, state.noughts | 1 << move, 0)


def returns(rules, state, seat):
    if WON[state.crosses]:
        return 1.0 if seat == 0 else -1.0
    if WON[state.noughts]:
        return 1.0 if seat == 1 else -1.0
    return 0.0


def view_shape(rules):
    return 3, 3, 3


def view(rules, state, seat, planes):
    # Planes: own cells, the opponent's, and whether it is the seat's turn.
    for cell in range(9):
        crosses, noughts = state.crosses >> cell & 1, state.noughts >> cell & 1
        planes[seat, cell // 3, cell % 3] = crosses
        planes[1 - seat, cell // 3, cell % 3] = noughts
    planes[2] = 1 if state.seat == seat else 0


def seat_name(rules: TicTacToeRules, seat: int) -> str:
    return ("X", "O")[seat]


def label(rules: TicTacToeRules, state: TicTacToe, move: int) -> str:
    return f"cell {move + 1}"


def read_position(rules: TicTacToeRules, text: str) -> TicTacToe:
    crosses, noughts, seat = read_parts(text, "CROSSES NOUGHTS SEAT")
    state = TicTacToe(
        read_int(crosses, "CROSSES", 0, FULL),
        read_int(noughts, "NOUGHTS", 0, FULL),
        read_int(seat, "SEAT", 0, 1),
    )
    if state.crosses & state.noughts:
        raise ValueError("CROSSES and NOUGHTS: expected different cells")
    if WON[state.crosses] and WON[state.noughts]:
        raise ValueError("CROSSES and NOUGHTS: expected at most one of them with a line")
    return state


def render(rules: TicTacToeRules, state: TicTacToe, last: int = NO_MOVE) -> str:
    marks = []
    for cell in range(9):
        if state.crosses >> cell & 1:
            marks.append("[bold cyan]X[/]")
        elif state.noughts >> cell & 1:
            marks.append("[bold red]O[/]")
        else:
            marks.append(f"[dim]{cell + 1}[/]")
    return "\n".join("  " + " ".join(marks[row : row + 3]) for row in (0, 3, 6))


def scene(rules: TicTacToeRules, state: TicTacToe, last: int = NO_MOVE) -> Scene:
    offered = 0 if turn(rules, state) == OVER else moves(rules, state, state.seat)
    lines = [line for line in LINES if line in (state.crosses & line, state.noughts & line)]
    shapes = [panel(340, 340)]
    for cell in range(9):
        x, y, name = 100.0 * (cell % 3) + 70, 100.0 * (cell // 3) + 70, f"cell {cell + 1}"
        colour = "yellow" if any(line >> cell & 1 for line in lines) else "mist"
        action = cell if offered >> cell & 1 else NO_MOVE
        shapes.append(Shape(f"cell-{cell}", "box", x, y, 92, 92, colour, name, action=action))
        if state.crosses >> cell & 1:
            shapes.append(Shape(f"mark-{cell}", CROSS, x, y, 60, 60, "blue"))
        elif state.noughts >> cell & 1:
            shapes.append(Shape(f"mark-{cell}", "ring", x, y, 52, 52, "red", stroke=11))
    return Scene(340, 340, tuple(shapes))
