"""Every page of the web lab, as a visitor without a browser meets it."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from nicegui import background_tasks, ui
from nicegui.elements.upload_files import SmallFileUpload
from nicegui.testing import User

from ludex.games import GAMES, game_rules
from ludex.learn.hats import HatsLearner
from ludex.learn.training import Training
from ludex.web.pages import docs
from ludex.web.parts.agent_field import AgentField, AgentsField
from ludex.web.parts.board import Board
from ludex.web.parts.move_log import result_for
from ludex.web.rest import make_router
from ludex.web.state import evaluations
from ludex.web.state.server_state import ServerState
from tests.webvisit import error_response, field, until, visit

pytestmark = pytest.mark.plain


def board(user: User) -> Board:
    """Return the board of the page."""
    (found,) = user.find(Board).elements
    return found


def status(user: User) -> str:
    """Return the line that says how things stand."""
    (found,) = [one for one in user.find(ui.label).elements if "lx-status" in one.classes]
    return str(found.text)


def table_of(server: ServerState) -> Any:
    (table,) = server.matches.values()
    return table


def test_home_has_a_card_for_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is known of large games takes long, and threads cannot be ended.
    known = {"words": "best play is a draw", "value": 0.0}
    monkeypatch.setattr(evaluations, "known_value", lambda *given: known)

    async def story(user: User, server: ServerState) -> None:
        await user.open("/")
        assert len(user.find(Board).elements) == len(GAMES)
        await user.should_see("R2-D2 Battle")
        await user.should_see("Best play is a draw")

    visit(story, tmp_path)


def test_a_match_is_set_up_and_played_to_its_end(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts?rules=nuts=10&against=easy")
        user.find("Start the match").click()
        await user.should_see("Your turn, Player 1")
        table = table_of(server)
        assert table.match.rules.nuts == 10
        for _ in range(12):
            await until(lambda: table.match.over or table.seats_to_move(table.owner))
            if table.match.over:
                break
            user.find(Board).trigger("choose", [0, 0, len(table.match.plies) - 1])
        assert table.match.over
        await user.should_see(result_for(table, table.owner, table.match.words))

    visit(story, tmp_path)


def test_hint_undo_and_resign(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts?rules=nuts=11&against=random")
        user.find("Start the match").click()
        await user.should_see("Your turn")
        table = table_of(server)
        user.find("Hint").click()
        await user.should_see("Hint: take 2. It wins in 6 moves (exact).")
        user.find(Board).trigger("choose", [0, 1, 0])
        await until(lambda: len(table.match.plies) == 3)
        user.find(Board).trigger("key", "u")
        await until(lambda: len(table.match.plies) == 1)
        user.find(Board).trigger("key", "h")
        user.find("Resign").click()
        user.find("Sure?").click()
        await user.should_see("You lost: you resigned.")
        user.find(kind=ui.button, content="Review").click()
        await user.should_see("The whole match")
        await user.should_see("Player 1: you, Player 2: random · nuts = 11")
        user.find("Back to the match").click()
        await user.should_see("You lost: you resigned.")

    visit(story, tmp_path)


def test_a_stale_or_foolish_choice_changes_nothing(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts?rules=nuts=10")
        user.find("Start the match").click()
        await user.should_see("Your turn")
        table = table_of(server)
        for wrong in ([0, 0, 7], [0, 55, 0], [1, 0, 0], ["0", 0, 0], [0, 0], "x", [0, 0.5, 0]):
            user.find(Board).trigger("choose", wrong)
        assert len(table.match.plies) == 1
        assert not table.pending[0].done()
        await user.should_see("the match has gone on since; here is how it stands")
        await user.should_see("that is not a legal move here")

    visit(story, tmp_path)


def test_a_board_shows_where_a_step_leads_and_how_likely_a_throw_is(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/trap?rules=size=3")
        user.find("Start the match").click()
        await user.should_see("Your turn")
        shown: list[Any] = []
        board(user).overlay = lambda shapes: shown.append(list(shapes))  # type: ignore[method-assign]
        user.find(Board).trigger("preview", [0, 4])
        assert [shape.id for shape in shown.pop()] == ["person-1"]
        user.find(Board).trigger("choose", [0, 4, 0])
        await until(lambda: len(table_of(server).match.plies) == 2)
        user.find(Board).trigger("preview", [0, 0])
        assert [shape.text for shape in shown[0] if shape.text.endswith("%")]

    visit(story, tmp_path)


def test_a_match_against_hats_shows_the_hat_that_was_drawn_from(tmp_path: Path) -> None:
    file = "nuts-hats-a"
    (tmp_path / "trained").mkdir()
    Training(game_rules("nuts"), HatsLearner(), 1, "self").save(tmp_path / f"trained/{file}.npz")

    async def story(user: User, server: ServerState) -> None:
        await user.open(f"/play/nuts?against=hats:file={file}")
        user.find("Start the match").click()
        await user.should_see("Nothing is drawn yet")
        table = table_of(server)
        table.choose(table.owner, 0, 0, 0)
        await user.should_see("Player 2 drew")
        (drawn,) = [one for one in user.find(ui.html).elements if "hat-taken" in one.content]
        assert "take 3: " in drawn.content

    visit(story, tmp_path)


def test_a_setup_that_cannot_be_is_refused_in_one_line(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts")
        (field,) = [one for one in user.find(ui.input).elements if one.props["label"] == "nuts"]
        field.value = "7"
        user.find("Start the match").click()
        await user.should_see("expected a whole number from 10 to 100")
        field.value = "10"
        (limit,) = [one for one in user.find(ui.input).elements if "seconds" in one.props["label"]]
        limit.value = "soon"
        user.find("Start the match").click()
        await user.should_see("expected 1 to 3600, or nothing")
        assert server.matches == {}
        await user.open("/play/nuts?against=./evil.py")
        user.find("Start the match").click()
        await user.should_see("no agent './evil.py'")
        await error_response(user, "/play/nothing", "No game 'nothing'")
        await error_response(user, "/match/nowhere", "There is no such match here")

    visit(story, tmp_path)


def test_the_number_of_seats_follows_the_rules(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/aeroplane")
        (field,) = [one for one in user.find(ui.input).elements if one.props["label"] == "seats"]
        field.value = "3"
        user.find(ui.input).trigger("blur")
        await user.should_see("Yellow")
        user.find("Start the match").click()
        await until(lambda: server.matches, 60)
        assert len(table_of(server).agents) == 3

    visit(story, tmp_path)


def test_agents_are_watched_and_judged(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/watch/nuts?rules=nuts=10")
        user.find("Start the match").click()
        await until(lambda: server.matches and table_of(server).match.over)
        await user.should_see("What every move is worth")
        user.find("skip_next").click()
        await until(lambda: status(user) == table_of(server).match.result)
        user.find("skip_previous").click()
        await until(lambda: status(user) == "The first position")
        user.find(Board).trigger("key", " ")
        await until(lambda: status(user).startswith("Move 1, Player 1: take"))
        user.find(Board).trigger("key", "ArrowLeft")
        await until(lambda: status(user) == "The first position")
        await user.should_see("exact")
        user.find("Judge every move").click()
        await user.should_see("Every point opens its position")
        user.find("Draw the tree").click()
        await user.should_see("decisions ahead")
        user.find("Ask").click()
        await user.should_see("It would choose")
        user.find(Board).trigger("key", "p")
        user.find("Save").click()
        saved = await user.download.next()
        assert saved.json()["game"] == "nuts"

    visit(story, tmp_path)


def test_understanding_lets_everything_happen(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/trap?rules=size=3&position=.1./.../.2. 0 step")
        assert status(user) == "Player 1 to choose"
        user.find(Board).trigger("choose", [0, 4, 0])
        (where,) = [one for one in user.find(ui.input).elements if one.props["label"] == "position"]
        await until(lambda: "throw" in where.value)
        user.find(Board).trigger("choose", [0, 0, 1])
        await until(lambda: status(user) == "Chance: choose what happens")
        user.find(Board).trigger("choose", [-1, 0, 2])
        await until(lambda: status(user) == "Player 2 to choose")
        user.find("Back").click()
        await until(lambda: status(user) == "Chance: choose what happens")
        await user.open("/understand/droids?rules=rounds=1;rows=2;columns=2;shots=1")
        user.find(Board).trigger("choose", [0, 4, 0])
        await until(lambda: status(user) == "R2-Q5 to choose")
        user.find(Board).trigger("choose", [1, 0, 0])
        await until(lambda: "wins" in status(user) or "draw" in status(user))
        (where,) = [one for one in user.find(ui.input).elements if one.props["label"] == "position"]
        where.value = "0,0 1,1 1,0 0,0 1"
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: status(user) == "R2-D2 to choose")
        user.find("Play from here").click()
        await until(lambda: user.back_history[-1].startswith("/play/droids?"))
        assert user.back_history[-1].endswith("&position=0%2C0+1%2C1+1%2C0+0%2C0+1")
        await user.should_see("Start the match")

    visit(story, tmp_path)


@pytest.mark.parametrize(
    ("rules", "kept"), [("nuts=12 most=4", "position=5+0"), ("nuts=10 most=2", "position=5+0")]
)
def test_a_position_stays_under_other_rules(tmp_path: Path, rules: str, kept: str) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/nuts?position=5 0")
        field(user, "rules").value = rules
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: len(user.back_history) == 2)
        assert user.back_history[-1].endswith(kept)
        await user.open("/understand/nuts")  # the first one is that of the rules
        field(user, "rules").value = rules
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: len(user.back_history) == 4)
        assert "position" not in user.back_history[-1]
        await user.open("/understand/trap?rules=size=3&position=.1./.../.2. 1 step")
        field(user, "rules").value = "size=4"  # where it cannot be
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: len(user.back_history) == 6)
        assert "position" not in user.back_history[-1]

    visit(story, tmp_path)


def test_a_page_that_turns_out_to_be_missing_is_replaced(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/tournament/nuts?event=99")
        await user.should_see("The store has no tournament 99")
        await user.should_not_see("Start the tournament")

    visit(story, tmp_path)


def test_what_cannot_be_is_said_in_one_line(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/watch/nuts")
        (seed,) = [one for one in user.find(ui.input).elements if one.props["label"] == "seed"]
        seed.value = "x"
        user.find("Start the match").click()
        await until(lambda: "Seed 'x': expected a whole number" in (seed.error or ""))
        await error_response(user, "/watch/match/none", "There is no such match here")
        await user.open("/tournament/nuts")
        (agents,) = user.find(AgentsField).elements
        agents.value = ["easy"]
        user.find("Start the tournament").click()
        await user.should_see("1 agent: expected 2 to")
        await user.open("/understand/nuts")
        (field,) = [one for one in user.find(ui.input).elements if one.props["label"] == "position"]
        field.value = "none"
        user.find(kind=ui.button, content="Show").click()
        await user.should_see("Not a position: 'none'")
        (agent,) = user.find(AgentField).elements
        agent.value = "random"
        user.find("Ask").click()
        await user.should_see("It would choose")
        (search,) = [one for one in user.find(ui.select).elements if one.props["label"] == "search"]
        assert search.value == "alphabeta"
        user.find(Board).trigger("choose", [0, 0, 0])
        user.find(Board).trigger("key", "u")
        await until(lambda: status(user) == "Player 1 to choose")

    visit(story, tmp_path)


def test_rules_are_changed_tried_and_saved(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/rules/nuts")
        (field,) = [one for one in user.find(ui.input).elements if one.props["label"] == "nuts"]
        field.value = "9"
        user.find(ui.input).trigger("change")
        await user.should_see("expected a whole number from 10 to 100")
        field.value = "12"
        user.find(ui.input).trigger("change")
        await user.should_see("nuts = 12")
        user.find("Who wins?").click()
        await user.should_see("Player 1 wins with best play")
        user.find("Try some matches").click()
        await user.should_see("30 matches of medium against itself")
        user.find("Save as TOML").click()
        assert (await user.download.next()).text == "# Rules of nuts\nnuts = 12\n"
        user.find(kind=ui.button, content="Tournament").click()
        await until(lambda: user.back_history[-1] == "/tournament/nuts?rules=nuts%3D12", 5)

    visit(story, tmp_path)


@pytest.mark.unmeasured
def test_arena_has_its_tables(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/rules/arena")
        cells = [one for one in user.find(ui.element).elements if one.tag == "input"]
        assert len(cells) == 9 * 9 * 2 + 8 * 9
        (cell,) = [one for one in cells if one.props.get("aria-label") == "top-gamma"]
        for listener in cell._event_listeners.values():
            assert listener.type == "change"
        await user.should_see("These are the usual rules.")

    visit(story, tmp_path)


def test_a_tournament_is_played_and_a_match_of_it_opened(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/tournament/nuts?rules=nuts=10")
        (agents,) = user.find(AgentsField).elements
        agents.value = ["easy", "hard"]
        user.find("Start the tournament").click()
        await until(lambda: server.tournaments)
        (tournament,) = server.tournaments.values()
        await until(lambda: not tournament.running)
        assert len(tournament.played) == 10
        await user.should_see("10 of 10 matches, done")
        await user.should_see("1/9: ")
        (field,) = [one for one in user.find(ui.input).elements if "number" in one.props["label"]]
        field.value = "10"
        user.find("Open").click()
        await user.should_see("no match '10': expected a number from 0 to 9")
        field.value = "1/3"
        user.find("Open").click()
        await user.should_see("Stored as match 1/3.")
        user.find("Back to the tournament").click()
        await user.should_see("10 of 10 matches, done")
        assert "rules=nuts%3D10&event=1&pair=all" in user.back_history[-1]

    visit(story, tmp_path)


@pytest.mark.usefixtures("measured_processes")
def test_a_training_is_started_stopped_and_resumed(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/train/nuts?rules=nuts=10")
        (field,) = [one for one in user.find(ui.input).elements if one.props["label"] == "matches"]
        field.value = "many"
        user.find("Start learning").click()
        await user.should_see("expected a whole number from 1 to")
        field.value = "90,000,000"
        user.find("Start learning").click()
        await until(lambda: server.trainings)
        (training,) = server.trainings.values()
        await until(lambda: training.progress.done > 0 or training.progress.over, 120)
        await user.should_see("Learning")
        user.find("Stop").click()
        await until(lambda: not training.running)
        assert training.progress.words == "stopped"
        before = training.progress.done
        await user.should_see("Stopped")
        user.find("Resume").click()
        await until(lambda: training.progress.done > before, 120)
        assert training.progress.total == 90_000_000
        training.halt()
        await until(lambda: not training.running)
        table = await server.open_match(
            "nuts",
            server.catalogue.rules("nuts", {"nuts": "10"}),
            [training.agent, "random"],
            set(),
        )
        await until(lambda: table.match.over)
        assert table.match.ending == "BY_RULES"
        await user.open("/train/nuts")
        await user.should_see(training.agent)

    visit(story, tmp_path)


@pytest.mark.unmeasured
@pytest.mark.parametrize("page", ["watch", "understand", "train", "tournament", "rules"])
def test_a_page_without_a_game_shows_the_first_and_refuses_a_wrong_one(
    tmp_path: Path, page: str
) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open(f"/{page}")
        await user.should_see("The Game of Nuts")
        await error_response(user, f"/{page}/nothing", "No game 'nothing'")
        await error_response(user, f"/{page}/nuts?rules=nuts", "expected KEY=VALUE", 400)

    visit(story, tmp_path)


@pytest.mark.unmeasured
def test_a_file_of_rules_is_taken_or_refused(tmp_path: Path) -> None:
    async def give(user: User, content: bytes) -> None:
        (upload,) = user.find(ui.upload).elements
        await upload.handle_uploads([SmallFileUpload("given", "", content)])

    async def story(user: User, server: ServerState) -> None:
        await user.open("/rules/nuts")
        await give(user, b"nuts = 7")
        await user.should_see("expected a whole number from 10 to 100")
        await give(user, b"nuts = 17")
        await user.should_see("nuts = 17")

    visit(story, tmp_path)


def test_a_guest_is_invited_and_others_watch(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        table = await server.open_match("nuts", rules, ["human", "human"], {0}, limit=60.0)
        await user.open(f"/match/{table.id}?key={table.owner}")
        await user.should_see("Send this link: whoever opens it plays Player 2.")
        await user.should_see("s left")
        await user.open(f"/match/{table.id}")
        await user.should_see("Waiting for Player 1")
        user.find(Board).trigger("key", "u")
        user.find(Board).trigger("choose", [0, 0, 0])
        await user.should_see("this is not your seat")
        assert len(table.match.plies) == 1

    visit(story, tmp_path)


def test_the_interface_has_a_page(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        outer = FastAPI()
        outer.include_router(make_router(server))
        docs.register(outer.openapi, with_key=True)
        await user.open("/docs")
        await user.should_see("/api/games/{game}/best")
        await user.should_see("Play a move.")
        shown = " ".join(one.content for one in user.find(ui.html).elements)
        assert "<code>take 2</code>" in shown and "`" not in shown
        assert "<td><code>agents</code></td><td>array, [&quot;human&quot;] by default</td>" in shown
        assert "<td><code>game</code></td><td>string, required</td>" in shown
        assert "test/api/games/nuts/state" in shown
        assert "This server has an access key" in shown
        assert "Authorization: Bearer ACCESS-KEY" in shown

    visit(story, tmp_path)


def test_a_story_does_not_wait_for_what_another_has_left(tmp_path: Path) -> None:
    async def in_context(work: Awaitable[None]) -> None:
        await work

    loop = asyncio.new_event_loop()
    left = loop.create_task(in_context(asyncio.sleep(0)))
    background_tasks.running_tasks.add(left)
    loop.close()

    async def story(user: User, server: ServerState) -> None:
        assert left not in background_tasks.running_tasks

    visit(story, tmp_path)
