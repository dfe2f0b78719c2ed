"""Othello: enclose the opponent's discs to turn them over; most discs win."""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import NO_MOVE, OVER, Rule
from ludex.core.scene import OFFER, Scene, Shape, panel, plate
from ludex.io.text import read_int, read_parts, read_rows
from ludex.kernel.bits import as_word, contains, size
from ludex.kernel.jit import shared

TITLE = "Othello"
KIND = "turns, no chance, 2 seats"
VERSION = 1
PASS = 64
ACTIONS = PASS + 1  # squares, row by row from a1, then passing
LARGEST_SIZE = 8
LEVELS = {
    "easy": "random",
    "medium": "alphabeta:depth=2",
    "hard": "alphabeta:depth=6",
    "best": "alphabeta:seconds=1",
}


class OthelloRules(NamedTuple):
    size: int = LARGEST_SIZE


RULES = {"size": Rule(4, LARGEST_SIZE, "how many rows and columns the board has: 4, 6 or 8")}


def make_rules(given: dict[str, int]) -> OthelloRules:
    rules = OthelloRules(**given)
    if rules.size % 2:
        raise ValueError(f"size {rules.size}: expected 4, 6 or 8")
    return rules


class Othello(NamedTuple):
    # A bit for each square: bit 0 is a1, bit 8 is a2, and bit 63, the sign, is h8.
    black: int
    white: int
    seat: int


# The squares and the corners of the board of each size.
ROWS = [sum(1 << 8 * row for row in range(size)) for size in range(9)]
BOARDS = np.array([as_word(ROWS[size] * ((1 << size) - 1)) for size in range(9)])
CORNERS = np.array([as_word((1 | 1 << 8 * size) * (1 | 1 << size)) for size in range(8)])

# Discs on the edge of the board are never between two others across that edge.
INNER_COLUMNS = 0x7E7E7E7E7E7E7E7E
INNER_ROWS = 0x00FFFFFFFFFFFF00
LINES = (
    (1, INNER_COLUMNS),
    (7, INNER_COLUMNS & INNER_ROWS),
    (8, INNER_ROWS),
    (9, INNER_COLUMNS & INNER_ROWS),
)


