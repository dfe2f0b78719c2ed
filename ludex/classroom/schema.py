"""The tables of a class, their version, and migrations of older databases."""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    insert,
)

from ludex.store.schema import Migrations, key, migrate, required

tables = MetaData()
schema = Table("class_schema", tables, *required(version=Integer))
# One row: what the instructor has set. The seed stays secret until the final is over.
settings = Table(
    "class_settings",
    tables,
    *key(id=Integer),
    *required(name=String, seed=BigInteger, began=String, settings=JSON),
)
people = Table(
    "class_people",
    tables,
    *key(id=Integer),
    Column("name", String, unique=True, nullable=False),
    *required(role=String, reference=String, active=Boolean, began=String),
    Column("token", String, unique=True),  # its hash
    Column("extension", String),  # a later deadline of this person
)
sessions = Table(
    "class_sessions",
    tables,
    *key(key=String),  # its hash
    Column("person", ForeignKey("class_people.id"), nullable=False),
    *required(ends=Float),
)
contents = Table("class_contents", tables, *key(hash=String), *required(packed=LargeBinary))
# Programs that were handed in, and the house agents, which have a text instead of a content.
programs = Table(
    "class_programs",
    tables,
    *key(id=Integer),
    Column("person", ForeignKey("class_people.id")),
    *required(number=Integer, name=String, agent=String, state=String, playing=Boolean),
    Column("content", ForeignKey("class_contents.hash")),
    *required(began=String, reason=String, output=String, records=JSON),
    UniqueConstraint("person", "number"),
)
jobs = Table(
    "class_jobs",
    tables,
    *key(id=Integer),
    *required(kind=String, state=String, final=Integer, one=Integer, other=Integer, turn=Integer),
    *required(seed=BigInteger, worker=String, until=Float, tries=Integer, reason=String),
    # Of those that were played: the points of the first program, and a hash of all moves.
    *required(points=Float, matches=Integer, digest=String),
    UniqueConstraint("kind", "final", "one", "other", "turn"),
    Index("class_jobs_open", "state", "kind"),
)
matches = Table(
    "class_matches",
    tables,
    *key(job=Integer, number=Integer),
    *required(ending=String, seat=Integer, words=String, ended=String, record=String),
)
seatings = Table(
    "class_seatings",
    tables,
    *key(job=Integer, number=Integer, seat=Integer),
    *required(program=Integer, returns=Float, seconds=Float, decisions=Integer),
    Index("class_seatings_program", "program", "job"),
)
analyses = Table("class_analyses", tables, *key(job=Integer, number=Integer), *required(found=JSON))
# The newest ratings, and those of before.
ratings = Table(
    "class_ratings",
    tables,
    *key(program=Integer),
    *required(elo=Float, rank=Integer, best=Integer, worst=Integer, matches=Integer),
    *required(played=Integer),  # by all programs, when it was computed
    Column("low", Float),  # none if there is no bound
    Column("high", Float),
)
history = Table(
    "class_history",
    tables,
    *key(program=Integer, played=Integer),
    *required(elo=Float, rank=Integer, at=String),
    Column("low", Float),
    Column("high", Float),
)
finals = Table(
    "class_finals",
    tables,
    *key(id=Integer),
    *required(name=String, seed=BigInteger, matches=Integer, programs=JSON, began=String),
    Column("ended", String),
)

MIGRATIONS: Migrations = ()


def prepare(connection: Connection) -> None:
    """Create the tables of a class, or migrate them to the newest version."""
    migrate(connection, tables, schema, MIGRATIONS)


def insert_one(connection: Connection, table: Table, **facts: Any) -> int:
    """Insert a row, and return its number."""
    made = connection.execute(insert(table).values(**facts)).inserted_primary_key
    assert made is not None
    return int(made[0])
