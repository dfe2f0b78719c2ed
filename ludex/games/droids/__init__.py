"""R2-D2 Battle: two droids move and shoot simultaneously; a laser hits along row and column."""

from typing import Any, NamedTuple

from ludex.core.rules import BOTH, OVER, Rule, part
from ludex.games.droids.cells import DOWN, LABELS, LEFT, RIGHT, SHOOT, UP, aim, cell_text, in_line
from ludex.games.droids.drawing import between, events, render, scene
from ludex.io.text import read_cell, read_int, read_ints, read_parts

__all__ = ["LABELS", "between", "events", "render", "scene"]

TITLE = "R2-D2 Battle"
KIND = "simultaneous moves, 2 seats"
VERSION = 1
ACTIONS = 5
AT_ONCE = True
LEVELS = {
    "easy": "greedy",
    "medium": "simultaneous:view=mixed,depth=1,ties=random",
    "hard": "simultaneous:view=pessimistic,depth=1",
    "best": "simultaneous:view=pessimistic,depth=4",
}
MOST_POINTS = 99  # of a position, including those that its shots may still score
SURPLUS = 0.5  # the largest value of surplus shots, in points


class DroidsRules(NamedTuple):
    rows: int = 4
    columns: int = 4
    start1: tuple[int, int] = (2, 0)
    start2: tuple[int, int] = (2, 3)
    shots: int = 5
    rounds: int = 50


RULES = {
    "rows": Rule(1, 9, "rows of the board"),
    "columns": Rule(1, 9, "columns of the board"),
    "start1": Rule(0, 8, "R2-D2's first cell, ROW,COLUMN; the left wall in the middle row"),
    "start2": Rule(0, 8, "R2-Q5's first cell, ROW,COLUMN; the right wall in the middle row"),
    "shots": Rule(0, 20, "shots that each droid has"),
    "rounds": Rule(1, 200, "rounds after which the match ends"),
}


class Droids(NamedTuple):
    cell1: int
    cell2: int
    shots1: int
    shots2: int
    points1: int
    points2: int
    rounds: int


def initial(rules):
    cell1 = rules.start1[0] * rules.columns + rules.start1[1]
    cell2 = rules.start2[0] * rules.columns + rules.start2[1]
    return Droids(cell1, cell2, rules.shots, rules.shots, 0, 0, rules.rounds)


def turn(rules, state):
    if state.rounds == 0 or (state.shots1 == 0 and state.shots2 == 0):
        return OVER
    return BOTH


def moves(rules, state, seat):
    cell = state.cell1 if seat == 0 else state.cell2
    shots = state.shots1 if seat == 0 else state.shots2
    row, column = cell // rules.columns, cell % rules.columns
    bits = int(row > 0) << UP | int(row < rules.rows - 1) << DOWN
    bits |= int(column > 0) << LEFT | int(column < rules.columns - 1) << RIGHT
    bits |= int(shots > 0) << SHOOT
    return bits


def apply(rules, state, move):
    action1, action2 = part(move, 0), part(move, 1)
    cell1, cell2 = aim(rules, state.cell1, action1), aim(rules, state.cell2, action2)
    if cell1 == cell2 or (cell1 == state.cell2 and cell2 == state.cell1):
        cell1, cell2 = state.cell1, state.cell2
    shot1 = 1 if action1 == SHOOT else 0
    shot2 = 1 if action2 == SHOOT else 0
    # Both see one another or neither does, so two shots hit both and cancel, or miss.
    hit = 1 if shot1 != shot2 and in_line(rules, cell1, cell2) else 0
    shots1, shots2 = state.shots1 - shot1, state.shots2 - shot2
    points1, points2 = state.points1 + hit * shot1, state.points2 + hit * shot2
    return Droids(cell1, cell2, shots1, shots2, points1, points2, state.rounds - 1)


def returns(rules, state, seat):
    lead = state.points1 - state.points2
    if seat == 1:
        lead = -lead
    return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0


def canonical(rules, state):
    # Only the lead counts.
    both = min(state.points1, state.points2)
    points1, points2 = state.points1 - both, state.points2 - both
    cell1, cell2, shots1, shots2 = state.cell1, state.cell2, state.shots1, state.shots2
    return Droids(cell1, cell2, shots1, shots2, points1, points2, state.rounds)


def estimate(rules, state, seat):
    # Fitted to the exact values of the default rules, averaged over cells: a surplus shot is
    # worth 0.45 of a point once the other has none left, less the more it still has, and takes
    # rounds to bring home. All surplus together stays below one point: nobody can be made to
    # pay for shots that it may fail to use, and a point in hand wins.
    shots1, shots2 = min(state.shots1, state.rounds), min(state.shots2, state.rounds)
    fewer, rounds = min(shots1, shots2), state.rounds * state.rounds
    hits = 0.45 * (shots1 - shots2) / (1.0 + 0.5 * fewer + 0.25 * fewer * fewer)
    hits *= rounds / (rounds + 40.0 * (fewer + 1) * (fewer + 1))
    lead = state.points1 - state.points2 + SURPLUS * hits / (1.0 + abs(hits))
    if seat == 1:
        lead = -lead
    # The second term, below 0.01, still tells a clear lead from a clearer one.
    return 0.98 * max(-1.0, min(1.0, lead)) + 0.01 * lead / (1.0 + abs(lead))


