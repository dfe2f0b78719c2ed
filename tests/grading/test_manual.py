"""Marks given by hand in a CSV file, and the names of what is handed in."""

import csv
import json
import zipfile
from pathlib import Path

import pytest

from ludex.grading import assignment, grading, manual_marks
from tests.classes import GOOD, results_of, run, submitted

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]

REPORT = """
course = "nuts"
title = "Nuts"

[[tests]]
name = "Random"
matches = 1
points = 4

[[tests]]
name = "Report of a game"
kind = "manual"
points = 2

[[tests]]
name = "Report of the data"
kind = "manual"
points = 3
"""
HEADER = "name,Report of a game,Report of the data,comment\n"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "report.toml"
    file.write_text(REPORT, encoding="utf-8")
    return file


@pytest.fixture
def pair(tmp_path: Path) -> list[Path]:
    return [submitted(tmp_path / "class", name, GOOD) for name in ("ann", "bob")]


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "hand.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_marks_by_hand_are_in_the_table_the_results_and_the_page(
    report: Path, pair: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    hand = written(tmp_path, f"{HEADER}ann,1.5,3,well told\nbob,,0,\n")
    shown = run(report, *pair, "--out", out, "--processes", 1, "--marks", hand)
    assert shown.exit_code == 0, shown.output
    _, ann, bob = csv.reader((out / "class.csv").read_text().splitlines())
    worst = "Report of a game: 1.5 of 2, by hand: well told"
    assert ann == ["ann", "4", "1.5", "3", "8.5", "9", "", worst]
    missing = "Report of the data: 0 of 3, by hand; 2 points not yet marked by hand"
    assert bob == ["bob", "4", "", "0", "4", "9", "", missing]
    tests = results_of(out, "ann")["tests"]
    assert [(one["score"], one["output"]) for one in tests[1:]] == [
        (1.5, "by hand: well told"),
        (3.0, "by hand"),
    ]
    page = (out / "students" / "ann" / "index.html").read_text(encoding="utf-8")
    assert "8.5 of 9 points.</p>" in page and "by hand: well told" in page


def test_what_is_not_yet_marked_is_said_and_the_total_is_so_far(
    report: Path, pair: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shown = run(report, *pair, "--out", out, "--processes", 1, "--json")
    [ann, _] = json.loads(shown.stdout)["students"]
    assert ann["marks"] == {"Random": 4.0, "Report of a game": None, "Report of the data": None}
    found = results_of(out, "ann")
    assert found["output"].startswith("Nuts: 4 of 9 points so far; 5 are not yet marked by hand")
    assert found["tests"][1]["output"] == "not yet marked by hand"
    assert "status" not in found["tests"][1]
    page = (out / "students" / "ann" / "index.html").read_text(encoding="utf-8")
    assert "4 of 9 points so far; 5 are not yet marked by hand.</p>" in page and "– of 2" in page


def test_marks_by_hand_are_read_anew_each_time(
    report: Path, pair: list[Path], tmp_path: Path
) -> None:
    totals = []
    for text in ("", "ann,1,1,\n", "ann,2,3,\n"):
        order = grading.Grading(report, tmp_path / "out", 1, pages=False)
        order = order._replace(marks=written(tmp_path, HEADER + text))
        totals.append(grading.grade(order, pair, lambda *told: None)[0].total)
    assert totals == [4.0, 6.0, 9.0]


def test_a_mark_by_hand_counts_where_nothing_could_be_graded(report: Path, tmp_path: Path) -> None:
    (tmp_path / "ann").mkdir()
    order = grading.Grading(report, tmp_path / "out", 1, pages=False)
    order = order._replace(marks=written(tmp_path, f"{HEADER}ann,2,3,\n"))
    [ann] = grading.grade(order, [tmp_path / "ann"], lambda *told: None)
    assert (ann.fault, ann.total) == ("it is empty", 5.0)


def test_a_column_may_be_named_by_its_beginning(report: Path, tmp_path: Path) -> None:
    given = assignment.read(report)
    hand = written(tmp_path, "Name,report of the\nann,2.5\n\n")
    found = manual_marks.read_manual_marks(hand, given, ["ann", "bob"])
    assert found == {"ann": {"Report of the data": manual_marks.HandMark(2.5)}}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "expected a first line with the names of columns"),
        ("name,Report\n", "column 'Report' begins more than one manual test"),
        ("name,Report on a game\n", "names no manual test; did you mean 'Report of a game'?"),
        ("name,Random\n", "column 'Random' names no manual test"),
        ("name,Report of a game,Report of a\n", "two columns for 'Report of a game'"),
        (f"{HEADER}anne,1,1,\n", "line 2: no submission 'anne'; did you mean 'ann'?"),
        (f"{HEADER}ann,1,1,\nann,1,1,\n", "line 3: 'ann' has a line already"),
        (f"{HEADER}ann,2.5,1,\n", "Report of a game is '2.5': expected a number from 0 to 2"),
        (f"{HEADER}ann,-1,1,\n", "is '-1': expected a number from 0 to 2"),
        (f"{HEADER}ann,nan,1,\n", "is 'nan': expected a number from 0 to 2"),
        (f"{HEADER},1,1,\n", "line 2: the name of the submission is missing"),
        (f"{HEADER}ann,1,1,fine,more\n", "line 2: 5 cells: expected at most 4"),
        (f'{HEADER}ann,"1,1,\n', "is not CSV in UTF-8"),
        (f"{HEADER}ann,,,late\n", "line 2: a comment without a mark: expected a mark beside it"),
        (f'{HEADER}ann,1,1,"two\nlines"\nbob,1,9,\n', "line 4: Report of the data is '9'"),
    ],
)
def test_wrong_marks_are_refused_in_one_line_before_any_work(
    text: str, wanted: str, report: Path, pair: list[Path], tmp_path: Path
) -> None:
    hand, out = written(tmp_path, text), tmp_path / "out"
    shown = run(report, *pair, "--out", out, "--marks", hand)
    assert shown.exit_code == 2 and shown.stderr.count("\n") == 1
    assert wanted in shown.stderr and not out.exists()


