"""The marks of the documents: checks of a droid, and sessions of matches."""

from pathlib import Path
from typing import Any

import pytest

from ludex.grade import assignment, collecting, desk, marking, session
from ludex.grade.assignment import EXAMPLES
from ludex.grade.examples import same, tried
from ludex.tournament.plan import fingerprint
from tests.classes import SHORT
from tests.students import SOLUTIONS

pytestmark = pytest.mark.usefixtures("unsafe")


def test_the_marks_of_the_courses_are_those_of_their_documents() -> None:
    trap, droids = (assignment.read(assignment.find(name)) for name in ("trap", "droids"))
    assert [(test.opponent, test.points) for test in trap.tests[:3]] == [
        ("easy", 20.0),
        ("medium", 30.0),
        ("hard", 34.0),
    ]
    assert trap.points == 100.0 and trap.clocks.turn == 5.0
    checks = [test.points for test in droids.tests if test.kind == EXAMPLES]
    assert checks == [2.0, 3.0, 5.0, 5.0, 5.0]
    learner, searcher = droids.tests[5:]
    assert (learner.points, learner.win, learner.draw, learner.matches) == (20.0, 1.0, 1.0, 100)
    assert (searcher.points, searcher.draw, searcher.at_least, searcher.seconds) == (
        20.0,
        0.0,
        20,
        300.0,
    )
    for name in assignment.ours():
        assert assignment.read(assignment.find(name)).course == name


def droid_test(number: int) -> str:
    return assignment.read(assignment.find("droids")).tests[number].examples


def test_the_examples_of_the_document_check_a_droid(tmp_path: Path) -> None:
    solution = SOLUTIONS / "droids" / "r2d2_hw3.py"
    for number in (0, 4):
        assert tried(solution, solution, droid_test(number)) == []
    file = tmp_path / "r2d2_hw3.py"
    source = solution.read_text(encoding="utf-8")
    file.write_text(source.replace("self.shots -= 1", "pass"))
    assert tried(file, file, droid_test(3)) == [">>> r2.shots", "expected: 4", "shown: 5"]
    file.write_text(source.replace("class R2Droid", "class Other"))
    assert tried(file, file, droid_test(0)) == [
        "droid = R2Droid(4, 4, (0, 0), 5): NameError: name 'R2Droid' is not defined"
    ]
    file.write_text("import os\nos._exit(3)\n")
    assert tried(file, file, droid_test(0)) == ["ended with exit code 3"]


def test_a_droid_counts_even_where_there_is_no_agent(tmp_path: Path) -> None:
    source = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
    file = tmp_path / "r2d2_hw3.py"
    file.write_text(source[: source.index("class Agent")])
    short = tmp_path / "short.toml"
    short.write_text(SHORT, encoding="utf-8")
    entry = collecting.take_in(tmp_path / "r2d2_hw3.py", "droids", tmp_path / "shelf")
    marking.mark_entry(marking.Order(str(short), entry, str(tmp_path / "desk"), pages=False))
    _, marks = desk.kept(tmp_path / "desk")
    assert [mark.score for mark in marks] == [2.0, 0.0]
    why = "could not be graded: r2d2_hw3.py lacks a class QAgent or MinimaxAgent"
    assert marks[1].output == why


def test_sets_are_compared_whatever_their_order() -> None:
    assert same("{<A: 1>, <B: 2>}\n", "{<B: 2>, <A: 1>}\n")
    assert not same("{<A: 1>}", "{<A: 1>, <B: 2>}")
    assert same("True\n", "True\n") and not same("True", "1")


def session_of(file: Path, name: str, **changes: Any) -> session.Session:
    given = assignment.read(assignment.find("droids"))
    [test] = [one for one in given.tests if one.agent == name]
    return session.Session(given, test._replace(opponent="random", **changes), f"{file}:{name}")


def test_a_session_trains_and_then_counts_what_is_not_lost(tmp_path: Path) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "QAgent", train_matches=30, matches=10)
    rules = marking.rules_of(one.assignment)
    mark = session.mark_of(one, rules, tmp_path, lambda: False)
    assert mark.output.startswith("10 matches against random: ")
    assert "30 matches of training before" in mark.output
    lost = int(mark.output.split(" lost")[0].split()[-1])
    assert mark.score == 20.0 * (10 - lost) / 10 and not mark.late
    again = session.mark_of(one, rules, tmp_path, lambda: pytest.fail("played again"))
    assert again == mark


def test_training_may_be_limited_by_time_alone(tmp_path: Path) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "QAgent", train_matches=0, train_seconds=0.05, matches=1)
    mark = session.mark_of(one, marking.rules_of(one.assignment), tmp_path, lambda: False)
    assert "matches of training before" in mark.output and "0 matches of t" not in mark.output


def test_too_few_matches_bring_nothing_and_late_ones_are_not_kept(tmp_path: Path) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "MinimaxAgent", matches=3, at_least=20)
    rules = marking.rules_of(one.assignment)
    mark = session.mark_of(one, rules, tmp_path, lambda: False)
    assert mark.score == 0.0
    assert "only 3 matches were played, and 20 are needed" in mark.output
    cut = session.mark_of(
        one._replace(test=one.test._replace(matches=4)), rules, tmp_path, lambda: True
    )
    assert cut.late and "the time for grading ran out" in cut.output
    assert len(list(tmp_path.iterdir())) == 1


def test_the_file_behind_a_word_counts_for_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "r2d2_hw3.py"
    file.write_text("x = 1\n")
    before = fingerprint(f"{file}:QAgent")
    file.write_text("x = 2\n")
    assert before not in ("", fingerprint(f"{file}:QAgent"))
