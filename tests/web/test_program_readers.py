"""Who reads the tracebacks and the output of a program, and what all others are told."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from fastapi import FastAPI
from nicegui import ui
from nicegui.testing import User

from ludex.core.termination import CRASHED, ILLEGAL, OUT_OF_TIME
from ludex.match.record import UNFINISHED, read_record, write
from ludex.web.parts.agent_field import AgentField
from ludex.web.rest import guard, make_router
from ludex.web.state import programs as programs_module
from ludex.web.state.access import HOST, Visitor
from ludex.web.state.archive import record_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.programs import Programs
from ludex.web.state.reader import Reader, fault_line
from ludex.web.state.server_state import ServerState
from tests.web.test_program_owners import ANN, BEN
from tests.web.test_tournament_job import html_of, play_against_random
from tests.webvisit import STORED, in_server, press, sit_at_server, until, visit

pytestmark = pytest.mark.plain
SECRET = "def choose(p, m, s):\n    print('my plan')\n    raise ValueError('secret', p)\n"
PUBLIC = "Player 1's program failed (ValueError)."


async def failed(server: ServerState) -> LiveMatch:
    """Return a match that the program of Ann has lost by an error."""
    text = server.programs.save("hers.py", SECRET, ANN)
    live = await server.open_match("nuts", server.catalogue.rules("nuts"), [text, "human"], {1})
    await until(lambda: live.stored_as)
    return live


def shown(server: ServerState, live: LiveMatch, visitor: Visitor) -> str:
    """Return all that a visitor reads of a match."""
    reader = Reader(server.programs, visitor)
    return f"{reader.result(live)} {reader.output(live, 0)} {write(reader.record(live))}"


@pytest.mark.parametrize(
    ("ending", "words", "wanted"),
    [
        (CRASHED, "ValueError: secret (line 3 of hers.py)", "failed (ValueError)"),
        (CRASHED, "Player 1's program failed (KeyError: 'secret').", "failed (KeyError)"),
        (CRASHED, "Secret: Error of my own", "failed"),
        (CRASHED, "exited with status 1: print(secret)", "failed"),
        (ILLEGAL, "answered 'ValueError secret'", "broke the rules"),
        (OUT_OF_TIME, "no answer after 1 s", "took too long"),
    ],
)
def test_a_fault_is_told_without_words_of_the_program(ending: str, words: str, wanted: str) -> None:
    assert fault_line(ending, words) == wanted


def test_owners_and_the_host_read_all_and_others_one_line(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await failed(server)
        stored = await server.open_stored(*live.stored_as.split("/"))
        for match in (live, stored):
            for visitor in (ANN, HOST):
                text = shown(server, match, visitor)
                assert "secret" in text and "my plan" in text and "line 3" in text
            for visitor in (BEN, Visitor()):
                text = shown(server, match, visitor)
                assert f"Player 2 wins: {PUBLIC}" in text
                assert not any(word in text for word in ("secret", "my plan", "Traceback", "line"))
        assert "secret" in record_of(live).words and "my plan" in record_of(live).output[0]

    in_server(story, tmp_path)


def test_a_record_from_a_visitors_own_file_is_shown_whole(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await failed(server)
        saved = read_record(write(Reader(server.programs, ANN).record(live)))
        opened = await server.open_record(saved)
        assert "my plan" in Reader(server.programs, BEN).output(opened, 0)

    in_server(story, tmp_path)


def test_whoever_takes_a_name_that_is_free_reads_nothing_of_before(tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    programs.save("mine.py", SECRET, ANN)
    path = str(tmp_path / "mine.py")
    with patch.object(programs_module, "now", lambda: "2100-01-01T00:00:00Z"):
        programs.rename("mine.py", "other.py", ANN)
        assert not programs.may_read(path, ANN, "2099-01-01T00:00:00Z")
        programs.save("mine.py", SECRET, BEN)
    assert not programs.may_read(path, BEN, "2099-01-01T00:00:00Z")
    assert programs.may_read(path, BEN, "2100-01-01T00:00:01Z")
    assert not programs.may_read("/elsewhere/mine.py", BEN, "2100-01-01T00:00:01Z")
    assert programs.may_read("mcts:sims=10", Visitor(), "") and programs.may_read("human", BEN, "")
    for text in ("/srv/bots/mybot", "../bots/mybot", "../bots"):  # no longer on offer
        assert not programs.may_read(text, BEN, "2100-01-01T00:00:01Z")
    (tmp_path / "since.json").write_text("{")
    assert not programs.may_read(path, BEN, "2100-01-01T00:00:01Z")


def test_a_stored_match_began_before_it_ended(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        text = server.programs.save("hers.py", SECRET.replace("raise", "return m[0] #"), ANN)
        rules = server.catalogue.rules("nuts")
        live = await server.open_match("nuts", rules, ["human", text], {0})
        live.began = "2020-01-01T00:00:00Z"
        await until(lambda: live.pending)
        live.choose(live.owner, 0, 0, 0)
        await until(lambda: live.pending and len(live.match.plies) == 3)
        running = Reader(server.programs, BEN).record(live)
        assert running.words == UNFINISHED
        live.resign(live.owner)
        await until(lambda: live.stored_as)
        stored = await server.open_stored(*live.stored_as.split("/"))
        assert stored.began == "2020-01-01T00:00:00Z" < stored.ended
        # Somebody who takes the name after that reads nothing.
        server.programs.delete("hers.py", ANN)
        server.programs.save("hers.py", SECRET, BEN)
        assert "my plan" not in shown(server, stored, BEN)

    in_server(story, tmp_path)


@pytest.mark.parametrize("text", ["program:hers.py", "program:hers.py:zzz"])
def test_what_is_wrong_with_a_program_is_told_to_nobody_else(tmp_path: Path, text: str) -> None:
    broken = "class SecretPlan:\n    def choose(self, p, m, s):\n        return m[0]\n"
    broken += "" if text.endswith("zzz") else "def choose(secret):\n    global secret\n"

    async def story(server: ServerState) -> None:
        server.programs.save("hers.py", broken, ANN)
        rules, said = server.catalogue.rules("nuts"), f"{text} cannot play here"
        with pytest.raises(ValueError, match=said) as refused:
            await server.open_match("nuts", rules, [text, "human"], {1})
        with pytest.raises(ValueError, match=said) as prepared:
            await server.prepare_agent("nuts", rules, text)
        assert not any("secret" in str(one.value).lower() for one in (refused, prepared))
        for visitor, told in ((ANN, True), (HOST, True), (BEN, False)):
            reader = Reader(server.programs, visitor)
            with pytest.raises(ValueError, match=r"^") as said_to, reader.reasons_told():
                await server.prepare_agent("nuts", rules, text)
            assert isinstance(prepared.value, ValueError)
            for words in (str(said_to.value), reader.refusal(text, prepared.value)):
                assert ("secret" in words.lower()) == told

    in_server(story, tmp_path)


def test_a_restart_keeps_when_a_match_began(tmp_path: Path) -> None:
    seen: list[LiveMatch] = []

    async def begin(server: ServerState) -> None:
        seen.append(await failed(server))
        seen[0].began = "2020-01-01T00:00:00Z"
        seen[0].epoch += 1
        server.journals.update(seen[0])

    async def go_on(server: ServerState) -> None:
        server.resume_matches()
        live = server[seen[0].id]
        assert live.began == "2020-01-01T00:00:00Z"
        assert "secret" not in shown(server, live, BEN)

    in_server(begin, tmp_path)
    in_server(go_on, tmp_path)


def page_text(user: User) -> str:
    """Return all words on a page."""
    labels: Any = user.find(ui.label).elements
    return f"{html_of(user)} {' '.join(one.text for one in labels)}"


@pytest.mark.parametrize(
    "path", ["/match/{0.id}", "/watch/match/{0.id}?ply=0", "/watch/record/1/0"]
)
def test_only_the_browser_of_the_owner_shows_a_traceback(tmp_path: Path, path: str) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await failed(server)
        asked: list[str] = []

        def key_of(visitor: Visitor) -> Any:
            def answer(_: Any) -> str:
                asked.append(visitor.key)
                return visitor.key

            return answer

        user.javascript_rules[STORED] = key_of(BEN)
        await user.open(path.format(live))
        await until(lambda: asked)
        await user.should_see(PUBLIC)
        assert "secret" not in page_text(user) and "my plan" not in page_text(user)
        user.javascript_rules[STORED] = key_of(ANN)
        await user.open(path.format(live))
        await until(lambda: "my plan" in page_text(user) and "secret" in page_text(user))
        user.javascript_rules[STORED] = key_of(BEN)
        sit_at_server(user)
        await user.open(path.format(live))
        await until(lambda: "my plan" in page_text(user) and "secret" in page_text(user))

    visit(story, tmp_path)


def test_a_tournament_quotes_a_program_to_its_owner_alone(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await play_against_random(server, server.programs.save("hers.py", SECRET, ANN))
        address = "/tournament/nuts?rules=nuts=10&event=1"
        user.javascript_rules[STORED] = lambda _: BEN.key
        await user.open(address)
        await user.should_see("program:hers.py forfeited: failed (ValueError)")
        assert "2 errors</b>, for example: failed (ValueError)<" in html_of(user)
        assert "secret" not in page_text(user)
        user.javascript_rules[STORED] = lambda _: ANN.key
        await user.open(address)
        await until(lambda: page_text(user).count("secret") == 3)

    visit(story, tmp_path)


async def see_answer(user: User, visitor: Visitor, said: str) -> None:
    """Ask Ann's program at a position, and wait for the answer."""
    user.javascript_rules[STORED] = lambda _: visitor.key
    await user.open("/understand/nuts")
    (field,) = user.find(AgentField).elements
    field.value = "program:hers.py"
    press(user, "Ask")
    await until(lambda: said in html_of(user))


def test_an_agent_that_fails_when_asked_says_why_to_its_owner(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.programs.save("hers.py", SECRET, ANN)
        await see_answer(user, BEN, "program:hers.py failed (ValueError)<")
        await see_answer(user, ANN, "secret")

    visit(story, tmp_path)


async def answer_to(server: ServerState, host: str, path: str) -> httpx.Response:
    """Return the answer of the REST API under a name of the server."""
    app = FastAPI()
    app.include_router(make_router(server))
    guard(app, server)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as client:
        return await client.get(path)


@pytest.mark.parametrize(("host", "whole"), [("lab.example", False), ("localhost", True)])
def test_the_rest_api_quotes_a_program_to_the_host_alone(
    tmp_path: Path, host: str, whole: bool
) -> None:
    async def story(server: ServerState) -> None:
        live = await failed(server)
        best = "/api/games/nuts/best?agent=program:hers.py"
        for path in (f"/api/matches/{live.id}", f"/api/matches/{live.id}/record", best):
            answer = await answer_to(server, host, path)
            assert answer.status_code == (400 if path == best else 200)
            assert "ValueError" in answer.text and ("secret" in answer.text) is whole

    in_server(story, tmp_path)
