"""Leduc poker, written out literally, with the six cards of its deck."""

from typing import Any

DECK = "JJQQKK"


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first card is dealt."""
    return {"cards": "", "rounds": [[], []]}


def _number(state: dict[str, Any]) -> int:
    """Return the number of the round: the second begins with the third card."""
    return 1 if len(state["cards"]) == 3 else 0


def _is_settled(said: list[str]) -> bool:
    return said[-2:] == ["check", "check"] or said[-1:] == ["call"]


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, "chance" for a deal, or "over"."""
    said = state["rounds"][_number(state)]
    if len(state["cards"]) < 2:
        return "chance"
    if said[-1:] == ["fold"]:
        return "over"
    if _is_settled(said):
        return "over" if len(state["cards"]) == 3 else "chance"
    return len(said) % 2


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the ranks that are left, or what the seat to move may say."""
    if turn(rules, state) == "over":
        return []
    if turn(rules, state) == "chance":
        return list(odds(rules, state))
    raises = state["rounds"][_number(state)].count("raise")
    return [["check", "raise"], ["fold", "call", "raise"], ["fold", "call"]][raises]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return the chance of every rank, by counting the cards that are left."""
    left = list(DECK)
    for card in state["cards"]:
        left.remove(card)
    return {f"deal {card}": left.count(card) / len(left) for card in left}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a deal, or after what was said."""
    first, second = state["rounds"]
    if label.startswith("deal"):
        return {"cards": state["cards"] + label[-1], "rounds": [first, second]}
    if len(state["cards"]) == 2:
        return {"cards": state["cards"], "rounds": [[*first, label], second]}
    return {"cards": state["cards"], "rounds": [first, [*second, label]]}


def _paid(state: dict[str, Any]) -> list[int]:
    """Return the chips that each seat has in the pot."""
    paid = [1, 1]
    for size, said in zip((2, 4), state["rounds"], strict=True):
        for number, word in enumerate(said):
            if word == "call":
                paid[number % 2] = max(paid)
            if word == "raise":
                paid[number % 2] = max(paid) + size
    return paid


def _winner(state: dict[str, Any]) -> int | None:
    said = state["rounds"][_number(state)]
    if said[-1] == "fold":
        return len(said) % 2
    first, second, public = state["cards"]
    if first == second:
        return None
    for seat, card in enumerate((first, second)):
        if card == public:
            return seat
    return 0 if "JQK".index(first) > "JQK".index(second) else 1


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the chips that each seat has won, of thirteen at most."""
    winner, paid = _winner(state), _paid(state)
    if winner is None:
        return [0.0, 0.0]
    won = [0.0, 0.0]
    won[winner] = paid[1 - winner] / 13
    won[1 - winner] = -paid[1 - winner] / 13
    return won


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    return _text(state["cards"], state["rounds"])


def seen(rules: dict[str, Any], state: dict[str, Any], seat: int) -> str:
    """Return the position in which the other's card is turned over."""
    cards = list(state["cards"])
    if len(cards) > 1 - seat:
        cards[1 - seat] = "?"
    return _text("".join(cards), state["rounds"])


def _text(cards: str, rounds: list[list[str]]) -> str:
    letters = {"fold": "f", "check": "c", "call": "c", "raise": "r"}
    lines = ["".join(letters[word] for word in said) or "-" for said in rounds]
    return " ".join([*cards.ljust(3, "-"), *lines])
