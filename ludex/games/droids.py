"""R2-D2 Battle: two droids move and shoot at once; a laser hits along its row and column."""

from typing import Any, NamedTuple

from ludex.compiled import shared
from ludex.reading import read_cell, read_int, read_ints, read_parts
from ludex.rules import BOTH, NO_MOVE, OVER, Rule, part
from ludex.scene import Scene, Shape, panel, plate

TITLE = "R2-D2 Battle"
KIND = "both choose at once, 2 seats"
VERSION = 1
ACTIONS = 5
AT_ONCE = True
LEVELS = {
    "easy": "greedy",
    "medium": "simultaneous:view=mixed,depth=1,ties=random",
    "hard": "simultaneous:view=pessimistic,depth=1",
    "best": "simultaneous:view=pessimistic,depth=4",
}
UP, DOWN, LEFT, RIGHT, SHOOT = range(ACTIONS)
LABELS = ("up", "down", "left", "right", "shoot")
SURPLUS = 0.5  # of a point, what more shots than the other's may be worth at most


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
    return Droids(
        rules.start1[0] * rules.columns + rules.start1[1],
        rules.start2[0] * rules.columns + rules.start2[1],
        rules.shots,
        rules.shots,
        0,
        0,
        rules.rounds,
    )


def turn(rules, state):
    if state.rounds == 0 or (state.shots1 == 0 and state.shots2 == 0):
        return OVER
    return BOTH


def moves(rules, state, seat):
    cell = state.cell1 if seat == 0 else state.cell2
    shots = state.shots1 if seat == 0 else state.shots2
    row, column = cell // rules.columns, cell % rules.columns
    bits = 0
    if row > 0:
        bits |= 1 << UP
    if row < rules.rows - 1:
        bits |= 1 << DOWN
    if column > 0:
        bits |= 1 << LEFT
    if column < rules.columns - 1:
        bits |= 1 << RIGHT
    if shots > 0:
        bits |= 1 << SHOOT
    return bits


@shared
def aim(rules, cell, action):
    """Return the cell that a droid means to stand on after the action."""
    if action == UP:
        return cell - rules.columns
    if action == DOWN:
        return cell + rules.columns
    if action == LEFT:
        return cell - 1
    if action == RIGHT:
        return cell + 1
    return cell


@shared
def in_line(rules, cell1, cell2):
    """Return whether a laser from one cell reaches the other."""
    return cell1 // rules.columns == cell2 // rules.columns or (
        cell1 % rules.columns == cell2 % rules.columns
    )


def apply(rules, state, move):
    action1, action2 = part(move, 0), part(move, 1)
    cell1, cell2 = aim(rules, state.cell1, action1), aim(rules, state.cell2, action2)
    if cell1 == cell2 or (cell1 == state.cell2 and cell2 == state.cell1):
        cell1, cell2 = state.cell1, state.cell2
    shot1 = 1 if action1 == SHOOT else 0
    shot2 = 1 if action2 == SHOOT else 0
    # Both see one another or neither does, so two shots hit both and cancel, or miss.
    hit = 1 if shot1 != shot2 and in_line(rules, cell1, cell2) else 0
    return Droids(
        cell1,
        cell2,
        state.shots1 - shot1,
        state.shots2 - shot2,
        state.points1 + hit * shot1,
        state.points2 + hit * shot2,
        state.rounds - 1,
    )


