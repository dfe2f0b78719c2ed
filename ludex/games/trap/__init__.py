"""AI Squid Game: Trap!: step, then throw a trap that may miss; whoever cannot step loses."""

from typing import NamedTuple

from ludex.core.rules import CHANCE, OVER, Rule
from ludex.games.trap import cells
from ludex.games.trap.cells import CELLS, LAND, LARGEST_SIZE, STEP, THROW, players
from ludex.games.trap.drawing import between, events, render, scene
from ludex.games.trap.estimates import STYLES, candidates, estimate, estimate_as, foreseen
from ludex.games.trap.patterns import PATTERNS_SIZE, patterns, patterns_text
from ludex.games.trap.symmetry import REFLECTIONS, cell_image, reflected_cells
from ludex.games.trap.views import view, view_shape
from ludex.io.text import read_cell, read_int, read_parts, read_rows
from ludex.kernel.bits import size as count

__all__ = [
    "PATTERNS_SIZE",
    "STYLES",
    "between",
    "candidates",
    "estimate",
    "estimate_as",
    "events",
    "foreseen",
    "patterns",
    "patterns_text",
    "render",
    "scene",
    "view",
    "view_shape",
]

TITLE = "AI Squid Game: Trap!"
KIND = "turns of a step and a throw, chance in the landing, 2 seats"
VERSION = 1
ACTIONS = OUTCOMES = CELLS  # cells, row by row
CLOCK = "turn=5"  # as in the course, where step and throw together have it
LEVELS = {
    "easy": "casual",
    "medium": "greedy:estimate=free",
    "hard": "expectiminimax:depth=3,estimate=ocls",
    "best": "expectiminimax:seconds=0.25,rare=2,estimate=learned",
}


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


def initial(rules):
    middle = rules.size // 2
    return Trap(0, middle, (rules.size - 1) * rules.size + middle, 0, STEP, 0)


def turn(rules, state):
    if state.phase == LAND:
        return CHANCE
    # Before its step a seat must be able to step; after it, the other one.
    stepper = state.seat if state.phase == STEP else 1 - state.seat
    return state.seat if cells.steps(rules, state, stepper) else OVER


def moves(rules, state, seat):
    if state.phase == STEP:
        return cells.steps(rules, state, seat)
    return ((1 << rules.size * rules.size) - 1) & ~players(state)


def possible(rules, state):
    bits = 1 << state.target
    if cells.hit_chance(rules, state) < 1.0:
        bits |= cells.neighbours(rules, state.target) & ~players(state)
    return bits


def chance(rules, state, outcome):
    hit = cells.hit_chance(rules, state)
    if outcome == state.target:
        return hit
    beside = cells.neighbours(rules, state.target) & ~players(state)
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


def canonical(rules, state):
    best, traps = state, state.traps
    for image, reflection in enumerate(REFLECTIONS):
        traps = reflected_cells(rules, traps, reflection)
        if traps <= best.traps:
            cell1 = cell_image(rules, state.cell1, image)
            cell2 = cell_image(rules, state.cell2, image)
            target = cell_image(rules, state.target, image) if state.phase == LAND else 0
            other = Trap(traps, cell1, cell2, state.seat, state.phase, target)
            best = other if other < best else best
    return best


# Text for people. -------------------------------------------------------------------------------


def label(rules: TrapRules, state: Trap, move: int) -> str:
    return f"{('step', 'throw', 'land')[state.phase]} {cells.cell_text(rules, move)}"


def prompt(rules: TrapRules, state: Trap) -> str:
    return ("step", "throw a trap", "")[state.phase]


def why_illegal(rules: TrapRules, state: Trap, seat: int, text: str) -> str:
    verb, _, cell = text.partition(" ")
    try:
        row, column = map(int, cell.split(","))
    except ValueError:
        return ""
    if verb not in ("step", "throw"):
        return ""
    did = "stepped" if verb == "step" else "threw"
    if verb != ("step", "throw")[state.phase]:
        return f"{did} where it was time to {('step', 'throw')[state.phase]}"
    if not (0 <= row < rules.size and 0 <= column < rules.size):
        return f"{did} off the board, {'to' if verb == 'step' else 'at'} {row},{column}"
    target = row * rules.size + column
    mine, other = (state.cell1, state.cell2) if seat == 0 else (state.cell2, state.cell1)
    if target == mine:
        return f"{'stayed on' if verb == 'step' else 'threw at'} your own cell {cell}"
    if verb == "step" and not cells.neighbours(rules, mine) >> target & 1:
        return f"stepped to {cell}, which is not next to {cells.cell_text(rules, mine)}"
    if target == other:
        return f"{'stepped onto' if verb == 'step' else 'threw at'} the opponent's cell {cell}"
    return f"stepped onto a trap at {cell}" if state.traps >> target & 1 else ""


def position(rules: TrapRules, state: Trap) -> str:
    board, size = "".join(cells.marks(rules, state)), rules.size
    rows = "/".join(board[start : start + size] for start in range(0, len(board), size))
    phase = ("step", "throw", f"land:{cells.cell_text(rules, state.target)}")[state.phase]
    return f"{rows} {state.seat} {phase}"


def read_position(rules: TrapRules, text: str) -> Trap:
    rows, seat, phase = read_parts(text, "ROW/ROW/… SEAT PHASE")
    board, size = read_rows(rows, rules.size, ".x12"), rules.size
    if board.count("1") != 1 or board.count("2") != 1:
        raise ValueError("expected one '1' and one '2' on the board")
    traps = sum(1 << cell for cell, mark in enumerate(board) if mark == "x")
    mover = read_int(seat, "SEAT", 0, 1)
    state = Trap(traps, board.index("1"), board.index("2"), mover, STEP, 0)
    if phase == "step":
        return state
    if phase == "throw":
        return state._replace(phase=THROW)
    if not phase.startswith("land:"):
        raise ValueError(f"PHASE {phase!r}: expected step, throw or land:ROW,COLUMN")
    target = read_cell(phase.removeprefix("land:"), "PHASE land:", size, size)
    if players(state) >> target & 1:
        raise ValueError(f"PHASE {phase!r}: expected a cell that holds no player")
    return state._replace(phase=LAND, target=target)
