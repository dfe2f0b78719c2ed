"""Tokens and sessions of a class: the threats of docs/class-security.md that concern them."""

import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ludex.classroom.classroom import Classroom
from ludex.classroom.client import PROGRAMS
from ludex.classroom.people import Person, add_people, person_of_token
from ludex.classroom.sessions import log_in as new_session
from ludex.classroom.sessions import person_of_session
from ludex.web.classroom.desk import Desk
from tests.classrooms import FIRST, handed_in, small_class
from tests.classvisit import COOKIE, PEOPLE, STAFF, Class, ask, ask_class, cookies, open_people

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Class]:
    made = small_class(tmp_path)
    (ann, _), *_ = add_people(made, PEOPLE + STAFF)
    handed_in(made, ann, FIRST)
    made.close()
    opened = open_people(tmp_path / "ai")
    yield opened
    opened.classroom.close()


def test_a_token_stands_in_no_log_and_works_in_no_address(
    own: Class, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token = own.token(own.ann)
    assert ask(own, "POST", "/class/enter", json={"token": token}).status_code == 200
    assert token not in caplog.text
    assert ask(own, "GET", f"/class/mine?token={token}").status_code == 303
    assert ask(own, "GET", f"/class/enter?token={token}").headers.get("set-cookie") is None


def bearer(token: str) -> dict[str, str]:
    """Return the headers of a program with a token."""
    return {"Authorization": f"Bearer {token}"}


def test_tokens_cannot_be_guessed_in_large_numbers(
    own: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []

    def find(classroom: Classroom, token: str) -> Person | None:
        looked_up.append(token)
        return person_of_token(classroom, token)

    for module in ("ludex.web.classroom.desk", "ludex.classroom.sessions"):
        monkeypatch.setattr(f"{module}.person_of_token", find)
    ann, session = own.token(own.ann), new_session(own.classroom, own.token(own.nasty))
    assert session is not None

    async def story(client: httpx.AsyncClient, desk: Desk) -> None:
        async def program(token: str) -> int:
            return (await client.get(f"{PROGRAMS}/2", headers=bearer(token))).status_code

        async def enter(token: str) -> int:
            return (await client.post("/class/enter", json={"token": token})).status_code

        desk.failures.clock = desk.strangers.clock = lambda: 0.0
        desk.strangers.burst = 52
        client.cookies.set(COOKIE, session[1])
        assert (await client.get("/class/enter/known")).status_code == 200
        client.cookies.clear()
        assert await program(ann) == 200
        looked_up.clear()
        assert [await program(f"{one}") for one in range(20)] == [401] * 20
        assert [await enter(f"{one}") for one in range(15)] == [403] * 10 + [429] * 5
        assert [await program(f"{one}") for one in range(20, 60)] == [429] * 40
        assert len(looked_up) == 50 and len(desk.known) == 2
        # Neither another way nor a session gives more tries; who was let in before is known.
        client.cookies.set(COOKIE, session[1])
        assert [await enter("guessed"), await program("guessed")] == [429] * 2
        assert len(looked_up) == 50
        desk.forget_people()
        assert await program(ann) == 200 and looked_up[50:] == [ann]

    ask_class(story, own.classroom)


def test_sessions_cannot_be_made_up_in_large_numbers(
    own: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[str] = []

    def find(classroom: Classroom, key: str) -> Person | None:
        looked_up.append(key)
        return person_of_session(classroom, key)

    monkeypatch.setattr("ludex.web.classroom.desk.person_of_session", find)
    right, made_up = cookies(own, own.ann)[COOKIE], [f"{one}" for one in range(60)]

    async def story(client: httpx.AsyncClient, desk: Desk) -> None:
        async def known(key: str) -> int:
            client.cookies.set(COOKIE, key)
            return (await client.get("/class/enter/known")).status_code

        desk.strangers.clock = lambda: 0.0
        desk.strangers.burst = 51
        assert await known(right) == 200
        assert [await known(one) for one in made_up] == [401] * 50 + [429] * 10
        assert looked_up == [right, *made_up[:50]]
        # Who was let in before is known; once the session has ended, it is as good as made up.
        assert await known(right) == 200
        await client.post("/class/leave")
        looked_up.clear()
        assert [await known(right) for _ in range(5)] == [429] * 5
        assert looked_up == [right]

    ask_class(story, own.classroom)


def test_wrong_tokens_lock_nobody_else_out_at_the_same_address(own: Class) -> None:
    async def story(client: httpx.AsyncClient, desk: Desk) -> list[int]:
        desk.failures.clock = lambda: 0.0
        for one in range(31):
            await client.post("/class/enter", json={"token": f"{one}"})
        token = own.token(own.ann)
        return [
            (await client.get(f"{PROGRAMS}/2", headers=bearer(token))).status_code,
            (await client.post("/class/enter", json={"token": token})).status_code,
        ]

    assert ask_class(story, own.classroom) == [200, 200]


def test_a_session_ends_with_the_log_out(own: Class) -> None:
    async def story(client: httpx.AsyncClient, desk: Desk) -> None:
        await client.post("/class/enter", json={"token": own.token(own.ann)})
        assert (await client.get("/class/enter/known")).status_code == 200
        key = client.cookies[COOKIE]
        await client.post("/class/leave")
        client.cookies.set(COOKIE, key)
        assert (await client.get("/class/enter/known")).status_code == 401

    ask_class(story, own.classroom)
