"""The process of an experiment: run, report results, write the report."""

import functools
import json
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from ludex.io.files import write_text
from ludex.lab.experiment_file import fill_defaults, read_experiment, reductions, size_share
from ludex.lab.kinds import KINDS, require_extra
from ludex.lab.page import write_report
from ludex.lab.run.measurements import full_seconds
from ludex.lab.run.series import ON_DEVICE
from ludex.lab.runner import run, stages
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.task import Answer, Task
from ludex.stats import Tally
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.web.state import experiments
from ludex.web.state.experiments import (
    SECONDS,
    SECONDS_SO_FAR,
    SIZES,
    ExperimentEntry,
    ExperimentProgress,
    ExperimentRequest,
    Seconds,
    SizeDetails,
    read_seconds,
)
from ludex.web.state.job import REPORT_INTERVAL, Stopped
from ludex.workers.pool import Pool, cores

LAST = 12  # findings listed
LONGEST = 2 * 3600.0  # seconds before it stops; it can be resumed


def entries_with_details(url: str) -> tuple[ExperimentEntry, ...]:
    """Return the experiments that come with Ludex, with their sizes and states."""
    kept = {row.key: row.ended for row in Notebook(Store(url)).experiments()}
    found = []
    for entry in experiments.shipped_experiments():
        entry, keys = entry_with_sizes(entry.source)
        sizes = dict(entry.sizes)
        for name, key in keys.items():
            if kept.get(key):
                tasks = finished_tasks(entry.source, SIZES[name], url)
                sizes[name] = sizes[name]._replace(tasks=tasks, state="finished")
            elif key in kept:
                sizes[name] = sizes[name]._replace(state="begun")
        found.append(entry._replace(sizes=sizes))
    return tuple(found)


@functools.cache  # a finished experiment has all its tasks
def finished_tasks(source: str, scale: float, url: str) -> int:
    """Return the number of tasks of a finished experiment, with those that its results added."""
    known: dict[Task, Answer] = {}
    for left in stages(read_experiment(source, scale), Notebook(Store(url)), known, set()):
        if left:  # the results are of another version
            return len(known) + len(left)
    return len(known)


@functools.cache  # it takes a second for all, and their files do not change
def entry_with_sizes(source: str) -> tuple[ExperimentEntry, dict[str, str]]:
    """Return an experiment that comes with Ludex with its sizes, and the key of each size."""
    (entry,) = (one for one in experiments.shipped_experiments() if one.source == source)
    try:
        full = read_experiment(source)
        require_extra(full)
    except ValueError as error:
        return entry._replace(lacks=str(error)), {}
    scaled = {name: fill_defaults(full, scale) for name, scale in SIZES.items()}
    sizes = {name: size_details(one, full) for name, one in scaled.items()}
    keys = {name: one.key() for name, one in scaled.items()}
    return entry._replace(sizes=sizes, timed=KINDS[full.kind].TIMED), keys


def size_details(experiment: Experiment, full: Experiment) -> SizeDetails:
    """Return the number of tasks of a size, and its share of the full experiment."""
    tasks = len(dict.fromkeys(KINDS[experiment.kind].tasks(experiment, {})))
    return SizeDetails(tasks, size_share(reductions(experiment, full)))


class ReportingNotebook(Notebook):
    """A notebook that also reports what is written into it."""

    def __init__(self, store: Store, tell: Callable[[str], None]) -> None:
        super().__init__(store)
        self.tell = tell

    def keep(self, found: Mapping[str, tuple[Any, Any]], source: str) -> None:
        """Add tasks and their answers, and report them in words."""
        super().keep(found, source)
        for task, answer in found.values():
            self.tell(result_line(task[0], json.loads(task[1]), answer))


