"""The process of an experiment: run, report results, write the report."""

import json
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from ludex.io.files import write_text
from ludex.lab.experiment_file import read_experiment, reductions, size_share
from ludex.lab.kinds import KINDS, require_extra
from ludex.lab.page import write_report
from ludex.lab.runner import run
from ludex.stats import Tally
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.web.state import experiments
from ludex.web.state.experiments import (
    SECONDS,
    ExperimentEntry,
    ExperimentProgress,
    ExperimentRequest,
    full_seconds,
)
from ludex.web.state.job import REPORT_INTERVAL, Stopped
from ludex.workers.pool import Pool

LAST = 12  # findings listed
LONGEST = 2 * 3600.0  # seconds before it stops; it can be resumed


def entries_with_details(url: str) -> tuple[ExperimentEntry, ...]:
    """Return the experiments that come with Ludex, with their sizes and states."""
    kept = {row.key: row.ended for row in Notebook(Store(url)).experiments()}
    found = []
    for entry in experiments.shipped_experiments():
        try:
            one = read_experiment(entry.source)
            require_extra(one)
        except ValueError as error:
            found.append(entry._replace(lacks=str(error)))
            continue
        key, kind = one.key(), KINDS[one.kind]
        state = ("finished" if kept[key] else "begun") if key in kept else ""
        tasks = len(dict.fromkeys(kind.tasks(one, {})))
        found.append(entry._replace(tasks=tasks, timed=kind.TIMED, state=state))
    return tuple(found)


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
    elif work == "matches":
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


def run_experiment(pipe: Connection, request: ExperimentRequest) -> None:
    """Run an experiment and write its report, or stop on SIGTERM."""

    def interrupt(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
        raise Stopped

    before = signal.signal(signal.SIGTERM, interrupt)
    progress, began, over = ExperimentProgress(), time.monotonic(), threading.Event()
    first_task = 0.0  # seconds until it was done

    def send_progress() -> None:
        # Only this thread sends, so that no signal interrupts a message.
        while not over.wait(REPORT_INTERVAL):
            pipe.send(replace(progress, seconds=time.monotonic() - began))

    def count(done: int, total: int) -> None:
        nonlocal progress, began, first_task
        if progress.total == 0:
            progress, began = replace(progress, first=done), time.monotonic()
        elif progress.done == progress.first < done:
            first_task = time.monotonic() - began
        progress = replace(progress, done=done, total=total, words="running")
        if time.monotonic() > began + LONGEST:
            raise Stopped

    def note(words: str) -> None:
        nonlocal progress
        progress = replace(progress, findings=(words, *progress.findings)[:LAST])

    sender = threading.Thread(target=send_progress, daemon=True)
    sender.start()
    try:
        experiment = read_experiment(request.source, request.scale)
        outcome = run(
            experiment, ReportingNotebook(Store(request.url), note), Pool(request.processes), count
        )
        progress = replace(progress, words="writing the report")
        write_report(outcome, request.folder)
        if progress.first == 0:  # nothing was known before
            seconds = time.monotonic() - began
            share = size_share(reductions(experiment, read_experiment(request.source)))
            full = full_seconds(seconds, first_task, progress.done, share)
            write_text(request.folder / SECONDS, f"{seconds:.1f} {full:.1f}")
        words = "done"
    except Stopped:
        words = "stopped; results so far are kept"
    except Exception as error:
        words = f"failed: {error}"
    signal.signal(signal.SIGTERM, before)
    over.set()
    sender.join()
    seconds = time.monotonic() - began
    pipe.send(replace(progress, words=words, over=True, seconds=seconds))
