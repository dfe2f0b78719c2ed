"""The lab's part of the store: experiments and the results of their tasks."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Row, select, update

from ludex.store import Store, add
from ludex.store.schema import experiments, findings

KEYS_AT_ONCE = 500  # keys in one query: databases have limits


class Notebook:
    """The experiments of a store. The key of a finding contains all that it depends on."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def enter(self, key: str, facts: dict[str, Any]) -> int:
        """Return the number of the experiment of a key; create it if necessary."""
        return self.store.enter(key, facts, experiments)

    def finish(self, number: int) -> None:
        """Mark an experiment as finished."""
        self.store.finish(number, experiments)

    def reopen(self, number: int) -> None:
        """Mark an experiment as unfinished."""
        with self.store.transaction() as connection:
            this = experiments.c.id == number
            connection.execute(update(experiments).where(this).values(ended=None))

    def experiment(self, number: int) -> Row[Any] | None:
        """Return an experiment by its number, or None."""
        return self.store.entry(number, experiments)

    def experiments(self) -> list[Row[Any]]:
        """Return all experiments, oldest first."""
        with self.store.transaction() as connection:
            return list(connection.execute(select(experiments).order_by(experiments.c.id)).all())

    def find(self, keys: Iterable[str]) -> dict[str, tuple[Any, str]]:
        """Return the stored answers to these keys, each with the Ludex version that gave it."""
        known: dict[str, tuple[Any, str]] = {}
        with self.store.transaction() as connection:
            for these in conditions(keys):
                rows = connection.execute(select(findings).where(these))
                known.update((row.key, (row.answer, row.source)) for row in rows)
        return known

    def keep(self, found: Mapping[str, tuple[Any, Any]], source: str) -> None:
        """Add tasks and their answers by key, except those already there."""
        rows = [
            {"key": key, "task": task, "answer": answer, "source": source}
            for key, (task, answer) in found.items()
        ]
        with self.store.transaction() as connection:
            add(connection, findings, rows)

    def forget(self, keys: Iterable[str]) -> None:
        """Delete the answers to these keys."""
        with self.store.transaction() as connection:
            for these in conditions(keys):
                connection.execute(findings.delete().where(these))


def conditions(keys: Iterable[str]) -> Iterator[ColumnElement[bool]]:
    """Yield conditions that select the findings of all keys, some at a time."""
    wanted = list(keys)
    for start in range(0, len(wanted), KEYS_AT_ONCE):
        yield findings.c.key.in_(wanted[start : start + KEYS_AT_ONCE])
