"""The lab's part of the store: experiments and the results of their tasks."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Row, select, update

from ludex.store import Store, add, now
from ludex.store.schema import experiments, findings, is_number

KEYS_AT_ONCE = 500  # keys in one query: databases have limits


class Notebook:
    """The experiments of a store. The key of a finding contains all that it depends on."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def enter(self, key: str, facts: dict[str, Any]) -> int:
        """Return the number of the experiment of a key; create it if necessary."""
        with self.store.transaction() as connection:
            add(connection, experiments, [{"key": key, "began": now(), **facts}])
            found = connection.execute(select(experiments.c.id).where(experiments.c.key == key))
            return int(found.scalar_one())

    def finish(self, number: int) -> None:
        """Mark an experiment as finished."""
        with self.store.transaction() as connection:
            open_one = (experiments.c.id == number) & (experiments.c.ended.is_(None))
            connection.execute(update(experiments).where(open_one).values(ended=now()))

    def experiment(self, number: int) -> Row[Any] | None:
        """Return an experiment by its number, or None."""
        with self.store.transaction() as connection:
            found = select(experiments).where(is_number(experiments.c.id, number))
            return connection.execute(found).first()

    def experiments(self) -> list[Row[Any]]:
        """Return all experiments, oldest first."""
        with self.store.transaction() as connection:
            return list(connection.execute(select(experiments).order_by(experiments.c.id)).all())

    def find(self, keys: Iterable[str]) -> dict[str, tuple[Any, str]]:
        """Return the stored answers to these keys, each with the Ludex version that gave it."""
        asked = list(keys)
        known: dict[str, tuple[Any, str]] = {}
        with self.store.transaction() as connection:
            for start in range(0, len(asked), KEYS_AT_ONCE):
                some = asked[start : start + KEYS_AT_ONCE]
                rows = connection.execute(select(findings).where(findings.c.key.in_(some)))
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
        asked = list(keys)
        with self.store.transaction() as connection:
            for start in range(0, len(asked), KEYS_AT_ONCE):
                some = asked[start : start + KEYS_AT_ONCE]
                connection.execute(findings.delete().where(findings.c.key.in_(some)))
