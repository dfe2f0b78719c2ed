"""The lab in the browser: the shelf, an experiment that runs, who may stop it, its report."""

import os
import signal
import time
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction

from ludex.io.keys import Refused
from ludex.kernel.jit import compiling
from ludex.lab import runner
from ludex.lab.run.measurements import WORKS, do_task, full_seconds
from ludex.lab.run.series import ON_DEVICE
from ludex.lab.runner import run
from ludex.lab.shipped_files import shipped_files
from ludex.lab.spec.task import Task
from ludex.learn.training import next_point
from ludex.web.pages import lab
from ludex.web.parts.hat import MOST, hat
from ludex.web.parts.job_view import duration
from ludex.web.state import experiment_job, experiment_process, experiments
from ludex.web.state.experiment_job import ExperimentJob, Laboratory, games_with_experiments
from ludex.web.state.experiment_process import entries_with_details, result_line, run_experiment
from ludex.web.state.experiments import (
    SECONDS,
    SECONDS_SO_FAR,
    SIZES,
    ExperimentEntry,
    ExperimentProgress,
    ExperimentRequest,
    SizeDetails,
    read_seconds,
    shipped_experiments,
)
from ludex.web.state.server_state import ServerState
from tests.webvisit import error_response, field, until, visit

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
    sizes = {name: SizeDetails(4, share) for name, share in SIZES.items()}
    words = "tiny", str(file), "nuts", "versus", "Tiny", "What is it about?"
    return ExperimentEntry(*words, sizes)


def request(entry: ExperimentEntry, folder: Path, scale: float = 1.0) -> ExperimentRequest:
    return ExperimentRequest(
        entry.source, scale, f"sqlite:///{folder / 'ludex.db'}", folder / "report", 1
    )


def last_report(entry: ExperimentEntry, folder: Path, **given: Any) -> ExperimentProgress:
    """Run an experiment here, and return the last thing that it tells."""
    here, there = Pipe()
    run_experiment(there, request(entry, folder)._replace(**given))
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
    for one in entries:
        assert one.lacks or [*one.sizes] == [*SIZES]
        assert all(size.tasks and 0.0 < size.share <= 1.0 for size in one.sizes.values())
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
    seconds, full, work = map(float, (tmp_path / "report" / SECONDS).read_text().split())
    assert seconds > 0.0 and full == work > 0.0
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

    def interrupted(experiment: Any, notebook: Any, pool: Any, tell: Any, *rest: Any) -> Any:
        def told(done: int, total: int) -> None:
            tell(done, total)
            if done == 1:
                os.kill(os.getpid(), signal.SIGTERM)

        return real(experiment, notebook, pool, told, *rest)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(experiment_process, "run", interrupted)
    told = last_report(entry, tmp_path)
    assert told.words.startswith("stopped")
    assert not (tmp_path / "report" / "report.html").exists()
    so_far = tmp_path / "report" / SECONDS_SO_FAR
    assert read_seconds(so_far) is not None
    so_far.write_text("100 10 10", encoding="utf-8")
    assert signal.getsignal(signal.SIGTERM) == before
    monkeypatch.setattr(experiment_process, "run", real)
    again = last_report(entry, tmp_path)
    assert (again.words, again.first) == ("done", 1)
    assert again.seconds > 100.0, "both runs count"
    seconds = read_seconds(tmp_path / "report" / SECONDS)
    assert seconds is not None and seconds.run >= 100.0 and seconds.work >= 10.0
    assert not so_far.exists()


