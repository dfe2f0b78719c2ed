"""What the pages of a class read together, and how old it may be."""

import asyncio
import math
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from ludex.classroom.classroom import Classroom
from ludex.classroom.people import NewPerson, Person, add_people
from ludex.classroom.sessions import log_in, log_out, people_of_sessions
from ludex.io.keys import key_hash
from ludex.web.classroom.desk import Desk
from ludex.web.classroom.fresh import FRESH, STALE, Fresh
from ludex.web.classroom.open_sessions import OPEN
from tests.classrooms import small_class
from tests.classvisit import ask_class

pytestmark = pytest.mark.plain


class Source:
    """A database whose answers wait until a test lets them go."""

    def __init__(self) -> None:
        self.now = 0.0
        self.answer = "old"
        self.reads = 0
        self.open = threading.Event()
        self.open.set()
        self.fresh = Fresh(self.read, lambda: self.now)

    def read(self) -> str:
        """Return the answer that there was when the reading began."""
        answer = self.answer
        self.reads += 1
        self.open.wait(5.0)
        if answer == "broken":
            raise ValueError(answer)
        return answer

    async def finish(self) -> None:
        """Wait until the reading that goes on has ended."""
        self.open.set()
        if self.fresh.reading is not None:
            await asyncio.wait([self.fresh.reading])
            await asyncio.sleep(0)


def with_source(story: Callable[[Source], Awaitable[None]]) -> None:
    """Let a story happen with a value that was read once."""

    async def run() -> None:
        source = Source()
        assert await source.fresh.get() == "old"
        await story(source)

    asyncio.run(run())


def test_pages_show_a_value_while_it_is_read_again() -> None:
    async def story(source: Source) -> None:
        source.open.clear()
        source.answer, source.now = "new", FRESH
        assert [await source.fresh.get() for _ in range(9)] == ["old"] * 9
        await source.finish()
        assert await source.fresh.get() == "new"
        assert (source.reads, source.fresh.version) == (2, 2)

    with_source(story)


def test_a_value_that_nobody_asked_for_in_a_while_is_shown_to_nobody() -> None:
    async def story(source: Source) -> None:
        source.answer, source.now = "new", STALE
        assert await source.fresh.get() == "new"

    with_source(story)


def test_a_forgotten_value_does_not_come_back_with_a_reading_that_began_before() -> None:
    async def story(source: Source) -> None:
        source.open.clear()
        source.now = FRESH
        await source.fresh.get()
        before = source.fresh.reading
        assert before is not None
        while source.reads < 2:
            await asyncio.sleep(0)
        source.answer = "new"
        source.fresh.forget()
        source.open.set()
        await before
        assert await source.fresh.get() == "new"

    with_source(story)


def test_a_reading_that_fails_concerns_those_alone_who_have_no_value() -> None:
    async def story(source: Source) -> None:
        source.answer, source.now = "broken", FRESH
        assert await source.fresh.get() == "old"
        await source.finish()
        assert await source.fresh.get() == "old"
        await source.finish()
        source.now = STALE
        with pytest.raises(ValueError, match="broken"):
            await source.fresh.get()
        source.answer = "new"
        assert await source.fresh.get() == "new"

    with_source(story)


def test_readings_that_fail_are_logged_once_until_one_succeeds(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(source: Source) -> None:
        for answer, lines in (("broken", 1), ("broken", 1), ("new", 1), ("broken", 2)):
            source.answer, source.now = answer, source.now + FRESH
            await source.fresh.get()
            await source.finish()
            assert caplog.messages == ["a reading for the pages failed: broken"] * lines

    with_source(story)


def test_a_page_that_is_closed_does_not_end_a_reading_for_others() -> None:
    async def story(source: Source) -> None:
        source.open.clear()
        source.answer, source.now = "new", STALE
        closed, other = (asyncio.create_task(source.fresh.get()) for _ in range(2))
        await asyncio.sleep(0)
        closed.cancel()
        source.open.set()
        assert await other == "new"

    with_source(story)


class Open(NamedTuple):
    """A class whose people have logged in, at a time that a test sets."""

    classroom: Classroom
    desk: Desk
    keys: list[str]
    now: list[float]
    asked: list[list[str]]
    """The sessions that were read, each time."""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    classroom = small_class(tmp_path)
    made = add_people(classroom, [NewPerson(f"Ann {number}") for number in range(9)])
    keys = [session[1] for _, token in made if (session := log_in(classroom, token))]
    now, asked = [0.0], list[list[str]]()

    def counted(of: Classroom, names: Sequence[str]) -> dict[str, Person]:
        asked.append(sorted(names))
        return people_of_sessions(of, names)

    for module in ("ludex.classroom.sessions", "ludex.web.classroom.open_sessions"):
        monkeypatch.setattr(f"{module}.people_of_sessions", counted)
    yield Open(classroom, Desk(classroom, clock=lambda: now[0]), keys, now, asked)
    classroom.close()


async def who(opened: Open) -> list[str]:
    """Return who has sessions that have not ended."""
    found = [await opened.desk.person_of_session(key) for key in opened.keys]
    return [one.name for one in found if one is not None]


def test_the_sessions_of_open_pages_are_read_together(opened: Open) -> None:
    async def story() -> None:
        names = await who(opened)
        opened.now[0] = 2.0
        opened.asked.clear()
        assert await who(opened) == names and len(names) == 9
        assert opened.asked == [sorted(key_hash(key) for key in opened.keys)]

    asyncio.run(story())


def test_sessions_without_open_pages_and_wrong_keys_are_not_read_with_others(opened: Open) -> None:
    async def story() -> None:
        await who(opened)
        opened.now[0] = OPEN + 1.0
        opened.asked.clear()
        assert await opened.desk.person_of_session("wrong") is None
        assert await opened.desk.person_of_session(opened.keys[0]) is not None
        assert opened.asked == [[key_hash("wrong")], [key_hash(opened.keys[0])]]

    asyncio.run(story())


def test_a_session_that_ended_elsewhere_is_over_within_a_second(opened: Open) -> None:
    async def story() -> None:
        names = await who(opened)
        opened.now[0] = 2.0
        await who(opened)
        log_out(opened.classroom, opened.keys[0])
        opened.now[0] = 3.0
        assert await who(opened) == names[1:]

    asyncio.run(story())


def test_a_session_that_ended_here_is_over_at_once(opened: Open) -> None:
    async def story() -> None:
        names = await who(opened)
        opened.now[0] = 2.0
        await who(opened)
        log_out(opened.classroom, opened.keys[0])
        opened.desk.forget_people()
        assert await who(opened) == names[1:]

    asyncio.run(story())


def test_settings_are_not_read_in_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    classroom = small_class(tmp_path, guests=True)
    refresh, readers = Classroom.refresh, list[threading.Thread]()

    def noted(of: Classroom) -> None:
        readers.append(threading.current_thread())
        refresh(of)

    monkeypatch.setattr(Classroom, "refresh", noted)

    async def story(client: httpx.AsyncClient, desk: Desk) -> None:
        classroom._read = -math.inf  # long ago
        assert (await client.get("/class/enter/known")).status_code == 401
        assert readers and threading.main_thread() not in readers

    ask_class(story, classroom)
    classroom.close()
