"""A class of forty, undisturbed and with kill -9 again and again: the same final table.

`python -m bench.classroom` takes some minutes. Everybody hands in five versions, of which one in
four is broken or hostile, while the server and its workers are killed at random moments; with
`--postgresql`, the database is, too.
"""

import argparse
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Table, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from ludex.classroom import schema
from ludex.classroom.classroom import Classroom, new_class
from ludex.classroom.finals import final_table, find_final, start_final
from ludex.classroom.jobs import DONE, failed_jobs
from ludex.classroom.people import NewPerson, add_people
from ludex.classroom.programs import WAITING, hand_in, names_of, programs_of
from ludex.store.database import DatabaseError
from ludex.store.engine import engine_at
from tools.postgresql import running

Answer = TypeVar("Answer")

GOOD = """
import random
def choose(position, moves, seconds):
    nuts = int(position.split()[0])
    wanted = f"take {{(nuts - 1) % 4}}"
    return wanted if wanted in moves and random.random() < {skill} else random.choice(moves)
"""
HOSTILE = (
    "def choose(position, moves, seconds):\n    return [][0]\n",
    "def choose(position, moves, seconds):\n    return 'take 99'\n",
    "def choose(position, moves, seconds):\n    while True:\n        pass\n",
    "import os\ndef choose(position, moves, seconds):\n    os._exit(0)\n",
    "import os\ndef choose(position, moves, seconds):\n    [os.fork() for _ in range(99)]\n",
    "def choose(position, moves, seconds):\n    print('x' * 99_999_999)\n    return 'none'\n",
    "import socket\nsocket.create_connection(('127.0.0.1', 5432), 1)\n",
    "import os\nos.kill(-1, 9)\n",
    "x = bytearray(1 << 34)\n",
    "def choose(:\n",
)


