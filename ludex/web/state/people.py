"""The people at a match: who is here, under which name, and how many only watch."""

import time
from collections.abc import Callable, Mapping

LONGEST = 24  # letters of a name


class People:
    """Visitors of a match by the pages they have open; each page holds a key, or none."""

    def __init__(self, keys: Mapping[str, set[int]], notify: Callable[[], None]) -> None:
        """Follow the visitors; `keys` has the seats of each key."""
        self.keys, self.notify = keys, notify
        self.pages: dict[str, str] = {}
        self.names: dict[int, str] = {}
        self.came: set[int] = set()
        """The seats whose holders have opened the match, also those who left."""
        self.changed = time.monotonic()  # when somebody last came or went

    def enter(self, page: str, key: str) -> None:
        """Count a page that was opened, or is connected again."""
        self.pages[page], self.changed = key, time.monotonic()
        self.came |= self.keys.get(key, set())
        self.notify()

    def leave(self, page: str) -> None:
        """Forget a page that was closed, or has lost its connection."""
        if self.pages.pop(page, None) is not None:
            self.changed = time.monotonic()
            self.notify()

    def rename(self, key: str, name: str) -> None:
        """Give the seats of a key a name."""
        name = " ".join(name.split())[:LONGEST]
        for seat in self.keys.get(key, ()):
            self.names[seat] = name
        self.notify()

    def is_here(self, seat: int) -> bool:
        """Return whether somebody with the key of a seat has the match open."""
        return any(seat in self.keys.get(key, ()) for key in self.pages.values())

    @property
    def players(self) -> int:
        """How many pages hold the key of a seat."""
        return sum(bool(self.keys.get(key)) for key in self.pages.values())

    @property
    def spectators(self) -> int:
        """How many pages watch without a seat."""
        return len(self.pages) - self.players
