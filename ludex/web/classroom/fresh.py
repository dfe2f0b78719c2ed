"""Something that many pages need, and that is read from the database for all of them together."""

import asyncio
import logging
from collections.abc import Callable
from typing import Generic, TypeVar

log = logging.getLogger("ludex.web")
FRESH = 1.0  # seconds after which a value is read again
STALE = 5.0  # seconds after which nobody is given it; open pages ask more often
Found = TypeVar("Found")


class Fresh(Generic[Found]):
    """A value that is read again once it is `fresh` seconds old, and given until it is `stale`.

    On a busy machine, the thread that reads may wait long for its turn; few pages wait with it.
    """

    def __init__(
        self,
        read: Callable[[], Found],
        clock: Callable[[], float],
        fresh: float = FRESH,
        stale: float = STALE,
    ) -> None:
        self.read, self.clock, self.fresh, self.stale = read, clock, fresh, stale
        self.reading: asyncio.Task[None] | None = None
        self.found: Found | None = None
        self.began = 0.0
        """When the reading of the value began."""
        self.version = 0
        """Counts how often the value has changed."""
        self.failing = False
        """Whether the last reading failed; the first such is logged."""

    async def get(self) -> Found:
        """Return the value; a hundred pages that ask at the same time share one reading."""
        age = self.clock() - self.began
        if self.found is not None and age < self.stale:
            if age >= self.fresh:
                self.start()
            return self.found
        while True:
            await asyncio.shield(self.start())  # a page that is closed does not end it for others
            if self.found is not None:  # otherwise it was forgotten meanwhile
                return self.found

    def forget(self) -> None:
        """Give nobody what has been read so far, or is being read, because it has changed."""
        self.found = self.reading = None

    def start(self) -> asyncio.Task[None]:
        """Return the reading that goes on, or else a new one."""
        if self.reading is None:
            self.reading = asyncio.create_task(self.renew())
            self.reading.add_done_callback(self.finish)
        return self.reading

    async def renew(self) -> None:
        """Read the value."""
        began = self.clock()
        found = await asyncio.to_thread(self.read)
        if self.reading is asyncio.current_task():
            self.version += found != self.found
            self.found, self.began = found, began

    def finish(self, reading: asyncio.Task[None]) -> None:
        """Let somebody begin the next reading."""
        if self.reading is reading:
            self.reading = None
        if reading.cancelled():
            return
        error = reading.exception()  # of no concern to those who have a value: it is tried again
        if error is not None and not self.failing:
            log.error("a reading for the pages failed: %s", error, exc_info=error)
        self.failing = error is not None
