"""The autograder, as Gradescope runs it."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ludex.external import sandbox
from ludex.grading.results import round_off
from ludex.grading.validation import validate
from tests.classes import GOOD, NUTS, results_of, run, submitted
from tests.gradescope import faults

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


@pytest.mark.unmeasured
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
    assert not any(one.startswith(("nicegui", "starlette")) for one in needed)
    warm = (base / "source" / "warm.sh").read_text()
    assert "match nuts ./first.py random --rule nuts=11 --clock decision=5" in warm
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


def test_the_zip_has_the_files_of_opponents(tmp_path: Path) -> None:
    folder, made = tmp_path / "order", tmp_path / "nuts.zip"
    submitted(folder, "met", GOOD)
    file = folder / "nuts.toml"
    file.write_text(NUTS.replace('"random"', '"./met"'))
    assert run(file, "--gradescope", made).exit_code == 0
    with zipfile.ZipFile(made) as packed:
        packed.extractall(tmp_path / "source")
    given = validate(tmp_path / "source" / "assignment.toml")
    assert given.tests[0].opponent == str(tmp_path / "source" / "met")
    assert (tmp_path / "source" / "met" / "agent.py").read_text() == GOOD
    for opponent, wanted in (
        ("../met", "expected something in the folder of the assignment"),
        ("./ludex", "the zip has another thing of this name"),
        ("randm", "test 1: opponent: no agent 'randm'"),
    ):
        submitted(tmp_path, "met", GOOD) if opponent == "../met" else None
        submitted(folder, "ludex", GOOD) if opponent == "./ludex" else None
        file.write_text(NUTS.replace('"random"', f'"{opponent}"'))
        shown = run(file, "--gradescope", tmp_path / "other.zip")
        assert shown.exit_code == 2 and wanted in shown.stderr
    assert not (tmp_path / "other.zip").exists()


def test_the_zip_has_the_folder_above_an_opponent_to_test_with(tmp_path: Path) -> None:
    folder, made = tmp_path / "order", tmp_path / "nuts.zip"
    met = submitted(folder, "met", GOOD)
    (met / "test_players").mkdir()
    source = "from agent import choose\n"
    (met / "test_players" / "other.py").write_text(source)
    file = folder / "nuts.toml"
    file.write_text(NUTS.replace('"random"', '"./met/test_players/other.py"'))
    shown = run(file, "--gradescope", made)
    assert shown.exit_code == 0, shown.stderr
    with zipfile.ZipFile(made) as packed:
        assert {"met/agent.py", "met/test_players/other.py"} <= set(packed.namelist())


@pytest.mark.skipif(bool(sandbox.drop_fault()), reason=sandbox.drop_fault())
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
    assert shown.exit_code == 0, shown.output
    assert sandbox.UNSAFE not in os.environ
    found = results_of(base / "out", "a")
    assert found["score"] == 10.0, found
    assert "Graded without bubblewrap (no namespaces): agents ran as a user" in found["output"]


def test_where_nobody_can_be_confined_nothing_is_graded(
    order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(sandbox.UNSAFE)
    monkeypatch.setattr(sandbox, "fault", lambda: "no namespaces")
    monkeypatch.setattr(sandbox, "drop_fault", lambda: "Python is closed to others")
    out = tmp_path / "out"
    shown = run(order, submitted(tmp_path, "a", GOOD), "--out", out, "--sandbox", "auto")
    assert shown.exit_code == 2
    assert (
        "(no namespaces), and agents cannot run as another user (Python is closed" in shown.output
    )
    assert not out.exists()


def test_what_does_not_run_says_why() -> None:
    assert sandbox.trial_error([sys.executable, "-c", ""]) == ""
    assert sandbox.trial_error([sys.executable, "-c", "import nothing_like_it"]).endswith(
        "like_it'"
    )
    assert "No such file" in sandbox.trial_error(["/nothing/like/it"])


def test_results_are_held_against_the_fields_of_gradescope() -> None:
    wrong = {
        "score": "x",
        "visibility": "maybe",
        "other": 1,
        "tests": [{"score": 3.0, "max_score": 2.0, "status": "fine"}],
        "leaderboard": [{"name": "x"}],
    }
    assert len(faults(wrong)) == 6


def test_no_rating_is_less_than_nothing_when_it_is_nothing() -> None:
    assert f"{round_off(-0.2):+.0f} {round_off(-0.04, 1)} {round_off(-0.2, 1)}" == "+0 0.0 -0.2"
