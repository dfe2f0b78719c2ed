"""A database that many processes use: transactions, and errors in one line."""

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from ludex.store.engine import READING, engine_at, reason, url_text, why_unwritable


class DatabaseError(ValueError):
    """The database does not answer, or not as it should."""


class Database:
    """A database by its URL, whose tables `prepare` creates or migrates."""

    def __init__(self, url: str, prepare: Callable[[Connection], None]) -> None:
        self.engine = engine_at(url)
        weakref.finalize(self, self.engine.dispose)  # no connection is left open
        with self.transaction() as connection:
            prepare(connection)

    @contextmanager
    def transaction(self, reading: bool = False) -> Iterator[Connection]:
        """Yield a connection; its changes are committed together, or rolled back.

        One that is only for `reading` waits for no writer.
        """
        try:
            with self.engine.connect() as connection:
                connection = connection.execution_options(**{READING: reading})
                with connection.begin():
                    yield connection
        except SQLAlchemyError as error:
            words = why_unwritable(self.engine, error) or reason(error)
            raise DatabaseError(f"the database {url_text(self.engine)}: {words}") from error

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
