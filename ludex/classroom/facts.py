"""What is known of one program: results by opponent, endings, time used, and typical mistakes."""

from collections import Counter
from typing import Any, NamedTuple

from sqlalchemy import select

from ludex.classroom.classroom import Classroom
from ludex.classroom.programs import names_of
from ludex.classroom.schema import analyses, jobs, matches, seatings
from ludex.stats import Tally

EXAMPLES = 10  # of the worst mistakes


class Mistake(NamedTuple):
    """A bad move of a program, and where to find it."""

    job: int
    number: int
    ply: int
    position: str
    move: str
    best: str
    loss: float
    name: str
    """`blunder`, `mistake` or `slip`."""
    exact: bool
    """Whether the loss is the truth, and not an estimate of a search."""


class ProgramFacts(NamedTuple):
    """What is known of a program from its matches, on the ladder or in a final."""

    results: dict[int, Tally]
    """By the number of the opponent, those with the most matches first."""
    opponents: dict[int, str]
    """Their names."""
    endings: dict[str, int]
    """How its matches ended."""
    faults: dict[str, int]
    """Matches that it lost by breaking the rules, by ending."""
    seconds: float
    """Of all its decisions."""
    slowest: float
    """The most seconds that it took for a match."""
    decisions: int
    analysed: int
    """Its analysed matches; somebody has lost each, itself or its opponent."""
    mistakes: dict[str, int]
    """The number of errors by name."""
    worst: list[Mistake]
    """The worst of them, each move in a position once."""


def program_facts(classroom: Classroom, program: int, final: int = 0) -> ProgramFacts:
    """Return what is known of a program from its matches on the ladder, or in a final."""
    own, other = seatings.alias(), seatings.alias()
    same = (own.c.job == other.c.job) & (own.c.number == other.c.number)
    match = (own.c.job == matches.c.job) & (own.c.number == matches.c.number)
    columns = (own.c.seat, own.c.returns, own.c.seconds, own.c.decisions, matches.c.ending)
    wanted = (
        select(*columns, matches.c.seat.label("offender"), other.c.program.label("opponent"))
        .select_from(own)
        .join(other, same & (own.c.seat != other.c.seat))
        .join(matches, match)
        .join(jobs, (jobs.c.id == own.c.job) & (jobs.c.final == final))
        .where(own.c.program == program)
    )
    judged = (
        select(own.c.seat, analyses)
        .select_from(own)
        .join(analyses, (own.c.job == analyses.c.job) & (own.c.number == analyses.c.number))
        .where(own.c.program == program)
    )
    with classroom.transaction(reading=True) as connection:
        rows = connection.execute(wanted).all()
        found = connection.execute(judged).all()
    returns: dict[int, list[float]] = {}
    for row in rows:
        returns.setdefault(row.opponent, []).append(row.returns)
    mistakes = sorted(mistakes_in(found), key=lambda one: -one.loss)
    names = names_of(classroom)
    order = sorted(returns, key=lambda one: (-len(returns[one]), one))
    return ProgramFacts(
        {one: Tally.of(returns[one]) for one in order},
        {one: names[one] for one in order},
        dict(Counter(row.ending for row in rows)),
        dict(Counter(row.ending for row in rows if row.offender == row.seat)),
        sum(row.seconds for row in rows),
        max((row.seconds for row in rows), default=0.0),
        sum(row.decisions for row in rows),
        len(found),
        dict(Counter(one.name for one in mistakes)),
        different(mistakes)[:EXAMPLES],
    )


def different(mistakes: list[Mistake]) -> list[Mistake]:
    """Return the mistakes without repetitions of a move in a position, the first of each."""
    first: dict[tuple[str, str], Mistake] = {}
    for one in mistakes:
        first.setdefault((one.position, one.move), one)
    return list(first.values())


def mistakes_in(found: Any) -> list[Mistake]:
    """Return the errors that the seat of a program made in matches that were analysed."""
    return [
        Mistake(
            *(row.job, row.number, one["ply"], one["position"], one["move"], one["best"]),
            *(one["loss"], one["name"], row.found["exact"]),
        )
        for row in found
        for one in row.found["errors"]
        if one["seat"] == row.seat
    ]
