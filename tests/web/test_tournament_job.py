"""Tournaments and trainings of the web lab: what is played, and who may stop it."""

import asyncio
import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from nicegui import ui
from nicegui.testing import User

from ludex.cli import cli
from ludex.io.keys import Refused
from ludex.match.record import read_record
from ludex.web.pages.tournament import make_tournament_room
from ludex.web.parts.agent_field import AgentsField
from ludex.web.state import limits
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import ServerState
from ludex.web.state.tournament_job import TournamentJob, tournament_plan
from ludex.web.state.training_job import TrainingJob, TrainingProgress, TrainingRequest
from tests.webvisit import error_response, field, in_server, sit_at_server, until, visit

pytestmark = pytest.mark.plain

AGENTS = ["random", "greedy", "minimax:depth=2"]


def contest_of(server: ServerState, rounds: int, seed: int) -> TournamentJob:
    """Return a tournament of ten nuts."""
    rules = server.catalogue.rules("nuts", {"nuts": "10"})
    plan = tournament_plan(server.catalogue["nuts"], rules, AGENTS, rounds, seed)
    return TournamentJob(plan, AGENTS, server.workers, server.archive)


def test_a_tournament_plays_what_the_command_line_plays(tmp_path: Path) -> None:
    file = tmp_path / "cli.jsonl"
    order = ["tournament", "nuts", *AGENTS, "--rule", "nuts=10", "--matches", "2", "--seed", "5"]
    here = ["--processes", "1", "--no-store", "--out", str(file)]
    result = CliRunner().invoke(cli, [*order, *here])
    assert result.exit_code == 0, result.output
    request = [read_record(line) for line in file.read_text().splitlines()]

    async def story(server: ServerState) -> None:
        tournament = contest_of(server, 1, 5)
        tournament.start()
        await until(lambda: not tournament.running)
        assert (tournament.words, len(tournament.played)) == ("", 6)
        found = [read_record(line) for line in server.archive.store.records(tournament.event)]
        assert [one._replace(times=(), when="") for one in found] == [
            one._replace(times=(), when="") for one in request
        ]
        again = contest_of(server, 1, 5)
        again.start()
        await until(lambda: not again.running)
        assert again.event == tournament.event and len(again.played) == 6
        row = server.archive.store.entry(tournament.event)
        assert row is not None and row.ended and row.format == "round-robin"

    in_server(story, tmp_path)
    # It is the same event: the command line finds it, and plays nothing again.
    kept = CliRunner().invoke(cli, [*order, "--db", str(tmp_path / "ludex.db"), "--json"])
    assert '"event": 1' in kept.stdout


async def play_against_random(server: ServerState, program: str) -> None:
    """Play a tournament of a program and random, of which only the store knows."""
    rules = server.catalogue.rules("nuts", {"nuts": "10"})
    names = ["random", program]
    plan = tournament_plan(server.catalogue["nuts"], rules, names, 1, 5)
    plan = plan._replace(agents=("random", server.programs.resolve(program)))
    tournament = TournamentJob(plan, names, server.workers, server.archive)
    await tournament.register()
    tournament.start()
    await until(lambda: not tournament.running)


def test_an_agent_that_fails_is_marked_with_one_of_its_errors(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        code = "def choose(position, moves, seconds):\n    return {}['x']\n"
        names = ["random", server.programs.save("third.py", code)]
        await play_against_random(server, names[1])
        sit_at_server(user)
        # Nothing but the store knows it: the server has been started again.
        await user.open("/tournament")
        await until(lambda: "event=1" in html_of(user))
        assert "random, program:third.py" in html_of(user) and "2, done" in html_of(user)
        await user.open("/tournament/nuts?rules=nuts=10&event=1&pair=0-1")
        await user.should_see("random – program:third.py")
        await user.should_see("program:third.py forfeited: ")
        await user.should_see("Rules: nuts = 10; seed 5; stored as event 1")
        assert "2 errors</b>, for example: KeyError: &#x27;x&#x27;" in html_of(user)
        (agents,) = user.find(AgentsField).elements
        assert agents.value == names
        # What is typed while it is read from the store stays.
        typed, read = asyncio.Event(), server.archive.tournament

        async def read_late(event: int) -> Any:
            await typed.wait()
            return await read(event)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server.archive, "tournament", read_late)
            await user.open("/tournament/nuts?rules=nuts=10&event=1")
            (agents,) = user.find(AgentsField).elements
            before = list(agents.chosen)
            agents.more.value = "mcts:sims=20"
            typed.set()
            await user.should_see("stored as event 1")
        assert agents.value == [*before, "mcts:sims=20"]
        await error_response(user, "/tournament/nuts?event=x", "Expected the number of an event")
        await user.open("/tournament/trap?event=1")
        await user.should_see("is one of another game")

    visit(story, tmp_path)


