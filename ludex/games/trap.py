"""AI Squid Game: Trap!: step, then throw a trap that may miss; who cannot step has lost."""

import math
from typing import NamedTuple

import numpy as np

from ludex.bits import size as count
from ludex.compiled import shared
from ludex.reading import read_cell, read_int, read_parts
from ludex.rules import CHANCE, NO_MOVE, OVER, Rule
from ludex.scene import Scene, Shape, panel, plate

TITLE = "AI Squid Game: Trap!"
KIND = "turns of a step and a throw, chance in the landing, 2 seats"
VERSION = 1
LARGEST_SIZE = 7
ACTIONS = OUTCOMES = LARGEST_SIZE**2  # cells, row by row
STEP, THROW, LAND = range(3)


class TrapRules(NamedTuple):
    size: int = LARGEST_SIZE


RULES = {"size": Rule(3, LARGEST_SIZE, "how many rows and columns the board has")}


class Trap(NamedTuple):
    traps: int  # a bit for each cell
    cell1: int
    cell2: int
    seat: int
    phase: int
    target: int  # where the trap in the air was aimed; 0 if none is


def distance_table() -> np.ndarray:
    """Return the Manhattan distance of any two cells, for every size of the board."""
    table = np.zeros((LARGEST_SIZE + 1, ACTIONS, ACTIONS), np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        rows, columns = np.divmod(np.arange(size * size), size)
        apart = abs(rows[:, None] - rows) + abs(columns[:, None] - columns)
        table[size, : size * size, : size * size] = apart
    return table


def neighbour_table() -> np.ndarray:
    """Return the up to eight neighbours of any cell as bits, for every size of the board."""
    table = np.zeros((LARGEST_SIZE + 1, ACTIONS), np.int64)
    for size in range(3, LARGEST_SIZE + 1):
        rows, columns = np.divmod(np.arange(size * size), size)
        for cell in range(size * size):
            near = (abs(rows - rows[cell]) <= 1) & (abs(columns - columns[cell]) <= 1)
            table[size, cell] = sum(1 << int(other) for other in near.nonzero()[0] if other != cell)
    return table


# Compiled code reads a table faster than it divides a cell into row and column.
DISTANCES, NEIGHBOURS = distance_table(), neighbour_table()


def initial(rules):
    middle = rules.size // 2
    return Trap(0, middle, (rules.size - 1) * rules.size + middle, 0, STEP, 0)


@shared
def neighbours(rules, cell):
    """Return the cells around a cell as bits."""
    return int(NEIGHBOURS[rules.size, cell])


@shared
def players(state):
    """Return the cells of both seats as bits."""
    return 1 << state.cell1 | 1 << state.cell2


@shared
def steps(rules, state, seat):
    """Return the cells that a seat could step to as bits."""
    cell = state.cell1 if seat == 0 else state.cell2
    return neighbours(rules, cell) & ~(state.traps | players(state))


def turn(rules, state):
    if state.phase == LAND:
        return CHANCE
    # Before its step a seat must be able to step; after it, the other one.
    stepper = state.seat if state.phase == STEP else 1 - state.seat
    return state.seat if steps(rules, state, stepper) else OVER


def moves(rules, state, seat):
    if state.phase == STEP:
        return steps(rules, state, seat)
    return ((1 << rules.size * rules.size) - 1) & ~players(state)


@shared
def hit_chance(rules, state):
    """Return the probability that the trap in the air lands where it was aimed."""
    thrower = state.cell1 if state.seat == 0 else state.cell2
    return 1.0 - 0.05 * (DISTANCES[rules.size, thrower, state.target] - 1)


def possible(rules, state):
    bits = 1 << state.target
    if hit_chance(rules, state) < 1.0:
        bits |= neighbours(rules, state.target) & ~players(state)
    return bits


def chance(rules, state, outcome):
    hit = hit_chance(rules, state)
    if outcome == state.target:
        return hit
    beside = neighbours(rules, state.target) & ~players(state)
    if beside >> outcome & 1:
        return (1.0 - hit) / count(beside)
    return 0.0


def apply(rules, state, move):
    traps, cell1, cell2, seat, phase, target = state
    if phase == STEP:
        if seat == 0:
            return Trap(traps, move, cell2, seat, THROW, target)
        return Trap(traps, cell1, move, seat, THROW, target)
    if phase == THROW:
        return Trap(traps, cell1, cell2, seat, LAND, move)
    return Trap(traps | 1 << move, cell1, cell2, 1 - seat, STEP, 0)


def returns(rules, state, seat):
    loser = state.seat if state.phase == STEP else 1 - state.seat
    return -1.0 if seat == loser else 1.0


# Text for people. -------------------------------------------------------------------------------


def cell_text(rules: TrapRules, cell: int) -> str:
    """Return a cell as ROW,COLUMN."""
    return "{},{}".format(*divmod(cell, rules.size))


def label(rules: TrapRules, state: Trap, move: int) -> str:
    return f"{('step', 'throw', 'land')[state.phase]} {cell_text(rules, move)}"


def marks(rules: TrapRules, state: Trap) -> list[str]:
    """Return the mark of each cell: 1 and 2 for the seats, x for a trap, a dot for nothing."""
    cells = ["x" if state.traps >> cell & 1 else "." for cell in range(rules.size**2)]
    cells[state.cell1], cells[state.cell2] = "1", "2"
    return cells


def position(rules: TrapRules, state: Trap) -> str:
    cells = "".join(marks(rules, state))
    rows = "/".join(cells[start : start + rules.size] for start in range(0, len(cells), rules.size))
    phase = ("step", "throw", f"land:{cell_text(rules, state.target)}")[state.phase]
    return f"{rows} {state.seat} {phase}"


def read_position(rules: TrapRules, text: str) -> Trap:
    board, seat, phase = read_parts(text, "ROW/ROW/… SEAT PHASE")
    size = rules.size
    rows = board.split("/")
    if len(rows) != size:
        raise ValueError(f"expected {size} rows with '/' between, not {len(rows)}")
    for row in rows:
        if len(row) != size or set(row) - set(".x12"):
            raise ValueError(f"ROW {row!r}: expected {size} cells of '.', 'x', '1' and '2'")
    cells = "".join(rows)
    if cells.count("1") != 1 or cells.count("2") != 1:
        raise ValueError("expected one '1' and one '2' on the board")
    traps = sum(1 << cell for cell, mark in enumerate(cells) if mark == "x")
    mover = read_int(seat, "SEAT", 0, 1)
    state = Trap(traps, cells.index("1"), cells.index("2"), mover, STEP, 0)
    if phase == "step":
        return state
    if phase == "throw":
        return state._replace(phase=THROW)
    if not phase.startswith("land:"):
        raise ValueError(f"PHASE {phase!r}: expected step, throw or land:ROW,COLUMN")
    target = read_cell(phase.removeprefix("land:"), "PHASE land:", size, size)
    if players(state) >> target & 1:
        raise ValueError(f"PHASE {phase!r}: expected a cell that holds no player")
    if not steps(rules, state, 1 - mover):
        raise ValueError(f"PHASE {phase!r}: the other seat is enclosed, so nothing is thrown")
    return state._replace(phase=LAND, target=target)


def render(rules: TrapRules, state: Trap, last: int = NO_MOVE) -> str:
    colours = {"1": "bold cyan", "2": "bold red", "x": "yellow", ".": "dim"}
    cells = [f"[{colours[mark]}]{mark}[/]" for mark in marks(rules, state)]
    if state.phase == LAND:
        cells[state.target] = "[bold yellow]◎[/]"
    lines = ["    " + " ".join(str(column) for column in range(rules.size))]
    for row in range(rules.size):
        lines.append(f"  {row} " + " ".join(cells[row * rules.size : (row + 1) * rules.size]))
    if state.phase == LAND:
        lines.append(
            f"  a trap flies at {cell_text(rules, state.target)}"
            f" and hits with probability {hit_chance(rules, state):.2f}"
        )
    return "\n".join(lines)


def scene(rules: TrapRules, state: Trap, last: int = NO_MOVE) -> Scene:
    pitch = min(92.0, 518 / rules.size)
    middles = [grid_place(rules, pitch, cell) for cell in range(rules.size**2)]
    height = 156 + rules.size * pitch + 28
    mover = turn(rules, state)
    seats = (("cyan", state.cell1), ("red", state.cell2))
    board = rules.size * pitch + 12
    shapes = [panel(600, height), *seat_plates(rules, state, mover)]
    shapes.append(Shape("board", "panel", 300, 150 + board / 2, board, board, "sand"))
    for number in range(rules.size):
        x, y = middles[number * rules.size + number]
        shapes += [
            Shape(f"column-{number}", "text", x, 136, 0, 15, "slate", str(number)),
            Shape(f"row-{number}", "text", 300 - board / 2 - 16, y, 0, 15, "slate", str(number)),
        ]
    offered = moves(rules, state, mover) if mover >= 0 else 0
    odds = landing_odds(rules, state) if state.phase == LAND else {}
    for cell, (x, y) in enumerate(middles):
        name, tile = cell_text(rules, cell), pitch - 6
        action = cell if offered >> cell & 1 else NO_MOVE
        text = label(rules, state, cell) if action == cell else name
        colour = "mist" if sum(divmod(cell, rules.size)) % 2 else "paper"
        here = Shape(f"cell-{name}", "box", x, y, tile, tile, colour, text, action=action)
        shapes.append(here)
        if state.traps >> cell & 1:
            size = 0.72 * pitch
            shapes.append(
                Shape(f"trap-{name}", "trap", x, y, size, size, "yellow", text, 0, action)
            )
        elif action == cell:
            dot = here._replace(id=f"offer-{name}", kind="disc", width=14, height=14)
            shapes.append(dot._replace(colour=seats[mover][0], opacity=0.5))
        if cell in odds:
            tint = here._replace(id=f"odds-{name}", colour="red", opacity=0.12 + 0.4 * odds[cell])
            shapes.append(tint._replace(text=f"lands on {name} with {percent(odds[cell])}"))
    if state.phase == STEP and last != NO_MOVE:
        x, y = middles[last]
        shapes.append(Shape("last", "ring", x, y, 0.86 * pitch, 0.86 * pitch, "red", stroke=3))
    for seat, (colour, cell) in enumerate(seats):
        x, y = middles[cell]
        name = f"Player {seat + 1}"
        shapes.append(
            Shape(f"person-{seat + 1}", "person", x, y, 0.74 * pitch, 0.74 * pitch, colour, name)
        )
    if state.phase == LAND:
        shapes += throw_shapes(state, middles, pitch, odds)
    return Scene(600, height, tuple(shapes))


def grid_place(rules: TrapRules, pitch: float, cell: int) -> tuple[float, float]:
    """Return where the middle of a cell is in the picture."""
    row, column = divmod(cell, rules.size)
    left = 300 - rules.size * pitch / 2
    return left + (column + 0.5) * pitch, 156 + (row + 0.5) * pitch


def percent(share: float) -> str:
    """Return a probability in percent, with a decimal where it needs one."""
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def landing_odds(rules: TrapRules, state: Trap) -> dict[int, float]:
    """Return where the trap in the air may land, and how probably."""
    chances = {cell: chance(rules, state, cell) for cell in range(rules.size**2)}
    return {cell: p for cell, p in chances.items() if p > 0.0}


def throw_shapes(
    state: Trap, middles: list[tuple[float, float]], pitch: float, odds: dict[int, float]
) -> list[Shape]:
    """Return the flight of the trap in the air, its target ring and the odds of each cell."""
    (x, y), (to_x, to_y) = middles[state[1 + state.seat]], middles[state.target]
    near = 0.5 * pitch / math.hypot(to_x - x, to_y - y)
    start_x, start_y = x + near * (to_x - x), y + near * (to_y - y)
    size = 0.78 * pitch
    shapes = [
        Shape("flight", "dots", start_x, start_y, to_x - start_x, to_y - start_y, "red", stroke=4),
        Shape("target-edge", "ring", to_x, to_y, size, size, "paper", stroke=9),
        Shape("target", "ring", to_x, to_y, size, size, "red", stroke=5),
    ]
    for cell, p in odds.items():
        x, y = middles[cell]
        height = 16 if cell == state.target else 13
        shapes += [
            Shape(f"percent-{cell}", "pill", x, y, 3.4 * height, 1.5 * height, "paper"),
            Shape(f"percent-{cell}-text", "bold", x, y, 0, height, text=percent(p)),
        ]
    return shapes


def seat_plates(rules: TrapRules, state: Trap, mover: int) -> list[Shape]:
    """Return both seats' plates: who steps or throws, who has won."""
    shapes = []
    for seat, (x, colour) in enumerate(((158, "cyan"), (442, "red"))):
        mine = seat == state.seat
        if mover == OVER:
            mine = returns(rules, state, seat) > 0
            detail = "wins" if mine else "cannot step"
        else:
            detail = ("steps", "throws", "has thrown")[state.phase] if mine else "waits"
        shapes += plate(seat, x, 56, 268, f"Player {seat + 1}", detail, colour, mine)
    return shapes