def test_every_size_has_its_own_state_and_a_fresh_run_replaces_the_results(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(entry.source).write_text(TINY.replace("= 2", "= 40"), encoding="utf-8")
    monkeypatch.setattr(experiments, "shipped_experiments", lambda: (entry,))

    def states() -> list[str]:
        (found,) = entries_with_details(request(entry, tmp_path).url)
        return [size.state for size in found.sizes.values()]

    assert last_report(entry, tmp_path, scale=0.1).words == "done"
    assert states() == ["", "finished", ""]
    again = last_report(entry, tmp_path, scale=0.1, fresh=True)
    assert (again.words, again.first) == ("done", 0) and again.findings
    monkeypatch.setattr(runner, "do_task", "fails")
    assert last_report(entry, tmp_path, scale=0.1, fresh=True).words.startswith("failed")
    assert states() == ["", "begun", ""], "its results are gone"


def test_what_is_finished_has_the_tasks_that_its_results_have_added(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = (
        'kind = "balance"\ntitle = "Tiny"\ngame = "nuts"\nmatches = 0\nsweep = {nuts = "10:13:3"}'
    )
    Path(entry.source).write_text(sweep, encoding="utf-8")
    monkeypatch.setattr(experiments, "shipped_experiments", lambda: (entry,))

    def tasks() -> int:
        (found,) = entries_with_details(request(entry, tmp_path).url)
        return found.sizes["whole"].tasks

    at_first, told = tasks(), last_report(entry, tmp_path)
    assert told.words == "done"
    assert at_first < told.total == tasks()


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
    played = {"returns": [[1.0, -1.0], [0.0, 0.0]]}
    facts = {"rules": {}, "agents": ["random", "greedy"]}
    assert result_line(ON_DEVICE, facts, played) == result_line("matches", facts, played)
    assert set(WORKS) == {"decision", "matches", ON_DEVICE, "curve", "truth"}


def test_time_left_follows_from_what_was_done() -> None:
    begun = ExperimentProgress(done=6, total=9, first=3, seconds=60.0, work=5.0)
    assert begun.left() == 5.0, "compiling is over"
    assert replace(begun, over=True).left() is None
    assert replace(begun, done=9).left() is None
    assert replace(begun, done=5).left() is None, "tasks differ, and two are too few"
    assert replace(begun, total=99).left() is None, "so are three of many"
    told = [duration(seconds) for seconds in (3.2, 59.7, 91, 100, 594, 600, 7300)]
    assert told == ["3 s", "1 min", "1 min 30 s", "1 min 40 s", "9 min 50 s", "10 min", "2.0 h"]


def test_an_estimate_of_the_full_size_scales_what_grows_with_it() -> None:
    assert full_seconds(Task("matches", "{}"), {"returns": []}, 3.0, 0.1) == pytest.approx(30.0)
    task = Task("curve", '{"matches": 2000}')
    answer = {"points": points_to(2000), "seconds": 0.5}
    assert full_seconds(task, answer, 4.5, 1.0) == pytest.approx(4.5)
    measuring = 4.0 * len(points_to(20000)) / len(points_to(2000))
    assert full_seconds(task, answer, 4.5, 0.1) == pytest.approx(5.0 + measuring)


def points_to(matches: int) -> list[int]:
    """Return the matches at the points of a curve."""
    found = [0]
    while found[-1] < matches:
        found.append(min(next_point(found[-1]), matches))
    return found


def test_the_seconds_of_a_task_are_without_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    def work() -> Any:
        with compiling():
            time.sleep(0.2)
        return {}

    monkeypatch.setitem(WORKS, "slow", work)
    task, answer, seconds = do_task(Task("slow", "{}"))
    assert (task.work, answer) == ("slow", {}) and seconds < 0.1


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


def start_standing(one: ExperimentJob) -> None:
    """Start an experiment that stands still."""
    one.process = Standing(one)
    one.progress = ExperimentProgress(
        4, 12, 0, 9.0, "running", findings=("random – random: <2> won",), work=4.0
    )


def buttons(user: User) -> list[str]:
    """Return the texts of the visible buttons of the list of experiments."""
    return [
        one.text
        for one in user.find(ui.button).elements
        if one.props.get("aria-label", "").endswith((": Tiny", ": Other"))
    ]


def test_a_page_shows_what_somebody_else_starts(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExperimentJob, "start", start_standing)
    monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [entry])

    async def story(user: User, server: ServerState) -> None:
        await user.open("/lab/nuts")
        await user.should_see("4 tasks")
        job = server.laboratory.begin(entry, "tenth")
        await user.should_see("4 of 12 tasks, 9 s so far")
        await user.should_see("Somebody else started it")
        assert buttons(user) == [], "what runs cannot be started"
        finished = entry._replace(sizes={"tenth": SizeDetails(4, 0.1, "finished")})
        monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [finished])
        job.progress = replace(job.progress, over=True, words="done")
        await user.should_see("4 tasks; finished")
        await user.should_not_see("Somebody else started it")

    visit(story, tmp_path)


def test_the_button_of_an_experiment_follows_the_size(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = {"hundredth": "finished", "tenth": "begun", "whole": ""}
    sizes = {name: SizeDetails(4, SIZES[name], state) for name, state in states.items()}
    entry = entry._replace(sizes=sizes)
    monkeypatch.setattr(ExperimentJob, "start", start_standing)
    monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [entry])

    async def story(user: User, server: ServerState) -> None:
        await user.open("/lab/nuts?size=whole")
        await user.should_see("4 tasks")
        assert buttons(user) == ["Start"]
        field(user, "size", ui.select).value = "tenth"
        await user.should_see("4 tasks; not finished")
        assert buttons(user) == ["Resume"]
        field(user, "size", ui.select).value = "hundredth"
        await user.should_see("4 tasks; finished")
        assert buttons(user) == ["Write the report"], "the results are known"
        page = server.laboratory.page("tiny-hundredth")
        page.parent.mkdir(parents=True)
        page.touch()
        await user.open("/lab/nuts?size=hundredth")
        await user.should_see("Run again")
        user.find(kind=ui.button, content="Run again").click()
        await user.should_see("Run it again?")
        assert server.laboratory.job is None, "it asks first"
        (answer,) = [
            one
            for one in user.find(kind=ui.button, content="Run again").elements
            if "lx-first" in one.classes
        ]
        UserInteraction(user, {answer}, None).click()
        await until(lambda: server.laboratory.job is not None)
        assert server.laboratory.job is not None and server.laboratory.job.request.fresh

    visit(story, tmp_path)


