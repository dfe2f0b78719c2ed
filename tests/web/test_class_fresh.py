"""What the pages of a class read together, and how old it may be."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from ludex.web.classroom.fresh import FRESH, STALE, Fresh

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
