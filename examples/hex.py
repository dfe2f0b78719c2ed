"""Hex: join your two sides of the board with a chain of stones."""

from typing import Any, NamedTuple

import numpy as np

from ludex.core.rules import NO_MOVE, OVER, Rule
from ludex.core.scene import OFFER, Scene, Shape, panel, plate
from ludex.io.text import read_int, read_parts, read_rows
from ludex.kernel.bits import as_word, contains, exclude, include, is_empty, lowest, members, size
from ludex.kernel.jit import shared

TITLE = "Hex"
KIND = "turns, no chance, 2 seats"
VERSION = 1
LARGEST_SIZE = 11
SWAP = LARGEST_SIZE**2
ACTIONS = SWAP + 1  # cells, row by row from a1, then the swap
LEVELS = {
    "easy": "random",
    "medium": "mcts:sims=500",
    "hard": "mcts:sims=5000",
    "best": "mcts:seconds=2",
}


class HexRules(NamedTuple):
    size: int = LARGEST_SIZE
    swap: int = 1


RULES = {
    "size": Rule(3, LARGEST_SIZE, "how many rows and columns the board has"),
    "swap": Rule(0, 1, "1 if Blue may answer the first stone by taking it over"),
}


class Hex(NamedTuple):
    # Sets of cells in two words, 64 cells in the first. Linked stones are joined to the first side
    # of their colour: the top for Red, the left for Blue.
    red: int
    red_more: int
    blue: int
    blue_more: int
    linked: int
    linked_more: int
    seat: int


# Tables for every size of the board, of sets in two words. ----------------------------------------


def words(cells: set[int]) -> list[int]:
    """Return a set of cells in two words."""
    bits = sum(1 << cell for cell in cells)
    return [as_word(bits), as_word(bits >> 64)]


def around(size: int, cell: int) -> set[int]:
    """Return the up to six neighbours of a cell."""
    row, column = divmod(cell, size)
    steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
    places = [(row + down, column + right) for down, right in steps]
    return {size * a + b for a, b in places if 0 <= a < size and 0 <= b < size}


SIZES = range(LARGEST_SIZE + 1)
BOARDS = np.array([words(set(range(n * n))) for n in SIZES])
BOTTOMS = np.array([words(set(range(n * n - n, n * n))) for n in SIZES])
RIGHTS = np.array([words({n * row + n - 1 for row in range(n)}) for n in SIZES])
NEIGHBOURS = np.array(
    [[words(around(n, cell) if cell < n * n else set()) for cell in range(SWAP)] for n in SIZES]
)


@shared
def row_of(table, rules):
    """Return the set of a table for the size of the board."""
    return int(table[rules.size, 0]), int(table[rules.size, 1])


# The rules. ---------------------------------------------------------------------------------------


def initial(rules):
    return Hex(0, 0, 0, 0, 0, 0, 0)


@shared
def has_won(rules, state, seat):
    """Return whether a linked stone of the seat lies at the second side of its colour."""
    if seat == 0:
        low, high = row_of(BOTTOMS, rules)
        return state.linked & state.red & low | state.linked_more & state.red_more & high != 0
    low, high = row_of(RIGHTS, rules)
    return state.linked & state.blue & low | state.linked_more & state.blue_more & high != 0


def turn(rules, state):
    # Only the stone that was placed last may have joined two sides.
    return OVER if has_won(rules, state, 1 - state.seat) else state.seat


@shared
def may_swap(rules, state):
    """Return whether the first stone alone is on the board, and Blue may take it over."""
    if rules.swap == 0 or state.seat == 0 or state.blue | state.blue_more != 0:
        return False
    return size((state.red, state.red_more)) == 1


def moves(rules, state, seat):
    low, high = row_of(BOARDS, rules)
    cells = low & ~(state.red | state.blue), high & ~(state.red_more | state.blue_more)
    return include(cells, SWAP) if may_swap(rules, state) else cells


@shared
def link(rules, stones, linked, cell):
    """Return the linked stones with a cell and all stones that are joined to it."""
    linked = include(linked, cell)
    waiting: Any = include((0, 0), cell)
    while not is_empty(waiting):
        cell = lowest(waiting)
        low = int(NEIGHBOURS[rules.size, cell, 0]) & stones[0] & ~linked[0]
        high = int(NEIGHBOURS[rules.size, cell, 1]) & stones[1] & ~linked[1]
        linked = linked[0] | low, linked[1] | high
        waiting = exclude(waiting, cell)
        waiting = waiting[0] | low, waiting[1] | high
    return linked


