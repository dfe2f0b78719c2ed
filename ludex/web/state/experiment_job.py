"""An experiment in its own process, which reports its progress and stops on request.

Its results are in the store, so starting it again resumes it.
"""

import os
import re
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ludex.web.state.access import Refused, fits, new_key
from ludex.web.state.experiment_order import Order, Report, Wanted, labels
from ludex.workers.process import start_process

SIZES = {"hundredth": 0.01, "tenth": 0.1, "whole": 1.0}
"""How much of an experiment may be run, by the word that its report has."""
NAME = re.compile(r"[a-z0-9-]{1,80}")
PROCESSES = 0  # as many as there are cores
COURTESY = 10  # by how much these processes give way: those who play come first


def studied() -> set[str]:
    """Return the games about which there are experiments."""
    return {one.game for one in labels()}


def shelf(url: str) -> tuple[Order, ...]:
    """Return the same with what each takes; for a worker, because it takes a moment."""
    from ludex.web.state.experiment_process import on_offer

    return on_offer(url)


def work(pipe: Connection, wanted: Wanted) -> None:
    """Run an experiment in this process; what that needs is imported here alone."""
    os.nice(COURTESY)
    from ludex.web.state.experiment_process import conduct

    conduct(pipe, wanted)


class Study:
    """An experiment as the server sees it."""

    def __init__(self, name: str, title: str, wanted: Wanted) -> None:
        self.name, self.title, self.wanted = name, title, wanted
        self.report = Report()
        self.key = new_key()
        self.asked = False  # to stop
        self.process: Any = None
        self.pipe: Any = None

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.process is not None and not self.report.over

    def start(self) -> None:
        """Start the process; it goes on with what is known."""
        self.process, self.pipe = start_process(work, self.wanted, daemon=False)
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        """Take in reports until the process has ended."""
        try:
            while not self.report.over:
                self.report = self.pipe.recv()
        except (EOFError, OSError):
            words = "stopped" if self.asked else "its process has ended"
            self.report = self.report._replace(over=True, words=words)
        self.process.join()

    def stop(self, key: str) -> None:
        """Ask it to stop, if the key is that of whoever started it."""
        if not fits(self.key, key):
            raise Refused("only the browser that started it may stop it")
        self.halt()

    def halt(self, at_once: bool = False) -> None:
        """Ask it to stop, or end its process."""
        self.asked = True
        if self.process is not None and self.process.is_alive():
            (self.process.kill if at_once else self.process.terminate)()


class Laboratory:
    """The experiments of one server: one runs at a time, and all have their reports."""

    def __init__(self, folder: Path, url: str) -> None:
        """Keep reports in a folder and findings in a store, which the command line may use, too."""
        self.folder, self.url = folder, url
        self.study: Study | None = None
        self.orders: tuple[Order, ...] = labels()

    def page(self, name: str) -> Path:
        """Return the file of a report, there or not; a ValueError refuses what is no name."""
        if not NAME.fullmatch(name):
            raise ValueError("no report has such a name")
        return self.folder / "reports" / name / "report.html"

    def reports(self, order: Order) -> dict[str, str]:
        """Return the reports that an experiment has, by how much of it was run."""
        names = {size: called(order.name, size) for size in SIZES}
        return {size: name for size, name in names.items() if self.page(name).is_file()}

    def begin(self, order: Order, size: str) -> Study:
        """Return an experiment that has been started; a ValueError says why it cannot be."""
        if self.study is not None and self.study.running:
            raise ValueError(f"{self.study.title!r} is running; one at a time")
        if order.lacks:
            raise ValueError(order.lacks)
        if size not in SIZES:
            raise ValueError(f"size {size[:20]!r}: expected {', '.join(SIZES)}")
        name = called(order.name, size)
        wanted = Wanted(order.source, SIZES[size], self.url, self.page(name).parent, PROCESSES)
        self.study = Study(name, order.title, wanted)
        self.study.start()
        return self.study

    def close(self) -> None:
        """End what is running; it can be resumed."""
        if self.study is not None:
            self.study.halt(at_once=True)


def called(name: str, size: str) -> str:
    """Return the name of the report about so much of an experiment."""
    return name if size == "whole" else f"{name}-{size}"
