"""The results of grading: Gradescope's format, and the table of the class."""

import json
from pathlib import Path
from typing import Any

from ludex.grading.assignment import TOURNAMENT, Assignment
from ludex.grading.manual import missing_points
from ludex.grading.score import Mark
from ludex.io.files import csv_text, write_text


def results(
    given: Assignment, marks: list[Mark], fault: str, rating: float | None, note: str
) -> dict[str, Any]:
    """Return the results of a submission in Gradescope's format."""
    total = round(sum(mark.score for mark in marks), 2)
    words = [f"{given.title}: {total_words(given, marks)}"]
    words += [f"This could not be graded: {fault}"] * bool(fault) + [note] * bool(note)
    board: list[dict[str, Any]] = [{"name": "Points", "value": total}]
    if rating is not None:
        board.append({"name": "Rating", "value": rounded(rating, 1)})
    ranked = {test.name for test in given.tests if test.kind == TOURNAMENT}  # without a status
    return {
        "score": total,
        "output": "\n".join(words),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": mark.test,
                "number": str(number),
                "score": mark.score,
                "max_score": mark.most,
                **({} if mark.test in ranked else status(mark)),
                "output": mark.output
                + (f"\n\nIt printed:\n{mark.printed}" if mark.printed else ""),
                "output_format": "text",
                "visibility": mark.visibility,
            }
            for number, mark in enumerate(marks, start=1)
        ],
        "leaderboard": board,
        "extra_data": {"course": given.course, "seed": given.seed},
    }


def total_words(given: Assignment, marks: list[Mark]) -> str:
    """Return in words the points of a submission, the maximum, and what is still missing."""
    total = round(sum(mark.score for mark in marks), 2)
    most = sum(mark.most for mark in marks)
    missing = missing_points(marks)
    so_far = " so far" if missing else ""
    before = ", before the tournament" if open_tournament(given, marks) else ""
    awaited = f"; {missing:g} are not yet marked by hand" if missing else ""
    return f"{total:g} of {most:g} points{so_far}{before}{awaited}"


def status(mark: Mark) -> dict[str, str]:
    """Return the status field of a test; none while its mark is missing."""
    passed = "passed" if mark.score == mark.most else "failed"
    return {} if mark.awaited else {"status": passed}


def open_tournament(given: Assignment, marks: list[Mark]) -> bool:
    """Return whether these marks lack a tournament."""
    known = {mark.test for mark in marks}
    return any(test.kind == TOURNAMENT and test.name not in known for test in given.tests)


def rounded(number: float, digits: int = 0) -> float:
    """Return a rounded number, never -0.0."""
    return round(number, digits) + 0.0


def write_results(
    desk: Path, given: Assignment, marks: list[Mark], fault: str, rating: float | None, note: str
) -> None:
    """Write the results of a submission to its workspace."""
    found = results(given, marks, fault, rating, note)
    write_text(desk / "results.json", json.dumps(found, indent=2, ensure_ascii=False) + "\n")


def class_table(given: Assignment, rows: list[tuple[str, list[Mark], str, float | None]]) -> str:
    """Return the marks of the class as CSV, sorted by name."""
    names = [test.name for test in given.tests]
    table = [["name", *names, "total", "of", "rating", "remark"]]
    for name, marks, remark, rating in sorted(rows):
        scores = {mark.test: mark.score for mark in marks}
        missing = {mark.test for mark in marks if mark.awaited}
        total = round(sum(scores.values()), 2)
        rated = "" if rating is None else f"{rounded(rating, 1):.1f}"
        shown = ["" if one in missing else f"{scores.get(one, 0.0):g}" for one in names]
        table.append([name, *shown, f"{total:g}", f"{given.points:g}", rated, remark])
    return csv_text(table)
