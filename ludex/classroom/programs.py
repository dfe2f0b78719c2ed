"""The programs of a class: those handed in, in all their versions, and the house agents."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, insert, select, update

from ludex.classroom.classroom import VALID, Classroom
from ludex.classroom.package import Package, files_in, package_upload
from ludex.classroom.people import GUEST, Person
from ludex.classroom.schema import contents, insert_one, jobs, people, programs
from ludex.classroom.settings import WHEN, time_text
from ludex.io.keys import Refused
from ludex.io.text import many
from ludex.match.record import now
from ludex.store import add

CHECK = "check"  # the kind of job that tries a new program
WAITING, REFUSED = "waiting", "refused"  # states of a program, besides `VALID`
FACTS = ("id", "person", "number", "agent", "state", "playing", "began")


class Program(NamedTuple):
    """A version of somebody's program, or a house agent, as everybody may see it."""

    id: int
    person: int | None
    """Whose it is; None for a house agent."""
    number: int
    """The version, counted from 1 for each person; 0 for a house agent."""
    agent: str
    """The text of a house agent, or empty."""
    state: str
    """`waiting` for its check, `valid`, or `refused`."""
    playing: bool
    """Whether it plays on the ladder: the newest valid version of each person does."""
    began: str
    """When it was handed in, in UTC."""
    name: str
    """Such as `Ann #3`, or the text of the agent."""


class CheckResult(NamedTuple):
    """What the check of a program has found, for its owner alone."""

    state: str
    reason: str
    """Why it was refused, in one line, or empty."""
    output: str
    """What it printed, and its traceback."""
    records: tuple[str, ...]
    """The matches of the check."""


def hand_in(classroom: Classroom, person: Person, name: str, data: bytes) -> Program:
    """Take in an uploaded Python file or zip, to be checked and then to play.

    A ValueError, or for a quota or a deadline a `Refused`, says why it is not taken.
    """
    check_quota(classroom, person)
    given = classroom.settings
    limits = (given.kibibytes << 10, given.files)
    return keep(classroom, person, package_upload(name, data, given.game, *limits))


def keep(classroom: Classroom, person: Person, package: Package) -> Program:
    """Keep a version of a person's program, and let it be checked."""
    with classroom.transaction() as connection:
        check_quota_in(connection, classroom, person)
        row = {"hash": package.hash, "packed": package.packed}
        add(connection, contents, [row])
        own = programs.c.person == person.id
        last = connection.execute(select(func.max(programs.c.number)).where(own)).scalar()
        facts: dict[str, Any] = {"person": person.id, "number": (last or 0) + 1}
        facts |= {"name": package.single, "agent": "", "state": WAITING, "playing": False}
        facts |= {"content": package.hash, "began": now()}
        facts |= {"reason": "", "output": "", "records": []}
        made = insert_one(connection, programs, **facts)
        connection.execute(
            insert(jobs).values(**new_job(CHECK, made, 0, 0, classroom.luck(CHECK, made)))
        )
    return find_program(classroom, made)


def new_job(
    kind: str, one: int, other: int, turn: int, seed: int, final: int = 0
) -> dict[str, Any]:
    """Return the row of a job that waits for a worker."""
    facts = {"kind": kind, "one": one, "other": other, "turn": turn, "seed": seed, "final": final}
    idle = {"state": "open", "worker": "", "until": 0.0, "tries": 0, "reason": ""}
    return {**facts, **idle, "points": 0.0, "matches": 0, "digest": ""}


def check_quota(classroom: Classroom, person: Person) -> None:
    """Raise a `Refused` if a person may not hand in now."""
    with classroom.transaction(reading=True) as connection:
        check_quota_in(connection, classroom, person)


def check_quota_in(connection: Connection, classroom: Classroom, person: Person) -> None:
    """Raise a `Refused` if a person may not hand in now."""
    given = classroom.settings
    if person.role == GUEST:
        raise Refused("guests only watch")
    deadline = deadline_of(classroom, person)
    if deadline and now() > deadline and not person.instructs:
        raise Refused(f"the deadline was {time_text(deadline)}")
    own = select(func.count()).select_from(programs).where(programs.c.person == person.id)
    waiting = connection.execute(own.where(programs.c.state == WAITING)).scalar_one()
    if waiting >= given.waiting:
        words = f"{many(waiting, 'hand-in')} of yours {'waits' if waiting == 1 else 'wait'}"
        raise Refused(f"{words} to be checked; hand in after that")
    day = (datetime.now(UTC) - timedelta(days=1)).strftime(WHEN)
    recent = connection.execute(own.where(programs.c.began > day)).scalar_one()
    if recent >= given.daily:
        raise Refused(f"at most {many(given.daily, 'hand-in')} within a day")


