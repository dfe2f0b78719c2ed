"""Run an experiment at the console: progress bar, report folder, and summary."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.progress import TextColumn

from ludex.cli.options import interruptible, print_json, screen
from ludex.io.plural import many
from ludex.lab.kinds import require_extra
from ludex.lab.page import TEXT, facts_of, write_report
from ludex.lab.runner import Outcome, run
from ludex.lab.spec.experiment import Experiment
from ludex.library.bars import bar
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.workers.pool import Pool


def conduct(
    experiment: Experiment,
    as_json: bool,
    pool: Pool,
    fresh: bool,
    out: Path | None,
    db: str | None,
) -> None:
    """Run an experiment with a bar, and report it."""
    require_extra(experiment)
    notebook = Notebook(Store(db))
    began = time.perf_counter()
    with ready(out or usual_folder(experiment)) as folder:
        outcome = watched(experiment, notebook, pool, fresh)
        finish(outcome, folder, as_json, time.perf_counter() - began)


def watched(experiment: Experiment, notebook: Notebook, pool: Pool, fresh: bool) -> Outcome:
    """Return what an experiment finds out, with a bar."""
    with bar(TextColumn("{task.description}")) as progress:
        task = progress.add_task(experiment.name, total=None)

        def tell(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        try:
            return interruptible(run, pool)(experiment, notebook, pool, tell, fresh)
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


def finish(outcome: Outcome, folder: Path, as_json: bool, seconds: float | None) -> None:
    """Write a report, and say where it is."""
    page = write_report(outcome, folder)
    if as_json:
        print_json({**facts_of(outcome), "page": str(page), "seconds": seconds})
        return
    console = screen()
    took = "" if seconds is None else f" in {seconds:.1f} s"
    tasks = many(len(outcome.known), "task")
    console.print(f"{outcome.experiment.title}: {tasks}{took}", markup=False)
    console.print(f"{page} (and {TEXT} beside it)", markup=False)