def test_one_experiment_at_a_time_and_who_started_it_or_the_host_stops_it(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[ExperimentJob] = []
    real = Laboratory.begin

    def begin(*given: Any) -> ExperimentJob:
        begun.append(real(*given))
        return begun[-1]

    monkeypatch.setattr(ExperimentJob, "start", start_standing)
    other = entry._replace(name="other", title="Other")
    monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [entry, other])
    monkeypatch.setattr(Laboratory, "begin", begin)

    async def story(user: User, server: ServerState) -> None:
        await user.open("/lab/nuts")
        await user.should_see("Other")
        await user.should_see("tiny: all against all")
        (first, _) = user.find(kind=ui.button, content="Start").elements
        UserInteraction(user, {first}, None).click()
        await user.should_see("4 of 12 tasks, 9 s so far, about 8 s left")
        await user.should_see("Running")
        await user.should_not_see("Somebody else")
        user.find(kind=ui.button, content="Start").click()
        await user.should_see("is running; one at a time")
        await user.open("/lab")
        await user.should_see("Somebody else started it")
        (stop,) = user.find(kind=ui.button, content="Stop").elements
        assert not stop.enabled
        await user.open(f"/lab?key={begun[0].key}")
        await user.should_see("4 of 12 tasks")
        (stop,) = user.find(kind=ui.button, content="Stop").elements
        assert stop.enabled
        user.http_client.headers["host"] = "localhost"  # a browser on the server's own machine
        await user.open("/lab")
        await user.should_see("Somebody else started it.")
        user.find(kind=ui.button, content="Stop").click()
        await until(lambda: not begun[0].running)
        await user.should_see("Stopped by the host; it is kept")
        await user.should_not_see("Somebody else")
        (status,) = [one for one in user.find(ui.label).elements if "lx-status" in one.classes]
        assert "lx-finished" in status.classes, "it is final, connected or not"
        del user.http_client.headers["host"]
        await user.open("/lab")
        await user.should_see("Stopped by the host; it is kept")
        await user.should_see(kind=ui.label, content="stopped by the host")
        await user.should_not_see("Resume")
        assert buttons(user) == ["Start"], "only the other one"
        user.http_client.headers["host"] = "localhost"
        await user.open("/lab")
        user.find(kind=ui.button, content="Resume").click()
        await until(lambda: len(begun) == 2)
        await user.should_not_see("Stopped")
        assert begun[1].request == begun[0].request

    visit(story, tmp_path)


def test_a_report_is_served_and_nothing_else_is(
    entry: ExperimentEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [entry])

    async def story(user: User, server: ServerState) -> None:
        folder = server.folder / "reports" / "tiny-tenth"
        folder.mkdir(parents=True)
        page = folder / "report.html"
        page.write_text("<h1>Tiny</h1>", encoding="utf-8")
        (folder / SECONDS).write_text("12 98", encoding="utf-8")
        smaller = folder.with_name("tiny-hundredth")
        smaller.mkdir()
        (smaller / "report.html").touch()
        (smaller / SECONDS).write_text("26 2640 2", encoding="utf-8")
        (server.folder / "secret").write_text("no", encoding="utf-8")
        answer = await user.http_client.get("/lab/report/tiny-tenth")
        assert (answer.status_code, answer.text) == (200, "<h1>Tiny</h1>")
        for name in ("tiny", "..%2f..%2fsecret", "tiny-tenth%2freport.html"):
            assert (await user.http_client.get(f"/lab/report/{name}")).status_code == 404
        await user.open("/lab?size=tenth")
        await user.should_see("Report of 10 %")
        await user.should_see("4 tasks; the last run took 12 s")
        await user.open("/lab?size=whole")
        await user.should_see("4 tasks; about 1 min 40 s, judging by the 10 % run")
        page.unlink()
        await user.open("/lab?size=tenth")
        await user.should_see("4 tasks; about 4 min 20 s, judging by the 1 % run")
        (smaller / "report.html").unlink()
        await user.open("/lab?size=tenth")
        await user.should_see("4 tasks; a run at 1 % will tell about how long it takes")
        await user.should_not_see("judging by")
        await user.open("/lab?size=hundredth")
        await user.should_see("4 tasks; how long it takes is not known before a first run")
        timed = entry._replace(timed=True)
        monkeypatch.setattr(experiment_job, "list_experiments", lambda url: [timed])
        await user.open("/lab")
        await user.should_see("4 tasks, one at a time because time is measured; a run at 1 %")
        await error_response(user, "/lab/nothing", "No game 'nothing'")
        await user.open("/lab/arena")
        await user.should_see("There is no experiment about this game yet.")

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
