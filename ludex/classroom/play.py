"""What a worker does with a job: check a program, or play a pair of matches."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import insert, select

from ludex.classroom.classroom import VALID, Classroom
from ludex.classroom.finals import close_final
from ludex.classroom.jobs import FAILED, Job, finish
from ludex.classroom.mistakes import plan_analyses
from ludex.classroom.package import unpacked
from ludex.classroom.programs import CHECK, REFUSED, settle
from ludex.classroom.schema import contents, matches, people, programs, seatings
from ludex.classroom.settings import Settings
from ludex.core.termination import BLAMELESS
from ludex.external.interface import find_submission
from ludex.match.record import Record, now, read_output, read_record, write
from ludex.store import Played, seat_rows
from ludex.tournaments.job import MatchJob, play_job
from ludex.tournaments.plan import SERIES, Plan, pairings

UNCHECKED = "it could not be checked here; your instructor can see why"


class Player(NamedTuple):
    """A program on this machine, ready to play."""

    id: int
    name: str
    agent: str
    """The text of the agent: that of the house, or the path of the files."""
    folder: str = ""
    """The folder of its files, which nobody else is told."""


def player(classroom: Classroom, number: int) -> Player:
    """Return a program with its files on this machine."""
    wanted = select(programs, people.c.name.label("owner"), contents.c.packed)
    joined = wanted.outerjoin(people, people.c.id == programs.c.person)
    joined = joined.outerjoin(contents, contents.c.hash == programs.c.content)
    with classroom.transaction(reading=True) as connection:
        row = connection.execute(joined.where(programs.c.id == number)).one()
    if row.person is None:
        return Player(number, row.agent, row.agent)
    folder = unpacked(row.content, row.packed)
    return unpacked_player(number, f"{row.owner} #{row.number}", folder, row.name)


def unpacked_player(number: int, name: str, folder: Path, single: str) -> Player:
    """Return a program whose files are in a folder, in which a `single` file may be the agent."""
    return Player(number, name, str(folder / single if single else folder), str(folder))


def play_pair(settings: Settings, one: Player, other: Player, seed: int) -> Iterator[Played]:
    """Play two matches with swapped seats and the same luck; records have the players' names."""
    plan = Plan(
        settings.game,
        tuple(settings.rules.items()),
        (one.agent, other.agent),
        2,
        SERIES,
        2,
        1,
        seed,
        settings.clocks,
    )
    for pairing in pairings(plan, {}):
        for match in play_job(MatchJob(plan, (pairing,))):
            yield with_names(match, (one, other))


def with_names(match: Played, players: tuple[Player, Player]) -> Played:
    """Return a match whose record names programs instead of paths."""
    seated = [players[agent] for agent in match.agents]
    words = match.words
    for one in filter(lambda player: player.folder, seated):
        words = words.replace(one.folder, ".")
    record = read_record(match.record)
    record = record._replace(agents=tuple(one.name for one in seated), words=words)
    return match._replace(record=write(record), words=words)


def points_of(played: list[Played]) -> float:
    """Return the points of the first of two programs in a pair of matches."""
    return sum((1 + match.returns[match.agents.index(0)]) / 2 for match in played)


def digest(played: list[Played]) -> str:
    """Return a hash of the moves and endings of matches, whatever time they took."""
    records = [read_record(match.record) for match in played]
    return hashlib.sha256(json.dumps([outcome(one) for one in records]).encode()).hexdigest()


def outcome(record: Record) -> list[Any]:
    """Return what is equal when a match is repeated."""
    return [record.moves, record.ending, record.seat, record.returns]


def play_match_job(classroom: Classroom, job: Job) -> bool:
    """Play a pair of matches and store it; return False if another worker has done so."""
    settings = classroom.settings
    players = player(classroom, job.one), player(classroom, job.other)
    played = list(play_pair(settings, *players, job.seed))
    return store_pair(classroom, job, players, played)


def store_pair(
    classroom: Classroom, job: Job, players: tuple[Player, Player], played: list[Played]
) -> bool:
    """Store a pair of matches exactly once; return False if another worker has done so."""
    facts: dict[str, Any] = {"points": points_of(played), "matches": len(played)}
    facts["digest"] = digest(played)
    rows, seats = [], []
    for match in played:
        rows.append(
            {
                "job": job.id,
                "number": match.number,
                "ending": match.ending,
                "seat": match.seat,
                "words": match.words,
                "ended": now(),
                "record": match.record,
            }
        )
        for row in seat_rows(match):
            number = players[row.pop("agent")].id
            seats.append({**row, "job": job.id, "program": number})
    with classroom.transaction() as connection:
        if not finish(connection, job, **facts):
            return False
        connection.execute(insert(matches), rows)
        connection.execute(insert(seatings), seats)
        if job.final:
            close_final(connection, job.final)
        else:
            losers = tuple(one.id if one.folder else 0 for one in players)
            plan_analyses(connection, job, losers, played)
    return True


def check(classroom: Classroom, job: Job) -> bool:
    """Check that a program loads and plays two legal matches; store what was found."""
    settings = classroom.settings
    one = player(classroom, job.one)
    house = Player(0, settings.house[0], settings.house[0])
    reason, output, records = "", "", []
    try:
        find_submission(one.agent, settings.game)
    except ValueError as error:
        words = str(error).removeprefix(f"agent {one.agent!r}: ")
        reason = words.replace(one.folder, ".")
    for match in play_pair(settings, one, house, job.seed) if not reason else ():
        records.append(match.record)
        seat = match.agents.index(0)
        output = read_output(match.record, seat)
        if match.ending not in BLAMELESS and match.seat == seat:
            reason = f"{match.ending}: {match.words}"
            break
    state = REFUSED if reason else VALID
    with classroom.transaction() as connection:
        if not finish(connection, job):
            return False
        found = {"reason": reason, "output": output, "records": records}
        settle(connection, job.one, state, **found)
    return True


def give_up(classroom: Classroom, job: Job, reason: str) -> None:
    """Mark a job as failed, so that nobody tries it again."""
    with classroom.transaction() as connection:
        if not finish(connection, job, FAILED, reason=reason):
            return
        if job.kind == CHECK:
            settle(connection, job.one, REFUSED, reason=UNCHECKED)
        if job.final:
            close_final(connection, job.final)
