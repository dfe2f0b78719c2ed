"""An experiment in its own process, which reports its progress and stops on request.

Its results are in the store, so starting it again resumes it.
"""

import os
import re
from multiprocessing.connection import Connection
from pathlib import Path

from ludex.web.state import experiments
from ludex.web.state.experiments import (
    SECONDS,
    SIZES,
    ExperimentEntry,
    ExperimentProgress,
    ExperimentRequest,
)
from ludex.web.state.job import ProcessJob

NAME = re.compile(r"[a-z0-9-]{1,80}")
NICENESS = 10  # live matches have priority
UNKNOWN = (0.0, None, None, 0.0)  # of a report that was never made


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

    def made(self, name: str) -> tuple[float, float | None, float | None, float]:
        """Return when a report was written, in seconds since 1970, and the seconds of its run.

        Then come those estimated for the full size, and those of its tasks alone. All but the last
        are None if they are not known.
        """
        page = self.page(name)
        seconds, full, work = experiments.read_seconds(page.with_name(SECONDS)) or UNKNOWN[1:]
        return page.stat().st_mtime, seconds, full or None, work

    def runs(self, entry: ExperimentEntry, size: str) -> bool:
        """Return whether an experiment is running at this size."""
        job = self.last_job(entry, size)
        return job is not None and job.running

    def stopped_by_host(self, entry: ExperimentEntry, size: str) -> bool:
        """Return whether the host has stopped an experiment at this size, the last one."""
        job = self.last_job(entry, size)
        return job is not None and job.stopped_by_host

    def last_job(self, entry: ExperimentEntry, size: str) -> ExperimentJob | None:
        """Return the last job, if it is of this experiment at this size."""
        job = self.job
        return job if job is not None and job.name == report_name(entry.name, size) else None

    def estimate(self, entry: ExperimentEntry, size: str) -> tuple[float, str] | None:
        """Estimate the seconds at a size from the largest smaller one that was run here.

        Return them with the size of that run, or None if there is none.
        """
        if size not in entry.sizes:
            return None
        reports, sizes = self.reports(entry), list(SIZES)
        for smaller in reversed(sizes[: sizes.index(size)]):
            _, _, full, work = self.made(reports[smaller]) if smaller in reports else UNKNOWN
            if full is not None:
                return max(full * entry.sizes[size].share, work), smaller
        return None

    def begin(self, entry: ExperimentEntry, size: str, fresh: bool = False) -> ExperimentJob:
        """Start or resume an experiment; `fresh` replaces its results.

        Raise a ValueError if it cannot be started.
        """
        if self.job is not None and self.job.running:
            raise ValueError(f"{self.job.title!r} is running; one at a time")
        if entry.lacks:
            raise ValueError(entry.lacks)
        if size not in SIZES:
            raise ValueError(f"size {size[:20]!r}: expected {', '.join(SIZES)}")
        folder = self.page(report_name(entry.name, size)).parent
        request = ExperimentRequest(entry.source, SIZES[size], self.url, folder, fresh=fresh)
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
