"""Databases by URL: SQLite for one machine, PostgreSQL for several."""

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError

from ludex.core.termination import shorten
from ludex.io.files import user_folder
from ludex.io.text import ParameterError

BUSY_SECONDS = 60  # seconds to wait for other writers
READING = "ludex_reading"  # the option of a connection that writes nothing


def usual_url() -> str:
    """Return the default store: $LUDEX_DB, or a file in $LUDEX_DATA or the user's data folder."""
    if named := os.environ.get("LUDEX_DB"):
        return named
    folder = user_folder("LUDEX_DATA", "data")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            "cannot keep matches in {!r} ({}); name another place with {store}, or set LUDEX_DATA",
            *(str(folder), error.strerror),
        ) from error
    return f"sqlite:///{folder / 'ludex.db'}"


def is_missing(url: str) -> bool:
    """Return whether a URL names an SQLite file that does not exist."""
    file = engine_at(url).url
    return file.get_backend_name() == "sqlite" and not Path(file.database or "").exists()


def engine_at(url: str) -> Engine:
    """Return the database of a URL, or raise a ValueError."""
    try:
        made = make_url(url if "://" in url else f"sqlite:///{url}")
        if made.drivername in ("postgresql", "postgres"):
            made = made.set(drivername="postgresql+psycopg")
        if made.get_backend_name() not in ("sqlite", "postgresql"):
            raise ParameterError("{store} {!r}: expected sqlite:///FILE or postgresql://…", url)
        engine = create_engine(made)
    except SQLAlchemyError as error:
        raise ParameterError("{store} {!r}: {}", url, reason(error)) from error
    except ImportError as error:
        raise ValueError(
            "PostgreSQL needs the extra postgresql: pip install 'ludex[postgresql]'"
        ) from error
    if made.get_backend_name() == "sqlite":
        event.listen(engine, "connect", set_up_sqlite)
        event.listen(engine, "begin", begin_sqlite)
    return engine


def set_up_sqlite(connection: Any, record: Any) -> None:
    """Let many processes write to one file, durably."""
    connection.isolation_level = None  # SQLAlchemy begins, not the driver
    connection.execute(f"PRAGMA busy_timeout = {1000 * BUSY_SECONDS}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def begin_sqlite(connection: Connection) -> None:
    """Begin a transaction, as a writer unless it only reads: upgrading it later could fail."""
    reading = connection.get_execution_options().get(READING)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


def url_text(engine: Engine) -> str:
    """Return the URL of a database, without driver and password."""
    plain = engine.url.set(drivername=engine.url.get_backend_name())
    return plain.render_as_string(hide_password=True)


def why_unwritable(engine: Engine, error: SQLAlchemyError) -> str:
    """Return which file or folder is not writable, if that is why SQLite failed."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF  # without details
    if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        return ""
    file = Path(engine.url.database or "")
    for one in (file, file.parent):  # a log is written beside the file
        if one.exists() and not os.access(one, os.W_OK):
            kind = "folder" if one.is_dir() else "file"
            return f"the {kind} {str(one)!r} cannot be written"
    return ""


def reason(error: SQLAlchemyError) -> str:
    """Return the message of the database in one line."""
    return shorten(str(getattr(error, "orig", None) or error))
