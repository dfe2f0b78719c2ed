"""Past events, their matches, and single records."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Row

from ludex.analysis import decisions
from ludex.core.rules import CHANCE, Rules, State, position, seat_name, turn
from ludex.io.table import Table, with_headline
from ludex.io.text import ParameterError, whole_number
from ludex.library.progress import show_progress
from ludex.library.results import Tournament
from ludex.match.record import Record, end_text, labels, read_record, replay_states
from ludex.match.session import Match
from ludex.store import Played, Store
from ludex.store.engine import is_missing
from ludex.tournaments.event import Event

Source = Match | Record | str | Path
"""A match or its record, "EVENT/MATCH" in the store, or a file of records."""
Storage = Store | str | None
"""A store, the URL of one, or None for the default one."""
LISTED = "ludex history, in Python ludex.history(), shows what it has"
LARGEST = 64 << 20  # bytes of a file of records
FACTS = ("id", "game", "rules", "format", "agents", "seed", "source", "began", "ended")


class PastEvent(Tournament):
    """An event of the store: its facts, standings and matches."""

    def __init__(self, row: Row[Any], store: Store) -> None:
        super().__init__(Event(row.agents, row.format, store, row.id))
        self.event.played = store.matches_of(row.id)
        self.row = row

    @property
    def facts(self) -> dict[str, Any]:
        """What was played, when, and by which version of Ludex."""
        return event_facts(self.row)

    @property
    def matches(self) -> Table:
        """A row for each match."""
        return Table(match_facts(self.row, match) for match in self.played)


class Replay(NamedTuple):
    """A past match with every state and the labels of its moves."""

    record: Record
    rules: Rules
    states: list[State]
    labels: list[str]

    @property
    def positions(self) -> list[str]:
        """Every state as text."""
        return [position(self.rules, state) for state in self.states]

    def match(self, moves: int | None = None) -> Match:
        """Return the match after some of its moves, or all; you may play on from there."""
        count = len(self.labels) if moves is None else moves
        if count not in range(len(self.states)):
            raise ValueError(f"moves {moves!r}: expected 0 to {len(self.labels)}")
        seeds = self.record.seed, self.record.table
        match = Match(self.rules, self.states[0], *seeds, chance="manual")
        for move, seconds in zip(self.record.moves[:count], self.record.times, strict=False):
            match.apply(move, seconds)
        return match

    @property
    def table(self) -> Table:
        """A row for each move, with the position before it."""
        plies = zip(self.states, self.labels, self.positions, strict=False)
        return Table(
            {"move": ply, "player": mover(self.rules, state), "label": label, "position": place}
            for ply, (state, label, place) in enumerate(plies, start=1)
        )

    def __repr__(self) -> str:
        return f"<Replay of {self.record.game}: {end_text(self.rules, self.record)}>"

    def _repr_html_(self) -> str:
        return with_headline(end_text(self.rules, self.record), self.table)


def mover(rules: Rules, state: State) -> str:
    """Return the name of the mover."""
    seat = turn(rules, state)
    return "chance" if seat == CHANCE else seat_name(rules, seat) if seat >= 0 else "both"


def open_store(store: Storage = None) -> Store:
    """Open a store for reading: the default one, or that of a URL, which must exist."""
    if isinstance(store, Store):
        return store
    if store and is_missing(store):
        raise ParameterError(
            "{store} {!r}: there is no such store (playing with {store} creates one)", store
        )
    return Store(store)


def history(
    game: str | None = None, agent: str | None = None, limit: int | None = 20, store: Storage = None
) -> Table:
    """Return a row for each past event, newest first."""
    return Table(event_facts(row) for row in open_store(store).history(game, agent, limit))


def past_event(number: int, store: Storage = None) -> PastEvent:
    """Return an event of the store by its number in `history`."""
    there = open_store(store)
    row = there.entry(whole_number("number", number))
    if row is None:
        raise ValueError(f"the store has no event {number}: {LISTED}")
    return PastEvent(row, there)


def event_facts(row: Row[Any]) -> dict[str, Any]:
    """Return the columns of an event."""
    matches = {"matches": row.matches} if hasattr(row, "matches") else {}
    return {name: getattr(row, name) for name in FACTS} | matches


def match_facts(row: Row[Any], match: Played) -> dict[str, Any]:
    """Return the columns of a match of an event."""
    return {
        "match": f"{row.id}/{match.number}",
        "agents": [row.agents[agent] for agent in match.agents],
        "returns": list(match.returns),
        "ending": match.ending,
        "seat": match.seat,
        "words": match.words,
        "seconds": list(match.seconds),
        "decisions": list(match.decisions),
    }


def replay(match: Source, number: int | None = None, store: Storage = None) -> Replay:
    """Return a match move by move, from the arguments of `find_record`."""
    found = find_record(match, number, store)
    rules, line = replay_states(found)
    return Replay(found, rules, line, labels(rules, line, found.moves))


def analyse(
    match: Source,
    depth: int | None = None,
    number: int | None = None,
    store: Storage = None,
    progress: bool = True,
) -> decisions.Analysis:
    """Compare each decision of a match, given as for `find_record`, with the best one.

    Values are exact or, where that is impossible, those of a search of some depth.
    """
    found = find_record(match, number, store)
    with show_progress(progress) as tell:
        return decisions.analyse(found, depth, lambda _, *done: tell("positions", *done))


def find_record(where: Source, number: int | None = None, store: Storage = None) -> Record:
    """Return a record of the store, such as "12/3", the n-th one of a file, or that of a match."""
    if isinstance(where, Match | Record):
        return where.record() if isinstance(where, Match) else where
    named = str(where)
    found = re.fullmatch(r"(\d+)/(\d+)", named)
    if found and not Path(named).exists():
        if number is not None:
            raise ParameterError(
                "{number} {}: {} is one match, and {number} is for files", number, named
            )
        records = open_store(store).records(int(found[1]), int(found[2]))
        if not records:
            raise ValueError(f"the store has no match {named}: {LISTED}")
        return read_record(records[0])
    if store:
        raise ParameterError(
            "{store} {!r}: {!r} is not EVENT/MATCH, and {store} is for these", store, named
        )
    return record_in(named, number)


def record_in(named: str, number: int | None) -> Record:
    """Return the n-th record of a file, or the only one."""
    try:
        if Path(named).stat().st_size > LARGEST:
            raise ValueError(f"{named!r} has more than {LARGEST >> 20} MiB: split it")
        lines = Path(named).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        expected = "expected a file of records, or EVENT/MATCH of the store"
        raise ValueError(f"{named!r}: {error.strerror}; {expected}: {LISTED}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{named!r} is not a file of records: {error.reason}") from error
    places = [place for place, line in enumerate(lines, start=1) if line.strip()]
    if not places:
        raise ValueError(f"{named!r} has no record")
    if number is None and len(places) > 1:
        raise ParameterError("{!r} has {} records: choose one with {number}", named, len(places))
    if number is not None and number > len(places):
        raise ParameterError("{number} {}: {!r} has {} records", number, named, len(places))
    place = places[(number or 1) - 1]
    try:
        return read_record(lines[place - 1])
    except ValueError as error:
        raise ValueError(f"{named!r}, line {place}: {error}") from error