@shared
def touches(rules, stones, linked, cell):
    """Return whether a cell has a neighbour among the stones that are linked."""
    low = int(NEIGHBOURS[rules.size, cell, 0]) & stones[0] & linked[0]
    return low | int(NEIGHBOURS[rules.size, cell, 1]) & stones[1] & linked[1] != 0


def apply(rules, state, move):
    if move == SWAP:
        # Red's stone becomes Blue's, mirrored, so that it is worth to Blue what it was to Red.
        cell = lowest((state.red, state.red_more))
        mirrored = cell % rules.size * rules.size + cell // rules.size
        return place(rules, Hex(0, 0, 0, 0, 0, 0, 1), mirrored)
    return place(rules, state, move)


@shared
def place(rules, state, cell):
    """Return the state after a stone of the seat to move."""
    red: Any = state.red, state.red_more
    blue: Any = state.blue, state.blue_more
    linked: Any = state.linked, state.linked_more
    if state.seat == 0:
        red = include(red, cell)
        if cell < rules.size or touches(rules, red, linked, cell):
            linked = link(rules, red, linked, cell)
    else:
        blue = include(blue, cell)
        if cell % rules.size == 0 or touches(rules, blue, linked, cell):
            linked = link(rules, blue, linked, cell)
    return Hex(red[0], red[1], blue[0], blue[1], linked[0], linked[1], 1 - state.seat)


def returns(rules, state, seat):
    # Whoever placed the last stone has won, and it is now the other seat's turn.
    return -1.0 if seat == state.seat else 1.0


def view_shape(rules):
    return 4, rules.size, rules.size


def view(rules, state, seat, planes):
    # Planes: own stones, the opponent's; whether it is the seat's turn, and whether it is Red.
    red, blue = (state.red, state.red_more), (state.blue, state.blue_more)
    for row in range(rules.size):
        for column in range(rules.size):
            cell = row * rules.size + column
            planes[seat, row, column] = contains(red, cell)
            planes[1 - seat, row, column] = contains(blue, cell)
    planes[2] = 1 if state.seat == seat else 0
    planes[3] = 1 if seat == 0 else 0


# Text for people. -------------------------------------------------------------------------------

NAMES, COLOURS = ("Red", "Blue"), ("red", "blue")
LETTERS = "abcdefghijk"


def seat_name(rules: HexRules, seat: int) -> str:
    return NAMES[seat]


def label(rules: HexRules, state: Hex, move: int) -> str:
    if move == SWAP:
        return "swap"
    row, column = divmod(move, rules.size)
    return f"{LETTERS[column]}{row + 1}"


def marks(rules: HexRules, state: Hex) -> str:
    """Return a mark for each cell: r for red, b for blue, a dot for none."""
    cells = ["."] * rules.size**2
    for cell in members((state.red, state.red_more)):
        cells[cell] = "r"
    for cell in members((state.blue, state.blue_more)):
        cells[cell] = "b"
    return "".join(cells)


def position(rules: HexRules, state: Hex) -> str:
    cells, size = marks(rules, state), rules.size
    rows = "/".join(cells[start : start + size] for start in range(0, len(cells), size))
    return f"{rows} {state.seat}"


def read_position(rules: HexRules, text: str) -> Hex:
    rows, seat = read_parts(text, "ROW/ROW/… SEAT")
    cells = read_rows(rows, rules.size, ".rb")
    state: Hex = initial(rules)
    for cell, mark in enumerate(cells):
        if mark != ".":
            state = place(rules, state._replace(seat="rb".index(mark)), cell)
    state = state._replace(seat=read_int(seat, "SEAT", 0, 1))
    if has_won(rules, state, state.seat):
        raise ValueError(
            f"SEAT {seat!r}: expected the other seat, since {NAMES[state.seat]} has won"
        )
    return state


