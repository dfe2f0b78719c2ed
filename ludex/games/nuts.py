"""The Game of Nuts: take a few from the pile; who takes the final nut loses."""

from typing import NamedTuple

from ludex.reading import read_int, read_parts
from ludex.rules import NO_MOVE, OVER, Rule
from ludex.scene import Scene, Shape

TITLE = "The Game of Nuts"
KIND = "turns, no chance, 2 seats"
VERSION = 1
ACTIONS = 9  # action 0 takes one nut


class NutsRules(NamedTuple):
    nuts: int = 21
    most: int = 3


RULES = {
    "nuts": Rule(10, 100, "how many nuts lie on the table at the start"),
    "most": Rule(1, ACTIONS, "how many nuts a turn may take at most"),
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
    # Who took the final nut has lost, and it is now the other's turn.
    return 1.0 if seat == state.seat else -1.0


def label(rules: NutsRules, state: Nuts, move: int) -> str:
    return f"take {move + 1}"


def position(rules: NutsRules, state: Nuts) -> str:
    return f"{state.left} {state.seat}"


def read_position(rules: NutsRules, text: str) -> Nuts:
    left, seat = read_parts(text, "LEFT SEAT")
    state = Nuts(read_int(left, "LEFT", 0, rules.nuts), read_int(seat, "SEAT", 0, 1))
    if state.left == rules.nuts and state.seat == 1:
        raise ValueError(
            f"SEAT '1': expected 0, which takes first, while all {state.left} are left"
        )
    return state


def render(rules: NutsRules, state: Nuts, last: int = NO_MOVE) -> str:
    nuts = f"{state.left} nut{'' if state.left == 1 else 's'}"
    rows = [" ".join("●" * min(10, state.left - row)) for row in range(0, state.left, 10)]
    pile = "\n".join(f"  [orange3]{row}[/]" for row in rows)
    return f"{pile}\n  {nuts} on the board".lstrip("\n")


def scene(rules: NutsRules, state: Nuts, last: int = NO_MOVE) -> Scene:
    shapes = [Shape("table", "box", 55, 55, 110, 110, "wood")]
    for nut in range(state.left):
        row, column = divmod(nut, 10)
        shapes.append(Shape(f"nut{nut}", "nut", column * 10 + 10, row * 10 + 10, 8, 8, "nut"))
    return Scene(110, 110, tuple(shapes))
