"""Numbers as all pages write them: with a minus rather than a hyphen, and never -0."""

import math

from ludex.core.play import value_text
from ludex.core.rules import Rules

MINUS = "−"


def signed(value: float | None, digits: int = 3) -> str:
    """Return a number with its sign; empty if unknown."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "+∞" if value > 0.0 else f"{MINUS}∞"
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", MINUS)


def unsigned(value: float) -> str:
    """Return an amount with two decimals, or none if it is whole."""
    return f"{value:.2f}".removesuffix(".00")


def value_words(rules: Rules, value: float, seat: int, digits: int = 3, exact: bool = True) -> str:
    """Return a value from the view of a seat in words, as `value_text` does."""
    words = value_text(rules, value, seat, f".{digits}f", exact)
    return words.replace("value -", f"value {MINUS}", 1)
