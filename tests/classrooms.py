"""A small class on nuts: its people, programs good and bad, and workers."""

from pathlib import Path
from typing import Any

from sqlalchemy import insert

from ludex.classroom.classroom import Classroom, new_class
from ludex.classroom.jobs import DONE, MATCH
from ludex.classroom.people import INSTRUCTOR, NewPerson, Person, add_people
from ludex.classroom.programs import Program, find_program, hand_in, new_job
from ludex.classroom.schema import jobs
from ludex.classroom.worker import work, work_once

FIRST = "def choose(position, moves, seconds):\n    return moves[0]\n"
LAST = "def choose(position, moves, seconds):\n    print('secret')\n    return moves[-1]\n"
CHANCY = "import random\ndef choose(position, moves, seconds):\n    return random.choice(moves)\n"
CRASHING = "def choose(position, moves, seconds):\n    print('secret')\n    return 1 / 0\n"
ILLEGAL = "def choose(position, moves, seconds):\n    return 'take 9'\n"
HANGING = "def choose(position, moves, seconds):\n    while True:\n        pass\n"


def small_class(folder: Path, **settings: Any) -> Classroom:
    """Make a class on a short game of nuts."""
    given = {"house": ["random"], "matches": 4, "seed": 1, "clock": "decision=5", **settings}
    return new_class(folder / "ai", "nuts", {"nuts": "11"}, **given)


def enrol(classroom: Classroom, *names: str) -> list[Person]:
    """Add students."""
    return [one for one, _ in add_people(classroom, [NewPerson(name) for name in names])]


def instructor(classroom: Classroom) -> Person:
    """Add an instructor."""
    return add_people(classroom, [NewPerson("Ada", INSTRUCTOR)])[0][0]


def handed_in(classroom: Classroom, person: Person, source: str) -> Program:
    """Hand in a program, and return it once it is checked."""
    made = hand_in(classroom, person, "mine.py", source.encode())
    work_once(classroom, "checker")
    return find_program(classroom, made.id)


def play_all(classroom: Classroom) -> int:
    """Do all jobs."""
    return work(classroom, lambda: False, until_idle=True)


def add_result(classroom: Classroom, one: int, other: int, turn: int, points: float) -> None:
    """Store a pair of matches on the ladder, without playing it."""
    row = new_job(MATCH, one, other, turn, 0)
    row |= {"state": DONE, "points": points, "matches": 2, "digest": str(turn)}
    with classroom.transaction() as connection:
        connection.execute(insert(jobs).values(**row))
