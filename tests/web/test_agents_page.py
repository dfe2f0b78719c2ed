"""The page Agents: programs are typed, uploaded, tried, renamed and deleted."""

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.web.pages.agents import AgentsPage
from ludex.web.parts.agent_field import AgentField, AgentsField
from ludex.web.state.programs import Programs
from ludex.web.state.server_state import ServerState
from tests.web.test_programs import FIRST
from tests.webvisit import field, press, sit_at_server, until, visit

pytestmark = pytest.mark.plain


def test_a_program_is_typed_tried_and_offered(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        sit_at_server(user)
        await user.open("/agents/nuts")
        await user.should_see("None yet.")
        user.find("Save and try it").click()
        await user.should_see(" against random in ")
        await user.should_see("I may choose from 3 moves")
        await user.should_see("mine-nuts.py: ")
        await user.should_see("for The Game of Nuts")
        assert server.programs.agents() == ["program:mine-nuts.py"]
        await user.open("/agents/nuts?program=mine-nuts.py")
        await user.should_see("import random")
        await user.open("/play/nuts?against=program:mine-nuts.py")
        user.find("Start the match").click()
        await user.should_see("Your turn")

    visit(story, tmp_path)


def test_no_program_is_replaced_without_a_question(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        sit_at_server(user)
        server.programs.save("mine-trap.py", FIRST)
        await user.open("/agents/trap")
        assert field(user, "file name").value == "mine-trap-2.py"
        field(user, "file name").value = "mine-trap.py"
        user.find("Save and try it").click()
        await user.should_see("Replace mine-trap.py?")
        press(user, "Cancel")
        await user.should_not_see("Replace mine-trap.py?")
        user.find("Save and try it").click()
        await user.should_see("Save as mine-trap-2.py")
        press(user, "Save as mine-trap-2.py")
        await until(lambda: "mine-trap-2.py" in server.programs.paths())
        assert server.programs.content("mine-trap.py") == FIRST
        await user.should_see("mine-trap-2.py: ")
        # What is edited is replaced without a question, unless it has changed meanwhile.
        await user.open("/agents/trap?program=mine-trap.py")
        await save(user, FIRST + "# 2")
        assert server.programs.content("mine-trap.py") == FIRST + "# 2"
        server.programs.save("mine-trap.py", FIRST + "# by another")
        await save(user, FIRST + "# 3")
        press(user, "Replace")
        await until(lambda: server.programs.content("mine-trap.py") == FIRST + "# 3")

    visit(story, tmp_path)


async def save(user: User, content: str) -> None:
    """Save what stands in the editor, without trying it."""
    (code,) = user.find(ui.codemirror).elements
    code.value = content
    with patch.object(ServerState, "prepare_agent", side_effect=ValueError("not tried")):
        user.find("Save and try it").click()
        await asyncio.sleep(0.1)


def test_a_second_upload_of_a_name_is_asked_about(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        sit_at_server(user)
        server.programs.save("good.py", FIRST)
        await user.open("/agents/nuts")
        with user:
            page = AgentsPage(server, {"game": "nuts"})
        with user, patch.object(ServerState, "prepare_agent", side_effect=ValueError("no")):

            async def upload() -> None:
                with user:
                    await page.upload("good.py", b"x = 1")

            trial = asyncio.create_task(upload())
            await user.should_see("Replace good.py?")
            assert server.programs.content("good.py") == FIRST
            press(user, "Replace")
            await asyncio.wait_for(trial, 10)
            assert server.programs.content("good.py") == "x = 1"
            assert page.result.text == "good.py: no"
            await page.upload("good.py", b"\xff")
            assert page.result.text == "good.py is not a text file"
            await page.upload("notes.txt", b"x")
            assert page.result.text.startswith("notes.txt: expected the name")

    visit(story, tmp_path)


def test_the_result_of_the_newest_trial_stays(tmp_path: Path) -> None:
    began: list[asyncio.Future[tuple[str, str]]] = []

    async def play(*_: object, **__: object) -> tuple[str, str]:
        began.append(asyncio.get_running_loop().create_future())
        return await began[-1]

    async def story(user: User, server: ServerState) -> None:
        sit_at_server(user)
        await user.open("/agents/nuts")
        with patch.object(server.workers, "do", play):
            user.find("Save and try it").click()
            await until(lambda: len(began) == 1)
            field(user, "file name").value = "second"
            user.find("Save and try it").click()  # while the first is tried
            await until(lambda: len(began) == 2)
            assert "second.py" in server.programs.paths()
            began[1].set_result(("won", "the second"))
            await user.should_see("second.py: won")
            began[0].set_result(("lost", "the first"))
            await asyncio.sleep(0.1)
            await user.should_see("second.py: won")
            await user.should_not_see("mine-nuts.py: lost")

    visit(story, tmp_path)


def test_a_program_is_renamed_and_deleted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story(user: User, server: ServerState) -> None:
        sit_at_server(user)
        server.programs.save("one.py", FIRST)
        server.programs.save("other.py", FIRST)
        server.programs.tried.set("one.py", "nuts")
        await user.open("/agents/nuts?program=one.py")
        press(user, "Rename one.py")
        await until(lambda: len(user.find(ui.input).elements) == 2)
        name = max(user.find(ui.input).elements, key=lambda one: one.id)
        name.value = "other"
        press(user, "Rename")
        await until(lambda: name.error == "There is a program other.py already")
        name.value = "two"
        press(user, "Rename")
        await until(lambda: list(server.programs.paths()) == ["other.py", "two.py"])
        assert server.programs.tried.read() == {"two.py": "nuts"}
        await until(lambda: len(user.find(ui.input).elements) == 1)
        assert field(user, "file name").value == "two.py"
        press(user, "Delete two.py")
        await user.should_see("Delete two.py?")
        press(user, "Delete")
        await until(lambda: list(server.programs.paths()) == ["other.py"])

    visit(story, tmp_path)


def test_a_file_named_at_the_start_can_be_copied(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        sit_at_server(user)
        (tmp_path / "given.py").write_text(FIRST)
        server.programs = Programs(tmp_path / "programs", (str(tmp_path / "given.py"),))
        await user.open("/agents/nuts")
        await user.should_see("Copy")
        for text in ("Edit", "Rename", "Delete"):
            assert not [one for one in user.find(ui.button).elements if one.text == text]
        await user.open("/agents/nuts?program=given.py")
        assert field(user, "file name").value == "given-2.py"
        (code,) = user.find(ui.codemirror).elements
        assert code.value == FIRST

    visit(story, tmp_path)


def test_what_is_no_program_is_refused_with_the_reason(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        sit_at_server(user)
        await user.open("/agents/nuts")
        pages: list[Any] = []
        with user.client or user:  # a page of the visitor
            pages.append(AgentsPage(server, {"game": "nuts"}))
        await pages[0].upload("empty.py", b"x = 1")
        assert "choose(position, moves, seconds)" in pages[0].result.text
        assert str(tmp_path) not in pages[0].result.text

    visit(story, tmp_path)


def test_a_program_is_played_watched_and_compared_in_its_own_game(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.programs.save("mine.py", FIRST)
        server.programs.tried.set("mine.py", "trap")
        await user.open("/agents/nuts")
        press(user, "Play against mine.py")
        await user.should_see("Who plays")
        assert field(user, "Player 2", AgentField).value == "program:mine.py"
        await user.should_see("AI Squid Game: Trap!")
        await user.open("/agents/nuts")
        press(user, "Watch mine.py")
        await user.should_see("Being played now")
        shown = {field(user, f"Player {seat}", AgentField).value for seat in (1, 2)}
        assert shown == {"program:mine.py", "medium"}
        await user.open("/agents/nuts")
        press(user, "Tournament with mine.py")
        await user.should_see("Start the tournament")
        (agents,) = user.find(AgentsField).elements
        assert agents.value == ["program:mine.py", "easy", "medium", "hard"]

    visit(story, tmp_path)
