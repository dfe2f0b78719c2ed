"""Run an experiment at the console: progress bar, report folder, and summary."""

import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ludex.cli.options import interruptible, print_json, screen
from ludex.io.plural import many
from ludex.lab.api import Findings, find_experiment
from ludex.lab.kinds import require_extra
from ludex.lab.page import TEXT
from ludex.lab.runner import Outcome, run
from ludex.lab.spec.experiment import Experiment
from ludex.library.bars import progress_bar
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.workers.pool import Pool


class Bench(NamedTuple):
    """How an experiment is run, kept and reported, as the command line says."""

    scale: float
    seed: int | None
    pool: Pool
    fresh: bool
    out: Path | None
    db: str | None


def conduct(order: str | Mapping[str, Any], bench: Bench, as_json: bool) -> None:
    """Run an experiment with a bar, and report it."""
    experiment = find_experiment(order, bench.scale, bench.seed)
    require_extra(experiment)
    notebook = Notebook(Store(bench.db))
    began = time.perf_counter()
    with ready(bench.out or usual_folder(experiment)) as folder:
        findings = Findings(watched(experiment, notebook, bench))
        finish(findings, folder, as_json, time.perf_counter() - began)


def watched(experiment: Experiment, notebook: Notebook, bench: Bench) -> Outcome:
    """Return what an experiment finds out, with a bar."""
    with progress_bar() as tell:

        def told(done: int, total: int) -> None:
            tell(experiment.name, done, total)

        try:
            work = interruptible(run, bench.pool)
            return work(experiment, notebook, bench.pool, told, bench.fresh)
        except KeyboardInterrupt as stop:
            stop.add_note("what was found out is kept, and the same command goes on with it")
            raise


def usual_folder(experiment: Experiment) -> Path:
    """Return where a report goes if nobody says."""
    return Path("reports") / experiment.name


@contextmanager
def ready(folder: Path) -> Iterator[Path]:
    """Yield a folder that can be written to; it is there before the work, and not without it."""
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
            with suppress(OSError):  # it has something in it, as it should
                folder.rmdir()


def finish(findings: Findings, folder: Path, as_json: bool, seconds: float | None) -> None:
    """Write a report, and say where it is."""
    page = findings.write(folder)
    if as_json:
        print_json({**findings.facts, "page": str(page), "seconds": seconds})
        return
    outcome = findings.outcome
    console = screen()
    took = "" if seconds is None else f" in {seconds:.1f} s"
    tasks = many(len(outcome.known), "task")
    console.print(f"{outcome.experiment.title}: {tasks}{took}", markup=False)
    console.print(f"{page} (and {TEXT} beside it)", markup=False)
