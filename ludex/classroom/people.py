"""The people of a class, their roles, and the tokens by which they come in.

A token is shown once, when it is made; the database has its hash alone.
"""

import csv
import io
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import func, select, update

from ludex.classroom.classroom import VALID, Classroom
from ludex.classroom.schema import insert_one, people, programs, sessions
from ludex.classroom.settings import read_deadline
from ludex.core.termination import shorten
from ludex.io.files import csv_text
from ludex.io.keys import key_hash, new_key
from ludex.io.text import first_duplicate, nearest
from ludex.match.record import now

INSTRUCTOR, STUDENT, GUEST = ROLES = ("instructor", "student", "guest")
TOKEN_BYTES = 24
NAME_MOST = 60  # characters
COLUMNS = ("name", "role", "reference")  # of a CSV file
WANTED = "name and, if you like, role, reference"


class Person(NamedTuple):
    """Somebody in a class: a student or a group, an instructor, or a guest who only watches."""

    id: int
    name: str
    """As all see it, which may be a pseudonym."""
    role: str
    reference: str = ""
    """A number or an address for the instructor's tables, which no one else sees."""
    active: bool = True
    extension: str = ""
    """A deadline of their own, in UTC, or empty."""

    @property
    def instructs(self) -> bool:
        """Whether this is an instructor, who may see and do everything."""
        return self.role == INSTRUCTOR


class NewPerson(NamedTuple):
    """Somebody to add to a class."""

    name: str
    role: str = STUDENT
    reference: str = ""


def add_people(classroom: Classroom, given: Iterable[NewPerson]) -> list[tuple[Person, str]]:
    """Add people, all or none, and return each with the token, which is not kept."""
    checked = [check_person(one) for one in given]
    twice = first_duplicate([one.name for one in checked])
    if twice is not None:
        raise ValueError(f"{twice!r} is there twice")
    made = []
    with classroom.transaction() as connection:
        taken = set(connection.execute(select(people.c.name)).scalars())
        for one in checked:
            if one.name in taken:
                raise ValueError(f"{one.name!r} is in the class already")
            token = new_key(TOKEN_BYTES)
            facts = {**one._asdict(), "active": True, "began": now(), "token": key_hash(token)}
            made.append((Person(insert_one(connection, people, **facts), *one), token))
    return made


def check_person(given: NewPerson) -> NewPerson:
    """Return somebody with a name that can be shown; a ValueError says what is wrong."""
    name, reference = given.name.strip(), given.reference.strip()
    if not name or len(name) > NAME_MOST or shorten(name) != name:
        raise ValueError(f"name {shorten(name)!r}: expected 1 to {NAME_MOST} printable characters")
    if shorten(reference) != reference:
        raise ValueError(f"reference {shorten(reference)!r}: expected one line of text")
    if given.role not in ROLES:
        offer = nearest(given.role, ROLES)
        raise ValueError(f"role {given.role!r}{offer} (there are {', '.join(ROLES)})")
    return NewPerson(name, given.role, reference)


def person_of_token(classroom: Classroom, token: str) -> Person | None:
    """Return whom a token belongs to, or None; it is looked up by its hash, never by itself."""
    return find_one(classroom, people.c.token == key_hash(token), people.c.active)


def person_named(classroom: Classroom, name: str) -> Person:
    """Return somebody by name; a ValueError offers the nearest."""
    found = find_one(classroom, people.c.name == name)
    if found is None:
        known = [one.name for one in people_of(classroom)]
        raise ValueError(f"nobody here is called {name!r}{nearest(name, known)}")
    return found


def find_one(classroom: Classroom, *wanted: Any) -> Person | None:
    """Return the person for whom all conditions hold, or None."""
    with classroom.transaction(reading=True) as connection:
        row = connection.execute(select(people).where(*wanted)).first()
    return person_of(row) if row is not None else None


def person_of(row: Any) -> Person:
    """Return a person from a row of the table."""
    given = (row.id, row.name, row.role, row.reference, bool(row.active), row.extension or "")
    return Person(*given)


def people_of(classroom: Classroom) -> list[Person]:
    """Return everybody, in the order in which they were added."""
    with classroom.transaction(reading=True) as connection:
        return [person_of(row) for row in connection.execute(select(people).order_by(people.c.id))]


def renew_token(classroom: Classroom, person: int) -> str:
    """Return a new token of a person; the old one, and all their sessions, are void."""
    token = new_key(TOKEN_BYTES)
    with classroom.transaction() as connection:
        this = people.c.id == person
        connection.execute(update(people).where(this).values(token=key_hash(token)))
        connection.execute(sessions.delete().where(sessions.c.person == person))
    return token


def set_active(classroom: Classroom, person: int, active: bool) -> None:
    """Lock somebody out, and their programs off the ladder, or let them in again."""
    with classroom.transaction() as connection:
        connection.execute(update(people).where(people.c.id == person).values(active=active))
        if not active:
            connection.execute(sessions.delete().where(sessions.c.person == person))
        own = (programs.c.person == person) & (programs.c.state == VALID)
        newest = connection.execute(select(func.max(programs.c.number)).where(own)).scalar()
        this = own & (programs.c.number == newest)
        connection.execute(update(programs).where(this).values(playing=active))


def set_extension(classroom: Classroom, person: int, deadline: str) -> None:
    """Give somebody a deadline of their own, or with `none` that of the class."""
    until = read_deadline(deadline) or None
    with classroom.transaction() as connection:
        connection.execute(update(people).where(people.c.id == person).values(extension=until))


def people_in_file(name: str, content: bytes) -> list[NewPerson]:
    """Return the people in a CSV file; a ValueError names it and says what is wrong."""
    try:
        return read_people(content.decode())
    except UnicodeDecodeError:
        raise ValueError(f"{name}: expected UTF-8; spreadsheets save it as CSV UTF-8") from None
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def read_people(text: str) -> list[NewPerson]:
    """Return the people in a CSV text with a column `name`, and perhaps `role` and `reference`.

    Columns may be separated by semicolons, as spreadsheets do where the comma is in numbers.
    """
    text = text.removeprefix("\N{BYTE ORDER MARK}")
    head = text.partition("\n")[0]
    separator = ";" if ";" in head and "," not in head else ","
    rows = csv.DictReader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        columns = [name.strip() for name in rows.fieldnames or ()]
        if "name" not in columns or set(columns) - set(COLUMNS):
            raise ValueError(f"columns {', '.join(columns)}: expected {WANTED}")
        rows.fieldnames = columns
        return [
            NewPerson(row["name"] or "", row.get("role") or STUDENT, row.get("reference") or "")
            for row in rows
        ]
    except csv.Error as error:
        raise ValueError(f"line {rows.line_num} is not CSV: {error}") from error


def write_links(made: list[tuple[Person, str]], address: str) -> str:
    """Return CSV with the link of each person, to be sent to them and kept nowhere."""
    rows = [(one.name, one.role, one.reference, link(address, token)) for one, token in made]
    return csv_text([(*COLUMNS, "link"), *rows])


def link(address: str, token: str) -> str:
    """Return the address by which a token lets its owner in.

    The token is behind a #: browsers send that part to no server, so it stands in no log.
    """
    return f"{address.rstrip('/')}/class/enter#{token}"
