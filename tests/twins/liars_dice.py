"""Liar's dice, written out literally."""

from typing import Any

DEFAULTS: dict[str, int] = {"dice": 1, "faces": 6}
NUMBERS = ["one", "two", "three", "four", "five", "six"]


def _rule(rules: dict[str, Any], name: str) -> int:
    return int(rules.get(name, DEFAULTS[name]))


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first roll."""
    return {"dice": [[], []], "said": []}


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, "chance" for a roll, or "over"."""
    if len(state["dice"][1]) < _rule(rules, "dice"):
        return "chance"
    if "liar" in state["said"]:
        return "over"
    return len(state["said"]) % 2


def _bids(rules: dict[str, Any]) -> list[tuple[int, int]]:
    """Return all bids from the lowest on."""
    found = []
    for number in range(1, 2 * _rule(rules, "dice") + 1):
        for face in range(1, _rule(rules, "faces") + 1):
            found.append((number, face))
    return found


def _label(bid: tuple[int, int]) -> str:
    number, face = bid
    if number == 1:
        return f"1 {NUMBERS[face - 1]}"
    return f"{number} sixes" if face == 6 else f"{number} {NUMBERS[face - 1]}s"


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the faces of a die, or the bids above the last one and the call."""
    if turn(rules, state) == "over":
        return []
    if turn(rules, state) == "chance":
        return list(odds(rules, state))
    if not state["said"]:
        return [_label(bid) for bid in _bids(rules)]
    higher = [_label(bid) for bid in _bids(rules) if bid > state["said"][-1]]
    return [*higher, "liar"]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return the chance of every face."""
    faces = _rule(rules, "faces")
    return {f"die {face}": 1 / faces for face in range(1, faces + 1)}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a roll, a bid or the call."""
    first, second = state["dice"]
    if label.startswith("die"):
        face = int(label[-1])
        if len(first) < _rule(rules, "dice"):
            return {"dice": [sorted([*first, face]), second], "said": []}
        return {"dice": [first, sorted([*second, face])], "said": []}
    said: Any = label
    for bid in _bids(rules):
        if _label(bid) == label:
            said = bid
    return {"dice": [first, second], "said": [*state["said"], said]}


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat: who bid last wins if there are as many dice as that."""
    number, face = state["said"][-2]
    bidder = len(state["said"]) % 2
    there = 0
    for die in state["dice"][0] + state["dice"][1]:
        if die == face or die == _rule(rules, "faces"):
            there += 1
    winner = bidder if there >= number else 1 - bidder
    return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    return _text(state["dice"], state["said"])


def seen(rules: dict[str, Any], state: dict[str, Any], seat: int) -> str:
    """Return the position in which the other's dice are under a cup."""
    dice = list(state["dice"])
    dice[1 - seat] = "?" * len(dice[1 - seat])
    return _text(dice, state["said"])


def _text(dice: list[Any], said: list[Any]) -> str:
    shown = ["".join(map(str, one)) or "-" for one in dice]
    bids = ["liar" if one == "liar" else f"{one[0]}x{one[1]}" for one in said]
    return " ".join([*shown, ",".join(bids) or "-"])
