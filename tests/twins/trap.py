"""AI Squid Game: Trap!, written out literally.

A cell is a pair (row, column). A turn is a step, a throw at a target, and the landing.
"""

from typing import Any

DEFAULTS: dict[str, int] = {"size": 7}


def _size(rules: dict[str, Any]) -> int:
    return int(rules.get("size", DEFAULTS["size"]))


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the empty board with both players in the middle of their edges."""
    size = _size(rules)
    return {
        "players": [(0, size // 2), (size - 1, size // 2)],
        "traps": frozenset(),
        "seat": 0,
        "phase": "step",
        "target": None,
    }


def _neighbours(rules: dict[str, Any], cell: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the up to eight cells of the board around a cell."""
    size = _size(rules)
    found = []
    for row in range(cell[0] - 1, cell[0] + 2):
        for column in range(cell[1] - 1, cell[1] + 2):
            on_board = 0 <= row < size and 0 <= column < size
            if on_board and (row, column) != cell:
                found.append((row, column))
    return found


def _steps(rules: dict[str, Any], state: dict[str, Any], seat: int) -> list[tuple[int, int]]:
    """Return the cells that a seat may step to."""
    found = []
    for cell in _neighbours(rules, state["players"][seat]):
        if cell not in state["traps"] and cell not in state["players"]:
            found.append(cell)
    return found


def _loser(rules: dict[str, Any], state: dict[str, Any]) -> int | None:
    """Return the seat that is next to step and cannot, if there is one."""
    if state["phase"] == "land":
        return None
    seat = int(state["seat"])
    next_to_step = seat if state["phase"] == "step" else 1 - seat
    return None if _steps(rules, state, next_to_step) else next_to_step


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to step or throw, "chance" before the landing, or "over"."""
    if _loser(rules, state) is not None:
        return "over"
    if state["phase"] == "land":
        return "chance"
    return int(state["seat"])


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the steps, the throws, or the cells where the trap may land."""
    if _loser(rules, state) is not None:
        return []
    if state["phase"] == "land":
        return list(odds(rules, state))
    if state["phase"] == "step":
        return [f"step {row},{column}" for row, column in _steps(rules, state, state["seat"])]
    labels = []
    for row in range(_size(rules)):
        for column in range(_size(rules)):
            if (row, column) not in state["players"]:
                labels.append(f"throw {row},{column}")
    return labels


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return the probability of every cell where the trap may land."""
    thrower = state["players"][state["seat"]]
    target = state["target"]
    distance = abs(thrower[0] - target[0]) + abs(thrower[1] - target[1])
    p = 1 - 0.05 * (distance - 1)
    around = []
    for cell in _neighbours(rules, target):
        if cell not in state["players"]:
            around.append(cell)
    chances = {target: p}
    for cell in around:
        chances[cell] = (1 - p) / len(around)
    return {f"land {row},{column}": q for (row, column), q in chances.items() if q > 0}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a step, a throw or a landing."""
    kind, text = label.split()
    row, column = text.split(",")
    cell = (int(row), int(column))
    after = dict(state)
    if kind == "step":
        after["players"] = list(state["players"])
        after["players"][state["seat"]] = cell
        after["phase"] = "throw"
    elif kind == "throw":
        after["target"] = cell
        after["phase"] = "land"
    else:
        after["traps"] = state["traps"] | {cell}
        after["target"] = None
        after["phase"] = "step"
        after["seat"] = 1 - state["seat"]
    return after


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end: who cannot step has lost."""
    loser = _loser(rules, state)
    return [-1.0 if seat == loser else 1.0 for seat in (0, 1)]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    board = [["."] * _size(rules) for _ in range(_size(rules))]
    for row, column in state["traps"]:
        board[row][column] = "x"
    for mark, (row, column) in zip("12", state["players"], strict=True):
        board[row][column] = mark
    rows = ["".join(row) for row in board]
    phase = state["phase"]
    if phase == "land":
        phase = f"land:{state['target'][0]},{state['target'][1]}"
    return f"{'/'.join(rows)} {state['seat']} {phase}"
