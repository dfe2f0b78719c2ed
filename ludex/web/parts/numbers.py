"""Values and amounts as all pages write them."""

from ludex.core.play import value_text
from ludex.core.rules import Rules
from ludex.io.text import MINUS


def unsigned(value: float) -> str:
    """Return an amount with two decimals, or none if it is whole."""
    return f"{value:.2f}".removesuffix(".00")


def value_words(rules: Rules, value: float, seat: int, digits: int = 3, exact: bool = True) -> str:
    """Return a value from the view of a seat in words, as `value_text` does."""
    words = value_text(rules, value, seat, f".{digits}f", exact)
    return words.replace("value -", f"value {MINUS}", 1)
