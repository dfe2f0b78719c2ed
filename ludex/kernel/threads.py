"""Run work in a thread: compiled code cannot be interrupted, but waiting for it can."""

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from queue import SimpleQueue
from typing import Any, TypeVar

from ludex.io.files import ignore_interrupts

Answer = TypeVar("Answer")
Job = TypeVar("Job")

REPORT_SECONDS = 0.2  # between two reports of threads, and two looks at Ctrl-C


def run_in_thread(work: Callable[..., Answer], *arguments: Any, **named: Any) -> Future[Answer]:
    """Run a function in a daemon thread, and return the future of its result."""
    future: Future[Answer] = Future()
    start(future, work, *arguments, **named)
    return future


def start(
    future: Future[Answer], work: Callable[..., Answer], *arguments: Any, **named: Any
) -> None:
    """Run a function in a daemon thread, unless the future of its result is cancelled before."""

    def run() -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(work(*arguments, **named))
        except BaseException as error:
            future.set_exception(error)

    kept_threads.do(run)


class DaemonThreads:
    """Threads that are kept for further work: starting one takes ten times as long as waking it.

    They are daemons, unlike those of an executor, so that Python can end while compiled code runs.
    """

    def __init__(self) -> None:
        self.works: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.lock, self.idle = threading.Lock(), 0

    def do(self, work: Callable[[], None]) -> None:
        """Do some work in an idle thread, or else in a new one."""
        with self.lock:
            is_new = self.idle == 0
            self.idle -= not is_new
        self.works.put(work)
        if is_new:
            threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        """Do one work after another."""
        while True:
            work = self.works.get()
            work()
            del work  # and what it holds
            with self.lock:
                self.idle += 1


kept_threads = DaemonThreads()
os.register_at_fork(after_in_child=kept_threads.__init__)  # type: ignore[misc]


def run_interruptibly(work: Callable[..., Answer], *arguments: Any, **named: Any) -> Answer:
    """Return the result of a function; Ctrl-C raises at once, and leaves it running in a thread."""
    if threading.current_thread() is not threading.main_thread():  # only this one gets Ctrl-C
        return work(*arguments, **named)
    return run_in_thread(work, *arguments, **named).result()


class Stopped(Exception):
    """A thread is to end because another one has failed, or because of Ctrl-C."""


def run_in_threads(
    workers: Sequence[Callable[[Job, Callable[[], None]], None]],
    jobs: list[Job],
    report: Callable[[], None] = lambda: None,
) -> None:
    """Let workers, each in a thread of its own, do all jobs; `report` is called now and then.

    A worker gets a job, and a function that it calls now and then: it raises Stopped if the job is
    no longer wanted. The first error, or Ctrl-C, is raised once all threads have ended, even if
    Ctrl-C is pressed again. A single worker needs no thread, and reports itself where it would
    pause.
    """
    if len(workers) == 1:
        for job in jobs:
            workers[0](job, report)
        return
    waiting, stop = deque(jobs), threading.Event()

    def pause() -> None:
        if stop.is_set():
            raise Stopped

    def work(worker: Callable[[Job, Callable[[], None]], None]) -> None:
        while waiting and not stop.is_set():
            try:
                job = waiting.popleft()
            except IndexError:  # another thread was faster
                return
            worker(job, pause)

    ends: list[Future[None]] = []
    try:
        for worker in workers[: len(jobs)]:
            ends.append(Future())  # before it starts: Ctrl-C may come in between
            start(ends[-1], work, worker)
        while not all(one.done() for one in ends):
            done, _ = wait(ends, REPORT_SECONDS, FIRST_EXCEPTION)
            if any(one.exception() for one in done):
                break
            report()
    finally:
        if not all(one.done() for one in ends):
            with ignore_interrupts():  # nobody may go on while threads still write
                stop.set()
                wait([one for one in ends if not one.cancel()])
    errors = [error for one in ends if not one.cancelled() and (error := one.exception())]
    for error in errors:
        if not isinstance(error, Stopped):
            raise error
