"""Whatever is killed, every job is done once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from ludex.classroom import schema
from ludex.classroom.classroom import Classroom
from ludex.classroom.jobs import CLAIMED, DONE, MATCH, running_jobs
from ludex.classroom.programs import hand_in, programs_of
from ludex.classroom.supervisor import NICE, Workers, work_on_cluster
from ludex.classroom.worker import claim, release_vanished
from ludex.core.time_control import WALL_FACTOR
from ludex.store.database import DatabaseError
from ludex.workers.pool import Pool
from tests.classrooms import CHANCY, FIRST, enrol, handed_in, play_all, small_class

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]
# It says that it plays, and waits until a file tells it to go on.
WAITING = """
import os, time
def choose(position, moves, seconds):
    open({began!r}, "w").close()
    while not os.path.exists({go!r}):
        time.sleep(0.02)
    return moves[0]
"""


def wait_for(found: Callable[[], Any]) -> Any:
    """Return what a function finds, once it finds something."""
    for _ in range(1500):
        if seen := found():
            return seen
        time.sleep(0.02)
    raise AssertionError("waited in vain")


@contextmanager
def worker_process(classroom: Classroom) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a worker in a process of its own."""
    code = "import sys; from ludex.cli import main; main()"
    words = ["class", "work", classroom.url, "--processes", "1"]
    process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def count(classroom: Classroom, table: Any, *wanted: Any) -> int:
    with classroom.transaction(reading=True) as connection:
        counted = select(func.count()).select_from(table).where(*wanted)
        return int(connection.execute(counted).scalar_one())


def test_a_worker_killed_in_mid_match_loses_nothing_and_plays_nothing_twice(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, matches=4)
    [ann] = enrol(classroom, "Ann")
    began, go = tmp_path / "began", tmp_path / "go"
    go.touch()
    source = WAITING.format(began=str(began), go=str(go))
    assert handed_in(classroom, ann, source).state == "valid"
    began.unlink()
    go.unlink()
    with worker_process(classroom) as process:
        wait_for(began.exists)
        [job] = running_jobs(classroom)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert count(classroom, schema.matches) == 0
    go.touch()
    release_vanished(classroom)
    play_all(classroom)
    matches = schema.jobs.c.kind == MATCH
    assert count(classroom, schema.jobs, matches, schema.jobs.c.state == DONE) == 2
    assert count(classroom, schema.jobs, matches, schema.jobs.c.state != DONE) == 0
    assert count(classroom, schema.matches) == 4 and count(classroom, schema.seatings) == 8
    with classroom.transaction() as connection:
        this = schema.jobs.c.id == job.id
        assert connection.execute(select(schema.jobs.c.tries).where(this)).scalar_one() == 2


def test_a_worker_that_dies_is_started_again(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, matches=6)
    workers = Workers(classroom, 1)
    workers.start()
    try:
        first = workers.processes[0][0]
        os.kill(first.pid, signal.SIGKILL)
        wait_for(lambda: workers.processes[0][0].pid != first.pid)
        [ann] = enrol(classroom, "Ann")
        hand_in(classroom, ann, "mine.py", FIRST.encode())
        wait_for(lambda: programs_of(classroom, ann.id)[0].state == "valid")
    finally:
        workers.stop()
    assert (
        count(classroom, schema.jobs, schema.jobs.c.state == CLAIMED, schema.jobs.c.until > 1) == 0
    )


def test_workers_give_way_to_the_pages(tmp_path: Path) -> None:
    workers = Workers(small_class(tmp_path), 1)
    workers.start()
    try:
        process, _ = workers.processes[0]
        own = os.getpriority(os.PRIO_PROCESS, 0)
        wait_for(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) > own)
    finally:
        workers.stop()


def test_a_program_is_not_too_slow_beside_two_busy_processes() -> None:
    share = 1 / (1 + 2 * 1.25**NICE)  # Linux divides the weight by 1.25 for each step of niceness
    assert share >= 1 / WALL_FACTOR


def test_a_database_that_fails_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    classroom = small_class(tmp_path)
    [ann] = enrol(classroom, "Ann")
    handed_in(classroom, ann, CHANCY)
    failures = iter([True, False, True])

    def sometimes(*given: Any) -> Any:
        if next(failures, False):
            raise DatabaseError("gone")
        return claim(*given)

    monkeypatch.setattr("ludex.classroom.worker.claim", sometimes)
    monkeypatch.setattr("ludex.classroom.worker.IDLE_SECONDS", 0.0)
    assert play_all(classroom) >= 2 and count(classroom, schema.matches) == 4


def test_a_cluster_works_for_a_class(tmp_path: Path) -> None:
    classroom = small_class(tmp_path)
    [ann] = enrol(classroom, "Ann")
    handed_in(classroom, ann, CHANCY)
    for busy in work_on_cluster(classroom, Pool(1)):  # a pool of this process is as good
        if not busy:
            break
    assert count(classroom, schema.matches) == 4
