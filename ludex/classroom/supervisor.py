"""Worker processes of one machine: each is started again when it dies."""

import itertools
import os
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from typing import Any

from ludex.classroom.classroom import Classroom
from ludex.classroom.worker import Order, release_vanished, work, work_on_order
from ludex.external import sandbox
from ludex.store.database import DatabaseError
from ludex.workers.pool import Pool, cores
from ludex.workers.process import start_process

PAUSE = 1.0  # seconds between two looks at the processes
# Pages come first. Beside two other busy processes, the weights of Linux leave a program the fifth
# of a core that the limit on wall time expects (`WALL_FACTOR`): 20.4 %; niceness 5 leaves 14 %.
NICE = 3


class Workers:
    """Processes that work for a class until they are stopped."""

    def __init__(self, classroom: Classroom, processes: int = 0) -> None:
        sandbox.is_enabled()  # or raise a ValueError
        self.classroom, self.count = classroom, processes or max(cores() - 1, 1)
        self.processes: list[tuple[Any, Connection]] = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def start(self) -> None:
        """Start the processes, and a thread that watches them."""
        with suppress(DatabaseError):
            release_vanished(self.classroom)
        self.processes = [self.start_one() for _ in range(self.count)]
        self.thread.start()

    def start_one(self) -> tuple[Any, Connection]:
        """Start a process."""
        return start_process(run_worker, self.classroom.url, os.getpid(), daemon=False)

    def watch(self) -> None:
        """Start processes again that have died, and let others take what they held."""
        while not self.ended.wait(PAUSE):
            for at, (process, pipe) in enumerate(self.processes):
                if not process.is_alive():
                    process.join()
                    pipe.close()
                    with suppress(DatabaseError):  # then the lease runs out
                        release_vanished(self.classroom)
                    self.processes[at] = self.start_one()

    def stop(self) -> None:
        """End the processes; what they were doing is done again by others."""
        self.ended.set()
        if self.thread.is_alive():
            self.thread.join()
        for process, pipe in self.processes:
            process.kill()
            process.join()
            pipe.close()
        self.processes = []
        with suppress(DatabaseError):
            release_vanished(self.classroom)


def run_worker(pipe: Connection, url: str, parent: int) -> None:
    """Work for the class at a URL, and give way to its pages; this process ends with its parent."""
    os.nice(NICE)
    classroom = None
    while classroom is None:
        try:
            classroom = Classroom(url)
        except DatabaseError:
            time.sleep(PAUSE)
    work(classroom, lambda: os.getppid() != parent)


def work_on_cluster(classroom: Classroom, pool: Pool) -> Iterator[bool]:
    """Work on a Dask cluster; yield for each order whether there was something to do."""
    orders = (Order(classroom.url, number) for number in itertools.count())
    with closing(pool.run(work_on_order, orders)) as answers:
        yield from answers
