"""Run jobs in this process, in others on this machine, or on a Dask cluster.

The results are the same everywhere; only their order is not. However it ends, no local process
is left running.
"""

import functools
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, Self, TypeVar

from ludex.external.packages import GRADING, PACKAGES
from ludex.external.sandbox import UNSAFE
from ludex.io.text import ParameterError
from ludex.kernel import jit
from ludex.kernel.threads import run_in_thread
from ludex.workers.process import CONTEXT, end_with_parent

Order = TypeVar("Order")
Answer = TypeVar("Answer")
MOST_WORKERS = 256
AHEAD = 4  # queued jobs for each process, so that none is idle
TRIES = 3  # of a job whose process dies
MOMENT = 1.5  # seconds, about what starting the processes takes
VANISHED = "a process that played matches died without an error message"
KILLED = "workers of the Dask cluster died at the same job again and again: their logs say why"
# Environment variables that say how external programs run; passed on to workers of a cluster.
SETTINGS = (UNSAFE, PACKAGES, GRADING)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """Runs jobs in local processes, or on the workers of a Dask cluster.

    With 1 process, jobs run in this one; with 0, they run here for a moment and then in one process
    per core. Processes start on demand and end with `close` or when a run is aborted. A closed pool
    can be used again.
    """

    def __init__(self, processes: int = 0, dask: str | None = None) -> None:
        if processes not in range(MOST_WORKERS + 1):
            most = f"expected 0, for one per core, to {MOST_WORKERS}"
            raise ParameterError("{processes} {!r}: {}", processes, most)
        if processes and dask:
            raise ParameterError("{dask} and {processes}: expected one of them")
        self.processes, self.dask = processes, dask
        self.executor: Executor | None = None
        self.client: Any = None
        """The connection to the cluster."""
        self.others: list[Any] = []
        """Processes that do not belong to this pool."""
        self.fatal: tuple[type[Exception], ...] = ()
        """What the cluster raises for a job whose workers died."""
        self.width = 1
        """How many jobs run at once in other processes."""
        self.moment = MOMENT
        """Seconds left for running jobs in this process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        self.close(at_once=kind is not None)

    def close(self, at_once: bool = False) -> None:
        """End the processes, or leave the cluster; `at_once` terminates busy processes too."""
        executor, client = self.executor, self.client
        self.executor = self.client = None
        if client is not None:
            client.close()
        elif executor is not None:
            executor.shutdown(wait=not at_once, cancel_futures=True)
            for process in multiprocessing.active_children() if at_once else ():
                if process not in self.others:
                    process.terminate()

    def run(
        self,
        work: Callable[[Order], Answer],
        jobs: Iterable[Order],
        prepare: Callable[[Order], None] | None = None,
        timed: bool = False,
    ) -> Generator[Answer, None, None]:
        """Yield the answer to each job, in order of completion.

        `prepare` gets the first job before any runs on this machine, and its time does not count:
        what it compiles, the other processes load. `timed` jobs run one at a time, in another
        process.
        """
        try:
            if self.processes == 1:
                yield from map(work, jobs)
            elif self.dask or timed:
                yield from self.run_remotely(work, jobs, timed)
            elif self.processes or self.executor:
                yield from self.run_remotely(work, prepared(prepare, jobs), False)
            else:
                yield from self.run_here_first(work, jobs, prepare)
        except BaseException:  # also GeneratorExit
            self.close(at_once=True)
            raise

    def run_here_first(
        self,
        work: Callable[[Order], Answer],
        jobs: Iterable[Order],
        prepare: Callable[[Order], None] | None,
    ) -> Generator[Answer, None, None]:
        """Yield answers, at first from this process; a job that has started here ends here."""
        left = prepared(prepare, jobs)
        for job in left:
            began = time.monotonic()
            future = run_in_thread(work, job)
            wait([future], timeout=max(self.moment, 0.0))
            self.moment -= time.monotonic() - began
            if not future.done():
                break
            yield future.result()
        else:
            return
        yield from self.run_remotely(work, left, False)
        yield future.result()

    def run_remotely(
        self, work: Callable[[Order], Answer], jobs: Iterable[Order], single: bool
    ) -> Generator[Answer, None, None]:
        """Yield answers from other processes; retry a job whose process dies.

        Raise a ValueError when a job has been running in several processes that died; which of
        the running jobs was the cause is not known.
        """
        left: Iterator[tuple[Order, int]] = ((job, 1) for job in jobs)
        first = list(islice(left, 1))
        left = chain(first, left)
        if self.dask:
            settings = {name: os.getenv(name) for name in SETTINGS}
            work = functools.partial(run_with_settings, work, settings)
        while first:  # without jobs, start no processes
            waiting: dict[Future[Answer], tuple[Order, int]] = {}
            batch: list[tuple[Order, int]] = []
            try:
                while True:
                    executor = self.start(single)
                    most = 1 if single else AHEAD * self.width
                    batch = list(islice(left, most - len(waiting)))
                    with block_interrupts():
                        while batch:
                            waiting[executor.submit(work, batch[0][0])] = batch[0]
                            del batch[0]
                    if not waiting:
                        return
                    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        answer = future.result()
                        del waiting[future]
                        yield answer
            except self.fatal as error:
                raise ValueError(KILLED) from error
            except BrokenProcessPool as error:
                self.close(at_once=True)
                if any(tries >= TRIES for _, tries in waiting.values()):
                    raise ValueError(VANISHED) from error
                again = [(job, tries + 1) for job, tries in waiting.values()]
                left = chain(again, batch, left)

    def start(self, single: bool) -> Executor:
        """Return the executor, and create it if necessary."""
        if self.executor is None and self.dask:
            self.client, self.fatal = connect(self.dask)
            self.executor = self.client.get_executor(pure=False)
            self.width = max(sum(self.client.nthreads().values()), 1)
        elif self.executor is None:
            self.others = multiprocessing.active_children()
            self.width = 1 if single else self.processes or cores()
            announced = CONTEXT.Event() if jit.listeners else None
            self.executor = ProcessPoolExecutor(
                self.width, CONTEXT, initializer=start_worker, initargs=(announced,)
            )
        return self.executor


def prepared(prepare: Callable[[Order], None] | None, jobs: Iterable[Order]) -> Iterator[Order]:
    """Yield jobs, the first of them after preparing for it."""
    for number, job in enumerate(jobs):
        if prepare is not None and number == 0:
            run_in_thread(prepare, job).result()
        yield job


def connect(address: str) -> tuple[Any, tuple[type[Exception], ...]]:
    """Return a client of the Dask scheduler at an address, and what it raises if workers die."""
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ParameterError("{dask} needs the extra dask: pip install 'ludex[dask]'") from error
    try:
        return Client(address, timeout=10), (KilledWorker,)
    except (OSError, TimeoutError, ValueError) as error:
        raise ParameterError("{dask} {!r}: no scheduler answers there", address) from error


def run_with_settings(
    work: Callable[[Order], Answer], settings: dict[str, str | None], job: Order
) -> Answer:
    """Run a job with environment variables of the process that submitted it."""
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    return work(job)


def start_worker(announced: Any) -> None:
    """Set up a process of the pool; `announced` is set once one of them compiles."""
    end_with_parent()
    if announced is not None:
        jit.listeners.append(functools.partial(announce_compiling, announced))


def announce_compiling(announced: Any, game: str) -> None:
    """Print that processes compile, once for all of them."""
    if not announced.is_set():
        announced.set()
        words = f"compiling the rules of {game or 'all games'} in every process …"
        print(words, file=sys.stderr, flush=True)


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in this process for a while, and permanently in those it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