def initial(rules):
    middle = 9 * (rules.size // 2 - 1)  # the upper left one of the four squares in the middle
    return Othello(1 << middle + 1 | 1 << middle + 8, 1 << middle | 1 << middle + 9, 0)


@shared
def run_up(ends, discs, step):
    """Return the discs of unbroken runs, up to six long, that begin one step after an end."""
    run = discs & ends << step
    run |= discs & run << step
    pairs = discs & discs << step
    run |= pairs & run << 2 * step
    return run | pairs & run << 2 * step


@shared
def run_down(ends, discs, step):
    """Return the discs of unbroken runs, up to six long, that begin one step before an end."""
    run = discs & ends >> step
    run |= discs & run >> step
    pairs = discs & discs >> step
    run |= pairs & run >> 2 * step
    return run | pairs & run >> 2 * step


@shared
def placings(rules, mine, theirs):
    """Return the empty squares from which a new disc encloses some of theirs."""
    beyond = 0
    for step, inner in LINES:
        discs = theirs & inner
        beyond |= run_up(mine, discs, step) << step | run_down(mine, discs, step) >> step
    return as_word(beyond) & ~(mine | theirs) & int(BOARDS[rules.size])


@shared
def enclosed(mine, theirs, disc):
    """Return those of their discs that a new disc encloses."""
    turned = 0
    for step, inner in LINES:
        discs = theirs & inner
        run = run_up(disc, discs, step)
        if run << step & mine:
            turned |= run
        run = run_down(disc, discs, step)
        if run >> step & mine:
            turned |= run
    return turned


@shared
def discs_of(state, seat):
    """Return the discs of a seat, then those of its opponent."""
    return (state.black, state.white) if seat == 0 else (state.white, state.black)


def turn(rules, state):
    mine, theirs = discs_of(state, state.seat)
    if placings(rules, mine, theirs) or placings(rules, theirs, mine):
        return state.seat
    return OVER


def moves(rules, state, seat):
    mine, theirs = discs_of(state, state.seat)
    squares = placings(rules, mine, theirs)
    return (squares, 0) if squares else (0, 1)


def apply(rules, state, move):
    black, white, seat = state
    if move == PASS:
        return Othello(black, white, 1 - seat)
    disc = as_word(1 << move)
    mine, theirs = discs_of(state, seat)
    turned = enclosed(mine, theirs, disc)
    mine, theirs = mine | turned | disc, theirs & ~turned
    return Othello(mine, theirs, 1) if seat == 0 else Othello(theirs, mine, 0)


@shared
def number_of(discs):
    """Return how many discs there are; as a tuple, they may have the sign."""
    return size((discs,))


@shared
def margin(rules, state):
    return number_of(state.black) - number_of(state.white)


def returns(rules, state, seat):
    lead = margin(rules, state)
    if lead == 0:
        return 0.0
    return 1.0 if (lead > 0) == (seat == 0) else -1.0


def estimate(rules, state, seat):
    # Squares to choose from, and corners, which are never turned over.
    mine, theirs = discs_of(state, state.seat)
    corners = int(CORNERS[rules.size - 1])
    choice = number_of(placings(rules, mine, theirs)) - number_of(placings(rules, theirs, mine))
    lead = choice + 10 * (number_of(mine & corners) - number_of(theirs & corners))
    return (lead if seat == state.seat else -lead) / 128.0


def view_shape(rules):
    return 3, rules.size, rules.size


def view(rules, state, seat, planes):
    # Planes: own discs, the opponent's, and whether it is the seat's turn.
    for row in range(rules.size):
        for column in range(rules.size):
            planes[seat, row, column] = state.black >> 8 * row + column & 1
            planes[1 - seat, row, column] = state.white >> 8 * row + column & 1
    planes[2] = 1 if state.seat == seat else 0


# Text for people. -------------------------------------------------------------------------------

NAMES = "Black", "White"


def seat_name(rules: OthelloRules, seat: int) -> str:
    return NAMES[seat]


def label(rules: OthelloRules, state: Othello, move: int) -> str:
    return "pass" if move == PASS else f"{'abcdefgh'[move % 8]}{move // 8 + 1}"


def squares_of(rules: OthelloRules) -> list[int]:
    """Return the squares of the board, row by row."""
    return [8 * row + column for row in range(rules.size) for column in range(rules.size)]


def mark(state: Othello, square: int) -> str:
    """Return what lies on a square: x for black, o for white, a dot for nothing."""
    return "x" if state.black >> square & 1 else "o" if state.white >> square & 1 else "."


def position(rules: OthelloRules, state: Othello) -> str:
    marks, size = "".join(mark(state, one) for one in squares_of(rules)), rules.size
    rows = "/".join(marks[start : start + size] for start in range(0, size * size, size))
    return f"{rows} {state.seat}"


def read_position(rules: OthelloRules, text: str) -> Othello:
    rows, seat = read_parts(text, "ROW/ROW/… SEAT")
    marks = dict(zip(squares_of(rules), read_rows(rows, rules.size, ".xo"), strict=True))
    black, white = (
        as_word(sum(1 << square for square, one in marks.items() if one == colour))
        for colour in "xo"
    )
    return Othello(black, white, read_int(seat, "SEAT", 0, 1))


def render(rules: OthelloRules, state: Othello, last: int = NO_MOVE) -> str:
    signs = {"x": "[bold cyan]●[/]", "o": "[bold]○[/]", ".": "[dim]·[/]"}
    lines = ["    " + " ".join("abcdefgh"[: rules.size])]
    for row in range(rules.size):
        cells = (signs[mark(state, 8 * row + column)] for column in range(rules.size))
        lines.append(f"  {row + 1} {' '.join(cells)}")
    black, white = number_of(state.black), number_of(state.white)
    lines.append(f"  {signs['x']} Black {black}, {signs['o']} White {white}")
    return "\n".join(lines)


# A picture. -------------------------------------------------------------------------------------

BLACK_DISC = """
<circle cy="4" r="46" fill="{ink}" opacity="0.4"/><circle r="46" fill="{night}"/>
<circle r="38" fill="none" stroke="{slate}" stroke-width="3"/>"""
WHITE_DISC = """
<circle cy="4" r="46" fill="{ink}" opacity="0.4"/><circle r="46" fill="{white}"/>
<circle r="38" fill="none" stroke="{silver}" stroke-width="3"/>"""
DISCS = {"x": BLACK_DISC, "o": WHITE_DISC}
PITCH = 64.0  # the distance of squares


def scene(rules: OthelloRules, state: Othello, last: int = NO_MOVE) -> Scene:
    mover, side = turn(rules, state), PITCH * rules.size
    left, top = 300 - side / 2, 132.0
    offered = (0, 0) if mover == OVER else moves(rules, state, mover)
    shapes = [panel(600, top + side + 32), *plates(rules, state, mover)]
    middle = top + side / 2
    shapes.append(Shape("edge", "panel", 300, middle, side + 16, side + 16, "night"))
    for number in range(rules.size):
        x, y, name = left + PITCH * (number + 0.5), top + PITCH * (number + 0.5), str(number + 1)
        shapes += [
            Shape(f"column-{name}", "text", x, top - 20, 0, 16, "slate", "abcdefgh"[number]),
            Shape(f"row-{name}", "text", left - 22, y, 0, 16, "slate", name),
        ]
    for square in squares_of(rules):
        row, column = divmod(square, 8)
        x, y = left + PITCH * (column + 0.5), top + PITCH * (row + 0.5)
        name, disc = label(rules, state, square), DISCS.get(mark(state, square))
        action = square if contains(offered, square) else NO_MOVE
        here = Shape(f"square-{name}", "box", x, y, 61, 61, "green", name, action=action)
        shapes.append(here)
        if disc:
            shapes.append(Shape(f"disc-{name}", disc, x, y, 52, 52, text=name))
        elif action != NO_MOVE:
            dot = here._replace(id=f"offer-{name}", kind="disc", width=16, height=16)
            shapes.append(dot._replace(colour="night", opacity=0.4, shows=OFFER))
        if square == last:
            shapes.append(Shape("last", "disc", x, y, 12, 12, "red"))
    if contains(offered, PASS):
        button = Shape("pass", "pill", 300, middle, 150, 56, "yellow", "pass", action=PASS)
        words = Shape("pass-text", "bold", 300, middle, 0, 24, text="pass")
        shapes += [button._replace(shows=OFFER), words._replace(shows=OFFER)]
    return Scene(600, top + side + 32, tuple(shapes))


def plates(rules: OthelloRules, state: Othello, mover: int) -> list[Shape]:
    """Return the plates of both seats: their discs, whose turn it is and who has won."""
    shapes = []
    for seat, (x, colour) in enumerate(((158, "night"), (442, "grey"))):
        lit = returns(rules, state, seat) > 0 if mover == OVER else seat == mover
        detail = ("wins" if mover == OVER else "to move") if lit else ""
        name = f"{NAMES[seat]}: {number_of(state[seat])}"
        shapes += plate(seat, x, 268, name, detail, colour, lit, DISCS["xo"[seat]])
    return shapes
