"""Connect Four: drop discs into columns; four in a line win."""

from typing import NamedTuple

from ludex.core.rules import NO_MOVE, OVER, Rule
from ludex.core.scene import Scene, Shape
from ludex.io.text import read_int, read_parts
from ludex.kernel.jit import shared

TITLE = "Connect Four"
KIND = "turns, no chance, 2 seats"
VERSION = 1
ACTIONS = 8  # columns
LARGEST_ROWS = 6


class ConnectFourRules(NamedTuple):
    columns: int = 7
    rows: int = 6


RULES = {
    "columns": Rule(1, ACTIONS, "how many columns the board has"),
    "rows": Rule(1, LARGEST_ROWS, "how many discs fit into a column"),
}


class ConnectFour(NamedTuple):
    # A column is rows + 1 bits, the lowest disc first; its top bit is always empty, so that
    # no line of bits runs from one column over into the next.
    first: int
    second: int
    seat: int


def initial(rules):
    return ConnectFour(0, 0, 0)


@shared
def has_four(rules, discs):
    height = rules.rows + 1
    for step in (1, height - 1, height, height + 1):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


@shared
def moves(rules, state, seat):
    height = rules.rows + 1
    bits = 0
    for column in range(rules.columns):
        top = column * height + rules.rows - 1
        if not (state.first | state.second) >> top & 1:
            bits |= 1 << column
    return bits


def turn(rules, state):
    if has_four(rules, state.first) or has_four(rules, state.second):
        return OVER
    return state.seat if moves(rules, state, state.seat) else OVER


def apply(rules, state, move):
    lowest = 1 << move * (rules.rows + 1)
    # Adding one to a column of ones carries into its lowest empty place.
    column = ((1 << rules.rows) - 1) * lowest
    disc = ((state.first | state.second) & column) + lowest
    if state.seat == 0:
        return ConnectFour(state.first | disc, state.second, 1)
    return ConnectFour(state.first, state.second | disc, 0)


def returns(rules, state, seat):
    if has_four(rules, state.first):
        return 1.0 if seat == 0 else -1.0
    if has_four(rules, state.second):
        return 1.0 if seat == 1 else -1.0
    return 0.0


def view_shape(rules):
    return 3, rules.rows, rules.columns


def view(rules, state, seat, planes):
    # Planes: own discs, the opponent's, the lowest row first, and whether it is the seat's turn.
    for row in range(rules.rows):
        for column in range(rules.columns):
            place = column * (rules.rows + 1) + row
            planes[seat, row, column] = state.first >> place & 1
            planes[1 - seat, row, column] = state.second >> place & 1
    planes[2] = 1 if state.seat == seat else 0


def label(rules: ConnectFourRules, state: ConnectFour, move: int) -> str:
    return f"column {move + 1}"


def read_position(rules: ConnectFourRules, text: str) -> ConnectFour:
    parts, height = read_parts(text, "FIRST SECOND SEAT"), rules.rows + 1
    first, second = (
        read_int(part, name, 0, (1 << rules.columns * height) - 1)
        for part, name in zip(parts, ("FIRST", "SECOND"), strict=False)
    )
    for column in range(rules.columns):
        discs = (first | second) >> column * height & (1 << height) - 1
        if discs & (discs + 1) or discs >> rules.rows:
            raise ValueError(f"column {column + 1}: expected discs from the lowest place on")
    if first & second:
        raise ValueError("FIRST and SECOND: expected different places")
    if has_four(rules, first) and has_four(rules, second):
        raise ValueError("FIRST and SECOND: expected at most one of them with four in a line")
    return ConnectFour(first, second, read_int(parts[2], "SEAT", 0, 1))


def render(rules: ConnectFourRules, state: ConnectFour, last: int = NO_MOVE) -> str:
    lines = []
    for row in reversed(range(rules.rows)):
        marks = []
        for column in range(rules.columns):
            place = column * (rules.rows + 1) + row
            if state.first >> place & 1:
                marks.append("[bold yellow]●[/]")
            elif state.second >> place & 1:
                marks.append("[bold red]●[/]")
            else:
                marks.append("[dim]·[/]")
        lines.append("  " + " ".join(marks))
    lines.append("  " + " ".join(str(column + 1) for column in range(rules.columns)))
    return "\n".join(lines)


def scene(rules: ConnectFourRules, state: ConnectFour, last: int = NO_MOVE) -> Scene:
    width, height = 20.0 * rules.columns, 20.0 * rules.rows
    offered = 0 if turn(rules, state) == OVER else moves(rules, state, state.seat)
    shapes = [Shape("board", "box", width / 2, height / 2, width, height, "blue")]
    for column in range(rules.columns):
        action = column if offered >> column & 1 else NO_MOVE
        for row in range(rules.rows):
            place = column * (rules.rows + 1) + row
            discs = (state.first >> place & 1, state.second >> place & 1)
            colour = {(1, 0): "yellow", (0, 1): "red"}.get(discs, "paper")
            x, y = 20.0 * column + 10, height - 20.0 * row - 10
            name = f"place-{row},{column}"
            shapes.append(Shape(name, "disc", x, y, 16, 16, colour, action=action))
    return Scene(width, height, tuple(shapes))
