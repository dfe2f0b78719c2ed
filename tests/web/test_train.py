"""Trainings on their page: how far they are, what they know, and training on from a file."""

import multiprocessing
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock
from unittest.mock import Mock

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.agents.training import make_training
from ludex.games import game_rules
from ludex.learn.net.learner import NetLearner
from ludex.learn.training import Training
from ludex.web.pages import train
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.learned_table import table_html
from ludex.web.parts.training_view import curve_chart, lines_text, progress_line
from ludex.web.state import job as job_module
from ludex.web.state import limits, training_job
from ludex.web.state.agents import check_agent
from ludex.web.state.learned_table import LearnedTable, Row, learned_table
from ludex.web.state.server_state import ServerState
from ludex.web.state.start_training import delete_training, start_training
from ludex.web.state.training_job import (
    FAILED,
    TrainingJob,
    TrainingProgress,
    TrainingRequest,
    learned_count,
    load_training,
    run_training,
)
from tests.webvisit import STORED, field, in_server, press, sit_at_server, until, visit

pytestmark = pytest.mark.plain


def trained(game: str, learner: str, matches: int = 30, **rules: str) -> Training:
    """Return a training of a game after some matches."""
    training = make_training(game_rules(game, rules), learner, None, 1)
    training.train_more(matches)
    training.measure(at_the_end=True)
    return training


@pytest.mark.unmeasured
def test_hats_are_known_whole_and_tables_by_what_was_seen_most() -> None:
    balls = learned_table(trained("nuts", "hats", nuts="10"))
    assert (balls.kind, balls.whole, balls.rows[0].seen) == ("balls", True, "1")
    assert set(balls.rows[-1].numbers) == {"take 1", "take 2", "take 3"}
    shown = table_html(balls)
    assert shown.count("<tr>") == 1 + len(balls.rows) and "<th>take 3</th>" in shown
    values = learned_table(trained("nuts", "qtable", nuts="10"))
    assert (values.kind, values.whole, values.rows[0].seen) == ("values", False, "10")
    assert values.rows[0].visits >= values.rows[-1].visits > 0
    assert "Those that were seen most." in table_html(values)
    assert "Nothing is known yet." in table_html(LearnedTable())
    shares = learned_table(trained("examples/kuhn.py", "cfr"))
    assert (shares.kind, shares.rows[0].visits > 0) == ("shares", True)
    assert all(sum(row.numbers.values()) == pytest.approx(1.0) for row in shares.rows)
    assert "50.0 %" in table_html(LearnedTable("shares", (Row("K ? -", 2, {"bet": 0.5}),)))


def test_of_many_actions_the_best_are_named() -> None:
    row = Row("a <b>", 7, {f"action {number}": number / 10 for number in range(9)})
    shown = table_html(LearnedTable("values", (row,)))
    assert shown.index("action 8 ") < shown.index("action 5 ") and "action 4 " not in shown
    assert "a &lt;b&gt;" in shown


