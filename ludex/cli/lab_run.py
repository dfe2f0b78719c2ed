"""Run an experiment at the console: progress bar, report folder, and summary."""

import functools
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ludex.cli import console
from ludex.io.text import many
from ludex.lab.api import Findings, find_experiment, on_device
from ludex.lab.kinds import require_extra
from ludex.lab.page import TEXT
from ludex.lab.runner import run
from ludex.lab.spec.experiment import Experiment
from ludex.library.progress import progress_bar
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.workers.pool import Pool


class RunSettings(NamedTuple):
    """Settings of running, storing and reporting an experiment."""

    scale: float
    seed: int | None
    pool: Pool
    fresh: bool
    out: Path | None
    db: str | None
    device: str | None


def run_and_report(order: str | Mapping[str, Any], settings: RunSettings) -> None:
    """Run an experiment and write its report."""
    experiment = find_experiment(order, settings.scale, settings.seed)
    if settings.device is not None:
        experiment = on_device(experiment)
    require_extra(experiment)
    notebook = Notebook(Store(settings.db))
    began = time.perf_counter()
    work = console.interruptible(run, settings.pool)
    with report_folder(settings.out, experiment) as folder:
        try:
            with progress_bar() as tell:
                count = functools.partial(tell, experiment.name)
                how = {"fresh": settings.fresh, "device": settings.device or "auto"}
                outcome = work(experiment, notebook, settings.pool, count, **how)
        except KeyboardInterrupt as stop:
            stop.add_note("what was found out is kept, and the same command goes on with it")
            raise
        write_report(Findings(outcome), folder, time.perf_counter() - began)


@contextmanager
def report_folder(out: Path | None, experiment: Experiment) -> Iterator[Path]:
    """Yield a writable folder, created before the work and removed if it stays empty."""
    folder = out or Path("reports") / experiment.name
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ValueError(f"--out {str(folder)!r}: {error.strerror}") from error
    try:
        yield folder
    finally:
        if made:
            with suppress(OSError):  # not empty
                folder.rmdir()


def write_report(findings: Findings, folder: Path, seconds: float | None) -> None:
    """Write a report, and print where it is."""
    page = findings.write(folder)
    if console.json_wanted():
        console.print_json({**findings.facts, "page": str(page), "seconds": seconds})
        return
    outcome = findings.outcome
    took = "" if seconds is None else f" in {seconds:.1f} s"
    tasks = many(len(outcome.known), "task")
    console.say(f"{outcome.experiment.title}: {tasks}{took}")
    console.say(f"{page} (and {TEXT} beside it)")
