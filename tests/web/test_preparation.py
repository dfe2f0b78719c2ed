"""What pages need is compiled in the background."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from numba import config

from ludex.library.warming import EXACT, HINTS, Part
from ludex.web.state import preparation
from ludex.web.state.server_state import ServerState
from tests.webvisit import in_server, until, visit

pytestmark = pytest.mark.plain


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> list[Part]:
    """Return the parts that are compiled, which is only noted down."""
    noted: list[Part] = []
    monkeypatch.setattr(config, "DISABLE_JIT", 0)
    monkeypatch.setattr(preparation, "DELAY", 0.0)
    monkeypatch.setattr(preparation, "is_prepared", lambda part: part in noted)
    monkeypatch.setattr(preparation, "prepare_politely", noted.append)
    return noted


def test_every_game_gets_hints_and_levels_once(tmp_path: Path, compiler: list[Part]) -> None:
    async def story(server: ServerState) -> None:
        assert not server.preparation.done
        await server.preparation.run()
        assert server.preparation.words() == "" and server.preparation.done

    in_server(story, tmp_path)
    assert {
        Part("trap", HINTS),
        Part("trap", EXACT),
        Part("trap", "best"),
        Part("nuts", "medium"),
    } <= set(compiler)
    assert len(compiler) == len(set(compiler))
    before = len(compiler)
    in_server(story, tmp_path)
    assert len(compiler) == before


def test_the_game_that_somebody_looks_at_comes_first(tmp_path: Path) -> None:
    async def story(user: Any, server: ServerState) -> None:
        server.preparation.left = server.preparation.parts()
        assert server.preparation.left[0].game != "droids"
        await user.open("/play/droids")
        assert [part.game for part in server.preparation.left[:5]] == ["droids"] * 5

    visit(story, tmp_path)


def test_nothing_is_compiled_twice_at_once(
    tmp_path: Path, compiler: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: ServerState) -> None:
        compiled: list[str] = []
        finish = asyncio.Event()

        async def do(task: Any, part: Part, **limits: Any) -> None:
            await finish.wait()
            compiled.append(part.what)

        monkeypatch.setattr(server.preparation.worker, "do", do)
        running = asyncio.create_task(server.preparation.run())
        await until(lambda: server.preparation.current)
        part = server.preparation.current
        assert part is not None
        waiting = asyncio.create_task(server.preparation.wait(*part))
        await server.preparation.wait("droids", "hard")  # the caller compiles it
        await asyncio.sleep(0.05)
        assert not waiting.done()
        assert "for nuts" in server.preparation.words()
        finish.set()
        await waiting
        await running
        assert compiled.count("hard") == 4

    in_server(story, tmp_path)


def test_who_starts_a_match_is_told_what_it_waits_for(tmp_path: Path) -> None:
    async def story(user: Any, server: ServerState) -> None:
        await user.open("/play/nuts")
        server.preparation.current = Part("nuts", "medium")
        user.find("Start the match").click()
        await user.should_see("One-time setup: compiling nuts …")
        server.preparation.current = None
        server.preparation.compiled.set()
        await until(lambda: server.matches)

    visit(story, tmp_path)


def test_a_page_says_how_far_the_server_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(user: Any, server: ServerState) -> None:
        server.preparation.current, server.preparation.total = Part("trap", HINTS), 3
        await user.open("/play/nuts")
        await user.should_see("One-time setup: hints for trap (3 of 3)")
        server.preparation.current = None
        await user.should_not_see("One-time setup")

    visit(story, tmp_path)
