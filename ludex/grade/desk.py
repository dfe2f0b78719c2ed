"""The desk of a submission: a folder, in which its marks are kept until all of a class are done."""

import contextlib
import json
import os
from pathlib import Path

from ludex.files import write_text
from ludex.grade.mark import Mark

MARKS = "marks.json"


def keep(desk: Path, fault: str, marks: list[Mark]) -> None:
    """Keep marks in a file."""
    facts = {"fault": fault, "marks": [mark._asdict() for mark in marks]}
    write_text(desk / MARKS, json.dumps(facts, ensure_ascii=False))


def kept(desk: Path) -> tuple[str, list[Mark]]:
    """Return why a submission could not be graded, or nothing, and its marks."""
    facts = json.loads((desk / MARKS).read_text(encoding="utf-8"))
    marks = [Mark(**{**mark, "lost": tuple(mark["lost"])}) for mark in facts["marks"]]
    return facts["fault"], marks


def forget(desk: Path) -> None:
    """Remove marks of another time."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(desk / MARKS)
