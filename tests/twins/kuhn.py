"""Kuhn poker, written out literally."""

from typing import Any

WINNERS = {"bet fold": 0, "pass bet fold": 1}
SHOWDOWNS = {"pass pass": 1, "bet call": 2, "pass bet call": 2}


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first card is dealt."""
    return {"cards": "", "said": []}


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, "chance" for a deal, or "over"."""
    if len(state["cards"]) < 2:
        return "chance"
    if " ".join(state["said"]) in [*WINNERS, *SHOWDOWNS]:
        return "over"
    return len(state["said"]) % 2


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the cards that are left, or what the seat to move may say."""
    if turn(rules, state) == "over":
        return []
    if turn(rules, state) == "chance":
        return [f"deal {card}" for card in "JQK" if card not in state["cards"]]
    return ["fold", "call"] if "bet" in state["said"] else ["pass", "bet"]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return the chance of every card that is left."""
    left = moves(rules, state)
    return {one: 1 / len(left) for one in left}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a deal, or after what was said."""
    if label.startswith("deal"):
        return {"cards": state["cards"] + label[-1], "said": []}
    return {"cards": state["cards"], "said": [*state["said"], label]}


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the chips that each seat has won, of two at most."""
    said = " ".join(state["said"])
    if said in WINNERS:
        winner, chips = WINNERS[said], 1
    else:
        first, second = ("JQK".index(card) for card in state["cards"])
        winner, chips = 0 if first > second else 1, SHOWDOWNS[said]
    return [chips / 2, -chips / 2] if winner == 0 else [-chips / 2, chips / 2]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    return _text(state["cards"], state["said"])


def seen(rules: dict[str, Any], state: dict[str, Any], seat: int) -> str:
    """Return the position in which the other's card is turned over."""
    cards = ["?"] * len(state["cards"])
    if len(cards) > seat:
        cards[seat] = state["cards"][seat]
    return _text("".join(cards), state["said"])


def _text(cards: str, said: list[str]) -> str:
    letters = {"pass": "p", "fold": "p", "bet": "b", "call": "b"}
    line = "".join(letters[one] for one in said)
    return f"{(cards + '--')[0]} {(cards + '--')[1]} {line or '-'}"
