"""Breakthrough: walk a piece to the far row, or capture all of them."""

from typing import NamedTuple

from ludex.core.rules import NO_MOVE, OVER, Rule
from ludex.core.scene import OFFER, Scene, Shape, panel, plate
from ludex.io.text import read_int, read_parts, read_rows
from ludex.kernel.bits import as_word, members
from ludex.kernel.bits import size as count
from ludex.kernel.jit import shared

TITLE = "Breakthrough"
KIND = "turns, no chance, 2 seats"
VERSION = 1
LARGEST_SIZE = 8
LEFT, AHEAD, RIGHT = range(3)  # towards column a, along the column, towards column h
ACTIONS = 3 * 64  # direction * 64 + the cell of the piece, row by row from a1
LEVELS = {
    "easy": "random",
    "medium": "alphabeta:depth=2",
    "hard": "alphabeta:depth=5",
    "best": "alphabeta:seconds=1",
}


class BreakthroughRules(NamedTuple):
    size: int = LARGEST_SIZE


RULES = {"size": Rule(4, LARGEST_SIZE, "how many rows and columns the board has")}


class Breakthrough(NamedTuple):
    # A bit for each cell, row by row from a1; the last of 64 is the sign.
    white: int
    black: int
    seat: int


# For each size of the board: the first column, the last column and the last row.
FIRST_COLUMNS = tuple(as_word(sum(1 << n * row for row in range(n))) for n in range(9))
LAST_COLUMNS = tuple(as_word(sum(1 << n * row + n - 1 for row in range(n))) for n in range(9))
LAST_ROWS = tuple(as_word(sum(1 << n * n - n + column for column in range(n))) for n in range(9))


def initial(rules):
    cells = rules.size * (2 if rules.size >= 6 else 1)  # two rows each, or one on a small board
    pieces = (1 << cells) - 1
    return Breakthrough(pieces, as_word(pieces << rules.size * rules.size - cells), 0)


@shared
def has_won(rules, state, seat):
    """Return whether a piece of the seat is in the far row, or the other seat has none left."""
    if seat == 0:
        return state.white & LAST_ROWS[rules.size] != 0 or state.black == 0
    return state.black & (1 << rules.size) - 1 != 0 or state.white == 0


def turn(rules, state):
    # Only the seat that moved last may have won.
    return OVER if has_won(rules, state, 1 - state.seat) else state.seat


def moves(rules, state, seat):
    # The pieces that can go in each direction: where they go is nobody, or aslant an opponent.
    size = rules.size
    empty = ~(state.white | state.black)
    if seat == 0:
        mine, free = state.white, ~state.white
        left, ahead, right = free >> size - 1, empty >> size, free >> size + 1
    else:
        mine, free = state.black, ~state.black
        left, ahead, right = free << size + 1, empty << size, free << size - 1
    left &= mine & ~FIRST_COLUMNS[size]
    right &= mine & ~LAST_COLUMNS[size]
    return as_word(left), as_word(ahead & mine), as_word(right)


@shared
def target_of(rules, seat, move):
    """Return the cell to which a move leads."""
    forward = rules.size if seat == 0 else -rules.size
    return move % 64 + forward + move // 64 - AHEAD


def apply(rules, state, move):
    piece, target = as_word(1 << move % 64), as_word(1 << target_of(rules, state.seat, move))
    if state.seat == 0:
        return Breakthrough(state.white & ~piece | target, state.black & ~target, 1)
    return Breakthrough(state.white & ~target, state.black & ~piece | target, 0)


def returns(rules, state, seat):
    # Whoever moved last has won, and it is now the other seat's turn.
    return -1.0 if seat == state.seat else 1.0