def test_a_template_is_written_once_and_can_be_read_back(
    report: Path, pair: list[Path], tmp_path: Path
) -> None:
    hand = tmp_path / "hand.csv"
    assert run(report, *pair, "--marks-template", hand).exit_code == 0
    assert hand.read_text() == f"{HEADER}ann,,,\nbob,,,\n"
    found = manual_marks.read_manual_marks(hand, assignment.read(report), ["ann", "bob"])
    assert found == {"ann": {}, "bob": {}}
    again = run(report, *pair, "--marks-template", hand)
    assert again.exit_code == 2 and "there is such a file" in again.stderr


def test_an_assignment_without_marks_by_hand_takes_none(order: Path, tmp_path: Path) -> None:
    path = submitted(tmp_path, "ann", GOOD)
    for options in (
        ["--marks", written(tmp_path, HEADER), "--out", tmp_path / "out"],
        ["--marks-template", tmp_path / "new.csv"],
    ):
        shown = run(order, path, *options)
        assert shown.exit_code == 2 and "no test with kind = 'manual'" in shown.stderr


# Names of folders. --------------------------------------------------------------------------------

NAMED = """
course = "nuts"
title = "Nuts"
folder = "[a-z]{2}[0-9]{4}(_[a-z]{2}[0-9]{4})*"
folder_like = "tc1234_gd5678"
contributions = true

[[tests]]
name = "Random"
matches = 1
points = 4
"""


def warned(tmp_path: Path, source: Path, alone: bool = False) -> list[str]:
    file = tmp_path / "named.toml"
    file.write_text(NAMED, encoding="utf-8")
    order = grading.Grading(file, tmp_path / "out", 1, pages=False, alone=alone)
    [one] = grading.grade(order, [source], lambda *told: None)
    assert one.total == 4.0 and one.remark == "; ".join(one.warnings)
    said = results_of(tmp_path / "out", one.name)["output"]
    assert all(f"Please note: {words}." in said for words in one.warnings)
    return list(one.warnings)


def test_a_folder_and_its_contributions_file_are_named_by_the_group(tmp_path: Path) -> None:
    folder = submitted(tmp_path, "tc1234_gd5678", GOOD)
    (folder / "contributions.txt").write_text("tc1234: all\n")
    missing = "tc1234_gd5678.txt with everybody's contribution is missing"
    assert warned(tmp_path, folder) == [f"{missing} (there is contributions.txt)"]
    text = folder / "tc1234_gd5678.txt"
    text.write_text(" \n")
    assert warned(tmp_path, folder) == [
        "tc1234_gd5678.txt is empty: expected everybody's contribution"
    ]
    text.write_text("tc1234: all\n")
    assert warned(tmp_path, folder) == []


def test_another_name_of_a_folder_is_a_warning_that_costs_nothing(tmp_path: Path) -> None:
    folder = submitted(tmp_path, "group7", GOOD)
    (folder / "group7.txt").write_text("all of us\n")
    assert warned(tmp_path, folder) == [
        "the folder is called 'group7': expected a name such as 'tc1234_gd5678'"
    ]


def test_of_a_zip_the_folder_inside_counts(tmp_path: Path) -> None:
    path = tmp_path / "download_17.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("tc1234/agent.py", GOOD)
        made.writestr("tc1234/tc1234.txt", "all\n")
    assert warned(tmp_path, path) == []


def test_where_one_is_graded_alone_the_folder_may_be_missing(tmp_path: Path) -> None:
    folder = submitted(tmp_path, "submission", GOOD)
    assert warned(tmp_path, folder, alone=True) == [
        "a text file named as the folder with everybody's contribution is missing"
    ]
    (folder / "tc1234.txt").write_text("all\n")
    assert warned(tmp_path, folder, alone=True) == []


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('"[a-z]{2}[0-9]{4}(_[a-z]{2}[0-9]{4})*"', '"(a"', "expected a regular expression"),
        ('"tc1234_gd5678"', '"group"', "folder_like is 'group': expected a name that matches"),
        ("contributions = true", "contributions = 1", "contributions is 1: expected true or false"),
    ],
)
def test_a_wrong_name_of_folders_is_refused(
    old: str, new: str, wanted: str, tmp_path: Path
) -> None:
    file = tmp_path / "named.toml"
    assert NAMED.count(old) == 1
    file.write_text(NAMED.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=wanted):
        assignment.read(file)
