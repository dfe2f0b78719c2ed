"""The blocks of a report: headings, paragraphs, tables and plots."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ludex.io.text import seconds_text


class Heading(NamedTuple):
    """The heading of a section."""

    text: str


class Paragraph(NamedTuple):
    """Some sentences."""

    text: str


class ReportTable(NamedTuple):
    """A table of texts."""

    caption: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    bold: frozenset[int] = frozenset()
    """The rows in bold."""
    facts: Sequence[dict[str, Any]] = ()
    """The unrounded numbers, by row or by cell."""
    folded: bool = False
    """Whether a page folds it away, because a plot shows the same."""

    def numeric(self) -> tuple[bool, ...]:
        """Return which columns hold numbers."""
        return tuple(
            all(row[place][:1] in "0123456789+-−" for row in self.rows if row[place])
            for place in range(len(self.columns))
        )


def make_table(
    caption: str,
    items: Sequence[Any],
    columns: Mapping[str, str | Callable[[Any], str]],
    facts: Sequence[dict[str, Any]] | None = None,
) -> ReportTable:
    """Return a table with a row for each item, a column by a key or a function of the item.

    The items are the facts, unless these are given.
    """
    rows = [
        tuple(str(one[cell]) if isinstance(cell, str) else cell(one) for cell in columns.values())
        for one in items
    ]
    return ReportTable(caption, tuple(columns), rows, facts=items if facts is None else facts)


class Drawing(NamedTuple):
    """A plot as SVG: for the width of a page, and for that of a phone."""

    wide: str
    narrow: str


class Plot(NamedTuple):
    """A plot with its caption."""

    name: str
    drawing: Drawing
    caption: str
    narrow_caption: str = ""
    """That of the narrow drawing, if it shows less."""


class File(NamedTuple):
    """A file written with the report."""

    name: str
    content: str


Block = Heading | Paragraph | ReportTable | Plot | File


def seconds_cell(facts: dict[str, Any]) -> str:
    """Return the time among facts."""
    return seconds_text(facts["seconds"])
