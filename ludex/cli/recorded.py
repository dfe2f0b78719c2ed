"""Options shared by commands that read past matches: which match, and from where."""

import re
from pathlib import Path

import click

from ludex.match.record import Record, read_record
from ludex.store import Store
from ludex.store.engine import missing

db_option = click.option(
    "--db",
    metavar="URL",
    help="Another store: a file, sqlite:///FILE, or postgresql://… (needs the extra postgresql).",
)
match_option = click.option(
    "--match", "number", type=click.IntRange(min=1), metavar="N", help="Record of the file."
)
LARGEST = 64 << 20  # bytes of a file of records


def kept(db: str | None) -> Store:
    """Return the store to read from; one that is named must be there."""
    if db and missing(db):
        raise ValueError(f"--db {db!r}: there is no such store (ludex match --db makes one)")
    return Store(db)


def chosen_record(named: str, number: int | None, db: str | None) -> Record:
    """Return the match of an identity such as 12/3, or the one of a number in a file."""
    found = re.fullmatch(r"(\d+)/(\d+)", named)
    if found and not Path(named).exists():
        if number is not None:
            raise ValueError(f"--match {number}: {named} is one match, and --match is for files")
        return stored(int(found[1]), int(found[2]), db)
    if db:
        raise ValueError(f"--db {db!r}: {named!r} is not EVENT/MATCH, and --db is for these")
    try:
        if Path(named).stat().st_size > LARGEST:
            raise ValueError(f"{named!r} has more than {LARGEST >> 20} MiB: split it")
        lines = Path(named).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        expected = "expected a file of records, or EVENT/MATCH as ludex history shows them"
        raise ValueError(f"{named!r}: {error.strerror}; {expected}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{named!r} is not a file of records: {error.reason}") from error
    places = [place for place, line in enumerate(lines, start=1) if line.strip()]
    if not places:
        raise ValueError(f"{named!r} has no record")
    if number is None and len(places) > 1:
        raise ValueError(f"{named!r} has {len(places)} records: choose one with --match")
    if number is not None and number > len(places):
        raise ValueError(f"--match {number}: {named!r} has {len(places)} records")
    place = places[(number or 1) - 1]
    try:
        return read_record(lines[place - 1])
    except ValueError as error:
        raise ValueError(f"{named!r}, line {place}: {error}") from error


def stored(event: int, number: int, db: str | None) -> Record:
    """Return a match of the store."""
    records = kept(db).records(event, number)
    if not records:
        raise ValueError(
            f"the store has no match {event}/{number}: ludex history shows what it has"
        )
    return read_record(records[0])
