"""Othello, written out literally.

A board is a tuple of rows, each a string of `x` for Black, `o` for White and `.` for nothing.
"""

from typing import Any

DEFAULTS: dict[str, int] = {"size": 8}
DISCS = "xo"
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def _size(rules: dict[str, Any]) -> int:
    return int(rules.get("size", DEFAULTS["size"]))


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the board with two discs of each colour, on the two diagonals of the middle."""
    size = _size(rules)
    board = [["."] * size for _ in range(size)]
    low, high = size // 2 - 1, size // 2
    board[low][low] = board[high][high] = "o"
    board[low][high] = board[high][low] = "x"
    return {"board": tuple("".join(row) for row in board), "seat": 0}


def _at(rules: dict[str, Any], board: tuple[str, ...], row: int, column: int) -> str:
    """Return what is on a square, or a space beside the board."""
    if 0 <= row < _size(rules) and 0 <= column < _size(rules):
        return board[row][column]
    return " "


def _turned(
    rules: dict[str, Any], board: tuple[str, ...], row: int, column: int, seat: int
) -> list[tuple[int, int]]:
    """Return the squares whose discs a new disc would turn over."""
    mine, other = DISCS[seat], DISCS[1 - seat]
    found = []
    for down, right in DIRECTIONS:
        line = []
        a, b = row + down, column + right
        while _at(rules, board, a, b) == other:
            line.append((a, b))
            a, b = a + down, b + right
        if _at(rules, board, a, b) == mine:
            found += line
    return found


def _placings(rules: dict[str, Any], board: tuple[str, ...], seat: int) -> list[str]:
    """Return the squares where a seat may place a disc."""
    found = []
    for row in range(_size(rules)):
        for column in range(_size(rules)):
            if board[row][column] == "." and _turned(rules, board, row, column, seat):
                found.append("abcdefgh"[column] + str(row + 1))
    return found


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, or "over" if neither can place a disc."""
    if any(_placings(rules, state["board"], seat) for seat in (0, 1)):
        return int(state["seat"])
    return "over"


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the squares, or a pass if there are none."""
    if turn(rules, state) == "over":
        return []
    return _placings(rules, state["board"], state["seat"]) or ["pass"]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return no outcomes: this game has no chance."""
    return {}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a disc or a pass."""
    seat, board = state["seat"], state["board"]
    if label == "pass":
        return {"board": board, "seat": 1 - seat}
    row, column = int(label[1:]) - 1, "abcdefgh".index(label[0])
    rows = [list(line) for line in board]
    for a, b in [(row, column), *_turned(rules, board, row, column, seat)]:
        rows[a][b] = DISCS[seat]
    return {"board": tuple("".join(line) for line in rows), "seat": 1 - seat}


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end: who has more discs has won."""
    text = "".join(state["board"])
    black, white = text.count("x"), text.count("o")
    if black == white:
        return [0.0, 0.0]
    return [1.0, -1.0] if black > white else [-1.0, 1.0]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    return f"{'/'.join(state['board'])} {state['seat']}"
