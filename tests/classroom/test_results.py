"""Results for other systems."""

import csv
import math
from pathlib import Path

import pytest

from ludex.classroom.ladder import Row
from ludex.classroom.people import NewPerson, add_people
from ludex.classroom.programs import Program
from ludex.classroom.results import class_csv, gradescope_result, gradescope_results
from tests.classrooms import CRASHING, FIRST, handed_in, instructor, play_all, small_class
from tests.gradescope import faults

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


def row(name: str, elo: float, low: float, person: int | None = None) -> Row:
    program = Program(1, person, 1, name, "valid", True, "", name)
    return Row(program, 1, 1, 2, elo, low, math.inf, 10)


def test_the_table_has_every_student_and_no_formulas(tmp_path: Path) -> None:
    classroom = small_class(tmp_path)
    given = [NewPerson("=1+1", reference="12"), NewPerson("Bob"), NewPerson("Cy")]
    [(ann, _), (bob, _), _] = add_people(classroom, given)
    instructor(classroom)
    handed_in(classroom, ann, FIRST), handed_in(classroom, bob, CRASHING)
    play_all(classroom)
    rows = list(csv.DictReader(class_csv(classroom).splitlines()))
    assert [(one["name"], one["state"], one["hand-ins"]) for one in rows] == [
        ("'=1+1", "valid", "1"),
        ("Bob", "refused", "1"),
        ("Cy", "", "0"),
    ]
    assert rows[0]["matches"] == "4" and rows[0]["rank"] in "12" and rows[1]["elo"] == ""


def test_gradescope_gets_a_point_for_each_agent_below_the_interval(tmp_path: Path) -> None:
    classroom = small_class(tmp_path)
    add_people(classroom, [NewPerson("Ann", reference="12"), NewPerson("Bob")])
    found = gradescope_results(classroom)
    assert list(found) == ["12", "Bob"] and found["Bob"]["score"] == 0.0
    house = [row("random", 0.0, 0.0), row("easy", 100.0, 50.0), row("hard", 200.0, 150.0)]
    result = gradescope_result(row("Ann #1", 250.0, 120.0, 1), house)
    assert result["score"] == 3.0
    assert [one["status"] for one in result["tests"]] == ["passed", "passed", "passed", "failed"]
    assert faults(result) == []
