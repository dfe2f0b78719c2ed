"""Hex, written out literally.

Stones are two sets of cells (row, column); a winner is found by a walk through the whole board.
"""

from typing import Any

DEFAULTS: dict[str, int] = {"size": 11, "swap": 1}


def _rule(rules: dict[str, Any], name: str) -> int:
    return int(rules.get(name, DEFAULTS[name]))


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the empty board."""
    return {"stones": [frozenset(), frozenset()], "seat": 0}


def _neighbours(cell: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the cells around a cell; some may be beside the board."""
    row, column = cell
    return [
        (row - 1, column),
        (row - 1, column + 1),
        (row, column - 1),
        (row, column + 1),
        (row + 1, column - 1),
        (row + 1, column),
    ]


def _has_joined(rules: dict[str, Any], state: dict[str, Any], seat: int) -> bool:
    """Return whether stones of a seat go from side to side: from row to row, or by columns."""
    stones, last = state["stones"][seat], _rule(rules, "size") - 1
    found = [cell for cell in stones if cell[seat] == 0]
    for cell in found:  # grows while it is read
        for other in _neighbours(cell):
            if other in stones and other not in found:
                found.append(other)
    return any(cell[seat] == last for cell in found)


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, or "over"."""
    if _has_joined(rules, state, 0) or _has_joined(rules, state, 1):
        return "over"
    return int(state["seat"])


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the empty cells, and the swap as an answer to the first stone."""
    if turn(rules, state) == "over":
        return []
    labels = []
    for row in range(_rule(rules, "size")):
        for column in range(_rule(rules, "size")):
            if not any((row, column) in stones for stones in state["stones"]):
                labels.append("abcdefghijk"[column] + str(row + 1))
    red, blue = state["stones"]
    if _rule(rules, "swap") == 1 and state["seat"] == 1 and len(red) == 1 and not blue:
        labels.append("swap")
    return labels


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return no outcomes: this game has no chance."""
    return {}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a stone, or after the swap, which mirrors the first one."""
    red, blue = state["stones"]
    if label == "swap":
        [(row, column)] = red
        return {"stones": [frozenset(), frozenset({(column, row)})], "seat": 0}
    cell = (int(label[1:]) - 1, "abcdefghijk".index(label[0]))
    if state["seat"] == 0:
        return {"stones": [red | {cell}, blue], "seat": 1}
    return {"stones": [red, blue | {cell}], "seat": 0}


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end: who has joined two sides has won."""
    return [1.0, -1.0] if _has_joined(rules, state, 0) else [-1.0, 1.0]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    red, blue = state["stones"]
    rows = []
    for row in range(_rule(rules, "size")):
        line = ""
        for column in range(_rule(rules, "size")):
            line += "r" if (row, column) in red else "b" if (row, column) in blue else "."
        rows.append(line)
    return f"{'/'.join(rows)} {state['seat']}"
