"""The lab in the browser: the shelf, an experiment that runs, who may stop it, its report."""

import os
import re
import signal
import time
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.lab.run.measurements import WORKS
from ludex.lab.runner import run
from ludex.lab.shipped_files import shipped_files
from ludex.web.pages import lab
from ludex.web.parts.hat import MOST, hat
from ludex.web.parts.job_view import duration
from ludex.web.state import experiment_job, experiment_process
from ludex.web.state.access import Refused
from ludex.web.state.experiment_job import ExperimentJob, Laboratory, games_with_experiments
from ludex.web.state.experiment_process import entries_with_details, result_line, run_experiment
from ludex.web.state.experiments import (
    SECONDS,
    ExperimentEntry,
    ExperimentProgress,
    ExperimentRequest,
    full_seconds,
    shipped_experiments,
)
from ludex.web.state.server_state import ServerState
from tests.webvisit import error_response, until, visit

pytestmark = pytest.mark.plain

TINY = """
kind = "versus"
title = "Tiny"
game = "nuts"
agents = ["random", "minimax:depth=1"]
matches = 2

[rules]
nuts = 10
"""


@pytest.fixture
def entry(tmp_path: Path) -> ExperimentEntry:
    """Return a small experiment from a file."""
    file = tmp_path / "tiny.toml"
    file.write_text(TINY, encoding="utf-8")
    return ExperimentEntry("tiny", str(file), "nuts", "versus", "Tiny", "What is it about?", 4)


def request(entry: ExperimentEntry, folder: Path) -> ExperimentRequest:
    return ExperimentRequest(
        entry.source, 1.0, f"sqlite:///{folder / 'ludex.db'}", folder / "report", 1
    )


def last_report(entry: ExperimentEntry, folder: Path) -> ExperimentProgress:
    """Run an experiment here, and return the last thing that it tells."""
    here, there = Pipe()
    run_experiment(there, request(entry, folder))
    there.close()
    told = ExperimentProgress()
    while not told.over:
        told = here.recv()
    return told


@pytest.mark.unmeasured
def test_the_shelf_has_what_comes_with_ludex(tmp_path: Path) -> None:
    entries = entries_with_details(f"sqlite:///{tmp_path / 'ludex.db'}")
    assert [one.name for one in entries] == list(shipped_files())
    assert [one[:6] for one in entries] == [one[:6] for one in shipped_experiments()]
    assert (
        {one.game for one in entries}
        == games_with_experiments()
        == {"aeroplane", "arena", "droids", "nuts", "trap"}
    )
    assert all(one.lacks or one.tasks for one in entries)
    assert {one.kind for one in entries} <= set(lab.KINDS)
    timed = {one.kind for one in entries if one.timed}
    assert timed == {"depths", "agents", "strength", "ablation"}


@pytest.mark.unmeasured
def test_an_experiment_ends_with_its_report_and_is_known_from_then_on(
    entry: ExperimentEntry, tmp_path: Path
) -> None:
    told = last_report(entry, tmp_path)
    assert told.words == "done"
    assert told.done == told.total > told.first == 0
    assert "minimax:depth=1 – random: " in "\n".join(told.findings)
    assert "Tiny" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    seconds, full = (tmp_path / "report" / SECONDS).read_text(encoding="utf-8").split()
    assert float(seconds) > 0.0 and float(full) > 0.0
    (tmp_path / "report" / SECONDS).write_text("60", encoding="utf-8")
    again = last_report(entry, tmp_path)
    assert (tmp_path / "report" / SECONDS).read_text(encoding="utf-8") == "60", (
        "not of a repetition"
    )
    assert (again.words, again.first, again.findings) == ("done", told.done, ())