def render(rules: HexRules, state: Hex, last: int = NO_MOVE) -> str:
    signs = {"r": "[bold red]●[/]", "b": "[bold blue]●[/]", ".": "[dim]·[/]"}
    cells = [signs[mark] for mark in marks(rules, state)]
    lines = ["    [red]" + " ".join(LETTERS[: rules.size]) + "[/]"]
    for row in range(rules.size):
        here = " ".join(cells[row * rules.size : (row + 1) * rules.size])
        lines.append(f"{' ' * row}[blue]{row + 1:>3}[/] {here}")
    return "\n".join(lines)


# A picture. -------------------------------------------------------------------------------------

HEXAGON = '<path d="M0-50 50-25V25L0 50-50 25V-25Z" fill="{main}"/>'
STONE = """
<circle cy="4" r="46" fill="{ink}" opacity="0.3"/><circle r="46" fill="{main}"/>
<circle cx="-12" cy="-14" r="20" fill="{light}" opacity="0.5"/>"""


def scene(rules: HexRules, state: Hex, last: int = NO_MOVE) -> Scene:
    mover = turn(rules, state)
    offered = (0, 0) if mover == OVER else moves(rules, state, mover)
    wide = min(56.0, 520 / (1.5 * rules.size + 0.5))  # of a hexagon, also the distance of columns
    height = 160 + wide * (0.866 * rules.size + 1.2) + (62 if rules.swap else 0)
    shapes = [panel(600, height), *plates(rules, state, mover), *sides(rules, wide)]
    for cell, mark in enumerate(marks(rules, state)):
        x, y = middle_of(rules, wide, *divmod(cell, rules.size))
        name, action = label(rules, state, cell), cell if contains(offered, cell) else NO_MOVE
        here = Shape(f"cell-{name}", HEXAGON, x, y, 0.94 * wide, 1.086 * wide, "sand", name)
        shapes.append(here._replace(action=action))
        if mark != ".":
            stone, colour = 0.74 * wide, COLOURS["rb".index(mark)]
            shapes.append(Shape(f"stone-{name}", STONE, x, y, stone, stone, colour, name))
        if cell == last:
            shapes.append(Shape("last", "disc", x, y, 0.2 * wide, 0.2 * wide, "white"))
    if contains(offered, SWAP):
        button = Shape("swap", "pill", 300, height - 44, 150, 48, "yellow", "swap", action=SWAP)
        words = Shape("swap-text", "bold", 300, height - 44, 0, 20, text="swap")
        shapes += [button._replace(shows=OFFER), words._replace(shows=OFFER)]
    return Scene(600, height, tuple(shapes))


def middle_of(rules: HexRules, wide: float, row: float, column: float) -> tuple[float, float]:
    """Return the middle of a cell in the picture; each row is half a cell further right."""
    left = 300 - wide * (1.5 * rules.size - 1.5) / 2
    return left + wide * (column + row / 2), 160 + wide * (0.866 * row + 0.5)


def sides(rules: HexRules, wide: float) -> list[Shape]:
    """Return the coloured sides of the board, and the names of columns and rows."""
    near, far, shapes = -0.95, rules.size - 0.05, list[Shape]()
    corners = [(near, near), (near, far), (far, far), (far, near)]
    for place, (corner, after) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
        (x, y), (to_x, to_y) = middle_of(rules, wide, *corner), middle_of(rules, wide, *after)
        side = Shape(f"side-{place}", "line", x, y, to_x - x, to_y - y, COLOURS[place % 2])
        shapes.append(side._replace(stroke=0.28 * wide))
    for number in range(rules.size):
        (x, y), (to_x, to_y) = (
            middle_of(rules, wide, -1.55, number + 0.7),
            middle_of(rules, wide, number, -1.65),
        )
        name = LETTERS[number]
        shapes += [
            Shape(f"column-{name}", "text", x, y, 0, 15, "slate", name),
            Shape(f"row-{number + 1}", "text", to_x, to_y, 0, 15, "slate", str(number + 1)),
        ]
    return shapes


def plates(rules: HexRules, state: Hex, mover: int) -> list[Shape]:
    """Return the plates of both seats: what they join, whose turn it is and who has won."""
    shapes = []
    for seat, (x, aim) in enumerate(((158, "top and bottom"), (442, "left and right"))):
        lit = seat == (1 - state.seat if mover == OVER else mover)
        detail = ("has joined " if lit and mover == OVER else "joins ") + aim
        shapes += plate(seat, x, 268, NAMES[seat], detail, COLOURS[seat], lit)
    return shapes
