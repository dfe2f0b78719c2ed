"""Tables of results: lists of dictionaries, ready for pandas and notebooks."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any


class Table(list[dict[str, Any]]):
    """Rows with the same keys, in order."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(dict(row) for row in rows)

    @property
    def columns(self) -> list[str]:
        """The keys of the rows."""
        return list(dict.fromkeys(key for row in self for key in row))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(cell(row.get(name)) for name in self.columns)}</tr>" for row in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __str__(self) -> str:
        texts = [self.columns, *([text_of(row.get(name)) for name in self.columns] for row in self)]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        lines = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in texts)
        return "\n".join(lines)


def text_of(value: Any) -> str:
    """Return a value as text: numbers with four digits, intervals in brackets."""
    if value is None:
        return ""
    if isinstance(value, bool | str | int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {text_of(one)}" for key, one in value.items())
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(text_of, value))}]"
    return str(value)


def cell(value: Any) -> str:
    """Return an HTML cell; numbers are right-aligned."""
    right = ' style="text-align: right"' if isinstance(value, int | float) else ""
    return f"<td{right}>{escape(text_of(value))}</td>"