def source(student: int, version: int) -> str:
    """Return a version of a student's program; one in four is broken or hostile."""
    number = 5 * student + version
    if number % 4 == 3:
        return HOSTILE[number // 4 % len(HOSTILE)]
    return GOOD.format(skill=random.Random(number).random())


def start(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """Start the server of a class."""
    words = ["class", "serve", str(folder), "--port", str(port), "--processes", "2"]
    return subprocess.Popen([sys.executable, "-m", "ludex", *words], stderr=subprocess.DEVNULL)


def workers_of(server: int) -> list[int]:
    """Return the processes that a server has started."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text()
    return [int(one) for one in children.split()]


class Postgresql:
    """A database that is killed with all its processes, and started again as it was."""

    def __init__(self, url: str) -> None:
        self.engine = engine_at(url)
        with self.engine.connect() as connection:
            found = connection.execute(text("SHOW data_directory")).scalar_one()
        self.data = Path(str(found))
        self.process: subprocess.Popen[bytes] | None = None

    def restart(self) -> None:
        """Kill it, start it, and return once it answers."""
        number = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        for one in (number, *workers_of(number)):
            with suppress(ProcessLookupError):  # some end by themselves
                os.kill(one, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()  # or it would still be there as a zombie
        words = shlex.split((self.data / "postmaster.opts").read_text())
        owner = self.data.stat().st_uid
        user = ["setpriv", f"--reuid={owner}", f"--regid={owner}", "--clear-groups", "--"]
        while not self.answers():
            if self.process is None or self.process.poll() is not None:
                command = [*user, *words]
                quiet = subprocess.DEVNULL
                self.process = subprocess.Popen(command, cwd=self.data, stderr=quiet)
            time.sleep(0.2)

    def answers(self) -> bool:
        """Return whether it answers."""
        try:
            with self.engine.connect() as connection:
                return bool(connection.execute(text("SELECT 1")).scalar_one())
        except SQLAlchemyError:
            return False


def persist(call: Callable[..., Answer], *given: Any) -> Answer:
    """Return what a call returns, once the database answers."""
    while True:
        try:
            return call(*given)
        except DatabaseError:
            time.sleep(0.2)


class Killer:
    """Kills the server, one of its workers or the database at random moments."""

    def __init__(self, folder: Path, port: int, kills: int, database: str) -> None:
        self.folder, self.port, self.left = folder, port, kills
        self.database = Postgresql(database) if database else None
        self.server = start(folder, port)
        self.random = random.Random(1)
        self.next = time.monotonic() + 5.0

    def look(self) -> None:
        """Kill something if its time has come, and start the server again if it is gone."""
        if self.left and time.monotonic() > self.next:
            self.kill()
            self.left -= 1
            self.next = time.monotonic() + self.random.uniform(2.0, 8.0)
            time.sleep(0.2)
        if self.server.poll() is not None:
            self.server = start(self.folder, self.port)

    def kill(self) -> None:
        """Kill something."""
        if self.database and self.left % 3 == 0:
            print("kill -9 of the database", flush=True)
            self.database.restart()
            return
        victim = self.random.choice([self.server.pid, *workers_of(self.server.pid)])
        what = "the server" if victim == self.server.pid else "a worker"
        print("kill -9 of", what, flush=True)
        os.kill(victim, signal.SIGKILL)

    def wait(self, classroom: Classroom, *kinds: str) -> None:
        """Wait until no job of these kinds is left."""
        own = schema.jobs.c.kind.in_(kinds) & schema.jobs.c.state.in_(("open", "claimed"))
        while persist(count, classroom, schema.jobs, own):
            self.look()
            time.sleep(0.2)


def count(classroom: Classroom, table: Table, *wanted: Any) -> int:
    """Return how many rows of a table there are."""
    with classroom.transaction(reading=True) as connection:
        counted = select(func.count()).select_from(table).where(*wanted)
        return int(connection.execute(counted).scalar_one())


def season(
    folder: Path, port: int, students: int, kills: int, database: str
) -> tuple[list[str], int]:
    """Play a season of a class, and return the final table as lines, and the number of matches."""
    given: dict[str, Any] = {
        "house": ["random"],
        "matches": 4,
        "waiting": 9,
        "clock": "decision=0.5",
    }
    classroom = new_class(folder, "nuts", {"nuts": "11"}, database, seed=1, **given)
    names = [NewPerson(f"student {number:02}") for number in range(students)]
    made = [person for person, _ in add_people(classroom, names)]
    killer = Killer(folder, port, kills, database)
    try:
        for version in range(5):
            for number, person in enumerate(made):
                persist(hand_in, classroom, person, "mine.py", source(number, version).encode())
                killer.look()
        killer.wait(classroom, "check")
        persist(start_final, classroom, "final", 2)
        while killer.left or not persist(find_final, classroom).ended:
            killer.look()
            time.sleep(0.2)
    finally:
        killer.server.terminate()
        killer.server.wait()
    return table(classroom), check(classroom, 5 * students)


def table(classroom: Classroom) -> list[str]:
    """Return the table of the final, and the state of every program, as lines."""
    names = names_of(classroom)
    rows = final_table(classroom, find_final(classroom))
    states = [f"{one.name}: {one.state}" for one in reversed(programs_of(classroom))]
    return [
        f"{row.rank} {names[row.program]} {row.points:g} of {row.matches}" for row in rows
    ] + states


def check(classroom: Classroom, handed_in: int) -> int:
    """See that nothing is lost and nothing is there twice; return the number of matches."""
    final = find_final(classroom)
    assert final.played == final.total and not failed_jobs(classroom)
    programs = [one for one in programs_of(classroom) if one.person is not None]
    assert len(programs) == handed_in and not any(one.state == WAITING for one in programs)
    done = (schema.jobs.c.kind == "match") & (schema.jobs.c.state == DONE)
    jobs, played = count(classroom, schema.jobs, done), count(classroom, schema.matches)
    assert played == 2 * jobs and count(classroom, schema.seatings) == 4 * jobs
    return played


def main() -> None:
    """Play a season twice, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--port", type=int, default=8650)
    parser.add_argument("--postgresql", action="store_true", help="also kill the database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludex-class-") as place:
        tables = []
        for name, kills in (("calm", 0), ("killed", given.kills)):
            began = time.monotonic()
            with running() if given.postgresql else nullcontext("") as url:
                folder = Path(place) / name
                lines, matches = season(folder, given.port, given.students, kills, url)
            seconds = time.monotonic() - began
            print(f"{name}: {matches:,} matches in {seconds:.0f} s, with {kills} kills")
            tables.append(lines)
    print("\n".join(tables[0][:5]))
    assert tables[0] == tables[1], "the final tables differ"
    print(f"the same {len(tables[0])} lines twice")


if __name__ == "__main__":
    main()
