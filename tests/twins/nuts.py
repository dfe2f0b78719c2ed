"""The Game of Nuts, written out literally."""

from typing import Any

DEFAULTS: dict[str, int] = {"nuts": 21, "most": 3}


def _rule(rules: dict[str, Any], name: str) -> int:
    return int(rules.get(name, DEFAULTS[name]))


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first take."""
    return {"left": _rule(rules, "nuts"), "seat": 0}


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, or "over"."""
    if state["left"] == 0:
        return "over"
    return int(state["seat"])


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return every take; one that asks for more nuts than are left is allowed too."""
    if turn(rules, state) == "over":
        return []
    return [f"take {count}" for count in range(1, _rule(rules, "most") + 1)]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return no outcomes: this game has no chance."""
    return {}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a take; the count stops at 0."""
    count = int(label.split()[1])
    left = state["left"]
    for _ in range(count):
        if left > 0:
            left -= 1
    return {"left": left, "seat": 1 - state["seat"]}


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end: who took the final nut has lost."""
    taker = 1 - state["seat"]
    return [-1.0 if seat == taker else 1.0 for seat in (0, 1)]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    return f"{state['left']} {state['seat']}"
