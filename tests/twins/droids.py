"""R2-D2 Battle, written out literally: both droids choose at once, step, then shoot."""

from typing import Any

DEFAULTS: dict[str, int] = {"rows": 4, "columns": 4, "shots": 5, "rounds": 50}
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _rule(rules: dict[str, Any], name: str) -> int:
    return int(rules.get(name, DEFAULTS[name]))


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first round."""
    rows, columns = _rule(rules, "rows"), _rule(rules, "columns")
    start1 = rules.get("start1", (rows // 2, 0))
    start2 = rules.get("start2", (rows // 2, columns - 1))
    shots = _rule(rules, "shots")
    return {
        "cells": [tuple(start1), tuple(start2)],
        "shots": [shots, shots],
        "points": [0, 0],
        "left": _rule(rules, "rounds"),
    }


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return "both", or "over" when all shots or all rounds are gone."""
    if state["shots"] == [0, 0] or state["left"] == 0:
        return "over"
    return "both"


def _target(cell: tuple[int, int], action: str) -> tuple[int, int]:
    """Return the cell that an action aims at; a shooter stays."""
    if action == "shoot":
        return cell
    row, column = STEPS[action]
    return (cell[0] + row, cell[1] + column)


def _actions(rules: dict[str, Any], state: dict[str, Any], seat: int) -> list[str]:
    """Return the steps that no wall blocks, and the shot if any is left."""
    found = []
    rows, columns = range(_rule(rules, "rows")), range(_rule(rules, "columns"))
    for action in STEPS:
        row, column = _target(state["cells"][seat], action)
        if row in rows and column in columns:
            found.append(action)
    if state["shots"][seat] > 0:
        found.append("shoot")
    return found


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return all pairs of both seats' actions."""
    if turn(rules, state) == "over":
        return []
    seconds = _actions(rules, state, 1)
    return [f"{first} {second}" for first in _actions(rules, state, 0) for second in seconds]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return no outcomes: this game has no chance."""
    return {}


def _beam(rules: dict[str, Any], cell: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the cells that a shot from a cell sweeps: its whole row and column."""
    swept = []
    for column in range(_rule(rules, "columns")):
        swept.append((cell[0], column))
    for row in range(_rule(rules, "rows")):
        swept.append((row, cell[1]))
    return swept


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a round played with a pair of actions."""
    actions = label.split()
    old = state["cells"]
    new = [_target(old[seat], actions[seat]) for seat in (0, 1)]
    same = new[0] == new[1]
    exchanged = new[0] == old[1] and new[1] == old[0]
    cells = old if same or exchanged else new

    shots = list(state["shots"])
    points = list(state["points"])
    hits = [False, False]
    for seat in (0, 1):
        if actions[seat] == "shoot":
            shots[seat] -= 1
            hits[seat] = cells[1 - seat] in _beam(rules, cells[seat])
    for seat in (0, 1):
        if hits[seat] and not hits[1 - seat]:
            points[seat] += 1
    return {"cells": cells, "shots": shots, "points": points, "left": state["left"] - 1}


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end: more points win, equal points are a draw."""
    first, second = state["points"]
    if first == second:
        return [0.0, 0.0]
    return [1.0, -1.0] if first > second else [-1.0, 1.0]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    fields = []
    for pair in (*state["cells"], state["shots"], state["points"]):
        fields.append(f"{pair[0]},{pair[1]}")
    return " ".join([*fields, str(state["left"])])
