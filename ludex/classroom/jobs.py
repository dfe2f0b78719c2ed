"""Jobs: claimed by workers for a while, and done exactly once.

A worker holds a job by a lease, which it renews; once that has ended, another takes the job over.
The result of a job is written in one transaction, by the worker that holds it and by no other, so
a match that is played again after a kill counts once.
"""

from typing import Any, NamedTuple

from sqlalchemy import Connection, select, text, update

from ludex.classroom.classroom import Classroom
from ludex.classroom.programs import CHECK
from ludex.classroom.schema import jobs
from ludex.store.schema import lock

MATCH, ANALYSIS = "match", "analysis"  # kinds of jobs, besides CHECK
OPEN, CLAIMED, DONE, FAILED = "open", "claimed", "done", "failed"
CANCELLED = "cancelled"  # with its final; what its worker finds is not stored
LEASE = 60.0  # seconds
TRIES = 3  # of a job whose worker vanishes
LOCK = 0x10DF  # held while a job is claimed
KINDS = (CHECK, MATCH, ANALYSIS)  # the most urgent first
CLOCKS = {
    "sqlite": "SELECT (julianday('now') - 2440587.5) * 86400",
    "postgresql": "SELECT EXTRACT(EPOCH FROM clock_timestamp())",
}


class Job(NamedTuple):
    """Work for one process: a check, a pair of matches with swapped seats, or an analysis."""

    id: int
    kind: str
    final: int
    """The final tournament it belongs to; 0 for the ladder."""
    one: int
    other: int
    """The programs; for an analysis, the job and the number of the match, and `turn` who lost."""
    turn: int
    """Which pair of matches of these two programs it is, counted from 0."""
    seed: int
    worker: str = ""
    tries: int = 0
    reason: str = ""
    """Why it failed, if it did."""


def clock(connection: Connection) -> float:
    """Return the time of the database, which all workers share, in seconds."""
    return float(connection.execute(text(CLOCKS[connection.dialect.name])).scalar_one())


def job_of(row: Any) -> Job:
    """Return a job from a row of the table."""
    return Job(*(row._mapping[name] for name in Job._fields))


def take(connection: Connection, worker: str) -> Job | None:
    """Claim a job that waits, or whose lease has ended; the most urgent first."""
    lock(connection, LOCK)
    time = clock(connection)
    free = (jobs.c.state == OPEN) | ((jobs.c.state == CLAIMED) & (jobs.c.until < time))
    for kind in KINDS:
        wanted = select(jobs).where(free, jobs.c.kind == kind).order_by(jobs.c.id).limit(1)
        row = connection.execute(wanted).first()
        if row is not None:
            held = {"state": CLAIMED, "worker": worker, "until": time + LEASE}
            this = jobs.c.id == row.id
            connection.execute(update(jobs).where(this).values(**held, tries=row.tries + 1))
            return job_of(row)._replace(worker=worker, tries=row.tries + 1)
    return None


def renew(classroom: Classroom, job: Job) -> bool:
    """Hold a job for another while; return whether it was still held."""
    with classroom.transaction() as connection:
        until = clock(connection) + LEASE
        return bool(connection.execute(held(job).values(until=until)).rowcount)


def finish(connection: Connection, job: Job, state: str = DONE, **found: Any) -> bool:
    """Mark a job as done, or as failed; return False if another worker has it, or has done it."""
    return bool(connection.execute(held(job).values(state=state, **found)).rowcount)


def held(job: Job) -> Any:
    """Return an update of a job that has no effect unless its worker holds it."""
    mine = (jobs.c.id == job.id) & (jobs.c.state == CLAIMED) & (jobs.c.worker == job.worker)
    return update(jobs).where(mine)


def release(classroom: Classroom, worker: str) -> None:
    """Let others take what a worker holds that has ended."""
    with classroom.transaction() as connection:
        mine = (jobs.c.state == CLAIMED) & (jobs.c.worker == worker)
        connection.execute(update(jobs).where(mine).values(until=0.0))


def cancel(connection: Connection, final: int) -> int:
    """Cancel the jobs of a final that are not done yet; return how many that are."""
    lock(connection, LOCK)  # lest a worker claims one of them at the same time
    left = (jobs.c.final == final) & jobs.c.state.in_((OPEN, CLAIMED))
    return connection.execute(update(jobs).where(left).values(state=CANCELLED)).rowcount


def running_jobs(classroom: Classroom) -> list[Job]:
    """Return the jobs that are being worked on."""
    with classroom.transaction(reading=True) as connection:
        alive = (jobs.c.state == CLAIMED) & (jobs.c.until >= clock(connection))
        return [job_of(row) for row in connection.execute(select(jobs).where(alive))]


def failed_jobs(classroom: Classroom) -> list[Job]:
    """Return the jobs that were given up, whose reasons concern the instructor."""
    with classroom.transaction(reading=True) as connection:
        return [
            job_of(row) for row in connection.execute(select(jobs).where(jobs.c.state == FAILED))
        ]
