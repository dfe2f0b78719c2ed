"""An experiment in its own process, which reports its progress and stops on request.

Its results are in the store, so starting it again resumes it.
"""

import contextlib
import os
import re
from multiprocessing.connection import Connection
from pathlib import Path

from ludex.web.state import experiments
from ludex.web.state.experiments import ExperimentEntry, ExperimentProgress, ExperimentRequest
from ludex.web.state.job import ProcessJob

SIZES = {"hundredth": 0.01, "tenth": 0.1, "whole": 1.0}
"""The share of an experiment to run, by name."""
NAME = re.compile(r"[a-z0-9-]{1,80}")
NICENESS = 10  # live matches have priority


def games_with_experiments() -> set[str]:
    """Return the games with experiments."""
    return {one.game for one in experiments.shipped_experiments()}


def list_experiments(url: str) -> tuple[ExperimentEntry, ...]:
    """Return all experiments with details; slow, so for a worker."""
    from ludex.web.state.experiment_process import entries_with_details

    return entries_with_details(url)


def run_in_process(pipe: Connection, request: ExperimentRequest) -> None:
    """Run an experiment in this process, which alone imports what that needs."""
    os.nice(NICENESS)
    from ludex.web.state.experiment_process import run_experiment

    run_experiment(pipe, request)


class ExperimentJob(ProcessJob):
    """An experiment's process, seen from the server."""

    progress: ExperimentProgress

    def __init__(self, entry: ExperimentEntry, size: str, request: ExperimentRequest) -> None:
        super().__init__(ExperimentProgress())
        self.entry, self.size, self.request = entry, size, request
        self.name, self.title = report_name(entry.name, size), entry.title

    def start(self) -> None:
        """Start the process, which resumes from the store."""
        self.launch(run_in_process, self.request, daemon=False)


class Laboratory:
    """The experiments of a server and their reports; one runs at a time."""

    def __init__(self, folder: Path, url: str) -> None:
        """Keep reports in a folder, and findings in a store."""
        self.folder, self.url = folder, url
        self.job: ExperimentJob | None = None
        self.entries: tuple[ExperimentEntry, ...] = experiments.shipped_experiments()

    def page(self, name: str) -> Path:
        """Return the path of a report, existing or not; raise a ValueError for an invalid name."""
        if not NAME.fullmatch(name):
            raise ValueError("no report has such a name")
        return self.folder / "reports" / name / "report.html"

    def reports(self, entry: ExperimentEntry) -> dict[str, str]:
        """Return the names of an experiment's reports, by size."""
        names = {size: report_name(entry.name, size) for size in SIZES}
        return {size: name for size, name in names.items() if self.page(name).is_file()}

    def made(self, name: str) -> tuple[float, float | None, float | None]:
        """Return when a report was written, in seconds since 1970, and the seconds of its run.

        The last are those estimated for the full size. Either is None if it is not known.
        """
        page = self.page(name)
        known: list[float] = []
        with contextlib.suppress(OSError, ValueError):
            known = [float(one) for one in page.with_name(experiments.SECONDS).read_text().split()]
        seconds, full, *_ = *known, None, None
        return page.stat().st_mtime, seconds, full

    def begin(self, entry: ExperimentEntry, size: str) -> ExperimentJob:
        """Start an experiment; raise a ValueError if that is not possible."""
        if self.job is not None and self.job.running:
            raise ValueError(f"{self.job.title!r} is running; one at a time")
        if entry.lacks:
            raise ValueError(entry.lacks)
        if size not in SIZES:
            raise ValueError(f"size {size[:20]!r}: expected {', '.join(SIZES)}")
        folder = self.page(report_name(entry.name, size)).parent
        request = ExperimentRequest(entry.source, SIZES[size], self.url, folder)
        self.job = ExperimentJob(entry, size, request)
        self.job.start()
        return self.job

    def close(self) -> None:
        """End the running experiment; it can be resumed."""
        if self.job is not None:
            self.job.halt(at_once=True)


def report_name(name: str, size: str) -> str:
    """Return the name of the report of an experiment at a size."""
    return name if size == "whole" else f"{name}-{size}"
