"""The owners of sessions with open pages, read from the database for all together."""

from collections.abc import Callable

from ludex.classroom.classroom import Classroom
from ludex.classroom.people import Person
from ludex.classroom.sessions import people_of_sessions
from ludex.io.keys import key_hash
from ludex.web.classroom.fresh import FRESH, Fresh

OPEN = 10.0  # seconds for which a session counts as open; its pages ask more often
MOST = 10_000  # sessions in memory


class OpenSessions:
    """The people whose pages are open, as they were at most a second ago."""

    def __init__(self, classroom: Classroom, clock: Callable[[], float]) -> None:
        self.classroom, self.clock = classroom, clock
        self.asked: dict[str, float] = {}
        """When each session was last asked for, by the hash of its key."""
        # Read again before they are a second old, so that pages seldom wait.
        self.people = Fresh(self.read, clock, FRESH / 2, FRESH)

    def knows(self, key: str) -> bool:
        """Return whether a key was that of a session when it was last looked up."""
        return key_hash(key) in self.asked

    async def person(self, key: str) -> Person | None:
        """Return whose session a key is of; None if it has ended or is not among the open ones."""
        name = key_hash(key)
        if name not in self.asked:
            return None
        self.asked[name] = self.clock()
        return (await self.people.get()).get(name)

    def add(self, key: str) -> None:
        """Read a session together with the others from now on."""
        if len(self.asked) >= MOST:
            self.asked.clear()
        self.asked[key_hash(key)] = self.clock()

    def remove(self, key: str) -> None:
        """Forget a session that has ended."""
        self.asked.pop(key_hash(key), None)

    def read(self) -> dict[str, Person]:
        """Read whose the open sessions are."""
        since = self.clock() - OPEN
        names = [name for name, asked in list(self.asked.items()) if asked >= since]
        return people_of_sessions(self.classroom, names)
