"""Pig: roll as often as you dare; a one loses the points of the turn."""

from typing import NamedTuple

from ludex.core.rules import CHANCE, NO_MOVE, OVER, Rule, seat_name
from ludex.io.text import read_int, read_parts

TITLE = "Pig"
KIND = "turns, a die, 2 seats"
VERSION = 1
ACTIONS = 2
OUTCOMES = 6
ROLL, HOLD = 0, 1


class PigRules(NamedTuple):
    goal: int = 100


RULES = {"goal": Rule(2, 500, "how many points win")}


class Pig(NamedTuple):
    first: int
    second: int
    pot: int  # points of this turn so far
    seat: int
    rolling: int  # 1 while the die is in the air


def initial(rules):
    return Pig(0, 0, 0, 0, 0)


def turn(rules, state):
    if state.first >= rules.goal or state.second >= rules.goal:
        return OVER
    return CHANCE if state.rolling else state.seat


def legal(rules, state, seat, action):
    return action == ROLL or state.pot > 0


def chance(rules, state, outcome):
    return 1.0 / 6.0


def apply(rules, state, move):
    first, second, pot, seat, rolling = state
    if rolling:
        if move == 0:
            return Pig(first, second, 0, 1 - seat, 0)
        return Pig(first, second, pot + move + 1, seat, 0)
    if move == ROLL:
        return Pig(first, second, pot, seat, 1)
    if seat == 0:
        return Pig(first + pot, second, 0, 1, 0)
    return Pig(first, second + pot, 0, 0, 0)


def canonical(rules, state):
    # All winning pots are equivalent.
    first, second, pot, seat, rolling = state
    missing = rules.goal - (first if seat == 0 else second)
    return Pig(first, second, min(pot, missing), seat, rolling)


def returns(rules, state, seat):
    winner = 0 if state.first >= rules.goal else 1
    return 1.0 if seat == winner else -1.0


def view_shape(rules):
    return 5, 1, 1


def view(rules, state, seat, planes):
    # Planes: own points, the opponent's and the pot, relative to the goal; turn; die in the air.
    planes[seat] = min(1.0, state.first / rules.goal)
    planes[1 - seat] = min(1.0, state.second / rules.goal)
    planes[2] = min(1.0, state.pot / rules.goal)
    planes[3] = 1 if state.seat == seat else 0
    planes[4] = state.rolling


def label(rules: PigRules, state: Pig, move: int) -> str:
    if state.rolling:
        return f"die {move + 1}"
    return ("roll", "hold")[move]


def read_position(rules: PigRules, text: str) -> Pig:
    parts = read_parts(text, "FIRST SECOND POT SEAT ROLLING")
    names, most = ("FIRST", "SECOND", "POT"), 10**6
    first, second, pot = (
        read_int(part, name, 0, most) for part, name in zip(parts, names, strict=False)
    )
    if min(first, second) >= rules.goal:
        raise ValueError(f"FIRST and SECOND: expected at most one from {rules.goal} on")
    seat, rolling = read_int(parts[3], "SEAT", 0, 1), read_int(parts[4], "ROLLING", 0, 1)
    return Pig(first, second, pot, seat, rolling)


def render(rules: PigRules, state: Pig, last: int = NO_MOVE) -> str:
    lines = []
    for seat, points in enumerate((state.first, state.second)):
        full = 40 * min(points, rules.goal) // rules.goal
        bar = f"[green]{'█' * full}[/][dim]{'░' * (40 - full)}[/]"
        turn_mark = "▶" if state.seat == seat else " "
        lines.append(f"{turn_mark} {seat_name(rules, seat)} {bar} {points:>3}")
    lines.append(f"  {state.pot} in the pot")
    return "\n".join(lines)
