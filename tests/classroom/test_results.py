"""Results for other systems."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from ludex.classroom.finals import start_final
from ludex.classroom.people import NewPerson, add_people
from ludex.classroom.ratings import update_ratings
from ludex.classroom.results import class_csv, class_table, gradescope_results
from ludex.classroom.schedule import Results, fit
from ludex.stats.bradleyterry import BradleyTerry, Strengths
from tests.classrooms import (
    CRASHING,
    FIRST,
    add_result,
    enrol,
    handed_in,
    instructor,
    play_all,
    small_class,
)
from tests.gradescope import faults

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


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
    assert [one["final rank"] for one in rows] == ["", "", ""]
    start_final(classroom, matches=2)
    assert not any(one["final rank"] for one in class_table(classroom))  # it has not ended
    play_all(classroom)
    ended = list(csv.DictReader(class_csv(classroom).splitlines()))
    assert ended[0]["final rank"] in {"1", "2"} and float(ended[0]["final points"]) <= 2
    assert [one["final rank"] for one in ended[1:]] == ["", ""]
    assert rows[0]["matches"] == "4" and rows[0]["rank"] in {"1", "2"} and rows[1]["elo"] == ""


def test_gradescope_gets_a_point_for_each_agent_that_is_certainly_worse(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, house=["random", "greedy", "minimax"])
    [(ann, _), _] = add_people(classroom, [NewPerson("Ann", reference="12"), NewPerson("Bob")])
    assert handed_in(classroom, ann, FIRST).id == 4
    # The house is far apart, so that the rating of Ann relative to random is hardly known.
    for one, other, points in ((1, 2, 0.0), (2, 4, 0.3), (3, 4, 1.0)):
        for turn in range(20):
            add_result(classroom, one, other, turn, points)
    update_ratings(classroom)
    found = gradescope_results(classroom)
    assert list(found) == ["12", "Bob"] and found["Bob"]["score"] == 0.0
    statuses = [one["status"] for one in found["12"]["tests"]]
    outputs = [one["output"].partition("Elo, ")[2] for one in found["12"]["tests"]]
    assert statuses == ["passed", "passed", "passed", "failed"] and found["12"]["score"] == 3.0
    assert outputs[2:] == ["certainly better (95 %)", "not certainly better (95 %)"]
    assert faults(found["12"]) == []


def test_the_points_and_the_ratings_for_gradescope_follow_from_the_same_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[Results] = []

    def fit_once(numbers: Sequence[int], results: Results) -> tuple[BradleyTerry, Strengths]:
        fitted.append(results)
        return fit(numbers, results)

    classroom = small_class(tmp_path)
    [ann] = enrol(classroom, "Ann")
    handed_in(classroom, ann, FIRST)
    update_ratings(classroom)
    for turn in range(20):
        add_result(classroom, 1, 2, turn, 0.0)  # not in the ratings of the ladder yet
    monkeypatch.setattr("ludex.classroom.ratings.fit", fit_once)
    found = gradescope_results(classroom)["Ann"]
    assert len(fitted) == 1
    [_, better] = found["tests"]
    assert better["status"] == "passed" and "Elo, certainly better" in better["output"]
    assert [one["name"] for one in found["leaderboard"]] == ["Rating", "Rank"]
