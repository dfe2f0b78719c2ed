"""What the programs do wrong: lost matches, compared with the truth or a deep search."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select

from ludex.analysis.decisions import analyse
from ludex.classroom.classroom import Classroom
from ludex.classroom.jobs import ANALYSIS, Job, finish
from ludex.classroom.programs import new_job
from ludex.classroom.schema import analyses, jobs, matches
from ludex.core.termination import BY_RULES
from ludex.match.record import read_record
from ludex.store import Played, add

ANALYSED = 20  # lost matches of a program; more of them say the same
ERROR_FACTS = ("ply", "seat", "position", "move", "best", "loss", "name")


def plan_analyses(
    connection: Connection, job: Job, numbers: Sequence[int], played: list[Played]
) -> None:
    """Let the matches of a job be analysed that a program has lost by the rules.

    `numbers` are those of the programs; a house agent has 0.
    """
    for match in played:
        for seat, agent in enumerate(match.agents):
            loser = numbers[agent]
            if match.ending != BY_RULES or match.returns[seat] >= 0 or not loser:
                continue
            own = (jobs.c.kind == ANALYSIS) & (jobs.c.turn == loser)
            known = select(func.count()).select_from(jobs).where(own)
            if connection.execute(known).scalar_one() < ANALYSED:
                row = new_job(ANALYSIS, job.id, match.number, loser, 0)
                connection.execute(insert(jobs).values(**row))


def analyse_match(classroom: Classroom, job: Job) -> bool:
    """Analyse a match and store its errors; return False if another worker has done so."""
    this = (matches.c.job == job.one) & (matches.c.number == job.other)
    with classroom.transaction(reading=True) as connection:
        line = connection.execute(select(matches.c.record).where(this)).scalar_one()
    found = analyse(read_record(line))
    errors = [one for one in found.decisions if one.name]
    facts = {
        "source": found.source,
        "exact": found.exact,
        "errors": [{name: getattr(one, name) for name in ERROR_FACTS} for one in errors],
    }
    with classroom.transaction() as connection:
        if not finish(connection, job):
            return False
        row = {"job": job.one, "number": job.other, "found": facts}
        add(connection, analyses, [row])
    return True
