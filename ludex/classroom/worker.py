"""Workers: each claims a job, does it, and claims the next, until it is told to stop."""

import functools
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from sqlalchemy import insert, select

from ludex.classroom.classroom import Classroom
from ludex.classroom.jobs import ANALYSIS, CLAIMED, LEASE, MATCH, TRIES, Job, release, renew, take
from ludex.classroom.mistakes import analyse_match
from ludex.classroom.play import check, give_up, play_match_job
from ludex.classroom.programs import CHECK, new_job
from ludex.classroom.ratings import players_of, results_of, update_ratings
from ludex.classroom.schedule import PairResult, next_pair
from ludex.classroom.schema import jobs, programs
from ludex.core.termination import error_line
from ludex.external import sandbox
from ludex.store.database import DatabaseError

IDLE_SECONDS = 1.0  # until a worker without work looks again
WORK: dict[str, Callable[[Classroom, Job], bool]] = {
    CHECK: check,
    MATCH: play_match_job,
    ANALYSIS: analyse_match,
}


def new_worker_name() -> str:
    """Return the name of a worker: its machine, its process, and something random."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


def claim(classroom: Classroom, worker: str) -> Job | None:
    """Claim a job that waits, or else the pair of matches that tells most; None if all is known."""
    with classroom.transaction() as connection:
        found = take(connection, worker)
        if found is not None:
            return found
        results = results_of(connection)
        players, _ = players_of(connection, classroom)
        own = select(programs.c.id).where(programs.c.person.is_(None))
        house = set(connection.execute(own).scalars())
        pair = next_pair(players, house, results, classroom.settings.matches, classroom.seed)
        if pair is None:
            return None
        turn = results.get(pair, PairResult()).jobs
        seed = classroom.luck(MATCH, *pair, turn)
        connection.execute(insert(jobs).values(**new_job(MATCH, *pair, turn, seed)))
        return take(connection, worker)


def work_once(classroom: Classroom, worker: str) -> bool:
    """Do one job; return False if there is none."""
    job = claim(classroom, worker)
    if job is None:
        update_ratings(classroom, factor=1.0)
        return False
    if job.tries > TRIES:
        give_up(classroom, job, f"{TRIES} workers have vanished with it")
        return True
    with held_lease(classroom, job):
        try:
            WORK[job.kind](classroom, job)
        except DatabaseError:
            raise
        except Exception as error:  # ours, as those of programs are endings of matches
            if job.tries >= TRIES:
                give_up(classroom, job, error_line(error))
            else:
                release(classroom, worker)
    if job.kind == MATCH:
        update_ratings(classroom)
    return True


@contextmanager
def held_lease(classroom: Classroom, job: Job) -> Iterator[None]:
    """Renew the lease of a job within the context."""
    done = threading.Event()

    def keep_on() -> None:
        while not done.wait(LEASE / 4):
            try:
                renew(classroom, job)
            except DatabaseError:
                continue  # it may come back before the lease ends

    thread = threading.Thread(target=keep_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def work(classroom: Classroom, stop: Callable[[], bool], until_idle: bool = False) -> int:
    """Work until told to stop, or until there is nothing to do; return the number of jobs done.

    A database that does not answer is waited for.
    """
    sandbox.is_enabled()  # or raise a ValueError: it is not the fault of a program
    worker, done = new_worker_name(), 0
    try:
        while not stop():
            try:
                busy = work_once(classroom, worker)
            except DatabaseError:
                time.sleep(IDLE_SECONDS)
                with suppress(DatabaseError):  # the job that it has interrupted
                    release(classroom, worker)
                continue
            done += busy
            if not busy:
                if until_idle and not others_busy(classroom):
                    break
                time.sleep(IDLE_SECONDS)
    finally:
        with suppress(DatabaseError):
            release(classroom, worker)
    return done


def others_busy(classroom: Classroom) -> bool:
    """Return whether a job is claimed, after which there may be more to do."""
    with classroom.transaction(reading=True) as connection:
        claimed = select(jobs.c.id).where(jobs.c.state == CLAIMED).limit(1)
        return connection.execute(claimed).first() is not None


def release_vanished(classroom: Classroom) -> None:
    """Let others take the jobs of workers of this machine whose processes have ended."""
    with classroom.transaction(reading=True) as connection:
        claimed = select(jobs.c.worker).where(jobs.c.state == CLAIMED)
        workers = set(connection.execute(claimed).scalars())
    for worker in workers:
        host, number, _ = worker.split("/")
        if host == socket.gethostname() and not os.path.exists(f"/proc/{number}"):
            release(classroom, worker)


class Order(NamedTuple):
    """One job for a worker of a cluster."""

    url: str
    number: int


@functools.lru_cache(maxsize=1)
def opened(url: str) -> Classroom:
    """Return the class at a URL, which this process has opened once."""
    return Classroom(url)


def work_on_order(order: Order) -> bool:
    """Do one job of a class in a worker of a cluster, or wait a moment; return whether it did."""
    try:
        busy = work_once(opened(order.url), new_worker_name())
    except DatabaseError:
        busy = False
    if not busy:
        time.sleep(IDLE_SECONDS)
    return busy
