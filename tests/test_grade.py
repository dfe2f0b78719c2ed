"""Grading: fair marks, whatever is submitted, and the same ones after every interruption."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ludex.cli import cli
from ludex.foreign import sandbox
from ludex.grade import assignment, collecting, grading, marking, session
from ludex.grade.assignment import EXAMPLES
from ludex.grade.collecting import take_in
from ludex.grade.examples import same, tried
from ludex.grade.results import faults
from ludex.tournament import event
from ludex.tournament.plan import fingerprint
from tests.test_courses import SOLUTIONS

NUTS = """
course = "nuts"
title = "Nuts"
clock = "decision=5"

[rules]
nuts = 11

[[tests]]
name = "Random"
opponent = "random"
matches = 4
points = 10

[[tests]]
name = "Meeting"
kind = "tournament"
matches = 2
points = 6
"""
SHORT = """
course = "droids"
title = "Droids"

[[tests]]
name = "The droid"
kind = "examples"
points = 2
examples = '''
>>> R2Droid(4, 4, (0, 0), 5).shots
5
'''

[[tests]]
name = "QAgent"
kind = "session"
agent = "QAgent"
points = 20
"""
GOOD = """
def choose(position, moves, seconds):
    wanted = f"take {(int(position.split()[0]) - 1) % 4}"
    return wanted if wanted in moves else moves[0]