def html_of(user: User) -> str:
    """Return all HTML on the page."""
    return " ".join(one.content for one in user.find(ui.html).elements)


def test_a_tournament_that_is_started_is_found_again(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/tournament/nuts?rules=nuts=10&agents=random|greedy&rounds=1")
        (agents,) = user.find(AgentsField).elements
        assert agents.value == ["random", "greedy"]
        user.find("Start the tournament").click()
        await until(lambda: user.back_history[-1].startswith("/tournament/nuts?rules=nuts%3D10&e"))
        (tournament,) = server.tournaments.values()
        assert len(tournament.plan.rules) == 1 and tournament.total == 2
        await until(lambda: not tournament.running)
        (agents,) = user.find(AgentsField).elements
        assert agents.value == ["random", "greedy"]
        await user.should_see("Rules: nuts = 10")

    visit(story, tmp_path)


def test_part_of_a_single_name_adds_the_agent(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.programs.save("good.py", "def choose(p, m, s):\n    return m[0]\n")
        await user.open("/tournament/nuts")
        (agents,) = user.find(AgentsField).elements
        agents.value = ["easy", "medium"]
        offered = dict(agents.more.props["options"])
        assert "easy" not in offered and offered["hard"].startswith("hard (")
        agents.more.value = "good"
        assert agents.take() and agents.chosen == ["easy", "medium", "program:good.py"]
        agents.more.value = "mcts:iters=3"
        assert not agents.take() and agents.more.props["error"].startswith("mcts has no option")

    visit(story, tmp_path)


def test_a_tournament_has_a_limit() -> None:
    catalogue = Catalogue()
    game, rules = catalogue["nuts"], catalogue.rules("nuts")
    for names, rounds, said in (
        (["easy"], 1, "expected 2 to"),
        (["easy", "easy"], 1, "takes part once"),
        (["easy", "hard"], 5000, "expected at most"),
    ):
        with pytest.raises(ValueError, match=said):
            tournament_plan(game, rules, names, rounds, None)


def test_a_match_that_fails_ends_the_tournament_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: ServerState) -> None:
        tournament = contest_of(server, 1, 5)
        tournament.plan = tournament.plan._replace(agents=("random", "greedy", "nobody"))
        tournament.start()
        await until(lambda: not tournament.running)
        assert tournament.words.startswith("match 3 failed with ValueError: no agent 'nobody'")

    in_server(story, tmp_path)


def test_only_who_started_it_may_stop_it(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        tournament = contest_of(server, 100, 5)
        tournament.start()
        for key in ("", "wrong"):
            with pytest.raises(Refused, match="only the browser that started it"):
                tournament.stop(key)
        assert tournament.running
        server.tournaments[tournament.id] = tournament
        make_tournament_room(server, "")
        for name in range(limits.TOURNAMENTS_KEPT):
            server.tournaments[str(name)] = contest_of(server, 1, name)
        make_tournament_room(server, "")
        assert (
            tournament.id in server.tournaments
            and len(server.tournaments) == limits.TOURNAMENTS_KEPT - 1
        )
        tournament.opener = "ann"
        make_tournament_room(server, "bob")
        with pytest.raises(ValueError, match="a tournament of yours goes on already"):
            make_tournament_room(server, "ann")
        tournament.stop(tournament.key)
        await until(lambda: not tournament.running)

    in_server(story, tmp_path)
    request = TrainingRequest("nuts", (), "hats", "self", 10, 1, tmp_path / "x.npz")
    training = TrainingJob("x", "nuts", request)
    for act in (training.stop, training.resume):
        with pytest.raises(Refused, match="only the browser that started it"):
            act("wrong")
    training.stop(training.key)


def button(user: User, text: str) -> Any:
    """Return a button of the page, whether it is seen or not."""
    (found,) = [
        one
        for one in user.client.elements.values()  # type: ignore[union-attr]
        if isinstance(one, ui.button) and one.text == text
    ]
    return found


@pytest.mark.unmeasured
def test_only_who_has_the_key_or_is_on_the_server_can_stop(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        tournament = contest_of(server, 1, 5)
        server.tournaments[tournament.id] = tournament
        request = TrainingRequest("nuts", (), "hats", "self", 10, 1, tmp_path / "x.npz")
        training = server.trainings["x"] = TrainingJob("x", "nuts", request)
        training.progress = TrainingProgress(over=True)
        tournament.task = Mock(done=Mock(return_value=False))
        for path, key, texts in (
            (f"/tournament/nuts?name={tournament.id}", tournament.key, ["Stop"]),
            ("/train/nuts?lesson=x", training.key, ["Resume"]),
        ):
            await user.open(f"{path}&key=wrong")
            assert [button(user, text).visible for text in texts] == [False] * len(texts)
            await user.open(f"{path}&key={key}")
            assert [button(user, text).visible for text in texts] == [True] * len(texts)
        # A browser on the server's own machine may stop everything.
        training.process, training.pipe = Mock(), Mock()
        training.progress = TrainingProgress()
        await user.open("/train/nuts?lesson=x&key=wrong")
        assert not button(user, "Stop").visible
        user.http_client.headers["host"] = "localhost"
        await user.open("/train/nuts?lesson=x&key=wrong")
        user.find("Stop").click()
        await until(training.pipe.send.mock_calls.__len__)
        await user.open(f"/tournament/nuts?name={tournament.id}&key=wrong")
        user.find("Stop").click()
        await until(tournament.task.cancel.mock_calls.__len__)
        # What has ended cannot be stopped.
        tournament.task.done.return_value = True
        await user.open(f"/tournament/nuts?name={tournament.id}&key={tournament.key}")
        assert not button(user, "Stop").visible

    visit(story, tmp_path)


def test_a_tournament_says_how_many_matches_it_will_have_and_the_time_left(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/tournament/nuts?agents=random|greedy&rounds=5&seed=7")
        await user.should_see("10 matches in all")
        assert field(user, "seed").value == "7"
        (agents,) = user.find(AgentsField).elements
        agents.more.value = "easy"
        assert agents.take()
        await user.should_see("30 matches in all")
        field(user, "rounds", ui.select).value = 10
        await user.should_see("60 matches in all")
        agents.more.value = "easy"
        assert not agents.take()
        assert agents.more.props["error"] == "easy is already chosen"
        agents.value = ["random"]
        await user.should_see("1 agent: expected 2 to")
        tournament = contest_of(server, 1, 5)
        server.tournaments[tournament.id] = tournament
        tournament.start()
        await until(lambda: not tournament.running)
        assert tournament.first_result[0] == 1
        assert tournament.progress.left() is None
        tournament.task = Mock(done=Mock(return_value=False))
        tournament.played = tournament.played[:4]
        tournament.first_result = 2, time.monotonic() - 7200.0
        await user.open(f"/tournament/nuts?name={tournament.id}")
        await user.should_see("4 of 6 matches, running, about 2.0 h left")

    visit(story, tmp_path)


def test_rules_are_changed_in_the_form_of_a_tournament(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/tournament/aeroplane?agents=random|greedy&rounds=1")
        (box,) = user.find(ui.expansion).elements
        assert box.text == "Rules: the usual ones"
        field(user, "planes").value = "9"
        user.find("Start the tournament").click()
        await until(lambda: bool(field(user, "planes").error))
        assert not server.tournaments
        field(user, "planes").value = "1"
        user.find("planes").trigger("blur")
        await until(lambda: box.text == "Rules: planes = 1")
        user.find("Start the tournament").click()
        await until(lambda: bool(server.tournaments))
        (tournament,) = server.tournaments.values()
        assert dict(tournament.plan.rules) == {"planes": "1"}

    visit(story, tmp_path)


def test_a_stopped_tournament_is_resumed_by_the_host_and_its_starter(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        plan = tournament_plan(
            server.catalogue["nuts"], server.catalogue.rules("nuts"), ["random", "easy"], 2, 1
        )
        job = TournamentJob(plan, ["random", "easy"], server.workers, server.archive)
        await job.register()  # and stopped before its first match
        address = f"/tournament/nuts?event={job.event}"
        await user.open(address)
        await user.should_see("0 of 4 matches, stopped")
        await user.should_not_see("Resume")  # a guest, and not the one who started it
        sit_at_server(user)
        await user.open(address)
        await user.should_see("0 of 4 matches, stopped")
        user.find("Resume").click()
        await user.should_see("4 of 4 matches, done")
        await user.should_not_see("Resume")

    visit(story, tmp_path)
