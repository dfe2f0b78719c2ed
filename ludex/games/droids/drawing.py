"""The droids drawn: the board, both droids, their lasers, and the shots left."""

from ludex.core import rules as ask
from ludex.core.rules import BOTH, NO_MOVE, OVER, Rules, State
from ludex.core.scene import OFFER, Scene, Shape, panel, plate, without_offers
from ludex.games.droids.cells import DOWN, LABELS, LEFT, RIGHT, SHOOT, UP, aim, cell_text, in_line
from ludex.io.text import many
from ludex.kernel.bits import contains

COLOURS = ("cyan", "red")
DROID = """
<path d="M-45 2C-45-6-29-6-29 2V30H-45ZM29 2C29-6 45-6 45 2V30H29Z" fill="{silver}"/>
<path d="M-47 30H-26V42C-26 46-47 46-47 42ZM26 30H47V42C47 46 26 46 26 42Z" fill="{dark}"/>
<path d="M-27-12H27V34C27 42-27 42-27 34Z" fill="{white}"/>
<path d="M8-12H27V34C27 38 18 40 8 40Z" fill="{silver}" opacity=".6"/>
<path d="M-17-4H17V4H-17ZM-17 10H-3V30H-17ZM3 10H17V17H3ZM3 23H17V30H3Z" fill="{main}"/>
<path d="M-27-14C-27-56 27-56 27-14Z" fill="{main}"/>
<path d="M27-14C27-30 19-42 8-45 14-36 15-26 14-14Z" fill="{dark}" opacity=".45"/>
<circle cx="-4" cy="-27" r="9" fill="{ink}"/>
<circle cx="-7" cy="-30" r="3" fill="{white}"/>
<circle cx="15" cy="-23" r="4" fill="{yellow}"/>"""


def shooters(last: int) -> list[int]:
    """Return the seats that shot in the last round."""
    return [seat for seat in (0, 1) if last != NO_MOVE and ask.part(last, seat) == SHOOT]


