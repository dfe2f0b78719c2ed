"""The tables of the store, their version, and migrations of older databases."""

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
schema = Table("ludex_schema", tables, Column("version", Integer, nullable=False))
events = Table(
    "events",
    tables,
    Column("id", Integer, primary_key=True),
    Column("key", String, unique=True, nullable=False),
    Column("game", String, nullable=False),
    Column("rules", JSON, nullable=False),
    Column("format", String, nullable=False),
    Column("agents", JSON, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("plan", JSON, nullable=False),
    Column("source", String, nullable=False),
    Column("began", String, nullable=False),
    Column("ended", String),
)
matches = Table(
    "matches",
    tables,
    Column("event", ForeignKey("events.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("ending", String, nullable=False),
    Column("record", String, nullable=False),
)
seatings = Table(
    "seatings",
    tables,
    Column("event", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("agent", Integer, nullable=False),
    Column("returns", Float, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("decisions", Integer, nullable=False),
)
# Ratings of ladders. Up to schema 2 a table `ratings` had one alone for each agent.
figures = Table(
    "figures",
    tables,
    Column("game", String, primary_key=True),
    Column("rules", String, primary_key=True),
    Column("agent", String, primary_key=True),
    Column("event", Integer, primary_key=True),  # 0 where the ladder was played by schema 2
    Column("elo", Float, nullable=False),
    Column("low", Float, nullable=False),
    Column("high", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("day", String, nullable=False),
)

experiments = Table(
    "experiments",
    tables,
    Column("id", Integer, primary_key=True),
    Column("key", String, unique=True, nullable=False),
    Column("name", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("game", String, nullable=False),
    Column("ordered", JSON, nullable=False),
    Column("facts", JSON, nullable=False),
    Column("began", String, nullable=False),
    Column("ended", String),
)
findings = Table(
    "findings",
    tables,
    Column("key", String, primary_key=True),
    Column("task", JSON, nullable=False),
    Column("answer", JSON, nullable=False),
    Column("source", String, nullable=False),
)

# The n-th entry migrates a database from version n + 1; `tables` is the newest schema.
OLD = "game, rules, agent, elo, low, high, matches, source, day"
MIGRATIONS: tuple[tuple[Table | str, ...], ...] = (
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
    """Create the tables, or migrate them to the newest version."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    newest = len(MIGRATIONS) + 1
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
    for step in MIGRATIONS[version - 1 :]:
        for change in step:
            if isinstance(change, Table):  # a new one
                change.create(connection)
            else:
                connection.execute(text(change))
    connection.execute(update(schema).values(version=newest))