def returns(rules, state, seat):
    lead = state.points1 - state.points2
    if seat == 1:
        lead = -lead
    return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0


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
    # From the seat's own side, so that both seats share what they learn.
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
    # Where each droid stands; then how much each has left, and has hit, and how soon it ends.
    for side in (0, 1):
        plane = side if seat == 0 else 1 - side
        cell = state.cell1 if side == 0 else state.cell2
        planes[plane, cell // rules.columns, cell % rules.columns] = 1
        planes[2 + plane] = (state.shots1 if side == 0 else state.shots2) / max(rules.shots, 1)
        planes[4 + plane] = (state.points1 if side == 0 else state.points2) / max(rules.shots, 1)
    planes[6] = state.rounds / rules.rounds


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


def cell_text(rules: DroidsRules, cell: int) -> str:
    """Return a cell as ROW,COLUMN."""
    return "{},{}".format(*divmod(cell, rules.columns))


def position(rules: DroidsRules, state: Droids) -> str:
    cells = " ".join(cell_text(rules, cell) for cell in state[:2])
    shots, points = f"{state.shots1},{state.shots2}", f"{state.points1},{state.points2}"
    return f"{cells} {shots} {points} {state.rounds}"


def read_position(rules: DroidsRules, text: str) -> Droids:
    parts = read_parts(text, "CELL CELL SHOTS POINTS ROUNDS_LEFT")
    cells = [read_cell(part, "CELL", rules.rows, rules.columns) for part in parts[:2]]
    if cells[0] == cells[1]:
        raise ValueError(f"CELL {parts[1]!r}: expected another cell than the first droid's")
    rounds = read_int(parts[4], "ROUNDS_LEFT", 0, rules.rounds)
    fewest = max(0, rules.shots - (rules.rounds - rounds))  # one shot a round at most
    shots = read_ints(parts[2], "SHOTS", [(fewest, rules.shots)] * 2)
    points = read_ints(parts[3], "POINTS", [(0, rules.shots - left) for left in shots])
    return Droids._make([*cells, *shots, *points, rounds])


def shooters(last: int) -> list[int]:
    """Return the seats that shot in the round that led here."""
    return [seat for seat in (0, 1) if last != NO_MOVE and part(last, seat) == SHOOT]


def render(rules: DroidsRules, state: Droids, last: int = NO_MOVE) -> str:
    colours, marks = (
        ("cyan", "red"),
        {state.cell1: "[bold cyan]D[/]", state.cell2: "[bold red]Q[/]"},
    )
    lines = ["    " + " ".join(str(column) for column in range(rules.columns))]
    for row in range(rules.rows):
        cells = []
        for column in range(rules.columns):
            mark = marks.get(row * rules.columns + column, "[dim]·[/]")
            for seat in shooters(last):
                shooter_row, shooter_column = divmod(state[seat], rules.columns)
                if "·" in mark and row == shooter_row:
                    mark = f"[{colours[seat]}]━[/]"
                elif "·" in mark and column == shooter_column:
                    mark = f"[{colours[seat]}]┃[/]"
            cells.append(mark)
        lines.append(f"  {row} " + " ".join(cells))
    for seat, name in enumerate(("D R2-D2", "Q R2-Q5")):
        shots, points = state[2 + seat], state[4 + seat]
        lines.append(f"  [{colours[seat]}]{name}[/]  shots {shots}  points {points}")
    lines.append(f"  {state.rounds} round{'' if state.rounds == 1 else 's'} left")
    return "\n".join(lines)


COLOURS = ("cyan", "red")


def scene(rules: DroidsRules, state: Droids, last: int = NO_MOVE) -> Scene:
    pitch = min(116.0, 530 / max(rules.rows, rules.columns))
    left, top = 300 - rules.columns * pitch / 2, 156.0
    width, depth = rules.columns * pitch + 12, rules.rows * pitch + 12
    height = top + depth + 52

    def middle(cell: int) -> tuple[float, float]:
        row, column = divmod(cell, rules.columns)
        return left + (column + 0.5) * pitch, top + (row + 0.5) * pitch

    shapes = [panel(600, height), *seat_plates(rules, state)]
    shapes.append(Shape("board", "panel", 300, top + depth / 2 - 6, width, depth, "night"))
    for row in range(rules.rows):
        y = middle(row * rules.columns)[1]
        shapes.append(Shape(f"row-{row}", "text", left - 22, y, 0, 15, "slate", str(row)))
    for column in range(rules.columns):
        x = middle(column)[0]
        shapes.append(Shape(f"column-{column}", "text", x, top - 20, 0, 15, "slate", str(column)))
    for cell in range(rules.rows * rules.columns):
        name, tile = cell_text(rules, cell), pitch - 6
        shapes.append(Shape(f"cell-{name}", "box", *middle(cell), tile, tile, "dusk", name))
    legal_now = [moves(rules, state, seat) if turn(rules, state) == BOTH else 0 for seat in (0, 1)]
    for seat in (0, 1):
        for action in (UP, DOWN, LEFT, RIGHT):
            if legal_now[seat] >> action & 1:
                place = middle(aim(rules, state[seat], action))
                shapes += step_shapes(seat, action, *place, pitch)
    for seat in shooters(last):
        shapes += beams(seat, *middle(state[seat]), (300, top + depth / 2 - 6), width, depth)
    for seat in (0, 1):
        x, y = middle(state[seat])
        action = SHOOT if legal_now[seat] >> SHOOT & 1 else NO_MOVE
        name, colour, size = seat_name(rules, seat), COLOURS[seat], 0.74 * pitch
        shapes.append(
            Shape(f"droid-{seat + 1}", "droid", x, y, size, size, colour, name, 0, action, seat)
        )
        if shooters(last) == [1 - seat] and in_line(rules, state.cell1, state.cell2):
            x, y, size = x + 0.26 * pitch, y - 0.26 * pitch, 0.44 * pitch
            shapes.append(Shape("hit", "burst", x, y, size, size, "yellow", "hit"))
    words = f"{state.rounds} round{'' if state.rounds == 1 else 's'} left"
    if turn(rules, state) == OVER:
        winners = [seat for seat in (0, 1) if returns(rules, state, seat) > 0]
        words = f"{seat_name(rules, winners[0])} wins" if winners else "a draw"
    shapes.append(Shape("status", "text", 300, height - 28, 0, 15, "slate", words))
    return Scene(600, height, tuple(shapes))


def step_shapes(seat: int, action: int, x: float, y: float, pitch: float) -> list[Shape]:
    """Return a seat's offer to step to a cell: a tint on it, and a mark on the side it comes from.

    Both seats may have one on the same cell.
    """
    key, colour, tile = f"step-{seat + 1}-{LABELS[action]}", COLOURS[seat], pitch - 6
    side_x, side_y = ((0, 1), (0, -1), (1, 0), (-1, 0))[action]
    mark = "M-50 30 0-30 50 30 30 46 0 10-30 46Z"
    angle = (0, 180, 270, 90)[action]
    size = 0.15 * pitch
    tint = Shape(key, "box", x, y, tile, tile, colour, LABELS[action], action=action, seat=seat)
    x, y = x + side_x * 0.34 * pitch, y + side_y * 0.34 * pitch
    arrow = Shape(f"{key}-mark", "path", x, y, size, size, colour, mark, angle)
    return [tint._replace(opacity=0.2), arrow._replace(action=action, seat=seat)]


def beams(
    seat: int, x: float, y: float, centre: tuple[float, float], width: float, depth: float
) -> list[Shape]:
    """Return the lasers of a seat along its row and its column, each with its glow."""
    shapes = []
    for way, place, size in (
        ("row", (centre[0], y), (width - 12, 0)),
        ("column", (x, centre[1]), (0, depth - 12)),
    ):
        for part_name, thick, colour, opacity in (
            ("glow", 18, COLOURS[seat], 0.35),
            ("beam", 8, COLOURS[seat], 1.0),
            ("core", 3, "white", 0.9),
        ):
            key = f"{part_name}-{seat + 1}-{way}"
            across, down = (side or thick for side in size)
            shapes.append(Shape(key, "pill", *place, across, down, colour, opacity=opacity))
    return shapes


def seat_plates(rules: DroidsRules, state: Droids) -> list[Shape]:
    """Return both droids' plates with their points and what is left of their shots."""
    shapes = []
    over = turn(rules, state) == OVER
    for seat, x in enumerate((158, 442)):
        points, lit = state[4 + seat], not over or returns(rules, state, seat) > 0
        name, colour = seat_name(rules, seat), COLOURS[seat]
        shapes += plate(seat, x, 56, 268, name, "", colour, lit, "droid")
        shapes.append(Shape(f"points-{seat + 1}", "bold", x + 108, 56, 0, 34, text=str(points)))
        step = min(14.0, 148 / max(rules.shots, 1))
        for shot in range(rules.shots):
            place, left = x - 64 + shot * step, shot < state[2 + seat]
            key, tint = f"shot-{seat + 1}-{shot + 1}", colour if left else "silver"
            shapes.append(Shape(key, "pill", place, 70, step - 4, 14, tint, "shot"))
    return shapes
