"""The front desk of a class: whom a request comes from, and what all pages show of the ladder."""

import asyncio
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.requests import HTTPConnection

from ludex.classroom.classroom import Classroom
from ludex.classroom.jobs import ANALYSIS, MATCH, running_jobs
from ludex.classroom.ladder import PastRating, Row, ladder_rows, rating_histories
from ludex.classroom.people import Person, person_of_token
from ludex.classroom.programs import CHECK, names_of
from ludex.classroom.sessions import person_of_session
from ludex.classroom.settings import Settings
from ludex.io.keys import Refused, key_hash
from ludex.web.classroom.fresh import FRESH, Fresh
from ludex.web.classroom.open_sessions import OpenSessions
from ludex.web.classroom.rates import Rates
from ludex.web.classroom.rights import REFUSALS, allows

KEYS = 10_000  # sessions and tokens in memory
LONGEST = 100  # characters of a key or a token
DRAWN = 8  # programs in the chart of the ladder


class Ladder(NamedTuple):
    """The ladder as all pages show it."""

    rows: list[Row]
    history: dict[int, list[PastRating]]
    """How the ratings of the best programs came about."""


class Running(NamedTuple):
    """What is being worked on."""

    pairs: list[tuple[tuple[int, str], tuple[int, str], bool]]
    """The numbers and names of two programs that play, and whether that is in a final."""
    checks: int
    analyses: int


class Known(NamedTuple):
    """Whom a key belongs to, and until when that is taken for granted."""

    person: Person
    until: float


class Desk:
    """What the server of a class keeps in memory; it needs nothing of that after a restart."""

    def __init__(self, classroom: Classroom, clock: Callable[[], float] = time.monotonic) -> None:
        self.classroom, self.clock = classroom, clock
        self.failures = Rates(30, 0.5, clock)
        """Wrong tokens by address, after which it is told to wait; a class may share one."""
        self.strangers = Rates(600, 60.0, clock)
        """Requests without a session or token, or with one that is not known yet, by address."""
        self.requests = Rates(300, 30.0, clock)
        """Requests and messages of a session."""
        self.known: dict[str, Known] = {}
        self.sessions = OpenSessions(classroom, clock)
        # Read again before the class itself would do so, in the event loop.
        self.settings = Fresh(lambda: read_settings(classroom), clock, FRESH / 2, FRESH)
        self.ladder = Fresh(lambda: read_ladder(classroom), clock)
        self.running = Fresh(lambda: read_running(classroom), clock)

    async def person_of_session(self, key: str) -> Person | None:
        """Return whose session a key is of, as it was at most a second ago."""
        person = await self.sessions.person(key)
        if person is None:
            person = await self.recall("session", key, person_of_session)
            if person is None:
                self.sessions.remove(key)
            else:
                self.sessions.add(key)
        return person

    async def person_of_token(self, token: str) -> Person | None:
        """Return whom a token belongs to, as it was at most a second ago."""
        return await self.recall("token", token, person_of_token)

    def knows_token(self, token: str) -> bool:
        """Return whether a token was somebody's when it was last looked up."""
        return known_name("token", token) in self.known

    async def recall(
        self, kind: str, key: str, find: Callable[[Classroom, str], Person | None]
    ) -> Person | None:
        """Return whom a key belongs to, and remember it for a moment, unless it is nobody's."""
        if not 0 < len(key) <= LONGEST:
            return None
        name = known_name(kind, key)
        known = self.known.get(name)
        if known is not None and known.until >= self.clock():
            return known.person
        person = await asyncio.to_thread(find, self.classroom, key)
        self.known.pop(name, None)
        if person is not None:
            if len(self.known) >= KEYS:
                self.known.clear()
            self.known[name] = Known(person, self.clock() + FRESH)
        return person

    def forget_people(self) -> None:
        """Ask the database again for everybody, because their rights have changed."""
        self.known = {name: one._replace(until=-math.inf) for name, one in self.known.items()}
        self.sessions.people.forget()

    def allows(self, person: Person | None, right: str) -> bool:
        """Return whether somebody has a right now."""
        return allows(person, right, self.classroom.settings)

    def require(self, person: Person | None, right: str) -> None:
        """Raise a `Refused` unless somebody has a right."""
        if not self.allows(person, right):
            raise Refused(REFUSALS[right])


def known_name(kind: str, key: str) -> str:
    """Return the name under which a key is remembered, which does not tell the key."""
    return f"{kind} {key_hash(key)}"


def read_settings(classroom: Classroom) -> Settings:
    """Read what the instructor has set, which the class remembers for a second."""
    classroom.refresh()
    return classroom.settings


def read_ladder(classroom: Classroom) -> Ladder:
    """Read the ladder, with the history of its best programs."""
    rows = ladder_rows(classroom)
    return Ladder(rows, rating_histories(classroom, [row.program.id for row in rows[:DRAWN]]))


def read_running(classroom: Classroom) -> Running:
    """Read what is being worked on; nothing is told of the luck of matches."""
    found = running_jobs(classroom)
    names = names_of(classroom) if found else {}
    kinds = [job.kind for job in found]
    pairs = [
        ((job.one, names[job.one]), (job.other, names[job.other]), job.final > 0)
        for job in found
        if job.kind == MATCH
    ]
    return Running(pairs, kinds.count(CHECK), kinds.count(ANALYSIS))


def session_cookie(asked: HTTPConnection) -> str:
    """Return the name of the cookie with the session: the ports of a host share their cookies."""
    return f"ludex-class-{asked.url.port or 0}"


def session_key(asked: HTTPConnection) -> str:
    """Return the key of the session that a request belongs to; empty if there is none."""
    return asked.cookies.get(session_cookie(asked), "")


def address_of(scope: Any) -> str:
    """Return the address from which a request comes."""
    client = scope.get("client")
    return client[0] if client else ""
