"""Visitors of a class without a browser: its people, some matches, and its server in memory."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from nicegui import core
from nicegui.testing import User

from ludex.classroom.classroom import Classroom, open_class
from ludex.classroom.finals import start_final
from ludex.classroom.people import GUEST, INSTRUCTOR, NewPerson, Person, add_people, renew_token
from ludex.classroom.sessions import log_in as new_session
from ludex.web.classroom.app import make_outer, register
from ludex.web.classroom.desk import Desk
from tests.classrooms import CRASHING, FIRST, LAST, handed_in, play_all, small_class
from tests.webvisit import finish_navigation, simulate

HOST = "test"
HOME = f"http://{HOST}"
COOKIE = "ludex-class-0"
NASTY = "<img src=x onerror=alert(1)>"
"""A student whose name would be a script, if it were not escaped."""
PEOPLE = [NewPerson("Ann", reference="4711"), NewPerson(NASTY, reference="4712")]
STAFF = [NewPerson("Ada", INSTRUCTOR), NewPerson("Gus", GUEST)]


class Class(NamedTuple):
    """An open class and its people."""

    classroom: Classroom
    ann: Person
    nasty: Person
    ada: Person
    gus: Person

    def token(self, person: Person) -> str:
        """Return a new token of a person."""
        return renew_token(self.classroom, person.id)


def make_played(folder: Path) -> Path:
    """Return the folder of a class in which two students have played a ladder and a final.

    Ann's second version is refused.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDEX_UNSAFE", "1")
        patch.setenv("LUDEX_DATA", str(folder / "data"))
        classroom = small_class(folder, matches=4)
        ann, nasty, *_ = [one for one, _ in add_people(classroom, PEOPLE + STAFF)]
        handed_in(classroom, ann, FIRST)
        handed_in(classroom, nasty, LAST)
        handed_in(classroom, ann, CRASHING)
        play_all(classroom)
        start_final(classroom, "The end", 2)
        play_all(classroom)
        classroom.close()
    return folder / "ai"


def copy_class(folder: Path, target: Path) -> Class:
    """Return a copy of a class, which a test may change."""
    shutil.copytree(folder, target / "ai")
    return open_people(target / "ai")


def open_people(folder: Path) -> Class:
    """Open a class with these people."""
    classroom = open_class(folder)
    return Class(classroom, *(Person(number, *one) for number, one in enumerate(PEOPLE + STAFF, 1)))


def ask_class(
    story: Callable[[httpx.AsyncClient, Desk], Awaitable[Any]], classroom: Classroom, **more: Any
) -> Any:
    """Let a story happen before the server of a class without its pages; return its result."""

    async def run() -> Any:
        desk = Desk(classroom)
        transport = httpx.ASGITransport(make_outer(desk, (HOST,)), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=HOME, **more) as client:
            return await story(client, desk)

    return asyncio.run(run())


def cookies(own: Class, person: Person) -> dict[str, str]:
    """Return the cookies of somebody who is logged in."""
    found = new_session(own.classroom, own.token(person))
    assert found is not None
    return {COOKIE: found[1]}


def ask(
    own: Class, method: str, path: str, person: Person | None = None, **more: Any
) -> httpx.Response:
    """Send one request to the server of a class, as somebody or as a stranger."""
    given = cookies(own, person) if person else {}

    async def story(client: httpx.AsyncClient, desk: Desk) -> httpx.Response:
        return await client.request(method, path, **more)

    answer: httpx.Response = ask_class(story, own.classroom, cookies=given)
    return answer


def visit_class(story: Callable[[User, Desk], Awaitable[None]], classroom: Classroom) -> None:
    """Let a story happen on the pages of a class."""

    async def in_class(user: User) -> None:
        desk = Desk(classroom)
        outer = make_outer(desk, (HOST,))
        register(desk)
        outer.mount("/", core.app)
        transport = httpx.ASGITransport(outer)
        async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:
            user.http_client = client
            try:
                await story(user, desk)
            finally:
                await finish_navigation()

    simulate(in_class)


async def log_in(user: User, token: str) -> None:
    """Let a visitor come in."""
    answer = await user.http_client.post("/class/enter", json={"token": token})
    assert answer.status_code == 200, answer.text
