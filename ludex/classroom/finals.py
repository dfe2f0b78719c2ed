"""The final tournament: frozen versions and seeds, and everybody plays everybody."""

import itertools
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, func, insert, select, update

from ludex.classroom.classroom import Classroom, derived_seed
from ludex.classroom.jobs import CANCELLED, CLAIMED, MATCH, OPEN, cancel
from ludex.classroom.programs import WAITING, new_job, playing_programs, programs_of
from ludex.classroom.ratings import rate, results_of
from ludex.classroom.schedule import Results
from ludex.classroom.schema import finals, insert_one, jobs
from ludex.core.termination import shorten
from ludex.io.text import many
from ludex.match.record import now
from ludex.store.schema import lock

LOCK = 0x10E1  # held while a final begins or ends
MOST_MATCHES = 200_000  # of a final


class Final(NamedTuple):
    """A final tournament."""

    id: int
    name: str
    matches: int
    """Of each two programs."""
    programs: tuple[int, ...]
    """In the order in which they are frozen, the house agents included."""
    began: str
    ended: str
    """Empty while it is being played."""
    played: int
    total: int
    cancelled: bool
    """Whether it ended before all was played, so that it counts for no results."""


class FinalRow(NamedTuple):
    """A program in the table of a final."""

    rank: int
    """Programs of equal points share it."""
    program: int
    points: float
    matches: int
    elo: float
    """Relative to the first house agent, with a 95 % interval."""
    low: float
    high: float


def start_final(classroom: Classroom, name: str = "final", matches: int = 20) -> Final:
    """Freeze the programs that play now, and let everybody play everybody."""
    if matches < 2 or matches % 2:
        raise ValueError(f"{matches} matches of each two programs: expected an even number")
    if not name.strip() or shorten(name) != name:
        raise ValueError(f"name {shorten(name)!r}: expected one line of text")
    waiting = [one.name for one in programs_of(classroom) if one.state == WAITING]
    if waiting:
        raise ValueError(f"{waiting[-1]} waits to be checked: start the final after that")
    playing = playing_programs(classroom)
    if all(one.person is None for one in playing):
        raise ValueError("no program of the class plays yet: a final needs one at least")
    players = sorted(one.id for one in playing)
    pairs = list(itertools.combinations(range(len(players)), 2))
    if not pairs:
        raise ValueError("a final needs two programs at least")
    total = len(pairs) * matches
    if total > MOST_MATCHES:
        raise ValueError(f"{many(total, 'match')}: expected at most {MOST_MATCHES:,}")
    with classroom.transaction() as connection:
        lock(connection, LOCK)
        before = finals_in(connection)
        if running := [one for one in before if not one.ended]:
            done = f"{running[0].played:,} of {many(running[0].total, 'match')}"
            words = f"{running[0].name} is still being played: {done}"
            raise ValueError(f"{words}; cancel it, or start another after it")
        seed = classroom.luck("final", len(before))
        facts = {"name": name, "seed": seed, "matches": matches, "programs": players}
        number = insert_one(connection, finals, **facts, began=now())
        rows = [
            new_job(MATCH, players[one], players[other], turn, luck, number)
            for turn in range(matches // 2)
            for one, other in pairs
            for luck in [derived_seed(seed, one, other, turn)]
        ]
        connection.execute(insert(jobs), rows)
    return find_final(classroom, number)


def cancel_final(classroom: Classroom, number: int | None = None) -> Final:
    """End a final that is being played, and return it; the matches that it has played stay."""
    running = [one for one in finals_of(classroom) if not one.ended and number in (None, one.id)]
    with classroom.transaction() as connection:
        # The jobs first and then the lock, as a worker that ends one of them does.
        if not running or not cancel(connection, running[0].id):
            raise ValueError("no final is being played" if number is None else "it has ended")
        close_final(connection, running[0].id)
    return find_final(classroom, running[0].id)


def finals_of(classroom: Classroom) -> list[Final]:
    """Return the finals, the newest first."""
    with classroom.transaction(reading=True) as connection:
        return finals_in(connection)


def finals_in(connection: Connection) -> list[Final]:
    """Return the finals in a database, the newest first."""
    rows = connection.execute(select(finals).order_by(finals.c.id.desc())).all()
    return [final_of(connection, row) for row in rows]


def find_final(classroom: Classroom, number: int | None = None) -> Final:
    """Return a final by its number; a ValueError says that there is none.

    Without a number it is the newest, and a cancelled one only if all are.
    """
    found = [one for one in finals_of(classroom) if number in (None, one.id)]
    if not found:
        raise ValueError("there is no final yet" if number is None else f"no final {number}")
    return min(found, key=lambda one: one.cancelled)  # the first of those that are not


def final_of(connection: Connection, row: Any) -> Final:
    """Return a final from a row of the table."""
    undone = func.sum(case((jobs.c.state == CANCELLED, 1), else_=0))
    own = select(func.sum(jobs.c.matches), func.count(), undone).where(jobs.c.final == row.id)
    played, count, cancelled = connection.execute(own).one()
    frozen = tuple(row.programs)
    return Final(
        *(row.id, row.name, row.matches, frozen, row.began, row.ended or ""),
        *(int(played or 0), 2 * count, bool(cancelled)),
    )


def close_final(connection: Connection, number: int) -> None:
    """Mark a final as ended once all its jobs are done, or have failed."""
    lock(connection, LOCK)  # of two jobs that end at the same time, the later one sees the other
    left = (jobs.c.final == number) & jobs.c.state.in_((OPEN, CLAIMED))
    if connection.execute(select(jobs.c.id).where(left).limit(1)).first() is None:
        this = (finals.c.id == number) & (finals.c.ended.is_(None))
        connection.execute(update(finals).where(this).values(ended=now()))


def final_table(classroom: Classroom, final: Final) -> list[FinalRow]:
    """Return the table of a final, the best first; of one in progress, as it stands."""
    with classroom.transaction(reading=True) as connection:
        results = results_of(connection, final.id)
    return table_of(final.programs, results)


def table_of(players: tuple[int, ...], results: Results) -> list[FinalRow]:
    """Return the table of these players by their results; the first has the rating 0."""
    rated = {one.program: one for one in rate(players, players[0], results)}
    scores = dict.fromkeys(players, 0.0)
    for (first, second), found in results.items():
        scores[first] += found.points
        scores[second] += found.played - found.points
    rows = []
    for one in sorted(players, key=lambda number: (-scores[number], players.index(number))):
        rank = 1 + sum(other > scores[one] for other in scores.values())
        known = rated[one]
        rows.append(
            FinalRow(rank, one, scores[one], known.matches, known.elo, known.low, known.high)
        )
    return rows