def deadline_of(classroom: Classroom, person: Person | None) -> str:
    """Return until when somebody may hand in, in UTC; empty if there is no deadline."""
    return (person.extension if person else "") or classroom.settings.deadline


def programs_of(classroom: Classroom, person: int | None = None) -> list[Program]:
    """Return the versions of a person's program, the newest first, or all programs."""
    wanted = [programs.c.person == person] if person is not None else []
    return find_programs(classroom, *wanted)


def playing_programs(classroom: Classroom) -> list[Program]:
    """Return the programs on the ladder."""
    return find_programs(classroom, programs.c.playing, programs.c.state == VALID)


def find_program(classroom: Classroom, number: int) -> Program:
    """Return a program by its number; raise a ValueError if there is none."""
    found = find_programs(classroom, programs.c.id == number)
    if not found:
        raise ValueError(f"there is no program {number}")
    return found[0]


def find_programs(classroom: Classroom, *wanted: Any) -> list[Program]:
    """Return the programs for which all conditions hold, the newest first."""
    columns = [programs.c[name] for name in FACTS]
    found = select(*columns, people.c.name.label("owner")).outerjoin(
        people, people.c.id == programs.c.person
    )
    with classroom.transaction(reading=True) as connection:
        rows = connection.execute(found.where(*wanted).order_by(programs.c.id.desc())).all()
    return [program_of(row) for row in rows]


def program_of(row: Any) -> Program:
    """Return a program from a row with its columns and its owner."""
    name = f"{row.owner} #{row.number}" if row.person is not None else row.agent
    return Program(name=name, **{fact: row._mapping[fact] for fact in FACTS})


def may_read(viewer: Person | None, program: Program) -> bool:
    """Return whether somebody may read the source and the output of a program."""
    if viewer is None or program.person is None:
        return False
    return viewer.instructs or viewer.id == program.person


def check_result(classroom: Classroom, program: Program, viewer: Person | None) -> CheckResult:
    """Return what the check of a program has found; `Refused` to others than its owner."""
    row = private_row(classroom, program, viewer)
    return CheckResult(row.state, row.reason, row.output, tuple(row.records))


def refusal(classroom: Classroom, program: Program) -> str:
    """Return why the check refused a program, for instructors; empty if it did not."""
    with classroom.transaction(reading=True) as connection:
        wanted = select(programs.c.reason).where(programs.c.id == program.id)
        return str(connection.execute(wanted).scalar_one())


def source_files(classroom: Classroom, program: Program, viewer: Person | None) -> dict[str, bytes]:
    """Return the files of a program by name; `Refused` to others than its owner."""
    row = private_row(classroom, program, viewer)
    with classroom.transaction(reading=True) as connection:
        this = contents.c.hash == row.content
        return files_in(connection.execute(select(contents.c.packed).where(this)).scalar_one())


def private_row(classroom: Classroom, program: Program, viewer: Person | None) -> Row[Any]:
    """Return all that is kept of a program; `Refused` to others than its owner."""
    if not may_read(viewer, program):
        raise Refused("only its owner may read that")
    with classroom.transaction(reading=True) as connection:
        return connection.execute(select(programs).where(programs.c.id == program.id)).one()


def withdraw(classroom: Classroom, program: Program, viewer: Person) -> None:
    """Take a program off the ladder; the version before it does not come back."""
    if not may_read(viewer, program):
        raise Refused("only its owner may withdraw a program")
    with classroom.transaction() as connection:
        this = programs.c.id == program.id
        connection.execute(update(programs).where(this).values(playing=False))


def settle(connection: Connection, number: int, state: str, **found: Any) -> None:
    """Set what the check of a program has found; a valid one plays in place of its older ones."""
    row = connection.execute(select(programs).where(programs.c.id == number)).one()
    this = programs.c.id == number
    connection.execute(update(programs).where(this).values(state=state, **found))
    if state != VALID:
        return
    own = (programs.c.person == row.person) & (programs.c.state == VALID)
    newest = connection.execute(select(func.max(programs.c.number)).where(own)).scalar_one()
    is_newest = programs.c.number == newest
    connection.execute(update(programs).where(own).values(playing=is_newest))


def names_of(classroom: Classroom) -> dict[int, str]:
    """Return the name of every program."""
    return {one.id: one.name for one in programs_of(classroom)}
