"""Aeroplane Chess drawn: the text display of its document, and the board."""

import math

from ludex.core.rules import NO_MOVE, OVER, Rules, State, moves, returns, turn
from ludex.core.scene import OFFER, TURN, Scene, Shape, panel
from ludex.games.aeroplane import places
from ludex.games.aeroplane.places import HANGAR, HOME, LAUNCH, LETTERS, TRACK_END
from ludex.kernel.bits import contains

PLANE = """
<path d="M0-47C7-47 9-36 9-25V-13L45 10C48 13 47 20 46 22L9 12 6 31 19 40V47L0 42-19 47V40L-6 31
-9 12-46 22C-47 20-48 13-45 10L-9-13V-25C-9-36-7-47 0-47Z" fill="{main}" stroke="{white}"
 stroke-width="11" stroke-linejoin="round" paint-order="stroke"/>
<path d="M0-47C7-47 9-36 9-25V-13L45 10C48 13 47 20 46 22L9 12 6 31 19 40V47L0 42Z" fill="{dark}"
 opacity=".35"/>
<path d="M-5-30C-4-38 4-38 5-30L4-25H-4Z" fill="{light}"/>"""
COLOURS = {"R": "red", "B": "blue", "Y": "yellow", "G": "green"}
WIDTH = 103


