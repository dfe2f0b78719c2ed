"""Tables of results: lists of dictionaries, ready for pandas and notebooks."""

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from ludex.io.text import seconds_text

Format = Callable[[Any], str]
"""Returns a number or a mapping as text."""


def general_text(value: Any) -> str:
    """Return a float with four digits, or the items of a mapping."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {text_of(one)}" for key, one in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def percent_text(share: float) -> str:
    """Return a share from 0 to 1 in percent."""
    return f"{100 * share:.1f} %"


FORMATS: dict[str, Format] = {
    **dict.fromkeys(("share", "interval"), percent_text),
    **dict.fromkeys(("elo", "elo_interval", "rating"), "{:z.0f}".format),
    **dict.fromkeys(("seconds", "seconds_per_decision"), seconds_text),
}
"""How numbers are shown in columns of these names; values in rows are not rounded."""


class Table(list[dict[str, Any]]):
    """Rows with the same keys, in order; `formats` show the numbers of columns as text."""

    def __init__(
        self, rows: Iterable[Mapping[str, Any]] = (), formats: Mapping[str, Format] | None = None
    ) -> None:
        super().__init__(dict(row) for row in rows)
        self.formats = FORMATS | dict(formats or {})

    @property
    def columns(self) -> list[str]:
        """The keys of the rows."""
        return list(dict.fromkeys(key for row in self for key in row))

    @property
    def texts(self) -> list[list[str]]:
        """The rows as they are shown."""
        shown = [(name, self.formats.get(name, general_text)) for name in self.columns]
        return [[text_of(row.get(name), format) for name, format in shown] for row in self]

    def _repr_html_(self) -> str:
        numbers = int | float | None
        sides = [
            "right" if all(isinstance(row.get(name), numbers) for row in self) else "left"
            for name in self.columns
        ]
        head = html_row("th", self.columns, sides)
        body = "".join(html_row("td", texts, sides) for texts in self.texts)
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"

    def __str__(self) -> str:
        texts = [self.columns, *self.texts]
        widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
        lines = ("  ".join(map(str.ljust, line, widths)).rstrip() for line in texts)
        return "\n".join(lines)


def text_of(value: Any, format: Format = general_text) -> str:
    """Return a value as text, lists in brackets."""
    if value is None:
        return ""
    if isinstance(value, tuple | list):
        return f"[{', '.join(text_of(one, format) for one in value)}]"
    return format(value) if isinstance(value, int | float | Mapping) else str(value)


def html_row(tag: str, texts: list[str], sides: list[str]) -> str:
    """Return a row of an HTML table; each cell is aligned to its side."""
    cells = zip(texts, sides, strict=True)
    shown = (f'<{tag} style="text-align: {side}">{escape(one)}</{tag}>' for one, side in cells)
    return f"<tr>{''.join(shown)}</tr>"


def with_headline(text: str, *tables: Table) -> str:
    """Return HTML: the lines of a text or repr above tables, of which empty ones are left out."""
    lines = [escape(re.sub("^<(.*)>$", r"\1", line)) for line in text.splitlines()]
    shown = "".join(table._repr_html_() for table in tables if table)
    return f"<p>{'<br>'.join(lines)}</p>{shown}"
