"""Text: strict parsing of small values, suggestions for misspelt words, and plurals.

Every `read_` function raises a ValueError that says which part is wrong, what was given and what
was expected; the caller adds the whole text.
"""

import difflib
import json
import math
import operator
from collections.abc import Callable, Iterable, Sequence
from string import Formatter
from typing import Any, SupportsIndex, TypeVar

T = TypeVar("T")
MINUS = "−"
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


class ParameterError(ValueError):
    """A wrong argument, in a message with the names of parameters in braces.

    `ParameterError("{depth} {}: expected 1", 2)` is "depth 2: expected 1" in Python; a command
    prints its option instead: "--depth 2: expected 1".
    """

    def __init__(self, text: str, *values: object) -> None:
        super().__init__(text, *values)

    def message(self, name: Callable[[str], str] = str) -> str:
        """Return the message, with a name for each parameter."""
        text, *values = self.args
        fields = {field for _, field, _, _ in Formatter().parse(text) if field}
        return str(text.format(*values, **{field: name(field) for field in fields}))

    __str__ = message


def whole_number(name: str, value: SupportsIndex, least: int = 1) -> int:
    """Return a parameter that is a whole number, not below the least."""
    if not hasattr(value, "__index__") or operator.index(value) < least:
        raise ParameterError(f"{{{name}}} {{!r}}: expected a whole number, at least {least}", value)
    return operator.index(value)


class WrongParts(ValueError):
    """A text has another number of parts than there are `names`."""

    def __init__(self, names: list[str], count: int) -> None:
        super().__init__(f"expected {len(names)} parts ({' '.join(names)}), not {count}")
        self.names = names


def read_parts(text: str, names: str) -> list[str]:
    """Split a text into as many parts as there are names."""
    parts, wanted = text.split(), names.split()
    if len(parts) != len(wanted):
        raise WrongParts(wanted, len(parts))
    return parts


def read_int(text: str, name: str, low: int, high: int) -> int:
    """Return an integer from low to high."""
    digits = text.removeprefix("-")
    # Not int() alone, which also takes " 1", "1_000" and digits of other scripts.
    plain = digits.isascii() and digits.isdigit() and len(digits) < 20
    if not plain or not low <= int(text) <= high:
        raise ValueError(f"{name} {text!r}: expected a whole number from {low} to {high}")
    return int(text)


def signed(value: float | None, digits: int = 3) -> str:
    """Return a number with its sign, a minus rather than a hyphen, never -0; empty if unknown."""
    if value is None or math.isnan(value):
        return ""
    if math.isinf(value):
        return "+∞" if value > 0.0 else f"{MINUS}∞"
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", MINUS)


def number_or_nan(text: str) -> float:
    """Return a number, or NaN for any other text, so that no range contains it."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def read_ints(text: str, name: str, ranges: Sequence[tuple[int, int]]) -> list[int]:
    """Return integers separated by commas, one for each range."""
    parts = text.split(",")
    if len(parts) != len(ranges):
        raise ValueError(f"{name} {text!r}: expected {len(ranges)} numbers with commas between")
    return [read_int(part, name, *bounds) for part, bounds in zip(parts, ranges, strict=True)]


def read_cell(text: str, name: str, rows: int, columns: int) -> int:
    """Return the cell `ROW,COLUMN` of a board as row * columns + column."""
    row, column = read_ints(text, name, [(0, rows - 1), (0, columns - 1)])
    return row * columns + column


def read_rows(text: str, size: int, marks: str) -> str:
    """Return the marks of a square board, written `ROW/ROW/…`, row by row."""
    rows = text.split("/")
    if len(rows) != size:
        raise ValueError(f"expected {size} rows with '/' between, not {len(rows)}")
    *others, last = map(repr, marks)
    for row in rows:
        if len(row) != size or set(row) - set(marks):
            cells = f"{size} cells of {', '.join(others)} and {last}"
            raise ValueError(f"ROW {row!r}: expected {cells}")
    return "".join(rows)


def read_word(text: str, name: str, words: Sequence[str]) -> int:
    """Return the index of a word in a list."""
    if text not in words:
        raise ValueError(f"{name} {text!r}: expected {' or '.join(words)}")
    return words.index(text)


def nearest(text: str, words: Iterable[str]) -> str:
    """Return a "did you mean" with the most similar word, or an empty text."""
    close = difflib.get_close_matches(text, list(words), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def first_duplicate(values: Sequence[T]) -> T | None:
    """Return the first value that occurs more than once, which need not be hashable, or None."""
    return next((one for one in values if values.count(one) > 1), None)


def many(number: int, noun: str) -> str:
    """Return a count with its noun, such as "2 matches"."""
    end = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number:,} {noun}{end}"


def toml_value(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(key)} = {toml_value(one)}" for key, one in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def seconds_text(seconds: float) -> str:
    """Return a time in a readable unit."""
    size, unit = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    return f"{seconds / size:#.3g}".rstrip(".") + f" {unit}"
