"""Goofspiel, written out literally."""

from typing import Any

DEFAULTS: dict[str, Any] = {"cards": 5, "order": "descending", "revealed": "no"}


def _rule(rules: dict[str, Any], name: str) -> Any:
    return rules.get(name, DEFAULTS[name])


def _left(rules: dict[str, Any], cards: list[int]) -> list[int]:
    return [card for card in range(1, _rule(rules, "cards") + 1) if card not in cards]


def _with_prize(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    """Turn up the next prize if the order says which."""
    left = _left(rules, state["prizes"])
    if left and _rule(rules, "order") != "random":
        prize = min(left) if _rule(rules, "order") == "ascending" else max(left)
        return {**state, "prizes": [*state["prizes"], prize]}
    return state


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first bids."""
    return _with_prize(rules, {"prizes": [], "bids": []})


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return "both", "chance" for the next prize, or "over"."""
    if len(state["bids"]) == _rule(rules, "cards"):
        return "over"
    return "both" if len(state["prizes"]) > len(state["bids"]) else "chance"


def _hand(rules: dict[str, Any], state: dict[str, Any], seat: int) -> list[int]:
    return _left(rules, [pair[seat] for pair in state["bids"]])


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the prizes that are left, or all pairs of bids."""
    if turn(rules, state) == "over":
        return []
    if turn(rules, state) == "chance":
        return list(odds(rules, state))
    hands = _hand(rules, state, 0), _hand(rules, state, 1)
    return [f"{first} {second}" for first in hands[0] for second in hands[1]]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return the chance of every prize that is left."""
    left = _left(rules, state["prizes"])
    return {f"prize {prize}": 1 / len(left) for prize in left}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a prize is turned up, or after two bids."""
    if label.startswith("prize"):
        return {**state, "prizes": [*state["prizes"], int(label.split()[1])]}
    first, second = map(int, label.split())
    after = _with_prize(rules, {**state, "bids": [*state["bids"], (first, second)]})
    hands = _hand(rules, after, 0), _hand(rules, after, 1)
    if len(hands[0]) == 1:  # the last round, in which nobody has a choice
        missing = _left(rules, after["prizes"])
        bids = [*after["bids"], (hands[0][0], hands[1][0])]
        return {"prizes": [*after["prizes"], *missing], "bids": bids}
    return after


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat: more points win, equal points are a draw."""
    points = [0, 0]
    for prize, (first, second) in zip(state["prizes"], state["bids"], strict=True):
        if first > second:
            points[0] += prize
        if second > first:
            points[1] += prize
    if points[0] == points[1]:
        return [0.0, 0.0]
    return [1.0, -1.0] if points[0] > points[1] else [-1.0, 1.0]


def _text(state: dict[str, Any], rows: list[list[Any]]) -> str:
    winners = ""
    for first, second in state["bids"]:
        winners += "=" if first == second else "1" if first > second else "2"
    lists = [",".join(map(str, row)) or "-" for row in (state["prizes"], *rows)]
    return " ".join([*lists, winners or "-"])


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    return _text(state, [[pair[seat] for pair in state["bids"]] for seat in (0, 1)])


def seen(rules: dict[str, Any], state: dict[str, Any], seat: int) -> str:
    """Return the position as a seat sees it: without the other's bids, unless revealed."""
    if _rule(rules, "revealed") == "yes":
        return position(rules, state)
    rows: list[list[Any]] = [[pair[one] for pair in state["bids"]] for one in (0, 1)]
    rows[1 - seat] = ["?"] * len(state["bids"])
    return _text(state, rows)
