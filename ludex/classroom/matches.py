"""The matches of a class, and what each viewer may see of them.

Everybody in the class may watch every match. What a program has printed, and the words of its
errors, may quote its source, so these are for its owner and for instructors.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import select

from ludex.classroom.classroom import Classroom
from ludex.classroom.people import Person
from ludex.classroom.programs import Program, find_programs, may_read
from ludex.classroom.schema import analyses, jobs, matches, programs, seatings
from ludex.core.termination import BLAMELESS
from ludex.match.record import Record, read_record

HIDDEN = "the program failed; its owner sees why"


class SeatResult(NamedTuple):
    """A seat of a match."""

    program: int
    name: str
    returns: float
    seconds: float
    """CPU time and sleep, as its clock counts."""
    decisions: int


class MatchRow(NamedTuple):
    """A match in a list."""

    job: int
    number: int
    """0 and 1 of a job are played with the same luck and swapped seats."""
    final: int
    """The final tournament it belongs to; 0 for the ladder."""
    ending: str
    offender: int
    """The seat that broke the rules, or -1."""
    words: str
    """Why, as far as the viewer may know."""
    ended: str
    seats: tuple[SeatResult, ...]


def matches_of(
    classroom: Classroom, viewer: Person | None, program: int | None = None, limit: int = 50
) -> list[MatchRow]:
    """Return the latest matches, of one program or of all, the newest first."""
    wanted = select(matches, jobs.c.final).join(jobs, jobs.c.id == matches.c.job)
    if program is not None:
        own = seatings.alias()
        same = (own.c.job == matches.c.job) & (own.c.number == matches.c.number)
        wanted = wanted.join(own, same & (own.c.program == program))
    newest = wanted.order_by(matches.c.job.desc(), matches.c.number.desc()).limit(limit)
    return match_rows(classroom, viewer, newest)


def match_rows(classroom: Classroom, viewer: Person | None, wanted: Any) -> list[MatchRow]:
    """Return the matches that a query of `matches` and `final` finds, in its order."""
    with classroom.transaction(reading=True) as connection:
        rows = connection.execute(wanted).all()
        of_these = seatings.c.job.in_({row.job for row in rows})
        order = (seatings.c.job, seatings.c.number, seatings.c.seat)
        seated = connection.execute(select(seatings).where(of_these).order_by(*order)).all()
    known = programs_in(classroom, [row.program for row in seated])
    seats: dict[tuple[int, int], list[SeatResult]] = {}
    for row in seated:
        one = SeatResult(
            row.program, known[row.program].name, row.returns, row.seconds, row.decisions
        )
        seats.setdefault((row.job, row.number), []).append(one)
    return [
        MatchRow(
            row.job,
            row.number,
            row.final,
            row.ending,
            row.seat,
            words_for(viewer, row, [known[one.program] for one in seats[row.job, row.number]]),
            row.ended,
            tuple(seats[row.job, row.number]),
        )
        for row in rows
    ]


def programs_in(classroom: Classroom, numbers: Sequence[int]) -> dict[int, Program]:
    """Return programs by their numbers."""
    found = find_programs(classroom, programs.c.id.in_(set(numbers)))
    return {one.id: one for one in found}


def words_for(viewer: Person | None, row: Any, seated: Sequence[Program]) -> str:
    """Return the words of an ending, as far as a viewer may know them."""
    if row.seat < 0 or row.ending in BLAMELESS:
        return str(row.words)
    offender = seated[row.seat]
    public = offender.person is None or may_read(viewer, offender)
    return str(row.words) if public else HIDDEN


def record_for(
    classroom: Classroom, viewer: Person | None, job: int, number: int
) -> tuple[Record, list[Program]]:
    """Return the record of a match as a viewer may see it, and the program at each seat."""
    this = (matches.c.job == job) & (matches.c.number == number)
    at = (seatings.c.job == job) & (seatings.c.number == number)
    with classroom.transaction(reading=True) as connection:
        row = connection.execute(select(matches).where(this)).first()
        taken = select(seatings.c.program).where(at).order_by(seatings.c.seat)
        seated = list(connection.execute(taken).scalars())
    if row is None:
        raise ValueError(f"there is no match {job}/{number}")
    known = programs_in(classroom, seated)
    players = [known[one] for one in seated]
    record = read_record(row.record)
    shown = tuple(
        output if may_read(viewer, player) else ""
        for output, player in zip(record.output or ("",) * len(players), players, strict=True)
    )
    words = words_for(viewer, row, players)
    return record._replace(output=shown if any(shown) else (), words=words), players


def analysis_of(classroom: Classroom, job: int, number: int) -> dict[str, Any] | None:
    """Return the errors of a match; None if it has not been analysed.

    `source` says where the values come from, and `exact` whether they are the truth. Each of
    `errors` has `ply`, `seat`, `position`, `move`, `best`, `loss` and `name`, such as blunder.
    """
    this = (analyses.c.job == job) & (analyses.c.number == number)
    with classroom.transaction(reading=True) as connection:
        found: dict[str, Any] | None
        found = connection.execute(select(analyses.c.found).where(this)).scalar()
    return found