def test_a_training_says_how_far_it_is_and_what_it_knows(tmp_path: Path) -> None:
    def standing(training: TrainingJob) -> None:
        training.process = training.pipe = Mock()
        known = LearnedTable("balls", (Row("7", 3, {"take 2": 5}),))
        training.progress = TrainingProgress(250, 1000, 0, 5.0, "learning", states=21, known=known)

    async def story(user: User, server: ServerState) -> None:
        await user.open("/train/nuts")
        assert [one for one, _ in field(user, "learner", AgentField).props["options"]] == [
            "hats",
            "qtable",
            "cfr",
            "net",
        ]
        assert field(user, "learner", AgentField).value == "hats"  # which the game names
        assert field(user, "against", AgentField).props["hint"] == "hats learn from one another"
        await user.should_see("a hat with balls")
        field(user, "learner", AgentField).value = "td"
        user.find("Start learning").click()
        await user.should_see("this game says no `patterns`")
        field(user, "learner", AgentField).value = "net:width=1024,blocks=64"
        with mock.patch.object(NetLearner, "begin", side_effect=AssertionError("it was made")):
            user.find("Start learning").click()
            await user.should_see("net learns within 256 MiB here")
        field(user, "learner", AgentField).value = "qtable:explore=0.3"
        assert field(user, "against", AgentField).props["hint"] == ""
        await user.should_not_see("a hat with balls")
        field(user, "against", AgentField).value = "easy"
        field(user, "matches").value = "abc"
        user.find("matches").trigger("blur")
        await until(
            lambda: "expected a whole number from 1" in (field(user, "matches").error or "")
        )
        field(user, "matches").value = "1,000"
        user.find("Start learning").click()
        said = "250 of 1,000 matches, 21 states known, 50 matches a second, about 15 s left"
        await user.should_see(said)
        shown = "".join(one.content for one in user.find(ui.html).elements)
        assert 'aria-valuenow="25"' in shown and "<th>take 2</th>" in shown
        # The form asks for the same again.
        assert field(user, "learner", AgentField).value == "qtable:explore=0.3"
        assert field(user, "against", AgentField).value == "easy"
        assert field(user, "matches").value == "1000"
        (training,) = server.trainings.values()
        training.stopping = True
        await user.should_see("Stopping …")
        training.progress = TrainingProgress(words=f"{FAILED}it could not be", over=True)
        await user.should_see("Failed: it could not be")
        await user.should_see("Nothing was learned.")
        await user.should_not_see("it plays wherever")
        await user.should_not_see("Play against it")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrainingJob, "start", standing)
        visit(story, tmp_path)


def test_time_left_is_estimated_from_matches_after_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_job, "REPORT_INTERVAL", 0.0)
    pipe = Mock(**{"poll.return_value": False})
    texts = (("nuts", "10"),)
    run_training(pipe, TrainingRequest("nuts", texts, "hats", "", 300, 1, tmp_path / "hats.npz"))
    first, second, *_ = (call.args[0] for call in pipe.send.call_args_list)
    assert first.done == first.first > 0 and first.left() is None  # before it, all was compiled
    assert second.first == first.done and second.left() is not None
    job = TrainingJob("hats", "nuts", TrainingRequest("nuts", texts, "hats", "", 900, 1, tmp_path))
    job.progress = second
    monkeypatch.setattr(job_module, "start_process", lambda *_, **__: (Mock(), Mock()))
    monkeypatch.setattr(TrainingJob, "listen", lambda *_: None)
    job.launch(run_training)
    assert job.progress.left() is None


@pytest.mark.parametrize(
    ("text", "agent"),
    [("hats", "hats:file=nuts-hats-a"), ("qtable:explore=0.3", "qtable:file=nuts-qtable-a")],
)
def test_what_was_trained_is_looked_into_and_trained_on(
    tmp_path: Path, text: str, agent: str
) -> None:
    name = agent.partition("=")[2]
    (tmp_path / "trained").mkdir()
    trained("nuts", text, nuts="10").save(tmp_path / f"trained/{name}.npz")
    started: list[TrainingRequest] = []

    async def story(user: User, server: ServerState) -> None:
        await user.open("/train/nuts")
        await user.should_see(agent)
        user.find("Curve and table").click()
        await user.should_see("30 matches, 10 states known")
        await user.should_see("Kept")
        await user.should_not_see("Resume")
        (chart,) = user.find(ui.echart).elements
        assert chart.options["series"][2]["data"][-1][0] == 30
        field(user, "more matches").value = "many"
        user.find("Train on from here").click()
        await user.should_see("expected a whole number from 1 to")
        field(user, "more matches").value = "12"
        user.find("Train on from here").click()
        await until(lambda: started)
        (request,) = started
        assert request.matches == 30 + 12
        assert request.path != server.trained.path(name) and request.learner == text
        assert request.path.read_bytes() == server.trained.path(name).read_bytes()
        # It fits: the same options, opponent and rules.
        rules = server.catalogue.rules("nuts", request.texts)
        training = make_training(rules, request.learner, request.against, request.seed)
        training.resume(request.path)
        assert training.matches == 30
        await user.should_see(f"{request.learner} learns")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrainingJob, "start", lambda training: started.append(training.request))
        visit(story, tmp_path)


