"""Grading: fair marks, whatever is submitted, and the same ones after every interruption."""

import csv
import os
import stat
import zipfile
from pathlib import Path
from typing import Any

import click
import pytest

from ludex.cli import cli
from ludex.core.play import states
from ludex.core.rules import NO_MOVE, initial, position, scene
from ludex.grading import assignment, grading, intake, progress, submission
from ludex.grading.intake import take_in
from ludex.grading.page import film
from ludex.grading.tournament import Outcome
from ludex.render.svg import svg
from ludex.stats import Rating
from ludex.tournaments import event
from ludex.tournaments.job import play_job
from ludex.tournaments.standing import Fault, Score, Standing
from tests.classes import GOOD, NUTS, POOR, results_of, run, submitted
from tests.lines import random_line, variant

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]

# A submission and what its owner reads.
BROKEN = {
    "syntax": ("def choose(:\n", "agent.py line 1: invalid syntax"),
    "lacking": ("x = 1\n", "agent.py lacks a function choose(position, moves, seconds)"),
    "nothing": ("", "agent.py is empty"),
    "latin": (b"x = '\xe9'\ndef choose(): pass\n", "(is it saved as UTF-8?)"),
    "wide": ("x = 1\n".encode("utf-16"), "(is it saved as UTF-8?)"),
}
FAILING = {
    "dying": ("import nothing_here\n" + GOOD, "4 times CRASHED: ModuleNotFoundError: No module"),
    "odd": (GOOD.replace("return wanted", "return 7 or wanted"), "ILLEGAL: answered 7, which is"),
}