def render(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    marks = {state.cell1: "[bold cyan]D[/]", state.cell2: "[bold red]Q[/]"}
    lines = ["    " + " ".join(str(column) for column in range(rules.columns))]
    for row in range(rules.rows):
        cells = []
        for column in range(rules.columns):
            mark = marks.get(row * rules.columns + column, "[dim]·[/]")
            for seat in shooters(last):
                shooter_row, shooter_column = divmod(state[seat], rules.columns)
                if "·" in mark and row == shooter_row:
                    mark = f"[{COLOURS[seat]}]━[/]"
                elif "·" in mark and column == shooter_column:
                    mark = f"[{COLOURS[seat]}]┃[/]"
            cells.append(mark)
        lines.append(f"  {row} " + " ".join(cells))
    for seat, name in enumerate(("D R2-D2", "Q R2-Q5")):
        shots, points = state[2 + seat], state[4 + seat]
        lines.append(f"  [{COLOURS[seat]}]{name}[/]  shots {shots}  points {points}")
    lines.append(f"  {many(state.rounds, 'round')} left")
    return "\n".join(lines)


def scene(rules: Rules, state: State, last: int = NO_MOVE) -> Scene:
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
    legal_now = [
        ask.moves(rules, state, seat) if ask.turn(rules, state) == BOTH else 0 for seat in (0, 1)
    ]
    for seat in (0, 1):
        for action in (UP, DOWN, LEFT, RIGHT):
            if contains(legal_now[seat], action):
                place = middle(aim(rules, state[seat], action))
                shapes += step_shapes(seat, action, *place, pitch)
    for seat in shooters(last):
        shapes += beams(seat, *middle(state[seat]), (300, top + depth / 2 - 6), width, depth)
    for seat in (0, 1):
        x, y = middle(state[seat])
        action = SHOOT if contains(legal_now[seat], SHOOT) else NO_MOVE
        name, colour, size = ask.seat_name(rules, seat), COLOURS[seat], 0.74 * pitch
        shapes.append(
            Shape(f"droid-{seat + 1}", DROID, x, y, size, size, colour, name, 0, action, seat)
        )
        if shooters(last) == [1 - seat] and in_line(rules, state.cell1, state.cell2):
            x, y, size = x + 0.26 * pitch, y - 0.26 * pitch, 0.44 * pitch
            shapes.append(Shape("hit", "burst", x, y, size, size, "yellow", "hit"))
    words = f"{many(state.rounds, 'round')} left"
    if ask.turn(rules, state) == OVER:
        winners = [seat for seat in (0, 1) if ask.returns(rules, state, seat) > 0]
        words = f"{ask.seat_name(rules, winners[0])} wins" if winners else "a draw"
    shapes.append(Shape("status", "text", 300, height - 28, 0, 15, "slate", words))
    return Scene(600, height, tuple(shapes))


def between(rules: Rules, state: State, move: int) -> tuple[Scene, ...]:
    if not shooters(move):
        return ()
    after = ask.apply(rules, state, move)
    there = state._replace(cell1=after.cell1, cell2=after.cell2)
    # Both droids are in place, and the lasers are still short.
    fired = without_offers(scene(rules, there, move))
    droids = {shape.id[-1]: shape for shape in fired.shapes if shape.kind == DROID}
    shapes = []
    for shape in fired.shapes:
        if shape.id == "hit":
            continue
        if shape.id.startswith(("glow-", "beam-", "core-")):
            droid, thick = droids[shape.id[5]], min(shape.width, shape.height)
            shape = shape._replace(x=droid.x, y=droid.y, width=thick, height=thick)
        shapes.append(shape)
    return (fired._replace(shapes=tuple(shapes)),)


def events(rules: Rules, state: State, move: int) -> list[str]:
    after, shots = ask.apply(rules, state, move), shooters(move)
    names, lines = [ask.seat_name(rules, seat) for seat in (0, 1)], []
    cells = [aim(rules, cell, ask.part(move, seat)) for seat, cell in enumerate(state[:2])]
    if cells != [after.cell1, after.cell2]:
        lines.append("The droids block each other, and neither moves.")
    hit = in_line(rules, after.cell1, after.cell2)
    if len(shots) == 2:
        lines.append("Both shots hit and cancel out." if hit else "Both shots miss.")
    elif shots:
        shot = names[shots[0]]
        lines.append(f"{shot} hits {names[1 - shots[0]]}." if hit else f"{shot} misses.")
    return lines


def step_shapes(seat: int, action: int, x: float, y: float, pitch: float) -> list[Shape]:
    """Return a seat's offer to step to a cell: a tint, and a mark on the side it comes from.

    Both seats may have one on the same cell.
    """
    key, colour, tile = f"step-{seat + 1}-{LABELS[action]}", COLOURS[seat], pitch - 6
    side_x, side_y = ((0, 1), (0, -1), (1, 0), (-1, 0))[action]
    mark = "M-50 30 0-30 50 30 30 46 0 10-30 46Z"
    angle = (0, 180, 270, 90)[action]
    size = 0.15 * pitch
    tint = Shape(key, "box", x, y, tile, tile, colour, LABELS[action], action=action, seat=seat)
    x, y = x + side_x * 0.34 * pitch, y + side_y * 0.34 * pitch
    arrow = Shape(f"{key}-mark", "path", x, y, size, size, colour, mark, angle, action, seat)
    return [tint._replace(opacity=0.2, shows=OFFER), arrow._replace(shows=OFFER)]


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


def seat_plates(rules: Rules, state: State) -> list[Shape]:
    """Return both droids' plates with their points and shots left."""
    shapes = []
    over = ask.turn(rules, state) == OVER
    for seat, x in enumerate((158, 442)):
        points, lit = state[4 + seat], not over or ask.returns(rules, state, seat) > 0
        name, colour = ask.seat_name(rules, seat), COLOURS[seat]
        shapes += plate(seat, x, 268, name, "", colour, lit, DROID)
        shapes.append(Shape(f"points-{seat + 1}", "bold", x + 108, 56, 0, 34, text=str(points)))
        places = max(rules.shots, state.shots1, state.shots2)
        step = min(14.0, 148 / max(places, 1))
        for shot in range(places):
            place, left = x - 64 + shot * step, shot < state[2 + seat]
            key, tint = f"shot-{seat + 1}-{shot + 1}", colour if left else "silver"
            shapes.append(Shape(key, "pill", place, 70, step - 4, 14, tint, "shot"))
    return shapes
