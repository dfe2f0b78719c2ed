"""The blocks of a report: headings, paragraphs, tables and plots."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Heading(NamedTuple):
    """The beginning of a section."""

    text: str


class Paragraph(NamedTuple):
    """Some sentences."""

    text: str


class Table(NamedTuple):
    """Rows under columns; what is in a cell is text already."""

    caption: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    bold: frozenset[int] = frozenset()
    """Rows that are set off."""
    facts: Sequence[dict[str, Any]] = ()
    """The same for programs: numbers that are not rounded, a row each or a cell each."""
    folded: bool = False
    """Whether a page shows it only to who asks, because a drawing says the same."""

    def numeric(self) -> tuple[bool, ...]:
        """Return which columns hold numbers."""
        return tuple(
            all(row[place][:1] in "0123456789+-−" for row in self.rows if row[place])
            for place in range(len(self.columns))
        )


class Plot(NamedTuple):
    """A drawing as SVG."""

    name: str
    svg: str
    caption: str


class File(NamedTuple):
    """A file that comes with the report."""

    name: str
    content: str


Block = Heading | Paragraph | Table | Plot | File
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def seconds_text(seconds: float) -> str:
    """Return a time in a unit in which it can be read."""
    size, unit = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    return f"{seconds / size:#.3g}".rstrip(".") + f" {unit}"