def estimate(rules, state, seat):
    # Pieces, and half as much for each that is past the middle.
    far = (1 << rules.size * rules.size // 2) - 1
    lead = 2 * (count((state.white,)) - count((state.black,)))
    lead += count((state.white & ~far,)) - count((state.black & far,))
    return (lead if seat == 0 else -lead) / 64.0


def view_shape(rules):
    return 4, rules.size, rules.size


def view(rules, state, seat, planes):
    # Planes: own pieces, the opponent's, row 1 first; turn; and whether the seat walks up.
    for row in range(rules.size):
        for column in range(rules.size):
            planes[seat, row, column] = state.white >> row * rules.size + column & 1
            planes[1 - seat, row, column] = state.black >> row * rules.size + column & 1
    planes[2] = 1 if state.seat == seat else 0
    planes[3] = 1 if seat == 0 else 0


# Text for people. -------------------------------------------------------------------------------

NAMES = "White", "Black"


def seat_name(rules: BreakthroughRules, seat: int) -> str:
    return NAMES[seat]


def cell_name(rules: BreakthroughRules, cell: int) -> str:
    """Return a cell as in chess: a1 is White's left corner."""
    row, column = divmod(cell, rules.size)
    return f"{'abcdefgh'[column]}{row + 1}"


def label(rules: BreakthroughRules, state: Breakthrough, move: int) -> str:
    target = target_of(rules, state.seat, move)
    taken = (state.white | state.black) >> target & 1
    return f"{cell_name(rules, move % 64)}{'x' if taken else '-'}{cell_name(rules, target)}"


def mark(state: Breakthrough, cell: int) -> str:
    """Return what is on a cell: w for white, b for black, a dot for nothing."""
    return "w" if state.white >> cell & 1 else "b" if state.black >> cell & 1 else "."


def rows_of(rules: BreakthroughRules) -> list[range]:
    """Return the cells of each row, the uppermost first."""
    starts = reversed(range(0, rules.size**2, rules.size))
    return [range(start, start + rules.size) for start in starts]


def position(rules: BreakthroughRules, state: Breakthrough) -> str:
    rows = ("".join(mark(state, cell) for cell in row) for row in rows_of(rules))
    return f"{'/'.join(rows)} {state.seat}"


def read_position(rules: BreakthroughRules, text: str) -> Breakthrough:
    rows, seat = read_parts(text, "ROW/ROW/… SEAT")
    cells = [cell for row in rows_of(rules) for cell in row]
    marks = dict(zip(cells, read_rows(rows, rules.size, ".wb"), strict=True))
    white, black = (
        as_word(sum(1 << cell for cell, one in marks.items() if one == colour)) for colour in "wb"
    )
    state = Breakthrough(white, black, read_int(seat, "SEAT", 0, 1))
    if has_won(rules, state, state.seat):
        words = f"expected the other seat, since {NAMES[state.seat]} has won"
        raise ValueError(f"SEAT {seat!r}: {words}")
    return state


def render(rules: BreakthroughRules, state: Breakthrough, last: int = NO_MOVE) -> str:
    signs = {"w": "[bold]○[/]", "b": "[bold cyan]●[/]", ".": "[dim]·[/]"}
    lines = [
        f"  {row[0] // rules.size + 1} {' '.join(signs[mark(state, cell)] for cell in row)}"
        for row in rows_of(rules)
    ]
    return "\n".join([*lines, "    " + " ".join("abcdefgh"[: rules.size])])


# A picture. -------------------------------------------------------------------------------------

PAWN = """
<path d="M-34 44H34L26 30H17L9-4A22 22 0 1 0-9-4L-17 30H-26Z" fill="{main}" stroke="{dark}"
 stroke-width="5" stroke-linejoin="round"/>"""
ARROW = '<path d="M0-50 46 40H-46Z" fill="{main}" stroke="{white}" stroke-width="10"/>'
COLOURS = "white", "ink"
PITCH, TOP = 64.0, 132.0  # the distance of cells, and where the board begins


def scene(rules: BreakthroughRules, state: Breakthrough, last: int = NO_MOVE) -> Scene:
    mover, side = turn(rules, state), PITCH * rules.size
    shapes = [panel(600, TOP + side + 46), *plates(rules, state, mover)]
    shapes.append(Shape("edge", "panel", 300, TOP + side / 2, side + 16, side + 16, "bark"))
    for number in range(rules.size):
        x, y = middle_of(rules, number * rules.size + number)
        name, left, below = "abcdefgh"[number], 300 - side / 2 - 22, TOP + side + 24
        shapes += [
            Shape(f"column-{name}", "text", x, below, 0, 16, "slate", name),
            Shape(f"row-{number + 1}", "text", left, y, 0, 16, "slate", str(number + 1)),
        ]
    trail = last_cells(rules, state, last)
    for cell in range(rules.size**2):
        x, y = middle_of(rules, cell)
        name, seat = cell_name(rules, cell), "wb".find(mark(state, cell))
        colour = "yellow" if cell in trail else ("wood", "sand")[sum(divmod(cell, rules.size)) % 2]
        shapes.append(Shape(f"cell-{name}", "box", x, y, 62, 62, colour, name))
        if seat >= 0:
            shapes.append(Shape(f"piece-{name}", PAWN, x, y, 44, 44, COLOURS[seat], name))
    if mover != OVER:
        offered = members(moves(rules, state, mover))
        shapes += [arrow(rules, state, move) for move in offered]
    return Scene(600, TOP + side + 46, tuple(shapes))


def middle_of(rules: BreakthroughRules, cell: int) -> tuple[float, float]:
    """Return the middle of a cell in the picture."""
    row, column = divmod(cell, rules.size)
    left = 300 - PITCH * rules.size / 2
    return left + PITCH * (column + 0.5), TOP + PITCH * (rules.size - row - 0.5)


def last_cells(rules: BreakthroughRules, state: Breakthrough, last: int) -> tuple[int, ...]:
    """Return the cells of the last move, if there was one."""
    return () if last == NO_MOVE else (last % 64, target_of(rules, 1 - state.seat, last))


def arrow(rules: BreakthroughRules, state: Breakthrough, move: int) -> Shape:
    """Return an arrow in the cell of a piece that points where it can go; a capture is red."""
    (x, y), target = middle_of(rules, move % 64), target_of(rules, state.seat, move)
    to_x, to_y = middle_of(rules, target)
    name = label(rules, state, move)
    turned = 45 * (move // 64 - AHEAD) if state.seat == 0 else 180 - 45 * (move // 64 - AHEAD)
    place = x + 0.36 * (to_x - x), y + 0.36 * (to_y - y)
    colour = "red" if "x" in name else "blue"
    offer = Shape(f"arrow-{name}", ARROW, *place, 20, 20, colour, name, turned, move)
    return offer._replace(shows=OFFER)


def plates(rules: BreakthroughRules, state: Breakthrough, mover: int) -> list[Shape]:
    """Return the plates of both seats: their pieces, whose turn it is and who has won."""
    shapes = []
    for seat, (x, colour) in enumerate(((158, "grey"), (442, "ink"))):
        lit = seat == (1 - state.seat if mover == OVER else mover)
        detail = ("has won" if mover == OVER else "to move") if lit else ""
        name = f"{NAMES[seat]}: {count((state[seat],))}"
        shapes += plate(seat, x, 268, name, detail, colour, lit, PAWN)
    return shapes
