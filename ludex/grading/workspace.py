"""The workspace of a submission: a folder that keeps its marks until the class is done."""

import json
from pathlib import Path

from ludex.grading.score import Failure, Mark
from ludex.io.files import write_text

MARKS = "marks.json"
PROGRESS = "progress.json"


def write_marks(workspace: Path, fault: str, marks: list[Mark]) -> None:
    """Write the marks of a submission."""
    facts = {"fault": fault, "marks": [mark._asdict() for mark in marks]}
    write_text(workspace / MARKS, json.dumps(facts, ensure_ascii=False))


def read_marks(workspace: Path) -> tuple[str, list[Mark]]:
    """Return the fault of a submission, or "", and its marks."""
    facts = json.loads((workspace / MARKS).read_text(encoding="utf-8"))
    marks = [Mark(**mark) for mark in facts["marks"]]
    return facts["fault"], [
        mark._replace(lost=tuple(mark.lost), failures=tuple(Failure(*one) for one in mark.failures))
        for mark in marks
    ]


def clear(workspace: Path) -> None:
    """Remove the marks and progress of an earlier run."""
    for name in (MARKS, PROGRESS):
        (workspace / name).unlink(missing_ok=True)