def test_a_class_is_graded_and_no_submission_stops_the_others(order: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "class", tmp_path / "marks"
    sources: dict[str, tuple[Any, str]] = {"good": (GOOD, ""), "poor": (POOR, "")}
    sources |= BROKEN | FAILING
    paths = [submitted(folder, name, source) for name, (source, _) in sources.items()]
    shown = run(order, *paths, "--out", out, "--processes", 1, "--unsafe")
    assert shown.exit_code == 0, shown.output
    rows = list(csv.reader((out / "class.csv").read_text().splitlines()))
    assert rows[0] == ["name", "Random", "Meeting", "total", "of", "rating", "remark"]
    marks = {row[0]: row[1:] for row in rows[1:]}
    assert marks["good"][0] == "10" and float(marks["good"][1]) >= 4.0
    assert float(marks["poor"][2]) < float(marks["good"][2])
    for name, (_, words) in {**BROKEN, **FAILING}.items():
        assert marks[name][0] == "0"
        said = results_of(out, name)["tests"][0]["output"]
        assert words in said and str(tmp_path) not in said
    assert marks["good"][-1] == "" and "CRASHED in" in shown.stdout
    assert marks["dying"][-1].startswith("CRASHED in ")
    assert "matches: ModuleNotFoundError: No module named 'nothing_here'" in marks["dying"][-1]
    for name in BROKEN:
        assert marks[name][:3] == ["0", "0", "0"]
        assert results_of(out, name)["tests"][1]["output"].startswith("could not be graded: ")
    good = results_of(out, "good")
    assert good["tests"][0]["status"] == "passed"
    assert [one["name"] for one in good["leaderboard"]] == ["Points", "Rating"]
    assert "without a sandbox" in good["output"]
    page = (out / "students" / "poor" / "index.html").read_text(encoding="utf-8")
    assert "what was lost" in page and "\\u003csvg" in page and "judged by" in page.lower()
    assert "Player 1: take 3" in page and 'button data-frame="' in page
    assert f"{marks['poor'][2]} of 16 points.</p>" in page and "place " in page
    dying = (out / "students" / "dying" / "index.html").read_text(encoding="utf-8")
    assert 'type="range"' not in dying and 'type="range"' in page
    assert "could not be graded" in (out / "students" / "syntax" / "index.html").read_text()


def test_a_film_has_every_picture_whole() -> None:
    rules = variant("trap", size=3)
    moves = random_line(rules, 1)
    shown = list(zip(states(rules, initial(rules), moves), [NO_MOVE, *moves], strict=True))
    made = film(rules, shown)
    pictures = [svg(scene(rules, *one), position(rules, one[0])) for one in shown]
    assert ["\n".join(made["lines"][at] for at in one) + "\n" for one in made["frames"]] == pictures
    assert sum(map(len, made["lines"])) < sum(map(len, pictures)) / 3


@pytest.mark.unmeasured
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
    play, asked = play_job, 0

    def stops(job: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked % 3 == 0:
            raise KeyboardInterrupt
        return play(job)

    monkeypatch.setattr(submission, "play_job", stops)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            graded(tmp_path / "cut")
    assert [file.parent.name for file in (tmp_path / "cut").glob("students/*/results.json")] == [
        "a"
    ]
    early = results_of(tmp_path / "cut", "a")
    assert "10 of 10 points, before the tournament" in early["output"]
    monkeypatch.setattr(submission, "play_job", play)
    assert graded(tmp_path / "cut") == whole
    # And nothing is played again.
    monkeypatch.setattr(submission, "play_job", None)
    monkeypatch.setattr(event, "make_jobs", None)
    assert graded(tmp_path / "cut") == whole


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
    outside = tmp_path / "outside.py"
    with zipfile.ZipFile(tmp_path / "root.zip", "w") as made:
        made.writestr(str(outside).replace("/", "\\"), GOOD)
    assert "leads out of the folder" in fault(tmp_path / "root.zip") and not outside.exists()
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
    twice = tmp_path / "twice"
    submitted(twice, "a", GOOD)
    submitted(twice, "b", GOOD)
    assert fault(twice) == "there is more than one agent.py in it (a, b)"
    (tmp_path / "notes.txt").write_text(GOOD)
    assert fault(tmp_path / "notes.txt") == "notes.txt is no Python file; expected agent.py"
    other = submitted(tmp_path, "other", GOOD)
    (other / "agent.py").rename(other / "mine.txt")
    assert fault(other) == "there is no agent.py in it"
    os.mkfifo(other / "pipe")
    assert fault(other) == "pipe is not a file"
    monkeypatch.setattr(intake, "LARGEST", 10)
    assert "larger than" in fault(submitted(tmp_path, "large", GOOD))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "course = 'nuts'\ntitle = 'x'\n",
            "tests is missing: expected tables in double brackets ([[tests]])",
        ),
        ("x = ", "is not TOML"),
        (
            NUTS.replace("points = 10", "points = 'ten'"),
            "test 1: points is 'ten': expected a number",
        ),
        (NUTS.replace("opponent", "oppo"), "no key 'oppo'; did you mean 'opponent'?"),
        (NUTS.replace("points = 10\n", ""), "test 1: points is missing"),
        (
            NUTS.replace('kind = "tournament"', 'kind = "fun"'),
            "kind is 'fun': expected one of matches,",
        ),
        (NUTS.replace("Meeting", "Random"), "two tests have one name, 'Random'"),
        (NUTS.replace("decision=5", "decision=x"), "nuts.toml': clock decision 'x'"),
        (NUTS.replace("points = 10", "points = -1"), "points is -1: expected at least 0"),
        (
            NUTS.replace("points = 10", "points = 10\nwin = 2.0"),
            "win is 2.0: expected a number from 0 to 1",
        ),
        (
            NUTS.replace("points = 10", "points = 10\nfull = 5"),
            "full is 5: expected at most matches, which is 4",
        ),
        (NUTS.replace("matches = 4", "matches = 'four'"), "expected a whole number"),
        (
            NUTS.replace('"random"', '"randm"'),
            "nuts.toml': test 1: opponent: no agent 'randm'; did you mean 'random'?",
        ),
        (NUTS.replace('"random"', '"./no.py"'), "opponent: agent"),
        (
            NUTS.replace("points = 10", "points = 10\nagent = 'Foo Bar'"),
            "test 1: agent is 'Foo Bar': expected the name of a class",
        ),
        (
            NUTS.replace("points = 10", "points = 10\nseats = 'third'"),
            "seats is 'third': expected one of both, first, second",
        ),
        (NUTS.replace("nuts = 11", "nuts = 1"), "nuts.toml': "),
        (NUTS.replace('"nuts"', '"nutz"'), "nuts.toml': no game 'nutz'"),
    ],
)
def test_a_wrong_assignment_is_refused_in_one_line(text: str, wanted: str, tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    file.write_text(text)
    shown = run(file, submitted(tmp_path, "a", GOOD), "--out", tmp_path / "out")
    assert shown.exit_code == 2 and shown.stderr.count("\n") == 1
    assert wanted in shown.stderr and not (tmp_path / "out").exists()


def test_a_rule_of_an_assignment_may_be_a_list(tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    file.write_text(NUTS.replace("nuts = 11", "nuts = [11, 12]"))
    assert assignment.read(file).rules == (("nuts", "11,12"),)


def test_what_is_missing_is_asked_for(order: Path, tmp_path: Path) -> None:
    path, out = submitted(tmp_path, "a", GOOD), tmp_path / "o"
    for arguments, wanted in (
        (["trapp", path, "--out", "x"], "no course 'trapp'; did you mean 'trap'?"),
        ([order], "which submissions?"),
        ([order, path], "--out DIR"),
        ([order, path, path, "--out", out], "two submissions are called 'a'"),
        ([order, path, path, "--out", out, "--results", "y"], "expected one submission, not 2"),
        ([order, tmp_path / "no", path, "--out", out], "no': there is no such file or folder"),
        (
            [order, path, "--gradescope", tmp_path / "x.zip"],
            "marks nobody: expected neither submissions",
        ),
        ([order, "--out", out, "--gradescope", tmp_path / "x.zip"], "nor --out"),
    ):
        shown = run(*arguments, "--unsafe")
        assert shown.exit_code == 2 and wanted in shown.stderr


def test_marks_and_submissions_are_kept_apart(
    order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = submitted(tmp_path / "class", "a", GOOD)
    (path / "deep").mkdir()
    monkeypatch.chdir(path / "deep")
    assert intake.name_of(Path("..")) == "a"
    for arguments in ([path, "--out", path / "out"], ["..", "--out", "."], [path, "--out", path]):
        shown = run(order, *arguments, "--unsafe")
        assert shown.exit_code == 2 and "one is in the other" in shown.stderr
    assert sorted(os.listdir(path)) == ["agent.py", "deep"]


def test_the_folder_of_a_class_is_not_taken_for_a_submission(order: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "class", tmp_path / "out"
    submitted(folder, "a", GOOD)
    submitted(folder / "b", "deep", GOOD)
    shown = run(order, folder, "--out", out, "--unsafe")
    assert shown.exit_code == 2 and shown.stderr.count("\n") == 1 and not out.exists()
    assert "holds 2 folders with agent.py, such as 'a': name the submissions" in shown.stderr
    assert shown.stderr.endswith(f"{folder}/*\n")
    # Among others it is one person's confusion, and so it is on Gradescope.
    intake.check_sources([folder, folder / "a"], "nuts", alone=False)
    intake.check_sources([folder], "nuts", alone=True)
    (folder / "agent.py").write_text(GOOD)
    intake.check_sources([folder], "nuts", alone=False)
    assert intake.folders_with(folder, intake.file_names("nuts")) == [folder]


def test_what_goes_on_is_told_and_never_goes_back(tmp_path: Path) -> None:
    given = assignment.read(assignment.find("trap"))
    desks = {name: tmp_path / name for name in "ab"}
    told: list[tuple[str, str, float, int]] = []
    watch = progress.Watcher(desks, lambda *words: told.append(words))
    for desk in desks.values():
        desk.mkdir()
    report = progress.ProgressFile(desks["a"], given)
    report.say(given.tests[1], 10, 20)
    watch.look()
    assert told[-1] == ("submissions", "a: Medium 10/20", 0.5, 2)
    report.say(given.tests[0], 0, 20)  # too soon to be said
    watch.look()
    report.end()
    watch.look()
    assert told[-1] == ("submissions", "", 0.5, 2)
    watch.finish("a")
    assert told[-1][2:] == (1.0, 2)


def test_what_is_no_match_counts_as_one_where_it_is_told_how_far_it_is() -> None:
    given = assignment.read(assignment.find("droids"))
    kinds = {test.kind: progress.size(test) for test in given.tests}
    assert kinds["rules"] == 1 and kinds["manual"] == 0 and kinds["session"] > 1


def test_names_that_are_no_text_are_said_so_that_they_can_be_written(tmp_path: Path) -> None:
    for folder in (b"\xff", b"\x1b[2J"):
        place = tmp_path / "ann" / os.fsdecode(folder)
        place.mkdir(parents=True)
        (place / "agent.py").write_text(GOOD)
    fault = take_in(tmp_path / "ann", "nuts", tmp_path / "shelf").fault
    assert fault.startswith("there is more than one agent.py in it (") and fault.isprintable()


def test_a_zip_with_broken_contents_is_the_fault_of_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "ann.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("agent.py", GOOD * 10)
    data = bytearray(file.read_bytes())
    data[38:42] = b"\xff" * 4  # the first bytes behind the name: no beginning of such data
    file.write_bytes(data)
    assert "decompress" in take_in(file, "nuts", tmp_path / "shelf").fault


def test_a_stopped_grading_says_that_it_can_go_on(
    order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stops(job: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(submission, "play_job", stops)
    path = submitted(tmp_path, "a", GOOD)
    arguments = ["grade", order, path, "--out", tmp_path / "out", "--unsafe"]
    with pytest.raises(click.Abort) as stop:
        cli.main([str(one) for one in arguments], standalone_mode=False)
    notes = ["the same command goes on where it stopped"]
    assert getattr(stop.value.__cause__, "__notes__", []) == notes


@pytest.mark.unmeasured
def test_who_never_ends_a_match_by_the_rules_gets_nothing_by_the_tournament(
    order: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    dying = "import nothing_here\n" + GOOD
    late = "def choose(position, moves, seconds):\n    raise OSError('no')\n"
    sources = {"dead": dying, "good": GOOD, "late": late}
    paths = [submitted(tmp_path, name, source) for name, source in sources.items()]
    made = grading.Grading(order, out, 1, pages=False)
    marks = {one.name: one.marks[1] for one in grading.grade(made, paths, lambda *told: None)}
    assert marks["dead"].score == marks["late"].score == 0.0
    words = "no points: none of its matches was played to its end by the rules"
    assert words in marks["late"].output and "2 times CRASHED: OSError" in marks["late"].output
    assert " won" in marks["late"].output
    assert not any("place" in marks[name].output for name in ("dead", "late"))
    # It met nobody who could play, and its other tests show that it can.
    assert marks["good"].score == 6.0 and marks["good"].by_rules == 0


def test_who_fails_in_a_tournament_is_behind_all_who_do_not() -> None:
    elos = ((2, 50.0), (0, 0.0), (1, 0.0))
    ratings = [Rating(agent, elo, elo, elo, 0, None) for agent, elo in elos]
    scores = [Score(1, 0, 1, 0.0, 1)] * 3
    fault = Fault(2, "CRASHED", 1, "no")
    stood = Standing(ratings, scores, [], {}, 3, [fault])
    outcome = Outcome(("a", "b", "c"), stood, (1, 1, 0))
    test = assignment.Test("Meeting", 8.0, assignment.TOURNAMENT)
    assert [outcome.mark(test, agent).score for agent in "abc"] == [6.0, 6.0, 0.0]
    assert outcome.mark(test, "a").output.startswith("place 1 of 3: 1 won")
