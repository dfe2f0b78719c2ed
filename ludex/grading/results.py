"""The results of grading: Gradescope's format, and the table of the class."""

from typing import Any, NamedTuple

from ludex.grading.assignment import TOURNAMENT, Assignment
from ludex.grading.manual_marks import AWAITED, missing_points
from ludex.grading.score import Mark, remark
from ludex.io.files import csv_text


class Graded(NamedTuple):
    """The result of a student."""

    name: str
    marks: list[Mark]
    fault: str
    """Why it could not be graded, or nothing."""
    rating: float | None
    warnings: tuple[str, ...] = ()
    """Deviations from the assignment that cost no points."""

    @property
    def remark(self) -> str:
        """What is wrong or missing, in a few words, or nothing."""
        by_hand = [f"{self.awaited:g} points {AWAITED}"] if self.awaited else []
        said = [self.fault or remark(self.marks), *self.warnings, *by_hand]
        return "; ".join(one for one in said if one)

    @property
    def awaited(self) -> float:
        """Points whose manual mark is missing."""
        return missing_points(self.marks)

    @property
    def scores(self) -> dict[str, float | None]:
        """The points of each test; None if a manual mark is missing."""
        return {mark.test: None if mark.awaited else mark.score for mark in self.marks}

    @property
    def total(self) -> float:
        """The sum of all points."""
        return round(sum(mark.score for mark in self.marks), 2)


def results(
    given: Assignment, marks: list[Mark], fault: str, rating: float | None, note: str
) -> dict[str, Any]:
    """Return the results of a submission in Gradescope's format."""
    total = round(sum(mark.score for mark in marks), 2)
    words = [f"{given.title}: {total_words(given, marks)}"]
    words += [f"This could not be graded: {fault}"] * bool(fault) + [note] * bool(note)
    board: list[dict[str, Any]] = [{"name": "Points", "value": total}]
    if rating is not None:
        board.append({"name": "Rating", "value": round_off(rating, 1)})
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
                **(
                    {}
                    if mark.test in ranked or mark.awaited
                    else {"status": "passed" if mark.score == mark.most else "failed"}
                ),
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
    ranked = {test.name for test in given.tests if test.kind == TOURNAMENT}
    before = ", before the tournament" if ranked - {mark.test for mark in marks} else ""
    awaited = f"; {missing:g} are not yet marked by hand" if missing else ""
    return f"{total:g} of {most:g} points{so_far}{before}{awaited}"


def round_off(number: float, digits: int = 0) -> float:
    """Return a rounded number, never -0.0."""
    return round(number, digits) + 0.0


def class_table(given: Assignment, graded: list[Graded]) -> str:
    """Return the marks of the class as CSV."""
    names = [test.name for test in given.tests]
    table = [["name", *names, "total", "of", "rating", "remark"]]
    for one in graded:
        scores = [one.scores.get(name, 0.0) for name in names]
        shown = ["" if score is None else f"{score:g}" for score in scores]
        rated = "" if one.rating is None else f"{round_off(one.rating, 1):.1f}"
        table.append([one.name, *shown, f"{one.total:g}", f"{given.points:g}", rated, one.remark])
    return csv_text(table)