"""
POOR = "def choose(position, moves, seconds):\n    return moves[-1]\n"
# A submission and what its owner reads.
BROKEN = {
    "syntax": ("def choose(:\n", "agent.py line 1: invalid syntax"),
    "lacking": ("x = 1\n", "agent.py lacks a function choose(position, moves, seconds)"),
    "nothing": ("", "agent.py lacks a function choose(position, moves, seconds)"),
    "latin": (b"x = '\xe9'\ndef choose(): pass\n", "(is it saved as UTF-8?)"),
    "wide": ("x = 1\n".encode("utf-16"), "(is it saved as UTF-8?)"),
}
FAILING = {
    "dying": ("import nothing_here\n" + GOOD, "4 times CRASHED: ModuleNotFoundError: No module"),
    "odd": (GOOD.replace("return wanted", "return 7 or wanted"), "ILLEGAL: answered 7, which is"),
}


@pytest.fixture(autouse=True)
def unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sandbox.UNSAFE, "1")


@pytest.fixture
def order(tmp_path: Path) -> Path:
    file = tmp_path / "nuts.toml"
    file.write_text(NUTS, encoding="utf-8")
    return file


def submitted(folder: Path, name: str, source: str | bytes) -> Path:
    place = folder / name
    place.mkdir(parents=True)
    (place / "agent.py").write_bytes(source.encode() if isinstance(source, str) else source)
    return place


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(cli, ["grade", *map(str, arguments)])


def results_of(out: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "students" / name / "results.json").read_text())
    assert faults(found) == []
    return found


def test_a_class_is_graded_and_no_submission_stops_the_others(order: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "class", tmp_path / "marks"
    sources: dict[str, tuple[Any, str]] = {"good": (GOOD, ""), "poor": (POOR, "")}
    sources |= BROKEN | FAILING
    paths = [submitted(folder, name, source) for name, (source, _) in sources.items()]
    shown = run(order, *paths, folder / "missing", "--out", out, "--processes", 1, "--unsafe")
    assert shown.exit_code == 0, shown.output
    rows = [line.split(",") for line in (out / "class.csv").read_text().splitlines()]
    assert rows[0] == ["name", "Random", "Meeting", "total", "of", "rating", "remark"]
    marks = {row[0]: row[1:] for row in rows[1:]}
    assert marks["good"][0] == "10" and float(marks["good"][1]) >= 4.0
    assert float(marks["poor"][2]) < float(marks["good"][2])
    for name, (_, words) in {**BROKEN, **FAILING}.items():
        assert marks[name][0] == "0"
        said = results_of(out, name)["tests"][0]["output"]
        assert words in said and str(tmp_path) not in said
    for name in (*BROKEN, "missing"):
        assert marks[name][:3] == ["0", "0", "0"]
        assert results_of(out, name)["tests"][1]["output"].startswith("could not be graded: ")
    good = results_of(out, "good")
    assert good["tests"][0]["status"] == "passed"
    assert [one["name"] for one in good["leaderboard"]] == ["Points", "Rating"]
    assert "without a sandbox" in good["output"]
    page = (out / "students" / "poor" / "index.html").read_text(encoding="utf-8")
    assert "what was lost" in page and "<svg" in page and "judged by" in page.lower()
    assert "could not be graded" in (out / "students" / "syntax" / "index.html").read_text()


def test_the_same_order_comes_to_the_same_marks_wherever_it_was_killed(
    order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [
        submitted(tmp_path / "class", name, source) for name, source in (("a", GOOD), ("b", POOR))
    ]

    def graded(out: Path) -> dict[str, bytes]:
        made = grading.Grading(order, out, 1, pages=False)
        grading.grade(made, paths, lambda *told: None)
        files = [out / "class.csv", *out.glob("students/*/results.json")]
        return {str(file.relative_to(out)): file.read_bytes() for file in files}

    whole = graded(tmp_path / "whole")
    assert len(whole) == 3
    play = event.play
    stopped = 0

    def stops(plan: Any, place: Any, tell: Any, store: Any, number: int) -> Any:
        nonlocal stopped
        asked = 0

        def dies(some: Any) -> bool:
            nonlocal asked, stopped
            asked += 1
            if asked == 2:  # at first it is told what was played before
                stopped += 1
                raise KeyboardInterrupt
            return bool(tell(some))

        return play(plan, place, dies, store, number)

    monkeypatch.setattr(marking, "play", stops)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            graded(tmp_path / "cut")
    monkeypatch.setattr(marking, "play", play)
    assert graded(tmp_path / "cut") == whole and stopped == 2
    # And nothing is played again.
    monkeypatch.setattr(event, "jobs_of", None)
    assert graded(tmp_path / "cut") == whole


# What is submitted. -------------------------------------------------------------------------------


def packed(path: Path, **files: Any) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name.replace("__", "/").replace("_py", ".py"), content)
    return path


def test_a_zip_a_file_and_a_folder_are_taken_in(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    entry = take_in(packed(tmp_path / "zz.zip", zz__deep__agent_py=GOOD), "nuts", shelf)
    assert (entry.name, entry.fault) == ("zz", "") and entry.folder.endswith("zz/zz/deep")
    file = tmp_path / "mine.py"
    file.write_text(GOOD)
    assert take_in(file, "nuts", shelf) == ("mine", str(shelf / "mine"), "")
    file.chmod(0o600)
    again = take_in(file, "nuts", shelf)
    assert stat.S_IMODE(os.stat(Path(again.folder, "agent.py")).st_mode) == 0o644


def test_what_cannot_be_taken_in_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = tmp_path / "shelf"

    def fault(path: Path) -> str:
        return take_in(path, "nuts", shelf).fault

    assert (
        fault(packed(tmp_path / "bomb.zip", agent_py=b"#" * (21 << 20)))
        == "it is larger than 20 MiB"
    )
    many = {f"x{number}": "" for number in range(501)}
    assert fault(packed(tmp_path / "many.zip", **many)) == "it has more than 500 files"
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as made:
        made.writestr("../agent.py", GOOD)
    assert fault(tmp_path / "out.zip") == "'../agent.py' leads out of the folder"
    link = zipfile.ZipInfo("agent.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as made:
        made.writestr(link, "/etc/passwd")
    assert fault(tmp_path / "link.zip") == "agent.py is a link, and links are not followed"
    (tmp_path / "text.zip").write_text("hello")
    assert fault(tmp_path / "text.zip") == "File is not a zip file"
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "agent.py").symlink_to("/etc/passwd")
    assert fault(linked) == "agent.py is a link, and links are not followed"
    (tmp_path / "void").mkdir()
    assert fault(tmp_path / "void") == "it is empty"
    other = submitted(tmp_path, "other", GOOD)
    (other / "agent.py").rename(other / "mine.txt")
    assert fault(other) == "there is no agent.py in it"
    os.mkfifo(other / "pipe")
    assert fault(other) == "pipe is not a file"
    monkeypatch.setattr(collecting, "LARGEST", 10)
    assert "larger than" in fault(submitted(tmp_path, "large", GOOD))


# The marks of the documents. ----------------------------------------------------------------------


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
    _, marks = marking.kept(tmp_path / "desk")
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


# Orders that are wrong. ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("course = 'nuts'\ntitle = 'x'\n", "expected some [[tests]]"),
        ("x = ", "is not TOML"),
        (NUTS.replace("points = 10", "points = 'ten'"), "test 1: points is 'ten': expected float"),
        (NUTS.replace("opponent", "oppo"), "no key 'oppo'; did you mean 'opponent'?"),
        (NUTS.replace("points = 10\n", ""), "test 1: points is missing"),
        (NUTS.replace('kind = "tournament"', 'kind = "fun"'), "kind: expected one of matches,"),
        (NUTS.replace("Meeting", "Random"), "two tests have one name"),
        (NUTS.replace("decision=5", "decision=x"), "clock decision 'x'"),
        (
            NUTS.replace("points = 10", "points = 10\nwin = 2.0"),
            "win: expected a share from 0 to 1",
        ),
    ],
)
def test_a_wrong_assignment_is_refused_in_one_line(text: str, wanted: str, tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    file.write_text(text)
    shown = run(file, submitted(tmp_path, "a", GOOD), "--out", tmp_path / "out")
    assert shown.exit_code == 2 and shown.stderr.count("\n") == 1
    assert wanted in shown.stderr


def test_what_is_missing_is_asked_for(order: Path, tmp_path: Path) -> None:
    path = submitted(tmp_path, "a", GOOD)
    for arguments, wanted in (
        (["trapp", path, "--out", "x"], "no course 'trapp'; did you mean 'trap'?"),
        ([order], "which submissions?"),
        ([order, path], "--out DIR"),
        ([order, path, path, "--out", tmp_path / "o"], "two submissions are called 'a'"),
        ([order, path, path, "--out", "x", "--results", "y"], "expected one submission, not 2"),
    ):
        shown = run(*arguments, "--unsafe")
        assert shown.exit_code == 2 and wanted in shown.stderr


def test_marks_and_submissions_are_kept_apart(
    order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = submitted(tmp_path / "class", "a", GOOD)
    (path / "deep").mkdir()
    monkeypatch.chdir(path / "deep")
    assert collecting.name_of(Path("..")) == "a"
    for arguments in ([path, "--out", path / "out"], ["..", "--out", "."], [path, "--out", path]):
        shown = run(order, *arguments, "--unsafe")
        assert shown.exit_code == 2 and "one is in the other" in shown.stderr
    assert sorted(os.listdir(path)) == ["agent.py", "deep"]


# Gradescope. --------------------------------------------------------------------------------------


def test_the_autograder_grades_as_gradescope_would(order: Path, tmp_path: Path) -> None:
    made = tmp_path / "nuts.zip"
    assert run(order, "--gradescope", made).exit_code == 0
    base = tmp_path / "autograder"
    with zipfile.ZipFile(made) as packed:
        packed.extractall(base / "source")
        modes = {one.filename: one.external_attr >> 16 for one in packed.infolist()}
    assert modes["run_autograder"] & 0o111 and modes["setup.sh"] & 0o111
    needed = (base / "source" / "requirements.txt").read_text().split("\n")
    assert any(one.startswith("numba") for one in needed)
    assert not any(one.startswith("nicegui") for one in needed)
    assert "match nuts random random --rule nuts=11" in (base / "source" / "warm.sh").read_text()
    subprocess.run(["bash", "-n", base / "source" / "setup.sh"], check=True)
    submitted(base, "submission", GOOD)
    base.chmod(0o755)
    script = base / "source" / "run_autograder"
    environment = {**os.environ, "AUTOGRADER": str(base), "PYTHON": sys.executable}
    environment |= {"LUDEX_UNSAFE": ""}
    run_once = subprocess.run(["bash", script], env=environment, capture_output=True, text=True)
    found = json.loads((base / "results" / "results.json").read_text())
    errors = (base / "work" / "errors.txt").read_text()
    assert faults(found) == [] and found["score"] == 10.0, run_once.stdout + errors
    assert [test["name"] for test in found["tests"]] == ["Random"]
    shutil.rmtree(base / "results")
    (base / "source" / "assignment.toml").write_text("x = ")
    subprocess.run(["bash", script], env=environment, capture_output=True, check=False)
    assert "failed" in json.loads((base / "results" / "results.json").read_text())["output"]


@pytest.mark.skipif(not sandbox.can_drop(), reason="only root can become somebody else")
def test_without_bubblewrap_agents_run_as_nobody_else(
    order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(sandbox.UNSAFE)
    monkeypatch.setattr(sandbox, "fault", lambda: "no namespaces")
    base = Path(shutil.os.path.realpath(tmp_path))  # type: ignore[attr-defined]
    for folder in (base, *base.parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o755)
    source = "import os\nassert os.getuid() > 1000\n" + GOOD
    shown = run(
        *(order, submitted(base, "a", source), "--out", base / "out", "--processes", 1),
        *("--sandbox", "auto", "--no-pages", "--no-tournament"),
    )
    monkeypatch.delenv(sandbox.UNSAFE)
    assert shown.exit_code == 0, shown.output
    found = results_of(base / "out", "a")
    assert found["score"] == 10.0, found
    assert "Graded without bubblewrap (no namespaces): agents ran as a user" in found["output"]


def test_results_are_held_against_the_fields_of_gradescope() -> None:
    wrong = {
        "score": "x",
        "visibility": "maybe",
        "other": 1,
        "tests": [{"score": 3.0, "max_score": 2.0, "status": "fine"}],
        "leaderboard": [{"name": "x"}],
    }
    assert len(faults(wrong)) == 6
