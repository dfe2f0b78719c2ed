"""Sessions of browsers: a key in a cookie stands for a person until it ends."""

import time
from collections.abc import Sequence

from sqlalchemy import insert, select

from ludex.classroom.classroom import Classroom
from ludex.classroom.people import TOKEN_BYTES, Person, person_of, person_of_token
from ludex.classroom.schema import people, sessions
from ludex.io.keys import key_hash, new_key

SECONDS = 14 * 86400.0  # a session lasts two weeks


def log_in(classroom: Classroom, token: str) -> tuple[Person, str] | None:
    """Return whom a token belongs to, and the key of a new session; None for a wrong token."""
    person = person_of_token(classroom, token)
    if person is None:
        return None
    key = new_key(TOKEN_BYTES)
    with classroom.transaction() as connection:
        connection.execute(sessions.delete().where(sessions.c.ends < time.time()))
        facts = {"key": key_hash(key), "person": person.id, "ends": time.time() + SECONDS}
        connection.execute(insert(sessions).values(**facts))
    return person, key


def person_of_session(classroom: Classroom, key: str) -> Person | None:
    """Return whose session a key is of, or None if it has ended."""
    name = key_hash(key)
    return people_of_sessions(classroom, [name]).get(name)


def people_of_sessions(classroom: Classroom, names: Sequence[str]) -> dict[str, Person]:
    """Return whose sessions these are, by the hashes of their keys, without those that ended."""
    joined = select(people, sessions.c.key).join(sessions, sessions.c.person == people.c.id)
    wanted = (sessions.c.key.in_(names), sessions.c.ends >= time.time(), people.c.active)
    with classroom.transaction(reading=True) as connection:
        return {row.key: person_of(row) for row in connection.execute(joined.where(*wanted))}


def log_out(classroom: Classroom, key: str) -> None:
    """End a session."""
    with classroom.transaction() as connection:
        connection.execute(sessions.delete().where(sessions.c.key == key_hash(key)))
