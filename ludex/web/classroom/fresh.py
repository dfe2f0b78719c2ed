"""Something that many pages show, and that is read from the database for all of them together."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

FRESH = 1.0  # seconds for which the answer of the database is used again
Found = TypeVar("Found")


class Fresh(Generic[Found]):
    """A value that is at most a second old."""

    def __init__(self, read: Callable[[], Found], clock: Callable[[], float]) -> None:
        self.read, self.clock = read, clock
        self.reading = asyncio.Lock()
        self.found: Found | None = None
        self.until = 0.0
        self.version = 0
        """Counts how often the value has changed."""

    async def get(self) -> Found:
        """Return the value; a hundred pages that ask at the same time share one reading."""
        async with self.reading:
            if self.found is None or self.clock() >= self.until:
                found = await asyncio.to_thread(self.read)
                self.version += found != self.found
                self.found, self.until = found, self.clock() + FRESH
            return self.found
