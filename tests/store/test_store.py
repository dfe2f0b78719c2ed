"""The store keeps every match once, whoever writes at the same time."""

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ludex.store import Played, Store, engine, schema
from ludex.store.notebook import Notebook

pytestmark = pytest.mark.plain

FACTS: dict[str, Any] = {
    "game": "nuts",
    "rules": {},
    "format": "series",
    "agents": ["a", "b"],
    "seed": 1,
    "plan": {},
    "source": "test",
}


def match(number: int) -> Played:
    return Played(number, "BY_RULES", (0, 1), (1.0, -1.0), (0.5, 0.25), (3, 2), f"line {number}")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'store.db'}")


def test_what_is_kept_is_found_again(store: Store) -> None:
    event = store.enter("key", FACTS)
    store.keep(event, [match(1), match(0)])
    assert [one._replace(record="") for one in (match(0), match(1))] == store.matches_of(event)
    assert store.records(event) == ["line 0", "line 1"]
    assert store.records(event, 1) == ["line 1"]


def test_a_match_is_kept_once(store: Store) -> None:
    event = store.enter("key", FACTS)
    store.keep(event, [match(0)])
    store.keep(event, [match(0)._replace(record="other"), match(1)])
    assert store.records(event) == ["line 0", "line 1"]


def test_the_same_order_is_the_same_event(store: Store) -> None:
    assert store.enter("key", FACTS) == store.enter("key", FACTS) != store.enter("other", FACTS)


def test_who_only_reads_waits_for_no_writer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.enter("key", FACTS)
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0)
    other = Store(str(store.engine.url))
    with store.transaction():
        with other.transaction(reading=True) as connection:
            assert len(connection.execute(text("SELECT * FROM events")).all()) == 1
        with pytest.raises(ValueError, match="database is locked"), other.transaction():
            pass


def test_an_event_can_be_cut_and_finished(store: Store) -> None:
    event = store.enter("key", FACTS)
    store.keep(event, [match(number) for number in range(4)])
    store.cut(event, 2)
    assert len(store.matches_of(event)) == 2
    store.finish(event)
    found = store.entry(event)
    assert found is not None and found.ended


def test_history_has_the_newest_first(store: Store) -> None:
    for key in ("one", "two", "three"):
        store.enter(key, FACTS | {"agents": [key, "random"]})
    assert [row.agents[0] for row in store.history(None, None, 2)] == ["three", "two"]
    assert [row.agents[0] for row in store.history("nuts", "one", 9)] == ["one"]
    assert store.history("trap", None, 9) == []


RATING = {"game": "nuts", "rules": "", "agent": "a", "elo": 1.0, "low": 0.0, "high": 2.0}
RATING |= {"matches": 3, "source": "test", "day": "2000-01-01"}


def test_every_ladder_leaves_its_ratings_and_the_newest_count(store: Store) -> None:
    store.rate([RATING | {"event": 1}, RATING | {"event": 1, "agent": "b"}])
    store.rate([RATING | {"event": 2, "elo": 5.0}])
    assert [(row.agent, row.elo) for row in store.ratings_of("nuts")] == [("a", 5.0), ("b", 1.0)]
    assert [row.event for row in store.ratings_of("nuts", every=True)] == [2, 1, 1]