def render(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    marks = [" "] * places.SQUARES
    for seat in range(rules.seats):
        marks[places.first_square(rules, seat)] = "E"
        marks[(places.first_square(rules, seat) + 49) % places.SQUARES] = "F"
    track = [places.letters_on(rules, state, square) for square in range(places.SQUARES)]
    lines = [summary(rules, state, seat) for seat in range(rules.seats)]
    if state.roll:
        lines.append(f"{places.seat_name(rules, state.seat)} rolled {state.roll}")
    lines.append(banner("Main track", 33))
    lines.append(" ".join(marks))
    lines.append(" ".join(coloured_letter(LETTERS[square % 4]) for square in range(places.SQUARES)))
    # Only an arranged position has planes of several colours on a square.
    lines += count_lines(
        [(one[0] if len(set(one)) == 1 else "+", len(one)) if one else None for one in track]
    )
    lines.append(banner("Final Stretches", 40))
    for seat in range(rules.seats):
        letter = places.letter(rules, seat)
        lines.append(banner(letter, 45))
        lines.append(" ".join([coloured_letter(letter)] * 7))
        here = places.fields(rules, state[seat])
        stretch = [here.count(field) for field in range(TRACK_END, HOME)]
        stretch[0] = 0  # the stretch is counted from 1; step 50 is on the track
        lines += count_lines([(letter, planes) if planes else None for planes in stretch])
    return "\n".join(lines)


def summary(rules: Rules, state: State, seat: int) -> str:
    """Return the number of a seat's planes in the hangar, in the launch area and at home."""
    here = places.fields(rules, state[seat])
    hidden = (("hangar", HANGAR), ("launch", LAUNCH), ("home", HOME))
    counts = "  ".join(f"{name} {here.count(field)}" for name, field in hidden)
    letter = places.letter(rules, seat)
    return f"[{COLOURS[letter]}]{places.seat_name(rules, seat):<6}[/]  {counts}"


def banner(text: str, before: int) -> str:
    """Return a heading of the display, after `before` equal signs."""
    return ("=" * before + text).ljust(105, "=")


def coloured_letter(letter: str) -> str:
    """Return a colour's letter in its colour."""
    return f"[{COLOURS[letter]}]{letter}[/]" if letter in COLOURS else letter


def count_lines(row: list[tuple[str, int] | None]) -> list[str]:
    """Return two lines under a row of places: the number of planes, and their letter."""
    padding = " " * (WIDTH - 2 * len(row) + 1)
    numbers = " ".join(str(place[1]) if place else " " for place in row)
    letters = " ".join(coloured_letter(place[0]) if place else " " for place in row)
    return [numbers + padding, letters + padding]


# The picture. A place is (x, y) in squares from the middle of the board, y downwards; that of one
# colour, turned by a quarter, is that of the next.
Place = tuple[float, float]
SIDE = 40.0
CENTRE = 328.0
# Blue's quarter of the track: along the end of its arm from the last square to the first one, down
# the arm and out along the next.
QUARTER_TRACK: tuple[Place, ...] = (
    *((x, -7) for x in range(4)),
    *((3, y) for y in range(-6, -3)),
    *((x, -3) for x in range(4, 7)),
    *((7, y) for y in range(-3, 0)),
)
BLUE_LAST = 49  # the square with which the quarter begins
BLUE_HANGAR: Place = (5.6, -5.6)
BLUE_LAUNCH: Place = (4.3, -6.9)
BLUE_SPOTS: Place = (5.75, -5.45)
WEDGE = "M0 0 50-50H-50Z"
ARROW = "M-34 26 0-26 34 26Z"


def scene(rules: Rules, state: State, last: int = NO_MOVE) -> Scene:
    mover = turn(rules, state)
    shapes = [
        panel(2 * CENTRE, 2 * CENTRE + 28),
        Shape("board", "panel", CENTRE, CENTRE, 15.3 * SIDE, 15.3 * SIDE, "sky"),
    ]
    seats = {places.colour(rules, seat): seat for seat in range(rules.seats)}
    for tint in range(4):
        shapes += hangar(rules, state, tint, seats.get(tint, -1), mover)
    for square in range(places.SQUARES):
        shapes += tile(f"square-{square}", square_place(square), LETTERS[square % 4])
    for tint in range(4):
        shapes += stretch(tint, tint in seats)
    for tint in seats:
        shapes += flight(tint)
    moving = moves(rules, state, mover) if mover >= 0 else 0
    for seat in range(rules.seats):
        for plane in range(rules.planes):
            action = plane if seat == mover and contains(moving, plane) else NO_MOVE
            shapes += plane_shapes(rules, state, seat, plane, action)
    return Scene(2 * CENTRE, 2 * CENTRE + 28, (*shapes, *status_shapes(rules, state, mover)))


def status_shapes(rules: Rules, state: State, mover: int) -> list[Shape]:
    """Return the die in the middle, or the winner's crown, and the same in words."""
    if mover == OVER:
        winner = max(range(rules.seats), key=lambda seat: returns(rules, state, seat))
        status = f"{places.seat_name(rules, winner)} wins"
        shapes = [
            Shape("middle", "disc", CENTRE, CENTRE, 46, 46, "white"),
            Shape("crown", "crown", CENTRE, CENTRE - 1, 30, 30, "yellow", status),
        ]
    else:
        name, letter = places.seat_name(rules, state.seat), places.letter(rules, state.seat)
        status = f"{name} rolled {state.roll}" if state.roll else f"{name} to roll"
        shown = str(state.roll or "")
        shapes = [Shape("die", "die", CENTRE, CENTRE, 44, 44, COLOURS[letter], shown)]
    words = Shape("status", "bold", CENTRE, 2 * CENTRE, 0, 17, text=status, shows=TURN)
    return [*shapes, words]


def turn_place(place: Place, quarters: int) -> Place:
    """Return a place after clockwise quarter turns around the middle."""
    x, y = place
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def at(place: Place) -> Place:
    """Return where a place is in the picture."""
    return CENTRE + SIDE * place[0], CENTRE + SIDE * place[1]


def square_place(square: int) -> Place:
    """Return the place of a square of the track."""
    quarter, along = divmod((square - BLUE_LAST) % places.SQUARES, places.QUARTER)
    return turn_place(QUARTER_TRACK[along], quarter)


def plane_place(tint: int, field: int, plane: int) -> Place:
    """Return the place of a plane of a colour on a field; in the hangar each has its own."""
    if field == HANGAR:
        x, y = turn_place(BLUE_SPOTS, tint - 1)
        return x + plane % 2 - 0.5, y + plane // 2 - 0.5
    if field == LAUNCH:
        return turn_place(BLUE_LAUNCH, tint - 1)
    if field <= TRACK_END:
        return square_place((39 + places.QUARTER * tint + field - 2) % places.SQUARES)
    return turn_place((0, field - TRACK_END - 7), tint - 1)


def heading(tint: int, field: int) -> float:
    """Return the heading of a plane on a field, in degrees clockwise from up."""
    if field == HANGAR:
        return 0.0
    if field >= TRACK_END:
        return 90.0 * (tint + 1)
    x, y = plane_place(tint, field, 0)
    next_x, next_y = plane_place(tint, field + 1, 0)
    return math.degrees(math.atan2(next_x - x, y - next_y))


def tile(key: str, place: Place, letter: str) -> list[Shape]:
    """Return a square of a colour with a pale middle."""
    x, y = at(place)
    size = SIDE - 3
    return [
        Shape(key, "box", x, y, size, size, COLOURS[letter]),
        Shape(f"{key}-middle", "disc", x, y, size - 9, size - 9, "white", opacity=0.82),
    ]


def hangar(rules: Rules, state: State, tint: int, seat: int, mover: int) -> list[Shape]:
    """Return the corner of a colour: the hangar and, if it is played, launch area and name."""
    letter = LETTERS[tint]
    key, paint = f"hangar-{letter}", COLOURS[letter]
    x, y = at(turn_place(BLUE_HANGAR, tint - 1))
    size = 3.7 * SIDE
    shapes = [
        Shape(key, "box", x, y, size, size, "white"),
        Shape(f"{key}-tint", "box", x, y, size, size, paint, opacity=0.3 if seat >= 0 else 0.1),
    ]
    if seat < 0:
        return shapes
    active = seat == state.seat if mover != OVER else returns(rules, state, seat) > 0
    if active:
        frame = Shape(f"{key}-frame", "frame", x, y, size, size, paint, stroke=3, shows=TURN)
        shapes.append(frame)
    for plane in range(rules.planes):
        spot = at(plane_place(tint, HANGAR, plane))
        shapes.append(Shape(f"{key}-{plane + 1}", "disc", *spot, 35, 35, "white", opacity=0.75))
    launch_x, launch_y = at(plane_place(tint, LAUNCH, 0))
    name_x, name_y = at(turn_place(BLUE_SPOTS, tint - 1))[0], y + (60 if tint in (1, 2) else -60)
    shapes += [
        Shape(f"launch-{letter}", "disc", launch_x, launch_y, 33, 33, "white", "launch area"),
        Shape(f"launch-{letter}-edge", "ring", launch_x, launch_y, 33, 33, paint),
        Shape(f"{key}-name", "bold", name_x, name_y, 0, 15, text=places.COLOUR_NAMES[tint]),
    ]
    return shapes


def stretch(tint: int, played: bool) -> list[Shape]:
    """Return the final stretch of a colour and its quarter of the home in the middle."""
    letter, angle = LETTERS[tint], 90.0 * (tint - 1)
    shapes = []
    for step in range(1, 6):
        shapes += tile(f"stretch-{letter}-{step}", plane_place(tint, TRACK_END + step, 0), letter)
    size = 3 * SIDE - 3
    home = at(plane_place(tint, HOME, 0))
    shapes += [
        Shape(f"home-{letter}", "path", CENTRE, CENTRE, size, size, COLOURS[letter], WEDGE, angle),
        Shape(f"home-{letter}-middle", "disc", *home, 33, 33, "white", opacity=0.82),
    ]
    if played:
        for name, field in (("first", LAUNCH + 1), ("gate", TRACK_END)):
            key, way = f"{name}-{letter}", heading(tint, field)
            x, y = at(plane_place(tint, field, 0))
            shapes.append(Shape(key, "path", x, y, 15, 15, COLOURS[letter], ARROW, way))
    return shapes


def flight(tint: int) -> list[Shape]:
    """Return the dotted line along which a colour flies."""
    x, y = turn_place((2.25, 4), tint - 1)
    width, height = turn_place((-4.52 * SIDE, 0), tint - 1)
    paint = COLOURS[LETTERS[tint]]
    return [Shape(f"flight-{LETTERS[tint]}", "dots", *at((x, y)), width, height, paint, stroke=5)]


def is_crowded(rules: Rules, state: State, seat: int, field: int) -> bool:
    """Return whether planes of another seat stand on the same square."""
    return any(
        places.fields(rules, state[other]).count(there)
        for other in range(rules.seats)
        if other != seat and (there := places.field_seen(rules, seat, field, other)) != HANGAR
    )


def plane_shapes(rules: Rules, state: State, seat: int, plane: int, action: int) -> list[Shape]:
    """Return a plane, with a halo if it can move; planes on one place are fanned out.

    If there are several planes, each carries its number; in a stack, the last carries all.
    """
    tint, here = places.colour(rules, seat), places.fields(rules, state[seat])
    field, number = here[plane], f"{LETTERS[tint]}-{plane + 1}"
    x, y = at(plane_place(tint, field, plane))
    stack = [other for other in range(rules.planes) if here[other] == field]
    alone = field == HANGAR or len(stack) == 1
    size, shift = 30.0, 0.0
    if not alone:
        size, shift = 26.0, 5.0 * (stack.index(plane) - (len(stack) - 1) / 2)
    if seat == state.seat and is_crowded(rules, state, seat, field):  # side by side
        x += 9.0
    words = f"{places.COLOUR_NAMES[tint]} {plane + 1}: {places.PLACES[field]}"
    paint, angle = COLOURS[LETTERS[tint]], heading(tint, field)
    shapes = []
    if action != NO_MOVE:
        shapes.append(Shape(f"halo-{number}", "ring", x, y, 40, 40, "ink", stroke=3, shows=OFFER))
    place = x + shift, y - shift
    shapes.append(Shape(f"plane-{number}", PLANE, *place, size, size, paint, words, angle, action))
    carried = [plane] if alone else stack
    if plane == carried[-1] and rules.planes > 1:
        place = (x, y + 1) if alone else (x + 3, y + 12)
        numbers, wide = "·".join(str(one + 1) for one in carried), 12.0 + 13.0 * (len(carried) - 1)
        # With the ids of the plane, so that the numbers move with it.
        shapes += [
            Shape(f"tag-{number}", "pill", *place, wide + 2, 14, "white"),
            Shape(f"tag-{number}-text", "bold", *place, 0, 11, "ink", numbers),
        ]
    return shapes
