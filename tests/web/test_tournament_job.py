"""Tournaments and trainings of the web lab: what is played, and who may stop it."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from nicegui import ui
from nicegui.testing import User

from ludex.cli import cli
from ludex.match.record import read_record
from ludex.web.pages.tournament import check_room
from ludex.web.state import limits
from ludex.web.state.access import Refused
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import Hall
from ludex.web.state.tournament_job import Contest, ordered
from ludex.web.state.training_job import Lesson, Report, Wanted
from tests.webvisit import in_hall, until, visit

pytestmark = pytest.mark.plain

AGENTS = ["random", "greedy", "minimax:depth=2"]


def contest_of(hall: Hall, rounds: int, seed: int) -> Contest:
    """Return a tournament of ten nuts."""
    rules = hall.catalogue.rules("nuts", {"nuts": "10"})
    plan = ordered(hall.catalogue["nuts"], rules, AGENTS, rounds, seed)
    return Contest(plan, AGENTS, hall.workers, hall.archive)


def test_a_tournament_plays_what_the_command_line_plays(tmp_path: Path) -> None:
    file = tmp_path / "cli.jsonl"
    order = ["tournament", "nuts", *AGENTS, "--rule", "nuts=10", "--matches", "2", "--seed", "5"]
    here = ["--processes", "1", "--no-store", "--out", str(file)]
    result = CliRunner().invoke(cli, [*order, *here])
    assert result.exit_code == 0, result.output
    wanted = [read_record(line) for line in file.read_text().splitlines()]

    async def story(hall: Hall) -> None:
        contest = contest_of(hall, 1, 5)
        contest.start()
        await until(lambda: not contest.running)
        assert (contest.words, len(contest.played)) == ("", 6)
        found = [read_record(line) for line in hall.archive.store.records(contest.event)]
        assert [one._replace(times=(), when="") for one in found] == [
            one._replace(times=(), when="") for one in wanted
        ]
        again = contest_of(hall, 1, 5)
        again.start()
        await until(lambda: not again.running)
        assert again.event == contest.event and len(again.played) == 6
        row = hall.archive.store.event(contest.event)
        assert row is not None and row.ended and row.format == "round-robin"

    in_hall(story, tmp_path)
    # It is the same event: the command line finds it, and plays nothing again.
    kept = CliRunner().invoke(cli, [*order, "--db", str(tmp_path / "ludex.db"), "--json"])
    assert '"event": 1' in kept.stdout


def test_a_tournament_has_a_limit() -> None:
    catalogue = Catalogue()
    game, rules = catalogue["nuts"], catalogue.rules("nuts")
    for names, rounds, said in (
        (["easy"], 1, "expected 2 to"),
        (["easy", "easy"], 1, "takes part once"),
        (["easy", "hard"], 5000, "expected at most"),
    ):
        with pytest.raises(ValueError, match=said):
            ordered(game, rules, names, rounds, None)


def test_a_match_that_fails_ends_the_tournament_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(hall: Hall) -> None:
        contest = contest_of(hall, 1, 5)
        contest.plan = contest.plan._replace(agents=("random", "greedy", "nobody"))
        contest.start()
        await until(lambda: not contest.running)
        assert contest.words.startswith("match 3 failed with ValueError: no agent 'nobody'")

    in_hall(story, tmp_path)


def test_only_who_started_it_may_stop_it(tmp_path: Path) -> None:
    async def story(hall: Hall) -> None:
        contest = contest_of(hall, 100, 5)
        contest.start()
        for key in ("", "wrong"):
            with pytest.raises(Refused, match="only the browser that started it"):
                contest.stop(key)
        assert contest.running
        hall.contests[contest.id] = contest
        check_room(hall)
        for name in range(limits.CONTESTS):
            hall.contests[str(name)] = contest_of(hall, 1, name)
        check_room(hall)
        assert contest.id in hall.contests and len(hall.contests) == limits.CONTESTS - 1
        contest.stop(contest.key)
        await until(lambda: not contest.running)

    in_hall(story, tmp_path)
    wanted = Wanted("nuts", (), "hats", "self", 10, 1, tmp_path / "x.npz")
    lesson = Lesson("x", "nuts", wanted)
    for act in (lesson.stop, lesson.go_on):
        with pytest.raises(Refused, match="only the browser that started it"):
            act("wrong")
    lesson.stop(lesson.key)


def button(user: User, text: str) -> Any:
    """Return a button of the page, whether it is seen or not."""
    (found,) = [
        one
        for one in user.client.elements.values()  # type: ignore[union-attr]
        if isinstance(one, ui.button) and one.text == text
    ]
    return found


def test_a_page_without_the_key_has_no_button_to_stop(tmp_path: Path) -> None:
    async def story(user: User, hall: Hall) -> None:
        contest = contest_of(hall, 1, 5)
        hall.contests[contest.id] = contest
        wanted = Wanted("nuts", (), "hats", "self", 10, 1, tmp_path / "x.npz")
        lesson = hall.lessons["x"] = Lesson("x", "nuts", wanted)
        lesson.report = Report(done=True)
        contest.task = Mock(done=Mock(return_value=False))
        for path, key, texts in (
            (f"/tournament/nuts?name={contest.id}", contest.key, ["Stop"]),
            ("/train/nuts?lesson=x", lesson.key, ["Go on"]),
        ):
            await user.open(f"{path}&key=wrong")
            assert [button(user, text).visible for text in texts] == [False] * len(texts)
            await user.open(f"{path}&key={key}")
            assert [button(user, text).visible for text in texts] == [True] * len(texts)
        # What has ended cannot be stopped.
        contest.task.done.return_value = True
        await user.open(f"/tournament/nuts?name={contest.id}&key={contest.key}")
        assert not button(user, "Stop").visible

    visit(story, tmp_path)