def test_what_is_stopped_goes_on_where_it_was(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = run

    def interrupted(experiment: Any, notebook: Any, pool: Any, tell: Any) -> Any:
        def told(done: int, total: int) -> None:
            tell(done, total)
            if done == 1:
                os.kill(os.getpid(), signal.SIGTERM)

        return real(experiment, notebook, pool, told)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(experiment_process, "run", interrupted)
    told = last_report(entry, tmp_path)
    assert told.words.startswith("stopped")
    assert not (tmp_path / "report").exists()
    assert signal.getsignal(signal.SIGTERM) == before
    monkeypatch.setattr(experiment_process, "run", real)
    again = last_report(entry, tmp_path)
    assert (again.words, again.first) == ("done", 1)


def test_what_cannot_be_run_says_why(entry: ExperimentEntry, tmp_path: Path) -> None:
    Path(entry.source).write_text(TINY.replace("random", "randon"), encoding="utf-8")
    told = last_report(entry, tmp_path)
    assert told.over and told.words.startswith("failed: ") and "randon" in told.words


def test_a_study_runs_in_a_process_of_its_own(entry: ExperimentEntry, tmp_path: Path) -> None:
    one = ExperimentJob(entry, "whole", request(entry, tmp_path))
    one.start()
    assert one.running
    with pytest.raises(Refused):
        one.stop("no key")
    for _ in range(3000):
        if not one.running:
            break
        time.sleep(0.02)
    assert one.progress.words == "done"
    assert (tmp_path / "report" / "report.html").is_file()


def test_findings_are_told_in_words() -> None:
    told = result_line(
        "decision",
        {"game": "nuts", "rules": {"nuts": "10"}, "agent": "minimax:depth=2"},
        {"move": "take 1", "value": None, "nodes": 1234, "seconds": 0.01},
    )
    assert told == "nuts 10: minimax:depth=2: take 1, 1,234 nodes, 0.01 s"
    curve = {"points": [[0, 1, 1, 2], [500, 3, 0, 1]], "seconds": 1.0}
    facts = {"rules": {}, "learner": "hats", "seed": 3}
    assert result_line("curve", facts, curve) == "hats, seed 3: 75 % after 500 matches"
    assert result_line("truth", {"rules": {}}, {"value": None}) == "not proven"
    assert result_line("truth", {"rules": {}}, {"value": -1.0}) == "value -1 for the first seat"
    assert set(WORKS) == {"decision", "matches", "curve", "truth"}


def test_time_left_follows_from_what_was_done() -> None:
    assert ExperimentProgress(done=3, total=9, first=3, seconds=5.0).left() is None
    assert ExperimentProgress(done=5, total=9, first=3, seconds=5.0).left() == 10.0
    assert ExperimentProgress(done=5, total=9, first=3, seconds=5.0, over=True).left() is None
    told = [duration(seconds) for seconds in (3.2, 99, 600, 7300)]
    assert told == ["3 s", "99 s", "10 min", "2.0 h"]


def test_an_estimate_of_the_full_size_leaves_out_the_start() -> None:
    assert full_seconds(run=26.0, first_task=20.0, tasks=4, share=0.1) == pytest.approx(80.0)
    assert full_seconds(run=2.0, first_task=2.0, tasks=1, share=0.1) == pytest.approx(20.0)


@pytest.mark.parametrize("name", ["", "..", "a/b", "../x", "UP", "a.b", "x" * 81])
def test_a_report_has_a_plain_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no report has such a name"):
        Laboratory(tmp_path, "").page(name)


class Standing:
    """In the place of a process: it goes on until it is ended."""

    def __init__(self, one: ExperimentJob) -> None:
        self.job = one

    def is_alive(self) -> bool:
        return not self.job.progress.over

    def terminate(self) -> None:
        self.job.progress = replace(self.job.progress, over=True, words="stopped; it is kept")

    kill = terminate


def test_one_experiment_at_a_time_and_who_started_it_or_the_host_stops_it(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(one: ExperimentJob) -> None:
        one.process = Standing(one)
        one.progress = ExperimentProgress(
            2, 6, 0, 4.0, "running", findings=("random – random: <2> won",)
        )

    begun: list[ExperimentJob] = []
    real = Laboratory.begin

    def begin(*given: Any) -> ExperimentJob:
        begun.append(real(*given))
        return begun[-1]

    monkeypatch.setattr(ExperimentJob, "start", start)
    monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [entry])
    monkeypatch.setattr(Laboratory, "begin", begin)

    async def story(user: User, server: ServerState) -> None:
        user.javascript_rules[re.compile("localStorage.getItem")] = lambda _: ""
        await user.open("/lab/nuts")
        await user.should_see("What is it about?", retries=50)
        await user.should_see("tiny: all against all; 4 tasks at full size")
        user.find(kind=ui.button, content="Start").click()
        await user.should_see("2 of 6 tasks, 4 s so far, about 8 s left", retries=50)
        await user.should_see("Running")
        await user.should_not_see("Somebody else")
        user.find(kind=ui.button, content="Start").click()
        await user.should_see("'Tiny' is running; one at a time")
        await user.open("/lab")
        await user.should_see("Somebody else started it", retries=50)
        (stop,) = user.find(kind=ui.button, content="Stop").elements
        assert not stop.enabled
        await user.open(f"/lab?key={begun[0].key}")
        await user.should_see("2 of 6 tasks", retries=50)
        (stop,) = user.find(kind=ui.button, content="Stop").elements
        assert stop.enabled
        user.http_client.headers["host"] = "localhost"  # a browser on the server's own machine
        await user.open("/lab")
        await user.should_see("Somebody else started it.", retries=50)
        user.find(kind=ui.button, content="Stop").click()
        await until(lambda: not begun[0].running)
        await user.should_see("Stopped", retries=50)
        (status,) = [one for one in user.find(ui.label).elements if "lx-status" in one.classes]
        assert "lx-finished" in status.classes, "it is final, connected or not"
        user.find(kind=ui.button, content="Resume").click()
        await until(lambda: len(begun) == 2)
        assert begun[1].request == begun[0].request

    visit(story, tmp_path)


def test_a_report_is_served_and_nothing_else_is(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [entry])

    async def story(user: User, server: ServerState) -> None:
        user.javascript_rules[re.compile("localStorage.getItem")] = lambda _: ""
        folder = server.folder / "reports" / "tiny-tenth"
        folder.mkdir(parents=True)
        (folder / "report.html").write_text("<h1>Tiny</h1>", encoding="utf-8")
        (folder / SECONDS).write_text("12 98", encoding="utf-8")
        smaller = folder.with_name("tiny-hundredth")
        smaller.mkdir()
        (smaller / "report.html").touch()
        (smaller / SECONDS).write_text("26 2640", encoding="utf-8")
        (server.folder / "secret").write_text("no", encoding="utf-8")
        answer = await user.http_client.get("/lab/report/tiny-tenth")
        assert (answer.status_code, answer.text) == (200, "<h1>Tiny</h1>")
        for name in ("tiny", "..%2f..%2fsecret", "tiny-tenth%2freport.html"):
            assert (await user.http_client.get(f"/lab/report/{name}")).status_code == 404
        await user.open("/lab")
        await user.should_see("Report of 10 %", retries=50)
        await user.should_see("The full size would take about 98 s.")
        await user.should_not_see("44 min")
        await error_response(user, "/lab/nothing", "No game 'nothing'")
        await user.open("/lab/arena")
        await user.should_see("There is no experiment about this game yet.", retries=50)

    visit(story, tmp_path)


def test_an_experiment_that_lacks_something_cannot_be_started(
    entry: ExperimentEntry, tmp_path: Path
) -> None:
    laboratory = Laboratory(tmp_path, f"sqlite:///{tmp_path / 'ludex.db'}")
    with pytest.raises(ValueError, match="needs an extra"):
        laboratory.begin(entry._replace(lacks="it needs an extra"), "whole")
    with pytest.raises(ValueError, match="expected hundredth, tenth, whole"):
        laboratory.begin(entry, "enormous")
    assert experiment_job.report_name("tiny", "whole") == "tiny"
    laboratory.close()


def test_a_hat_shows_its_balls_and_counts_them() -> None:
    drawn = hat({"take 1": 3, "take 2": 1})
    assert drawn.count('id="hat-ball-') == 3 * (3 + 1)  # a disc, an edge and a number each
    assert "take 1: 3" in drawn and "in this picture" not in drawn
    assert 'id="hat-taken"' not in drawn
    taken = hat({"take 1": 3, "take 2": 1}, "take 2")
    assert taken.count('id="hat-taken') == 3 and taken.count('id="hat-ball-') == 12
    many = hat({"take 1": 3000, "take 2": 1})
    assert many.count('-number"') <= MOST + 4
    assert "one ball in this picture is about 76 in the hat" in many
