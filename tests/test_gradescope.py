"""The autograder, as Gradescope runs it."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ludex.foreign import sandbox
from ludex.grade.results import faults
from tests.classes import GOOD, results_of, run, submitted

pytestmark = pytest.mark.usefixtures("unsafe")


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