def test_what_is_typed_while_a_training_is_loaded_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trained").mkdir()
    trained("nuts", "hats", nuts="10").save(tmp_path / "trained/nuts-hats-a.npz")
    typed = threading.Event()

    def load_late(*given: Any) -> Any:
        typed.wait(30)
        return load_training(*given)

    monkeypatch.setattr(train, "load_training", load_late)

    async def story(user: User, server: ServerState) -> None:
        await user.open("/train/nuts?lesson=nuts-hats-a")
        field(user, "matches").value = "77"
        typed.set()
        await user.should_see("Kept")
        assert field(user, "matches").value == "77"
        await user.open("/train/nuts?lesson=nuts-hats-a")
        await user.should_see("Kept")
        assert field(user, "matches").value == "30"

    visit(story, tmp_path)


def test_a_learned_estimate_plays_by_its_name_and_no_path_is_read(tmp_path: Path) -> None:
    (tmp_path / "trained").mkdir()
    path = tmp_path / "trained/trap-td-a.npz"
    path.write_bytes(b"")

    async def story(server: ServerState) -> None:
        (agent,) = server.trained.of_game("trap")
        assert agent == "expectiminimax:depth=2,estimate=learned:trap-td-a"
        text, stamp = server.trained.resolve(agent)
        assert text.endswith(f",estimate=learned:{path}") and stamp > 0.0
        rules = server.catalogue.rules("trap")
        check_agent(agent, rules)
        with pytest.raises(ValueError, match="learned:NAME of one that was trained here"):
            check_agent(f"greedy:estimate=learned:{path}", rules)
        for wrong in (f"hats:file={path}", f"hats:estimate=learned:trap-td-a,file={path}"):
            with pytest.raises(ValueError, match="expected the name of one of ours"):
                server.trained.resolve(wrong)
        with pytest.raises(ValueError, match="no training 'b' here"):
            server.trained.resolve("hats:file=b")
        with pytest.raises(ValueError, match="no agent 'human'; people play under Play"):
            check_agent("human", rules)

    in_server(story, tmp_path)


def test_a_browser_that_started_a_training_is_known_again(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        request = TrainingRequest(
            "nuts", (), "hats", "itself", 10, 1, server.trained.path("nuts-hats-a")
        )
        training = server.trainings["nuts-hats-a"] = TrainingJob("nuts-hats-a", "nuts", request)
        training.progress = TrainingProgress(10, states=5, over=True, words="done")
        user.javascript_rules[STORED] = lambda _: "wrong"
        await user.open("/train/nuts?lesson=nuts-hats-a")
        await user.should_not_see("Resume")
        asked = 'localStorage.getItem("lx-train-nuts-hats-a")'
        user.javascript_rules[STORED] = lambda one: training.key if one.string == asked else ""
        await user.open("/train/nuts?lesson=nuts-hats-a")
        await user.should_see("Train on")

    visit(story, tmp_path)


def test_a_stopped_training_goes_on_to_its_number_and_a_finished_one_as_far_as_typed(
    tmp_path: Path,
) -> None:
    asked: list[int] = []

    def start(job: TrainingJob) -> None:
        asked.append(job.request.matches)
        job.process = Mock()
        job.progress = replace(job.progress, over=False, words="learning")

    async def story(user: User, server: ServerState) -> None:
        path = server.trained.path("nuts-hats-a")
        request = TrainingRequest("nuts", (), "hats", "itself", 10_000, 1, path)
        job = server.trainings["nuts-hats-a"] = TrainingJob("nuts-hats-a", "nuts", request)
        job.progress = TrainingProgress(4_000, 10_000, words="stopped", over=True)
        await user.open(f"/train/nuts?lesson=nuts-hats-a&key={job.key}")
        await user.should_see("Resume goes on to 10,000 matches: 6,000 are left.")
        await user.should_not_see("more matches")
        user.find("Resume").click()
        await user.should_see("4,000 of 10,000 matches")
        await user.should_not_see("are left")
        job.progress = TrainingProgress(10_000, 10_000, 4_000, words="done", over=True)
        await user.should_see("Train on")
        await user.should_not_see("Resume")
        field(user, "more matches").value = "500"
        user.find("Train on").click()
        await user.should_see("10,000 of 10,500 matches")
        assert asked == [10_000, 10_500]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrainingJob, "start", start)
        visit(story, tmp_path)


