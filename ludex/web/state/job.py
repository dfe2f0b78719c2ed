"""Long tasks on the server, which the browser that started them controls.

A browser on the server's own machine may stop them all.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ludex.io.keys import Refused, key_matches, new_key
from ludex.workers.process import start_process

REPORT_INTERVAL = 0.25  # seconds between two reports of a process
STARTING, STOPPING = "starting and compiling …", "stopping …"


class Stopped(Exception):
    """The job was asked to stop, or its time is up."""


class ServerJob(ABC):
    """A task with a key for those who may control it."""

    def __init__(self) -> None:
        self.key = new_key()
        self.opener = ""
        """The name of the visitor who has started it; empty if that is the host."""
        self.stopped_by_host = False

    @property
    @abstractmethod
    def running(self) -> bool:
        """Whether it is running."""

    @abstractmethod
    def halt(self) -> None:
        """Ask it to stop."""

    def stop(self, key: str, on_server: bool = False) -> None:
        """Ask it to stop, if the key is right or a browser on the server's machine asks."""
        if not on_server:
            self.check(key)
        self.stopped_by_host = not key_matches(self.key, key)
        self.halt()

    def check(self, key: str) -> None:
        """Raise Refused if the key is wrong."""
        if not key_matches(self.key, key):
            raise Refused("only the browser that started it may stop it, or let it go on")


def check_room(jobs: Iterable[ServerJob], noun: str, most: int, opener: str) -> None:
    """Raise a ValueError at the limit of running jobs, of which a visitor may have one."""
    running = [job for job in jobs if job.running]
    if opener and any(job.opener == opener for job in running):
        raise ValueError(f"a {noun} of yours goes on already; stop it, or wait for its end")
    if len(running) >= most:
        raise ValueError(f"{most} {noun}s go on already; wait for one of them")


@dataclass(frozen=True)
class JobProgress:
    """The progress of a job in its own process."""

    done: int = 0
    total: int = 0
    """0 if unknown."""
    first: int = 0
    """What was done when it started, or when all was compiled."""
    seconds: float = 0.0
    """The time since then."""
    words: str = STARTING
    over: bool = False

    def share(self) -> float:
        """Return the share done, from 0 to 1."""
        return self.done / max(self.total, 1)

    def left(self) -> float | None:
        """Return an estimate of the seconds left; None if unknown."""
        if self.over or self.done <= self.first or self.done >= self.total:
            return None
        return self.seconds / (self.done - self.first) * (self.total - self.done)


class ProcessJob(ServerJob):
    """A job in its own process, which sends its progress."""

    def __init__(self, progress: JobProgress) -> None:
        super().__init__()
        self.progress, self.stopping = progress, False
        self.process: Any = None
        self.pipe: Any = None

    @property
    def running(self) -> bool:
        """Whether it is running."""
        return self.process is not None and not self.progress.over

    def launch(self, work: Callable[..., None], *arguments: Any, daemon: bool = True) -> None:
        """Start the process, and receive its progress in a thread."""
        self.stopped_by_host = False
        before, self.stopping = self.progress, False
        self.progress = replace(before, words=STARTING, over=False, first=before.done, seconds=0.0)
        self.process, self.pipe = start_process(work, *arguments, daemon=daemon)
        threading.Thread(target=self.listen, args=(self.process, self.pipe), daemon=True).start()

    @property
    def words(self) -> str:
        """How it stands."""
        return STOPPING if self.running and self.stopping else self.progress.words

    def listen(self, process: Any, pipe: Any) -> None:
        """Receive progress until the process ends."""
        try:
            while not self.progress.over:
                self.progress = pipe.recv()
        except (EOFError, OSError):
            words = "stopped" if self.stopping else "its process has ended"
            self.progress = replace(self.progress, over=True, words=words)
        process.join()

    def halt(self, at_once: bool = False) -> None:
        """Ask it to stop, or kill its process."""
        self.stopping = True
        if self.process is not None and self.process.is_alive():
            self.process.kill() if at_once else self.ask_to_stop()

    def ask_to_stop(self) -> None:
        """Send its process the request to stop."""
        self.process.terminate()
