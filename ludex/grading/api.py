"""Grading from Python."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ludex.external.sandbox import confinement
from ludex.grading import grading
from ludex.grading.assignment import find
from ludex.grading.results import Graded
from ludex.io.table import Table
from ludex.library.progress import show_progress


class Grades(list[Graded]):
    """The results of a class, sorted by name."""

    @property
    def most(self) -> float:
        """The most points a student can get."""
        return sum(mark.most for mark in self[0].marks) if self else 0.0

    @property
    def table(self) -> Table:
        """A row for each student: points of each test, total, rating and remark."""
        return Table(
            {
                "name": one.name,
                **one.scores,
                "total": one.total,
                "rating": one.rating,
                "remark": one.remark,
            }
            for one in self
        )

    def facts(self, course: str) -> dict[str, Any]:
        """Return the results as JSON values."""
        students = [
            {**one._asdict(), "marks": one.scores, "remark": one.remark, "total": one.total}
            for one in self
        ]
        return {"course": course, "of": self.most, "students": students}

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def grade(
    assignment: str | Path,
    submissions: Iterable[str | Path],
    out: str | Path,
    sandbox: str = "yes",
    progress: bool = True,
    **options: Any,
) -> Grades:
    """Grade a class, write the results into the folder `out`, and return them.

    An assignment is a course such as "trap", or the path of a TOML file; a submission is a file, a
    folder or a zip with the name of its owner. The sandbox is "yes", "auto" or "no". Other options
    are those of `Grading`: `processes` or `dask`, `seconds` for each submission, `marks` for a file
    of manual marks, `pages` and `tournament`.
    """
    file = find(str(assignment))
    with confinement(sandbox) as note, show_progress(progress) as tell:
        order = grading.Grading(file, Path(out), note=note, **options)

        def report(stage: str, doing: str, done: float, total: int) -> None:
            tell(f"{stage}: {doing}" if doing else stage, int(done), total)

        return Grades(grading.grade(order, [Path(one) for one in submissions], report))
