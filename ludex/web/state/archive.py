"""Past matches in the store. Databases may be slow: they are queried in threads."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from sqlalchemy import Row

from ludex.agents.registry import HUMAN
from ludex.io.keys import Refused
from ludex.match.record import Record, read_record
from ludex.store import Played, Store
from ludex.tournaments.event import entry_of, register, store_match
from ludex.tournaments.plan import GAUNTLET, ROUND_ROBIN, SWISS, Plan
from ludex.web.state.catalogue import Missing
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.public_text import hide_paths, person_text, public_agent, without_paths

log = logging.getLogger("ludex.web")
FORMAT = "web"  # of an event that is one match of the lab


class Archive:
    """Asynchronous access to the matches of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tasks: set[asyncio.Task[None]] = set()

    def keep(self, live: LiveMatch) -> None:
        """Store a match that has just ended, and notify its viewers."""
        facts, match = entry_of(live.match, record_of(live), FORMAT, live.ends - 1)
        facts["began"] = live.began
        facts["agents"] = list(live.agents)  # without the names of people, who all are one agent
        self.run_in_background(self.store_ended(live, facts, match))

    async def store_ended(self, live: LiveMatch, facts: dict[str, Any], match: Played) -> None:
        """Store a match; each end after moves were taken back is another match of its event."""
        place, why_not = "", ""
        try:
            place = await self.ask(store_match, self.store, f"table {live.id}", facts, match)
        except ValueError:
            why_not = "It could not be stored here; save it yourself if it matters."
        if live.ends == match.number + 1 and live.match.over:
            live.stored_as, live.storage_error = place, why_not
            live.notify()

    def run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; `drain` waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def drain(self) -> None:
        """Wait until all finished matches are stored."""
        while self.tasks:
            await asyncio.gather(*self.tasks, return_exceptions=True)

    async def ask(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run a query in a thread; log errors, and hide their details from visitors."""
        try:
            return await asyncio.to_thread(work, *arguments)
        except ValueError as error:
            log.error("%s", error)
            raise ValueError("the store of matches does not answer; it was noted") from error

    async def record(self, event: int, number: int) -> tuple[Record, str]:
        """Return a stored match and when its event began, or raise Missing."""
        lines = await self.ask(self.store.records, event, number)
        row = await self.ask(self.store.entry, event)
        if not lines or row is None:
            raise Missing(f"the store has no match {event}/{number}")
        return read_record(lines[0]), row.began

    async def latest(self, game: str | None, limit: int) -> list[tuple[str, Record]]:
        """Return the latest matches of a game, by its source, or of all, with their ids."""
        rows = await self.ask(self.store.latest, game, limit)
        return [(f"{row.event}/{row.number}", read_record(row.record)) for row in rows]

    # Tournaments. -----------------------------------------------------------------------------

    async def enter(self, plan: Plan) -> tuple[int, str, list[Played]]:
        """Return the event number of a plan, when it began, and its matches played so far."""
        number: int = await self.ask(register, self.store, plan)
        row = await self.ask(self.store.entry, number)
        return number, row.began, await self.ask(self.store.matches_of, number)

    async def tournaments(self, limit: int) -> list[Row[Any]]:
        """Return the latest tournaments of all games, newest first."""
        rows: list[Row[Any]] = await self.ask(
            self.store.history, None, None, limit, (ROUND_ROBIN, GAUNTLET, SWISS)
        )
        return rows

    async def tournament(self, event: int) -> tuple[Row[Any], list[Played]]:
        """Return a tournament and its matches, or raise Missing."""
        row = await self.ask(self.store.entry, event)
        if row is None or not {*Plan._fields} <= {*row.plan}:
            raise Missing(f"the store has no tournament {event}")
        return row, await self.ask(self.store.matches_of, event)


def record_of(live: LiveMatch) -> Record:
    """Return a match as a record; one of a running match is unfinished and hides the seed.

    The seed would tell what chance and the agents are going to choose. One that
    would tell what is hidden is refused.
    """
    if live.hides and not live.match.over:
        raise Refused("a match with hidden information is recorded after its end")
    agents = [
        person_text(live.people.names.get(seat, "")) if text == HUMAN else text
        for seat, text in enumerate(live.agents)
    ]
    record = live.match.record(agents, live.ended)
    return record if live.match.over else record._replace(seed=0)


def public_record(record: Record) -> Record:
    """Return a record without the server's paths."""
    return record._replace(
        game=record.game.rpartition("/")[2],
        agents=tuple(public_agent(text) for text in record.agents),
        words=without_paths(record.words),
        output=tuple(hide_paths(text) for text in record.output),
    )