def test_ratings_of_an_older_schema_are_kept(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    with Store(url).transaction() as connection:
        for line in (
            "DROP TABLE figures",
            f"CREATE TABLE ratings ({schema.OLD})",
            "INSERT INTO ratings VALUES ('nuts', '', 'a', 1.0, 0.0, 2.0, 3, 'x', '2000-01-01')",
            "UPDATE ludex_schema SET version = 2",
        ):
            connection.execute(text(line))
    assert [(row.agent, row.event, row.elo) for row in Store(url).ratings_of()] == [("a", 0, 1.0)]


def test_an_older_database_is_lifted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    event = Store(url).enter("key", FACTS)
    newest = len(schema.MIGRATIONS) + 1
    step = ("ALTER TABLE events ADD COLUMN extra INTEGER",)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    for _ in range(2):  # the second time there is nothing left to do
        lifted = Store(url)
    with lifted.transaction() as connection:
        assert connection.execute(text("SELECT extra FROM events")).all() == [(None,)]
        version = connection.execute(text("SELECT version FROM ludex_schema")).scalar_one()
        assert version == newest + 1
    assert lifted.entry(event) is not None


def test_a_database_of_a_newer_version_is_refused(store: Store) -> None:
    with store.transaction() as connection:
        connection.execute(text("UPDATE ludex_schema SET version = 99"))
    with pytest.raises(ValueError, match="has schema 99, and this Ludex knows 3"):
        Store(str(store.engine.url))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://here/there", "expected sqlite:///FILE or postgresql://"),
        ("sqlite:////no/such/folder/x.db", "unable to open database file"),
        ("postgresql://127.0.0.1:1/none", r"^the database postgresql://127.* [cC]onnection"),
        ("://", r"^store '://'"),
    ],
)
def test_a_database_that_cannot_be_used_is_named(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        Store(url)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("nothing to see here, and more of it than a header has" * 9)
    with pytest.raises(ValueError, match=r"notes.txt: file is not a database"):
        Store(str(path))
    assert path.read_text().startswith("nothing")


def test_a_number_beyond_64_bits_is_not_there(store: Store) -> None:
    event = store.enter("a", FACTS)
    for beyond in (2**63, 10**30):
        assert store.entry(beyond) is None and Notebook(store).experiment(beyond) is None
        assert store.records(beyond) == store.records(event, beyond) == []


@pytest.mark.parametrize("closed", ["file", "folder"])
def test_what_cannot_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    path = tmp_path / "a.db"
    Store(str(path)).close()
    named = path if closed == "file" else tmp_path

    def fail(connection: Any, record: Any) -> None:  # root may write anything
        connection.execute("PRAGMA query_only = 1")
        connection.execute("CREATE TABLE t (a)")

    monkeypatch.setattr(engine, "set_up_sqlite", fail)
    monkeypatch.setattr(os, "access", lambda one, mode: one != named)
    with pytest.raises(ValueError, match=f"a.db: the {closed} '{named}' cannot be written$"):
        Store(str(path))
    monkeypatch.setattr(os, "access", lambda one, mode: True)
    with pytest.raises(ValueError, match=r"a\.db: attempt to write a readonly database"):
        Store(str(path))


WRITER = """
import sys
from ludex.store import Played, Store
url, first = sys.argv[1], int(sys.argv[2])
store = Store(url)
event = store.enter(sys.argv[3], dict(game="nuts", rules={}, format="series", agents=["a", "b"],
    seed=1, plan={}, source="test"))
for number in range(first, first + 40):
    one = Played(number, "BY_RULES", (0, 1), (1.0, -1.0), (0.5, 0.25), (3, 2), f"line {number}")
    store.keep(event, [one])
"""


def several_write(url: str) -> None:
    """Let three processes make a database and write to it, two of them to the same event."""
    orders = [("0", "shared"), ("20", "shared"), ("0", "other")]
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, url, *order], stderr=subprocess.PIPE)
        for order in orders
    ]
    for writer in writers:
        _, said = writer.communicate(timeout=60)
        assert writer.returncode == 0, said.decode()
    store = Store(url)
    shared, other = store.enter("shared", FACTS), store.enter("other", FACTS)
    assert [one.number for one in store.matches_of(shared)] == list(range(60))
    assert len(store.matches_of(other)) == 40
    store.close()


def test_several_processes_write_to_one_file(tmp_path: Path) -> None:
    several_write(f"sqlite:///{tmp_path / 'shared.db'}")


@pytest.mark.compiled
def test_several_processes_write_to_one_server(postgresql: str) -> None:
    pytest.importorskip("psycopg")
    several_write(postgresql)


def test_a_store_that_is_forgotten_leaves_no_connection_open(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "matches.db"))
    pool: Any = store.engine.pool
    assert pool.checkedin() == 1
    del store
    gc.collect()
    assert pool.checkedin() == 0