# What a learner sees, each by its number of values: both cells, both droids' shots, the lead, and
# how soon the match ends. Shots, lead and rounds beyond the last are like the last.
SHOTS_SEEN, LEAD_SEEN, ROUNDS_SEEN = 2, 1, (2, 8)
HINT = 0.1  # of a match, what a point is worth as a hint


def features(rules, state, seat):
    # From the seat's point of view, so that both seats share what they learn.
    cell, other = state.cell1, state.cell2
    shots, others = state.shots1, state.shots2
    lead = state.points1 - state.points2
    if seat == 1:
        cell, other, shots, others, lead = other, cell, others, shots, -lead
    key = cell * rules.rows * rules.columns + other
    key = key * (SHOTS_SEEN + 1) + min(shots, SHOTS_SEEN)
    key = key * (SHOTS_SEEN + 1) + min(others, SHOTS_SEEN)
    key = key * (2 * LEAD_SEEN + 1) + max(-LEAD_SEEN, min(lead, LEAD_SEEN)) + LEAD_SEEN
    soon = 0
    for rounds in ROUNDS_SEEN:
        if state.rounds > rounds:
            soon += 1
    return key * (len(ROUNDS_SEEN) + 1) + soon


def reward(rules, state, after, seat):
    lead = after.points1 - after.points2 - (state.points1 - state.points2)
    return HINT * (lead if seat == 0 else -lead)


def view_shape(rules):
    return 7, rules.rows, rules.columns


def view(rules, state, seat, planes):
    # The droids' cells; then the shots and points of each, and the rounds left.
    for side in (0, 1):
        plane = side if seat == 0 else 1 - side
        cell = state.cell1 if side == 0 else state.cell2
        planes[plane, cell // rules.columns, cell % rules.columns] = 1
        shots = state.shots1 if side == 0 else state.shots2
        points = state.points1 if side == 0 else state.points2
        planes[2 + plane] = min(1.0, shots / max(rules.shots, 1))
        planes[4 + plane] = min(1.0, points / max(rules.shots, 1))
    planes[6] = min(1.0, state.rounds / rules.rounds)


# Text for people. -------------------------------------------------------------------------------


def make_rules(given: dict[str, Any]) -> DroidsRules:
    rules = DroidsRules()._replace(**given)
    starts = {"start1": (rules.rows // 2, 0), "start2": (rules.rows // 2, rules.columns - 1)}
    rules = rules._replace(**(starts | given))
    for name in starts:
        row, column = getattr(rules, name)
        if row >= rules.rows or column >= rules.columns:
            raise ValueError(
                f"{name} '{row},{column}' is off a {rules.rows} x {rules.columns} board"
            )
    if rules.start1 == rules.start2:
        raise ValueError("start1 and start2 must be two cells; on one cell nobody can play")
    return rules


def seat_name(rules: DroidsRules, seat: int) -> str:
    return ("R2-D2", "R2-Q5")[seat]


def label(rules: DroidsRules, state: Droids, move: int) -> str:
    return LABELS[move]


def why_illegal(rules: DroidsRules, state: Droids, seat: int, text: str) -> str:
    if text not in LABELS:
        return ""
    if text == LABELS[SHOOT]:
        return "shot with no shots left"
    return f"stepped into a wall, {text} from {cell_text(rules, state[seat])}"


def features_text(rules: DroidsRules, key: int) -> str:
    sizes = (len(ROUNDS_SEEN) + 1, 2 * LEAD_SEEN + 1, SHOTS_SEEN + 1, SHOTS_SEEN + 1)
    numbers = []
    for size in (*sizes, rules.rows * rules.columns):
        key, number = divmod(key, size)
        numbers.append(number)
    soon, lead, others, shots, other = numbers
    rounds = "many" if soon == len(ROUNDS_SEEN) else f"up to {ROUNDS_SEEN[soon]}"
    cells = f"I at {cell_text(rules, key)}, the other at {cell_text(rules, other)}"
    signs = ("behind", "even", "ahead")[lead // LEAD_SEEN] if LEAD_SEEN == 1 else ""
    return f"{cells}; shots {shots} to {others}; {signs}; {rounds} rounds left"


def position(rules: DroidsRules, state: Droids) -> str:
    cells = " ".join(cell_text(rules, cell) for cell in state[:2])
    shots, points = f"{state.shots1},{state.shots2}", f"{state.points1},{state.points2}"
    return f"{cells} {shots} {points} {state.rounds}"


def read_position(rules: DroidsRules, text: str) -> Droids:
    parts = read_parts(text, "CELL CELL SHOTS POINTS ROUNDS_LEFT")
    cells = [read_cell(part, "CELL", rules.rows, rules.columns) for part in parts[:2]]
    if cells[0] == cells[1]:
        raise ValueError(f"CELL {parts[1]!r}: expected another cell than the first droid's")
    rounds = read_int(parts[4], "ROUNDS_LEFT", 0, RULES["rounds"].high)
    shots = read_ints(parts[2], "SHOTS", [(0, RULES["shots"].high)] * 2)
    # Every point costs a shot, so what follows a position can be read back too.
    points = read_ints(parts[3], "POINTS", [(0, MOST_POINTS - left) for left in shots])
    return Droids._make([*cells, *shots, *points, rounds])
