"""Progress of grading a submission: a small file in its workspace.

The grading happens in another process, so a file is what everyone can see.
"""

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ludex.grading.assignment import MANUAL, MATCHES, SESSION, TOURNAMENT, Assignment, Test
from ludex.grading.workspace import PROGRESS
from ludex.io.files import write_text

OFTEN = 0.2  # seconds between two reports
NAMED = 3  # of those who are being marked, who are named

Tell = Callable[[str, str, float, int], None]
"""Told the stage, what is being done in it, how much of it is done, and out of how much."""
MARKING = "submissions"


class Step(NamedTuple):
    """Where the marking of a submission is."""

    share: float
    """Of all that is to be done."""
    words: str


class Report:
    """Says from time to time where the marking of a submission is."""

    def __init__(self, desk: Path, given: Assignment) -> None:
        self.file, self.told = desk / PROGRESS, 0.0
        sizes = [size(test) for test in given.tests]
        self.total = max(sum(sizes), 1)
        self.before = {test.name: sum(sizes[:number]) for number, test in enumerate(given.tests)}

    def say(self, test: Test, done: int, of: int, what: str = "") -> None:
        """Say how many matches of a test are played, or how many of something else."""
        now = time.monotonic()
        if now < self.told + OFTEN:
            return
        self.told = now
        count = f" {done}/{of}" if of else ""
        part = 0 if what else min(done, size(test))
        step = Step((self.before[test.name] + part) / self.total, f"{test.name}{what}{count}")
        write_text(self.file, json.dumps(step))

    def end(self) -> None:
        """Say no more."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.file)


def size(test: Test) -> int:
    """Return how much there is to do in a test, in matches; what is no match counts as one."""
    if test.kind in (MATCHES, SESSION):
        return test.matches
    return 0 if test.kind in (TOURNAMENT, MANUAL) else 1


def step_at(desk: Path) -> Step | None:
    """Return where the marking at a desk is, or None if nobody is at work there."""
    try:
        return Step(*json.loads((desk / PROGRESS).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


class Watch:
    """Tells what is going on at all desks; what it tells never goes back."""

    def __init__(self, desks: dict[str, Path], tell: Tell) -> None:
        self.desks, self.tell = dict(desks), tell
        self.total, self.most = len(desks), 0.0
        self.turns = threading.Lock()

    def look(self) -> None:
        """Look at all desks once, and tell."""
        with self.turns:
            found = {name: step_at(desk) for name, desk in self.desks.items()}
            steps = {name: step for name, step in found.items() if step}
            said = [f"{name}: {step.words}" for name, step in list(steps.items())[:NAMED]]
            done = self.total - len(self.desks) + sum(step.share for step in steps.values())
            self.most = max(self.most, done)
            self.tell(MARKING, ", ".join(said), self.most, self.total)

    def marked(self, name: str) -> None:
        """Take note that a submission is marked."""
        with self.turns:
            del self.desks[name]
        self.look()


@contextmanager
def watching(desks: dict[str, Path], tell: Tell) -> Iterator[Watch]:
    """Look at the desks from time to time, until the work is done."""
    watch, over = Watch(desks, tell), threading.Event()

    def look() -> None:
        while not over.wait(OFTEN):
            watch.look()

    thread = threading.Thread(target=look, daemon=True)
    watch.look()
    thread.start()
    try:
        yield watch
    finally:
        over.set()
        thread.join()
