"""Breakthrough, written out literally.

A board is a tuple of rows, row 1 first, each a string of `w`, `b` and `.`; White goes up.
"""

from typing import Any

DEFAULTS: dict[str, int] = {"size": 8}
PIECES = "wb"


def _size(rules: dict[str, Any]) -> int:
    return int(rules.get("size", DEFAULTS["size"]))


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the board with two full rows of each colour; on fewer than six rows, with one."""
    size = _size(rules)
    own = 2 if size >= 6 else 1
    rows = ["w" * size] * own + ["." * size] * (size - 2 * own) + ["b" * size] * own
    return {"board": tuple(rows), "seat": 0}


def _winner(rules: dict[str, Any], state: dict[str, Any]) -> int | None:
    """Return the seat that has reached the far row or captured everything, if there is one."""
    board, text = state["board"], "".join(state["board"])
    if "w" in board[-1] or "b" not in text:
        return 0
    if "b" in board[0] or "w" not in text:
        return 1
    return None


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, or "over"."""
    return "over" if _winner(rules, state) is not None else int(state["seat"])


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return a step of each piece straight ahead or aslant; only aslant it may capture."""
    if turn(rules, state) == "over":
        return []
    board, seat, size = state["board"], state["seat"], _size(rules)
    ahead = 1 if seat == 0 else -1
    labels = []
    for row in range(size):
        for column in range(size):
            for aside in (-1, 0, 1):
                if board[row][column] != PIECES[seat] or not 0 <= column + aside < size:
                    continue
                there = board[row + ahead][column + aside]
                start = "abcdefgh"[column] + str(row + 1)
                end = "abcdefgh"[column + aside] + str(row + ahead + 1)
                if there == ".":
                    labels.append(f"{start}-{end}")
                elif there == PIECES[1 - seat] and aside != 0:
                    labels.append(f"{start}x{end}")
    return labels


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return no outcomes: this game has no chance."""
    return {}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a step or a capture."""
    start, end = label.replace("x", "-").split("-")
    rows = [list(row) for row in state["board"]]
    rows[int(start[1:]) - 1]["abcdefgh".index(start[0])] = "."
    rows[int(end[1:]) - 1]["abcdefgh".index(end[0])] = PIECES[state["seat"]]
    return {"board": tuple("".join(row) for row in rows), "seat": 1 - state["seat"]}


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end."""
    return [1.0, -1.0] if _winner(rules, state) == 0 else [-1.0, 1.0]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text, the uppermost row first."""
    return f"{'/'.join(reversed(state['board']))} {state['seat']}"
