"""Jobs are done exactly once, whoever claims them and whoever dies."""

import socket
import threading
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from ludex.classroom import jobs, schema, worker
from ludex.classroom.classroom import Classroom
from ludex.classroom.jobs import DONE, FAILED, MATCH, TRIES, Job, failed_jobs, finish, renew, take
from ludex.classroom.programs import new_job, programs_of
from ludex.classroom.worker import claim, release_vanished, work_once
from tests.classrooms import CHANCY, enrol, handed_in, play_all, small_class

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    return small_class(tmp_path, house=["random", "greedy"])


def add_jobs(classroom: Classroom, count: int) -> None:
    with classroom.transaction() as connection:
        rows = [new_job(MATCH, 1, 2, turn, turn) for turn in range(count)]
        connection.execute(insert(schema.jobs), rows)


def taken(classroom: Classroom, worker: str) -> Job | None:
    with classroom.transaction() as connection:
        return take(connection, worker)


def test_workers_that_claim_at_once_get_different_jobs(classroom: Classroom) -> None:
    add_jobs(classroom, 12)
    found: list[Job | None] = []
    start = threading.Barrier(4)

    def claim_some(worker: str) -> None:
        start.wait()
        found.extend(taken(classroom, worker) for _ in range(3))

    threads = [threading.Thread(target=claim_some, args=(str(one),)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.id for one in found if one) == list(range(1, 13))
    assert taken(classroom, "late") is None


def test_a_job_is_taken_over_only_after_its_lease(classroom: Classroom) -> None:
    add_jobs(classroom, 1)
    first = taken(classroom, "first")
    assert first is not None and taken(classroom, "second") is None
    with classroom.transaction() as connection:
        connection.execute(update(schema.jobs).values(until=1.0))
    second = taken(classroom, "second")
    assert second is not None and (second.id, second.tries) == (first.id, 2)


def test_a_result_that_comes_too_late_is_not_written(classroom: Classroom) -> None:
    add_jobs(classroom, 1)
    first = taken(classroom, "first")
    with classroom.transaction() as connection:
        connection.execute(update(schema.jobs).values(until=1.0))
    second = taken(classroom, "second")
    assert first is not None and second is not None
    assert not renew(classroom, first) and renew(classroom, second)
    with classroom.transaction() as connection:
        assert not finish(connection, first, points=2.0)
        assert finish(connection, second, points=1.0)
        assert not finish(connection, second, points=0.0)  # nor a second time
        row = connection.execute(select(schema.jobs)).one()
    assert (row.state, row.points, row.worker) == (DONE, 1.0, "second")


def test_a_lease_is_renewed_while_a_job_is_done(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed = threading.Event()
    monkeypatch.setattr("ludex.classroom.worker.LEASE", 0.01)
    monkeypatch.setattr("ludex.classroom.worker.renew", lambda *given: renewed.set())
    monkeypatch.setitem(worker.WORK, MATCH, lambda *given: renewed.wait(20))
    assert work_once(classroom, "one") and renewed.is_set()


def test_a_job_that_always_fails_is_given_up_and_the_others_go_on(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> bool:
        raise ZeroDivisionError("ours")

    monkeypatch.setitem(worker.WORK, MATCH, fail)
    classroom.change(matches=2)
    for _ in range(TRIES):
        assert work_once(classroom, "one")
    [failed] = failed_jobs(classroom)
    assert failed.reason == "ZeroDivisionError: ours" and failed.tries == TRIES


def test_a_job_with_which_workers_vanish_is_given_up(classroom: Classroom) -> None:
    add_jobs(classroom, 1)
    with classroom.transaction() as connection:
        connection.execute(update(schema.jobs).values(tries=TRIES))
    assert work_once(classroom, "one")
    with classroom.transaction() as connection:
        row = connection.execute(select(schema.jobs)).one()
    assert row.state == FAILED and "workers have vanished" in row.reason


def test_jobs_of_ended_processes_are_taken_over_at_once(classroom: Classroom) -> None:
    add_jobs(classroom, 2)
    host = socket.gethostname()
    gone, alive = f"{host}/999999999/x", f"{host}/1/x"
    assert taken(classroom, gone) and taken(classroom, alive)
    release_vanished(classroom)
    again = taken(classroom, "new")
    assert again is not None and again.tries == 2 and taken(classroom, "new") is None


def test_a_check_comes_before_matches(classroom: Classroom) -> None:
    [ann] = enrol(classroom, "Ann")
    add_jobs(classroom, 1)
    handed_in(classroom, ann, CHANCY)  # the first job that is done
    assert programs_of(classroom, ann.id)[0].state == "valid"


def test_every_match_is_stored_once_and_the_luck_follows_from_the_seed(tmp_path: Path) -> None:
    seen = []
    for place in ("one", "two"):
        classroom = small_class(tmp_path / place)
        [ann] = enrol(classroom, "Ann")
        handed_in(classroom, ann, CHANCY)
        play_all(classroom)
        with classroom.transaction() as connection:
            wanted = select(schema.jobs.c.seed, schema.jobs.c.digest, schema.jobs.c.state)
            rows = connection.execute(wanted.where(schema.jobs.c.kind == MATCH)).all()
            played = connection.execute(select(schema.matches)).all()
        assert len(played) == 2 * len(rows) and {row.state for row in rows} == {DONE}
        seen.append([tuple(row) for row in rows])
    assert seen[0] == seen[1] and len({seed for seed, _, _ in seen[0]}) == len(seen[0])


def test_postgresql_serves_a_class(tmp_path: Path, postgresql: str) -> None:
    classroom = small_class(tmp_path, url=postgresql)
    [ann] = enrol(classroom, "Ann")
    assert handed_in(classroom, ann, CHANCY).state == "valid"
    assert claim(classroom, "other") is not None
    jobs.release(classroom, "other")
    play_all(classroom)
    with classroom.transaction() as connection:
        assert len(connection.execute(select(schema.matches)).all()) == 4
    classroom.close()
