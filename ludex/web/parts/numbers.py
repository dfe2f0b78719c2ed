"""Values and amounts as all pages write them."""

import math

from ludex.core.play import value_text
from ludex.core.rules import Rules
from ludex.io.text import MINUS, signed


def unsigned(value: float) -> str:
    """Return an amount with two decimals, or none if it is whole."""
    return f"{value:.2f}".removesuffix(".00")


def value_words(rules: Rules, value: float, seat: int, digits: int = 3, exact: bool = True) -> str:
    """Return a value from the view of a seat in words, as `value_text` does."""
    words = value_text(rules, value, seat, f".{digits}f", exact)
    return words.replace("value -", f"value {MINUS}", 1)


def interval_text(low: float, high: float) -> str:
    """Return the confidence interval of a rating."""
    if math.isinf(low) or math.isinf(high):
        return "not known yet"
    return f"{signed(low, 0)} to {signed(high, 0)}"
