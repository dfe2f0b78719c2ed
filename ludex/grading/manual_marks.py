"""Manual marks: a CSV file with a row for each submission.

The first column has the names; the others are headed by manual tests of the assignment, perhaps
abbreviated, or `comment`. An empty cell is not yet marked.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ludex.grading.assignment import MANUAL, Assignment, Test
from ludex.grading.score import Mark
from ludex.io.files import csv_text
from ludex.io.text import nearest

COMMENT = "comment"
AWAITED = "not yet marked by hand"
NUMBER = re.compile(r"-?\d{1,9}(\.\d{0,9})?")


class HandMark(NamedTuple):
    """A manual mark for a test."""

    score: float
    comment: str = ""


ManualMarks = dict[str, dict[str, HandMark]]
"""Marks by submission and test."""


def manual_tests(given: Assignment) -> list[Test]:
    """Return the manual tests of an assignment."""
    return [test for test in given.tests if test.kind == MANUAL]


def read_manual_marks(path: Path, given: Assignment, names: Sequence[str]) -> ManualMarks:
    """Read the marks from a file; a ValueError names the wrong line."""
    place = f"marks {str(path)!r}"
    try:
        rows = numbered_rows(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ValueError(f"{place}: {error.strerror}") from error
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{place} is not CSV in UTF-8: {error}") from error
    if not rows:
        raise ValueError(f"{place}: expected a first line with the names of columns")
    columns = read_columns(place, rows[0][1], given)
    found: ManualMarks = {}
    for number, row in rows[1:]:
        if any(cell.strip() for cell in row):
            name, marks = read_row(f"{place}: line {number}", row, columns)
            if name not in names:
                offer = nearest(name, names)
                raise ValueError(f"{place}: line {number}: no submission {name!r}{offer}")
            if name in found:
                raise ValueError(f"{place}: line {number}: {name!r} has a line already")
            found[name] = marks
    return found


def numbered_rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a CSV text, each with the number of its first line."""
    reader = csv.reader(io.StringIO(text), strict=True)
    rows = []
    begins = 1
    for row in reader:
        rows.append((begins, row))
        begins = reader.line_num + 1
    return rows


def read_columns(place: str, header: list[str], given: Assignment) -> list[Test | None]:
    """Return the test of each column after the first, or None for comments."""
    tests = {test.name: test for test in manual_tests(given)}
    if not tests:
        raise ValueError(f"{place}: the assignment has no test with kind = {MANUAL!r}")
    columns: list[Test | None] = []
    for text in (cell.strip() for cell in header[1:]):
        if text.lower() == COMMENT:
            column = None
        else:
            others = [one for one in tests if text and one.lower().startswith(text.lower())]
            fits = [text] if text in tests else others
            if len(fits) != 1:
                known = ", ".join([*tests, COMMENT])
                why = "begins more than one" if fits else "names no"
                raise ValueError(
                    f"{place}: column {text!r} {why} manual test{nearest(text, tests)} ({known})"
                )
            column = tests[fits[0]]
        if column in columns:
            raise ValueError(f"{place}: two columns for {column.name if column else COMMENT!r}")
        columns.append(column)
    return columns


def read_row(
    place: str, row: list[str], columns: list[Test | None]
) -> tuple[str, dict[str, HandMark]]:
    """Return the name and the marks of a row; the comment goes with the first mark."""
    name, *cells = (cell.strip() for cell in row)
    if not name:
        raise ValueError(f"{place}: the name of the submission is missing")
    if len(cells) > len(columns):
        raise ValueError(f"{place}: {len(row)} cells: expected at most {1 + len(columns)}")
    marks: dict[str, HandMark] = {}
    comment = ""
    for test, cell in zip(columns, cells, strict=False):
        if test is None:
            comment = cell
        elif cell:
            if not NUMBER.fullmatch(cell) or not 0 <= float(cell) <= test.points:
                raise ValueError(
                    f"{place}: {test.name} is {cell!r}: expected a number from 0 to {test.points:g}"
                )
            marks[test.name] = HandMark(float(cell))
    if comment and not marks:
        raise ValueError(f"{place}: a comment without a mark: expected a mark beside it")
    for first in list(marks)[:1]:
        marks[first] = marks[first]._replace(comment=comment)
    return name, marks


def manual_mark(test: Test, given: HandMark | None) -> Mark:
    """Return the mark of a manual test."""
    if given is None:
        return Mark.of(test, 0.0, AWAITED, awaited=True)
    return Mark.of(test, given.score, f"by hand: {given.comment}" if given.comment else "by hand")


def missing_points(marks: Iterable[Mark]) -> float:
    """Return the points whose manual mark is missing."""
    return sum(mark.most for mark in marks if mark.awaited)


def marks_template(given: Assignment, names: Iterable[str]) -> str:
    """Return a CSV template, with a row for each submission."""
    tests = manual_tests(given)
    if not tests:
        raise ValueError(f"{given.title!r} has no test with kind = {MANUAL!r}")
    header = ["name", *(test.name for test in tests), COMMENT]
    return csv_text([header, *([name, *[""] * (len(tests) + 1)] for name in sorted(names))])
