"""The workspace of a submission: a folder that keeps its marks until the class is done."""

import contextlib
import json
import os
from pathlib import Path
from typing import Any

from ludex.grading.score import Failure, Mark
from ludex.io.files import write_text

MARKS = "marks.json"
PROGRESS = "progress.json"


def keep(desk: Path, fault: str, marks: list[Mark]) -> None:
    """Keep marks in a file."""
    facts = {"fault": fault, "marks": [mark._asdict() for mark in marks]}
    write_text(desk / MARKS, json.dumps(facts, ensure_ascii=False))


def kept(desk: Path) -> tuple[str, list[Mark]]:
    """Return why a submission could not be graded, or nothing, and its marks."""
    facts = json.loads((desk / MARKS).read_text(encoding="utf-8"))
    return facts["fault"], [mark_from(mark) for mark in facts["marks"]]


def mark_from(facts: dict[str, Any]) -> Mark:
    """Return a mark as it was before it was written."""
    lost, failures = tuple(facts["lost"]), tuple(Failure(*one) for one in facts["failures"])
    return Mark(**{**facts, "lost": lost, "failures": failures})


def forget(desk: Path) -> None:
    """Remove marks of another time, and what somebody who was stopped has said."""
    for name in (MARKS, PROGRESS):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(desk / name)