def result_line(work: str, facts: dict[str, Any], answer: dict[str, Any]) -> str:
    """Return one line about a task and its result."""
    rules = ", ".join(f"{key} {value}" for key, value in facts.get("rules", {}).items())
    if work == "decision":
        words = f"{facts['agent']}: {answer['move']}, {answer['nodes']:,} nodes"
        words += f", {answer['seconds']:.3g} s"
    elif work in ("matches", ON_DEVICE):
        names = [one if isinstance(one, str) else one["learner"] for one in facts["agents"]]
        won, drawn, lost = Tally.of(returns[0] for returns in answer["returns"])
        words = f"{' – '.join(names)}: {won} won, {drawn} drawn, {lost} lost"
    elif work == "curve":
        matches, *counts = answer["points"][-1]
        words = f"{facts['learner']}, seed {facts['seed']}: {100 * Tally(*counts).share:.0f} %"
        words += f" after {matches:,} matches"
    else:
        value = answer.get("value")
        words = "not proven" if value is None else f"value {value:+.3g} for the first seat"
    return f"{rules}: {words}" if rules else words


class Stopwatch:
    """Measures a run of an experiment, and adds the earlier runs that it continues."""

    def __init__(self, request: ExperimentRequest) -> None:
        self.request, self.began = request, time.monotonic()
        self.file = request.folder / SECONDS_SO_FAR
        self.earlier = read_seconds(self.file)
        self.file.unlink(missing_ok=True)  # if this run is killed, its seconds are not known
        self.full = self.work = 0.0
        self.at_once = 1  # tasks

    def start(self, experiment: Experiment, done: int, total: int) -> None:
        """Start with the tasks, after what is done already."""
        self.began = time.monotonic()
        if done == 0:
            self.earlier = Seconds()
        if not KINDS[experiment.kind].TIMED:
            self.at_once = max(1, min(self.request.processes or cores(), total - done))

    def add(self, full: float, work: float) -> None:
        """Add the seconds of a task at full size, and at this one."""
        self.full, self.work = self.full + full / self.at_once, self.work + work / self.at_once

    def this_run(self) -> float:
        """Return the seconds since this run began."""
        return time.monotonic() - self.began

    def so_far(self) -> Seconds:
        """Return the seconds of all runs that are known."""
        now = Seconds(self.this_run(), self.full, self.work)
        return now.plus(self.earlier or Seconds())

    def save(self, finished: bool) -> None:
        """Write the seconds for the report, or for the run that will continue this one."""
        if self.earlier is not None:
            path = self.request.folder / SECONDS if finished else self.file
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, self.so_far().text())


def run_experiment(pipe: Connection, request: ExperimentRequest) -> None:
    """Run an experiment and write its report, or stop on SIGTERM."""

    def interrupt(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        raise Stopped

    before = signal.signal(signal.SIGTERM, interrupt)
    progress, watch, over = ExperimentProgress(), Stopwatch(request), threading.Event()

    def send_progress() -> None:
        # Only this thread sends, so that no signal interrupts a message.
        while not over.wait(REPORT_INTERVAL):
            pipe.send(replace(progress, seconds=watch.so_far().run, work=watch.work))

    def count(done: int, total: int) -> None:
        nonlocal progress
        if progress.total == 0:
            progress = replace(progress, first=done)
            watch.start(experiment, done, total)
        progress = replace(progress, done=done, total=total, words="running")
        if watch.this_run() > LONGEST:
            raise Stopped

    def add_seconds(task: Task, answer: Answer, seconds: float) -> None:
        watch.add(full_seconds(task, answer, seconds, share), seconds)

    def note(words: str) -> None:
        nonlocal progress
        progress = replace(progress, findings=(words, *progress.findings)[:LAST])

    sender = threading.Thread(target=send_progress, daemon=True)
    sender.start()
    try:
        experiment = read_experiment(request.source, request.scale)
        share = size_share(reductions(experiment, read_experiment(request.source)))
        notebook = ReportingNotebook(Store(request.url), note)
        pool = Pool(request.processes)
        outcome = run(experiment, notebook, pool, count, request.fresh, add_seconds)
        progress = replace(progress, words="writing the report")
        write_report(outcome, request.folder)
        words = "done"
    except Stopped:
        words = "stopped; results so far are kept"
    except Exception as error:
        words = f"failed: {error}"
    signal.signal(signal.SIGTERM, before)
    over.set()
    sender.join()
    watch.save(finished=words == "done")
    pipe.send(replace(progress, words=words, over=True, seconds=watch.so_far().run))