def test_a_resumed_training_plays_the_matches_left(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    trained("nuts", "hats", nuts="10").save(path)
    pipe, other = multiprocessing.Pipe()
    request = TrainingRequest("nuts", (("nuts", "10"),), "hats", "itself", 50, 1, path)
    run_training(other, request)
    while not (told := pipe.recv()).over:
        assert told.total == 50
    # All is compiled after the first of its matches.
    assert (told.words, told.first, told.done, told.total) == ("done", 30 + 1, 50, 50)
    assert told.share() == 1.0


def report_of(path: Path, game: str, learner: str, **rules: str) -> TrainingProgress:
    """Return what a short training in this process reports at its end."""
    pipe, other = multiprocessing.Pipe()
    run_training(other, TrainingRequest(game, tuple(rules.items()), learner, "itself", 5, 1, path))
    while not (told := pipe.recv()).over:
        pass
    assert isinstance(told, TrainingProgress) and told.words == "done"
    return told


@pytest.mark.usefixtures("solutions")
def test_the_curve_of_a_game_that_is_solved_in_a_moment_has_the_share_of_best_moves(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.npz"
    told = report_of(path, "nuts", "hats", nuts="10")
    assert all(best is not None and 0.0 < best < 1.0 for *_, best in told.curve)
    best = curve_chart(told.curve, "random")["series"][-1]
    assert best["data"] == [[max(at, 1), round(share or 0.0, 4)] for at, *_, share in told.curve]
    words = lines_text(told.curve, "random")
    assert words.startswith("Blue: the share of the points against random")
    assert "Dashed orange: the share of best moves, by the exact solution" in words
    assert load_training("nuts", path)[1].curve == told.curve


def test_the_curve_of_a_game_that_is_too_big_has_points_only(tmp_path: Path) -> None:
    told = report_of(tmp_path / "a.npz", "trap", "hats")
    assert all(best is None for *_, best in told.curve) and lines_text(told.curve, "random") == ""
    chart = curve_chart(told.curve, "random")
    assert chart["series"][-1]["data"] == [] and chart["yAxis"]["name"] == "share against random"


@pytest.mark.usefixtures("solutions")
def test_the_page_of_a_training_says_what_its_lines_are(tmp_path: Path) -> None:
    (tmp_path / "trained").mkdir()
    report_of(tmp_path / "trained/nuts-hats-a.npz", "nuts", "hats", nuts="10")

    async def story(user: User, server: ServerState) -> None:
        await user.open("/train/nuts?lesson=nuts-hats-a")
        await user.should_see("Dashed orange: the share of best moves")
        (chart,) = user.find(ui.echart).elements
        assert [at for at, _ in chart.options["series"][3]["data"]] == [1, 5]

    visit(story, tmp_path)


def test_a_learned_estimate_is_told_by_its_patterns() -> None:
    training = make_training(game_rules("trap", {"size": "3"}), "td", None, 1)
    assert learned_count(training.memory) == 0
    training.memory.visits[5], training.memory.values[5] = 200, 0.5
    known = learned_table(training)
    assert (learned_count(training.memory), known.kind) == (1, "weights")
    assert known.rows == (Row(known.rows[0].seen, 200, {"weight": 0.5}),)
    assert "+0.500" in table_html(known)
    assert "1 pattern known" in progress_line(TrainingProgress(10, states=1, known=known))


def test_a_visitors_training_stops_before_it_fills_the_disk(tmp_path: Path) -> None:
    pipe, other = multiprocessing.Pipe()
    texts = (("nuts", "10"),)
    request = TrainingRequest("nuts", texts, "qtable", "itself", 50, 1, tmp_path / "a.npz", 1)
    run_training(other, request)
    while not (told := pipe.recv()).over:
        pass
    assert told.words == "stopped at 0 MiB, the most for a visitor"
    assert 0 < told.done < 50 and request.path.exists()


class StandingProcesses:
    """Processes of trainings that only wait, each with its end of a pipe."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.pipes: list[Any] = []
        patch.setattr(job_module, "start_process", self.start)

    def start(self, *_: Any, **__: Any) -> tuple[Any, Any]:
        ours, theirs = multiprocessing.Pipe()
        self.pipes.append(theirs)
        return Mock(kill=theirs.close), ours


def start_hats(server: ServerState, opener: str = "") -> TrainingJob:
    rules = server.catalogue.rules("nuts", {"nuts": "10"})
    return start_training(server, "nuts", rules, "hats", "itself", "1000", opener)


def test_running_trainings_go_on_after_a_restart_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = StandingProcesses(monkeypatch)
    jobs: list[TrainingJob] = []

    async def begin(server: ServerState) -> None:
        jobs.extend([start_hats(server, "ann"), start_hats(server)])
        processes.pipes[1].send(TrainingProgress(1000, 1000, words="done", over=True))
        await until(lambda: not jobs[1].journal.exists())

    async def go_on(server: ServerState) -> None:
        server.resume_trainings()
        (job,) = server.trainings.values()
        assert job.running and (job.name, job.request) == (jobs[0].name, jobs[0].request)
        assert (job.key, job.opener) == (jobs[0].key, "ann")

    async def go_on_much_later(server: ServerState) -> None:
        os.utime(jobs[0].journal, (0.0, 0.0))
        server.resume_trainings()
        assert not server.trainings and not jobs[0].journal.exists()

    in_server(begin, tmp_path)
    assert jobs[0].journal.stat().st_mode & 0o077 == 0  # it has the key
    in_server(go_on, tmp_path)
    in_server(go_on, tmp_path)  # a second restart finds it, too
    in_server(go_on_much_later, tmp_path)


def test_a_visitor_has_one_training_at_a_time_and_the_host_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes = StandingProcesses(monkeypatch)

    async def story(server: ServerState) -> None:
        first = start_hats(server, "ann")
        assert first.request.most == limits.LEARNED_BYTES
        with pytest.raises(ValueError, match="a training of yours goes on already"):
            start_hats(server, "ann")
        start_hats(server, "bob")
        assert start_hats(server).request.most is None
        while len(server.trainings) < limits.TRAININGS:
            start_hats(server)
        with pytest.raises(ValueError, match=f"{limits.TRAININGS} trainings go on already"):
            start_hats(server)
        processes.pipes[0].send(TrainingProgress(1000, 1000, words="done", over=True))
        await until(lambda: not first.running)
        start_hats(server, "ann")

    in_server(story, tmp_path)


def test_only_the_host_deletes_what_was_trained(tmp_path: Path) -> None:
    (tmp_path / "trained").mkdir()
    trained("nuts", "hats", nuts="10").save(tmp_path / "trained/nuts-hats-a.npz")

    async def story(user: User, server: ServerState) -> None:
        await user.open("/train/nuts")
        await user.should_see("hats:file=nuts-hats-a")
        await user.should_not_see("Delete")
        sit_at_server(user)
        await user.open("/train/nuts")
        press(user, "Delete hats:file=nuts-hats-a")
        await user.should_see("What it has learned is lost.")
        press(user, "Cancel")
        await user.should_see("hats:file=nuts-hats-a")
        press(user, "Delete hats:file=nuts-hats-a")
        await user.should_see("What it has learned is lost.")
        press(user, "Delete")
        await user.should_see("None yet for this game.")
        assert not server.trained.path("nuts-hats-a").exists()

    visit(story, tmp_path)


def test_a_running_training_is_not_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    StandingProcesses(monkeypatch)

    async def story(server: ServerState) -> None:
        job = start_hats(server)
        with pytest.raises(ValueError, match="is still learning; stop it first"):
            delete_training(server, job.name)

    in_server(story, tmp_path)
