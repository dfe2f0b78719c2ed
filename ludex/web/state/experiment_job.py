"""An experiment in its own process, which reports its progress and stops on request.

Its results are in the store, so starting it again resumes it.
"""

import os
import re
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ludex.web.state.access import Refused, key_matches, new_key
from ludex.web.state.experiment_order import (
    ExperimentEntry,
    ExperimentProgress,
    ExperimentRequest,
    shipped_experiments,
)
from ludex.workers.process import start_process

SIZES = {"hundredth": 0.01, "tenth": 0.1, "whole": 1.0}
"""The share of an experiment to run, by name."""
NAME = re.compile(r"[a-z0-9-]{1,80}")
PROCESSES = 0  # one per core
NICENESS = 10  # live matches have priority


def games_with_experiments() -> set[str]:
    """Return the games with experiments."""
    return {one.game for one in shipped_experiments()}


def list_experiments(url: str) -> tuple[ExperimentEntry, ...]:
    """Return all experiments with details; slow, so for a worker."""
    from ludex.web.state.experiment_process import entries_with_details

    return entries_with_details(url)


def run_in_process(pipe: Connection, request: ExperimentRequest) -> None:
    """Run an experiment in this process, which alone imports what that needs."""
    os.nice(NICENESS)
    from ludex.web.state.experiment_process import run_experiment

    run_experiment(pipe, request)


class ExperimentJob:
    """An experiment's process, seen from the server."""

    def __init__(self, name: str, title: str, request: ExperimentRequest) -> None:
        self.name, self.title, self.request = name, title, request
        self.progress = ExperimentProgress()
        self.key = new_key()
        self.stopping = False
        self.process: Any = None
        self.pipe: Any = None

    @property
    def running(self) -> bool:
        """Whether it is running."""
        return self.process is not None and not self.progress.over

    def start(self) -> None:
        """Start the process, which resumes from the store."""
        self.process, self.pipe = start_process(run_in_process, self.request, daemon=False)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        """Receive progress until the process ends."""
        try:
            while not self.progress.over:
                self.progress = self.pipe.recv()
        except (EOFError, OSError):
            words = "stopped" if self.stopping else "its process has ended"
            self.progress = self.progress._replace(over=True, words=words)
        self.process.join()

    def stop(self, key: str) -> None:
        """Ask it to stop, if the key is right."""
        if not key_matches(self.key, key):
            raise Refused("only the browser that started it may stop it")
        self.halt()

    def halt(self, at_once: bool = False) -> None:
        """Ask it to stop, or kill its process."""
        self.stopping = True
        if self.process is not None and self.process.is_alive():
            (self.process.kill if at_once else self.process.terminate)()


class Laboratory:
    """The experiments of a server and their reports; one runs at a time."""

    def __init__(self, folder: Path, url: str) -> None:
        """Keep reports in a folder, and findings in a store."""
        self.folder, self.url = folder, url
        self.job: ExperimentJob | None = None
        self.entries: tuple[ExperimentEntry, ...] = shipped_experiments()

    def page(self, name: str) -> Path:
        """Return the path of a report, existing or not; raise a ValueError for an invalid name."""
        if not NAME.fullmatch(name):
            raise ValueError("no report has such a name")
        return self.folder / "reports" / name / "report.html"

    def reports(self, entry: ExperimentEntry) -> dict[str, str]:
        """Return the names of an experiment's reports, by size."""
        names = {size: report_name(entry.name, size) for size in SIZES}
        return {size: name for size, name in names.items() if self.page(name).is_file()}

    def begin(self, entry: ExperimentEntry, size: str) -> ExperimentJob:
        """Start an experiment; raise a ValueError if that is not possible."""
        if self.job is not None and self.job.running:
            raise ValueError(f"{self.job.title!r} is running; one at a time")
        if entry.lacks:
            raise ValueError(entry.lacks)
        if size not in SIZES:
            raise ValueError(f"size {size[:20]!r}: expected {', '.join(SIZES)}")
        name = report_name(entry.name, size)
        request = ExperimentRequest(
            entry.source, SIZES[size], self.url, self.page(name).parent, PROCESSES
        )
        self.job = ExperimentJob(name, entry.title, request)
        self.job.start()
        return self.job

    def close(self) -> None:
        """End the running experiment; it can be resumed."""
        if self.job is not None:
            self.job.halt(at_once=True)


def report_name(name: str, size: str) -> str:
    """Return the name of the report of an experiment at a size."""
    return name if size == "whole" else f"{name}-{size}"
