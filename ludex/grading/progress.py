"""The progress of grading, reported by worker processes in files."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from ludex.grading.assignment import MANUAL, MATCHES, SESSION, TOURNAMENT, Assignment, Test
from ludex.grading.workspace import PROGRESS
from ludex.io.files import write_text

OFTEN = 0.2  # seconds between two reports
NAMED = 3  # submissions in progress that are named

Tell = Callable[[str, str, float, int], None]
"""Called with the stage, what is being done, how much is done, and out of how much."""
MARKING = "submissions"


class Step(NamedTuple):
    """The progress of one submission."""

    share: float
    """From 0 to 1."""
    words: str


class ProgressFile:
    """Writes the progress of one submission, at most every `OFTEN` seconds."""

    def __init__(self, workspace: Path, given: Assignment) -> None:
        self.file, self.told = workspace / PROGRESS, 0.0
        sizes = [size(test) for test in given.tests]
        self.total = max(sum(sizes), 1)
        self.before = {test.name: sum(sizes[:number]) for number, test in enumerate(given.tests)}

    def say(self, test: Test, done: int, of: int, what: str = "") -> None:
        """Write how many matches of a test, or of `what`, are played."""
        now = time.monotonic()
        if now < self.told + OFTEN:
            return
        self.told = now
        count = f" {done}/{of}" if of else ""
        part = 0 if what else min(done, size(test))
        step = Step((self.before[test.name] + part) / self.total, f"{test.name}{what}{count}")
        write_text(self.file, json.dumps(step))

    def end(self) -> None:
        """Remove the file."""
        self.file.unlink(missing_ok=True)


def size(test: Test) -> int:
    """Return the amount of work in a test, in matches; any other test counts as one."""
    if test.kind in (MATCHES, SESSION):
        return test.matches
    return 0 if test.kind in (TOURNAMENT, MANUAL) else 1


class Watcher:
    """Reports the progress of all submissions; it never decreases."""

    def __init__(self, workspaces: dict[str, Path], tell: Tell) -> None:
        self.workspaces, self.tell = dict(workspaces), tell
        self.total, self.most = len(workspaces), 0.0
        self.turns = threading.Lock()

    def look(self) -> None:
        """Read all progress once, and report it."""
        with self.turns:
            steps = {}
            for name, workspace in self.workspaces.items():
                with suppress(FileNotFoundError):  # it is not being marked
                    text = (workspace / PROGRESS).read_text(encoding="utf-8")
                    steps[name] = Step(*json.loads(text))
            said = [f"{name}: {step.words}" for name, step in list(steps.items())[:NAMED]]
            done = self.total - len(self.workspaces) + sum(step.share for step in steps.values())
            self.most = max(self.most, done)
            self.tell(MARKING, ", ".join(said), self.most, self.total)

    def finish(self, name: str) -> None:
        """Count a submission as marked."""
        with self.turns:
            del self.workspaces[name]
        self.look()


@contextmanager
def watch_progress(workspaces: dict[str, Path], tell: Tell) -> Iterator[Watcher]:
    """Report the progress every `OFTEN` seconds within the context."""
    watch, over = Watcher(workspaces, tell), threading.Event()

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
