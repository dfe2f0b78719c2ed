"""The Game of Nuts: take a few from the pile; whoever takes the last nut loses."""

import math
from typing import NamedTuple

from ludex.core.rules import NO_MOVE, OVER, Rule, seat_name
from ludex.core.scene import OFFER, Scene, Shape, panel, plate
from ludex.io.text import many, read_int, read_parts

TITLE = "The Game of Nuts"
KIND = "turns, no chance, 2 seats"
VERSION = 1
ACTIONS = 9  # action 0 takes one nut
MOST_NUTS = 100  # nuts that a position may have
LEARNER = "hats"
LEVELS = {
    "easy": "random",
    "medium": "minimax:depth=2",
    "hard": "minimax:depth=5",
    "best": "alphabeta:depth=100",  # as many decisions as there are nuts at most
}
NUT = """
<path d="M-35-14C-40 14-24 33 0 47 24 33 40 14 35-14Z" fill="{main}"/>
<path d="M12 36C28 24 36 8 35-14H20C24 8 20 24 12 36Z" fill="{dark}" opacity=".45"/>
<path d="M-24-4C-25 8-20 18-13 24" fill="none" stroke="{light}" stroke-width="6"
 stroke-linecap="round"/>
<path d="M-41-12C-44-32-22-42-4-42L-6-49H6L5-42C24-42 44-32 41-12 24-4-24-4-41-12Z"
 fill="{dark}"/>
<path d="M-27-18 0-34 27-18M-27-30 0-14 27-30" fill="none" stroke="{main}" stroke-width="3"/>"""


class NutsRules(NamedTuple):
    nuts: int = 21
    most: int = 3


RULES = {
    "nuts": Rule(10, MOST_NUTS, "how many nuts lie on the table at the start"),
    "most": Rule(1, ACTIONS, "how many nuts a turn may take at most", label="most per turn"),
}


class Nuts(NamedTuple):
    left: int
    seat: int


def initial(rules):
    return Nuts(rules.nuts, 0)


def turn(rules, state):
    return OVER if state.left == 0 else state.seat


def moves(rules, state, seat):
    return (1 << rules.most) - 1


def apply(rules, state, move):
    # More than are left may be taken: the count stops at 0.
    return Nuts(max(state.left - move - 1, 0), 1 - state.seat)


def returns(rules, state, seat):
    # The seat that took the final nut has lost, and the other is to move.
    return 1.0 if seat == state.seat else -1.0


def features(rules, state, seat):
    # A hat for each number of nuts, whoever is to take.
    return state.left


def view_shape(rules):
    return 2, (rules.nuts + 9) // 10, 10


def view(rules, state, seat, planes):
    # The nuts in rows of ten; then whether it is the seat's turn.
    for nut in range(min(state.left, rules.nuts)):
        planes[0, nut // 10, nut % 10] = 1
    planes[1] = 1 if state.seat == seat else 0


def features_text(rules: NutsRules, key: int) -> str:
    return str(key)


def label(rules: NutsRules, state: Nuts, move: int) -> str:
    return f"take {move + 1}"


def why_illegal(rules: NutsRules, state: Nuts, seat: int, text: str) -> str:
    word, _, number = text.partition(" ")
    if word != "take" or not number.removeprefix("-").isdecimal():
        return ""
    return f"took {number}, where 1 to {rules.most} may be taken"


def position(rules: NutsRules, state: Nuts) -> str:
    return f"{state.left} {state.seat}"


def read_position(rules: NutsRules, text: str) -> Nuts:
    left, seat = read_parts(text, "LEFT SEAT")
    return Nuts(read_int(left, "LEFT", 0, MOST_NUTS), read_int(seat, "SEAT", 0, 1))


def render(rules: NutsRules, state: Nuts, last: int = NO_MOVE) -> str:
    rows = [" ".join("●" * min(10, state.left - row)) for row in range(0, state.left, 10)]
    pile = "\n".join(f"  [orange3]{row}[/]" for row in rows)
    return f"{pile}\n  {many(state.left, 'nut')} on the board".lstrip("\n")


def scene(rules: NutsRules, state: Nuts, last: int = NO_MOVE) -> Scene:
    nuts = max(rules.nuts, state.left)
    columns = math.ceil(math.sqrt(2 * nuts))
    rows = -(-nuts // columns)
    pitch = min(76.0, 540 / columns)
    depth = rows * pitch + 40
    table, bottom = 112 + depth / 2, 112 + depth + 20
    shapes = [
        panel(640, bottom + 68),
        *seat_plates(rules, state, last),
        Shape("count", "bold", 320, 46, 0, 40, text=str(state.left)),
        Shape("count-word", "text", 320, 76, 0, 14, "slate", "nut" if state.left == 1 else "nuts"),
        Shape("table", "panel", 320, table, 592, depth, "wood"),
    ]
    for plank in range(1, rows):
        y = 132 + plank * pitch
        shapes.append(Shape(f"plank-{plank}", "line", 36, y, 568, 0, "bark", opacity=0.35))
    # Nuts taken last are shown faintly. The last take may have asked for more than there were.
    taken = 0 if last == NO_MOVE else 1 if state.left == 0 else last + 1
    for nut in range(state.left + taken):
        row, column = divmod(nut, columns)
        x = 320 + (column - (columns - 1) / 2) * pitch
        y = 132 + (row + 0.5) * pitch
        size, tilt = 0.78 * pitch, nut * 47 % 37 - 18.0
        here = Shape(f"nut{nut}", NUT, x, y, size, size, "nut", angle=tilt)
        take = state.left - nut
        if take <= 0:
            here = here._replace(opacity=0.22)
        elif take <= rules.most:
            here = here._replace(action=take - 1, text=f"take {take}")
            halo = Shape(f"halo-{take}", "disc", x, y, size * 1.2, size * 1.2, "white", opacity=0.3)
            shapes.append(halo._replace(shows=OFFER))
        shapes.append(here)
    if state.left:
        shapes += takes(rules, bottom + 24)
    return Scene(640, bottom + 68, tuple(shapes))


def seat_plates(rules: NutsRules, state: Nuts, last: int) -> list[Shape]:
    """Return the plates of both seats."""
    shapes = []
    for seat, (x, colour) in enumerate(((144, "cyan"), (496, "red"))):
        mine = seat == state.seat
        if state.left == 0:
            detail = "wins" if mine else "took the final nut"
        elif mine:
            detail = f"takes 1 to {rules.most}" if rules.most > 1 else "takes 1"
        else:
            detail = "waits" if last == NO_MOVE else f"took {last + 1}"
        shapes += plate(seat, x, 240, seat_name(rules, seat), detail, colour, mine)
    return shapes


def takes(rules: NutsRules, y: float) -> list[Shape]:
    """Return a button for each number that may be taken, also where fewer are left."""
    shapes = []
    for take in range(1, rules.most + 1):
        x, text = 320 + (take - (rules.most + 1) / 2) * 68, f"take {take}"
        shapes += [
            Shape(f"take-{take}", "pill", x, y, 58, 34, "sand", text, action=take - 1),
            Shape(f"take-{take}-text", "bold", x, y, 0, 14, text=text, action=take - 1),
        ]
    return shapes
