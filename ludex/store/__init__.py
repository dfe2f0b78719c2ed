"""The store: events and their matches in a database shared by many processes.

An event is one series or tournament. Its key contains everything its results depend on, so that
the same event finds the matches already played. Experiments and their results have keys of the same
kind (`notebook.py`).
"""

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, func, select, update

from ludex.core.rules import LARGEST
from ludex.core.termination import BLAMELESS
from ludex.match.record import Record, now, read_offence, write
from ludex.match.session import Match
from ludex.store.database import Database
from ludex.store.engine import usual_url
from ludex.store.schema import events, figures, is_number, matches, prepare, seatings

SEAT_COLUMNS = ("agent", "returns", "seconds", "decisions")


class Played(NamedTuple):
    """A match in the store."""

    number: int
    ending: str
    agents: tuple[int, ...]
    """The number of the agent at each seat."""
    returns: tuple[float, ...]
    seconds: tuple[float, ...]
    decisions: tuple[int, ...]
    record: str
    """Empty where it was not requested."""
    seat: int = -1
    """The seat that broke the rules or resigned, or -1."""
    words: str = ""
    """Why."""


class Store(Database):
    """A database of events and matches, ready for use."""

    def __init__(self, url: str | None = None) -> None:
        super().__init__(url or usual_url(), prepare)

    def enter(self, key: str, facts: dict[str, Any], table: Table = events) -> int:
        """Return the number of the event or experiment of a key; create it if necessary."""
        with self.transaction() as connection:
            add(connection, table, [{"key": key, "began": now(), **facts}])
            found = connection.execute(select(table.c.id).where(table.c.key == key))
            return int(found.scalar_one())

    def finish(self, number: int, table: Table = events) -> None:
        """Mark an event or experiment as finished."""
        with self.transaction() as connection:
            unfinished = (table.c.id == number) & (table.c.ended.is_(None))
            connection.execute(update(table).where(unfinished).values(ended=now()))

    def entry(self, number: int, table: Table = events) -> Row[Any] | None:
        """Return an event or experiment by its number, or None."""
        with self.transaction() as connection:
            return connection.execute(select(table).where(is_number(table.c.id, number))).first()

    def keep(self, number: int, played: Sequence[Played]) -> None:
        """Add matches to an event, except those already there."""
        names = ("number", "ending", "record")
        rows = ({name: getattr(one, name) for name in names} for one in played)
        with self.transaction() as connection:
            add(connection, matches, (row | {"event": number} for row in rows))
            seats = (row for one in played for row in seat_rows(one))
            add(connection, seatings, (row | {"event": number} for row in seats))

    def cut(self, number: int, length: int) -> None:
        """Delete all but the first `length` matches of an event."""
        with self.transaction() as connection:
            for table in (matches, seatings):
                beyond = (table.c.event == number) & (table.c.number >= length)
                connection.execute(table.delete().where(beyond))

    def matches_of(self, number: int) -> list[Played]:
        """Return the matches of an event in order, without their records."""
        own, seated = matches.c.event == number, seatings.c.event == number
        ends = select(matches.c.number, matches.c.ending).where(own).order_by(matches.c.number)
        columns = (seatings.c[name] for name in ("number", *SEAT_COLUMNS))
        taken = select(*columns).where(seated).order_by(seatings.c.number, seatings.c.seat)
        failed = select(matches.c.number, matches.c.record).where(
            own, matches.c.ending.not_in(BLAMELESS)
        )
        with self.transaction() as connection:
            ended = connection.execute(ends).all()
            rows = connection.execute(taken).all()
            offences = {row.number: read_offence(row.record) for row in connection.execute(failed)}
        seats: dict[int, list[tuple[Any, ...]]] = {}
        for one, *values in rows:
            seats.setdefault(one, []).append(tuple(values))
        return [
            Played._make(
                [one, ending, *zip(*seats[one], strict=True), "", *offences.get(one, (-1, ""))]
            )
            for one, ending in ended
        ]

    def records(self, number: int, only: int | None = None) -> list[str]:
        """Return the records of an event in order, or that of one match."""
        wanted = is_number(matches.c.event, number)
        if only is not None:
            wanted &= is_number(matches.c.number, only)
        found = select(matches.c.record).where(wanted).order_by(matches.c.number)
        with self.transaction() as connection:
            return list(connection.execute(found).scalars())

    def latest(self, game: str | None, limit: int) -> list[Row[Any]]:
        """Return the latest matches with their records, newest first."""
        found = (
            select(matches)
            .join(events, events.c.id == matches.c.event)
            .order_by(matches.c.event.desc(), matches.c.number.desc())
            .limit(limit)
        )
        if game is not None:
            found = found.where(events.c.game == game)
        with self.transaction() as connection:
            return list(connection.execute(found).all())

    def history(
        self, game: str | None, agent: str | None, limit: int | None, formats: Sequence[str] = ()
    ) -> list[Row[Any]]:
        """Return the latest events, or all, with their numbers of matches, newest first."""
        counted = (
            select(matches.c.event, func.count().label("matches"))
            .group_by(matches.c.event)
            .subquery()
        )
        found = (
            select(events, func.coalesce(counted.c.matches, 0).label("matches"))
            .outerjoin(counted, counted.c.event == events.c.id)
            .order_by(events.c.id.desc())
        )
        if game is not None:
            found = found.where(events.c.game == game)
        if formats:
            found = found.where(events.c.format.in_(formats))
        if agent is None and limit is not None:
            found = found.limit(min(limit, LARGEST))
        with self.transaction() as connection:
            rows = connection.execute(found).all()
        return [row for row in rows if agent is None or agent in row.agents][:limit]

    def rate(self, rows: list[dict[str, Any]]) -> None:
        """Add the ratings of an event; existing ones are not changed."""
        with self.transaction() as connection:
            add(connection, figures, rows)

    def ratings_of(self, game: str | None = None, every: bool = False) -> list[Row[Any]]:
        """Return the newest rating of each agent, or every one, strongest first."""
        column = figures.c
        newest_first = [column.event.desc()] if every else []
        order = (column.game, column.rules, *newest_first, column.elo.desc())
        found = select(figures).order_by(*order)
        if game is not None:
            found = found.where(column.game == game)
        if not every:
            newer = figures.alias()
            same = [newer.c[name] == column[name] for name in ("game", "rules", "agent")]
            last = select(func.max(newer.c.event)).where(*same).scalar_subquery()
            found = found.where(column.event == last)
        with self.transaction() as connection:
            return list(connection.execute(found).all())


def summary(match: Match, record: Record, number: int, agents: tuple[int, ...]) -> Played:
    """Return a finished match as a row of the store, with its number in the event."""
    return Played(
        number,
        record.ending,
        agents,
        record.returns,
        tuple(match.seconds),
        tuple(match.decisions),
        write(record),
        record.seat,
        record.words if record.seat >= 0 else "",
    )


def seat_rows(one: Played) -> Iterator[dict[str, Any]]:
    """Yield a row of `seatings` for each seat of a match, without its event."""
    columns = (one.agents, one.returns, one.seconds, one.decisions)
    for seat, values in enumerate(zip(*columns, strict=True)):
        yield {"number": one.number, "seat": seat, **dict(zip(SEAT_COLUMNS, values, strict=True))}


def add(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows, except those whose key exists."""
    listed = list(rows)
    if listed:
        # Importing both takes 0.05 s, of every match at the console.
        dialect = importlib.import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
        connection.execute(dialect.insert(table).on_conflict_do_nothing(), listed)
