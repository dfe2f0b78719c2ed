"""The tables of the store, their version, and migrations of older databases."""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    false,
    insert,
    inspect,
    select,
    text,
    update,
)

from ludex.core.rules import LARGEST
from ludex.store.engine import url_text

tables = MetaData()


def required(**kinds: Any) -> list[Column[Any]]:
    """Return columns by name and type, each of which has a value in every row."""
    return [Column(name, kind, nullable=False) for name, kind in kinds.items()]


def key(**kinds: Any) -> list[Column[Any]]:
    """Return the columns of a primary key by name and type."""
    return [Column(name, kind, primary_key=True) for name, kind in kinds.items()]


schema = Table("ludex_schema", tables, *required(version=Integer))
events = Table(
    "events",
    tables,
    *key(id=Integer),
    Column("key", String, unique=True, nullable=False),
    *required(game=String, rules=JSON, format=String, agents=JSON, seed=BigInteger, plan=JSON),
    *required(source=String, began=String),
    Column("ended", String),
)
matches = Table(
    "matches",
    tables,
    Column("event", ForeignKey("events.id"), primary_key=True),
    *key(number=Integer),
    *required(ending=String, record=String),
)
seatings = Table(
    "seatings",
    tables,
    *key(event=Integer, number=Integer, seat=Integer),
    *required(agent=Integer, returns=Float, seconds=Float, decisions=Integer),
)
# Ratings of ladders; event 0 if played by schema 2, whose table `ratings` had one for each agent.
figures = Table(
    "figures",
    tables,
    *key(game=String, rules=String, agent=String, event=Integer),
    *required(elo=Float, low=Float, high=Float, matches=Integer, source=String, day=String),
)
experiments = Table(
    "experiments",
    tables,
    *key(id=Integer),
    Column("key", String, unique=True, nullable=False),
    *required(name=String, kind=String, game=String, ordered=JSON, facts=JSON, began=String),
    Column("ended", String),
)
findings = Table(
    "findings", tables, *key(key=String), *required(task=JSON, answer=JSON, source=String)
)

# The n-th entry migrates a database from version n + 1; `tables` is the newest schema.
OLD = "game, rules, agent, elo, low, high, matches, source, day"
Migrations = tuple[tuple[Table | str, ...], ...]
MIGRATIONS: Migrations = (
    (experiments, findings),
    (
        figures,
        f"INSERT INTO figures (event, {OLD}) SELECT 0, {OLD} FROM ratings",
        "DROP TABLE ratings",
    ),
)
LOCK = 0x10DE  # of PostgreSQL, held while a schema is made


def is_number(column: Column[int], number: int) -> ColumnElement[bool]:
    """Return the condition that a column equals a number; false beyond 64 bits."""
    return column == number if -LARGEST <= number <= LARGEST else false()


def prepare(connection: Connection) -> None:
    """Create the tables of the store, or migrate them to the newest version."""
    migrate(connection, tables, schema, MIGRATIONS)


def migrate(
    connection: Connection, tables: MetaData, schema: Table, migrations: Migrations
) -> None:
    """Create tables, or migrate them to the newest version; `schema` has the present one."""
    lock(connection)
    newest = len(migrations) + 1
    if not inspect(connection).has_table(schema.name):
        tables.create_all(connection)
        connection.execute(insert(schema).values(version=newest))
        return
    version = int(connection.execute(select(schema.c.version)).scalar_one())
    if version > newest:
        raise ValueError(
            f"the database {url_text(connection.engine)} has schema {version},"
            f" and this Ludex knows {newest}: use a newer one"
        )
    for step in migrations[version - 1 :]:
        for change in step:
            if isinstance(change, Table):  # a new one
                change.create(connection)
            else:
                connection.execute(text(change))
    if version < newest:
        connection.execute(update(schema).values(version=newest))


def lock(connection: Connection, number: int = LOCK) -> None:
    """Let no other transaction run that locks the same number; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": number})
