"""What each course brings to grading, beside agents that play matches."""

from typing import NamedTuple

from ludex.grading.comparison import arena, droids
from ludex.grading.comparison.case import ComparedRules
from ludex.grading.transcript import NUTS_CHECKS, Check


class Course(NamedTuple):
    """The tests of a course that need more than an agent."""

    compared: ComparedRules | None = None
    """How the rules in its file are compared with ours, or None."""
    checks: tuple[tuple[Check, ...], ...] = ()
    """The checks of a console program for each part of the document."""


COURSES = {
    "nuts": Course(checks=NUTS_CHECKS),
    "arena": Course(compared=arena.COMPARED),
    "droids": Course(compared=droids.COMPARED),
}


def course_of(name: str) -> Course:
    """Return what a course brings."""
    return COURSES.get(name, Course())
