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
from ludex.kernel import jit
from ludex.kernel.threads import run_in_thread
from ludex.workers.process import CONTEXT, end_with_parent

Order = TypeVar("Order")
Answer = TypeVar("Answer")
AHEAD = 4  # jobs that wait for each process, so that none is idle
TRIES = 3  # of a job whose process ends without a word
MOMENT = 1.5  # seconds, about what starting the processes takes
VANISHED = "a process that played matches has ended without a word"
# How other people's programs are run is said by the environment, also to workers of a cluster.
SETTINGS = (UNSAFE, PACKAGES, GRADING)


def cores() -> int:
    """Return how many processes this machine runs side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool:
    """Does jobs in local processes, or on the workers of a Dask cluster.

    With 1 process that is this one; with 0 jobs are done here for a moment, and then by as many
    processes as there are cores. Processes are started when they are needed, and end with `close`,
    or when a run is broken off. A closed pool can be used again.
    """

    def __init__(self, processes: int = 0, dask: str | None = None) -> None:
        if processes and dask:
            raise ValueError("--dask and --processes: expected one of them")
        self.processes, self.dask = processes, dask
        self.executor: Executor | None = None
        self.client: Any = None
        """Our connection to the cluster."""
        self.others: list[Any] = []
        """Processes that are not of this pool."""
        self.width = 1
        """How many jobs are done at once elsewhere."""
        self.moment = MOMENT
        """Seconds that are left for doing jobs here."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        self.close(at_once=kind is not None)

    def close(self, at_once: bool = False) -> None:
        """End the processes, or leave the cluster; at once ends also those that are at work."""
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
        """Yield what the work makes of each job, whichever is done first.

        The first job that is done here is prepared before, however long that takes. Where time is
        measured there is one job at a time, and it is not done beside other work of this process.
        """
        try:
            if self.processes == 1:
                yield from map(work, jobs)
            elif self.processes or self.dask or self.executor or timed:
                yield from self.elsewhere(work, jobs, timed)
            else:
                yield from self.here_at_first(work, jobs, prepare)
        except BaseException:  # also when nobody wants the rest
            self.close(at_once=True)
            raise

    def here_at_first(
        self,
        work: Callable[[Order], Answer],
        jobs: Iterable[Order],
        prepare: Callable[[Order], None] | None,
    ) -> Generator[Answer, None, None]:
        """Yield answers: here for a moment, then from processes; a job that is begun ends here."""
        left = iter(jobs)
        for job in left:
            if prepare is not None:
                run_in_thread(prepare, job).result()
                prepare = None
            began = time.monotonic()
            future = run_in_thread(work, job)
            wait([future], timeout=max(self.moment, 0.0))
            self.moment -= time.monotonic() - began
            if not future.done():
                break
            yield future.result()
        else:
            return
        yield from self.elsewhere(work, left, False)
        yield future.result()

    def elsewhere(
        self, work: Callable[[Order], Answer], jobs: Iterable[Order], single: bool
    ) -> Generator[Answer, None, None]:
        """Yield answers from other processes; a job whose process vanishes is done again.

        A ValueError says so when one of the jobs has ended its process again and again; nobody can
        tell which of those that were being done.
        """
        left: Iterator[tuple[Order, int]] = ((job, 1) for job in jobs)
        first = list(islice(left, 1))
        left = chain(first, left)
        if self.dask:
            settings = {name: os.getenv(name) for name in SETTINGS}
            work = functools.partial(work_as_here, work, settings)
        while first:  # nobody is started for nothing
            waiting: dict[Future[Answer], tuple[Order, int]] = {}
            batch: list[tuple[Order, int]] = []
            try:
                while True:
                    executor = self.started(single)
                    most = 1 if single else AHEAD * self.width
                    batch = list(islice(left, most - len(waiting)))
                    with uninterrupted():
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
            except BrokenProcessPool as error:
                self.close(at_once=True)
                if any(tries >= TRIES for _, tries in waiting.values()):
                    raise ValueError(VANISHED) from error
                again = [(job, tries + 1) for job, tries in waiting.values()]
                left = chain(again, batch, left)

    def started(self, single: bool) -> Executor:
        """Return what does jobs elsewhere: the cluster, or processes, which start with a job."""
        if self.executor is None and self.dask:
            self.client = connect(self.dask)
            self.executor = self.client.get_executor(pure=False)
            self.width = max(sum(self.client.nthreads().values()), 1)
        elif self.executor is None:
            self.others = multiprocessing.active_children()
            self.width = 1 if single else self.processes or cores()
            told = CONTEXT.Event() if jit.listeners else None
            self.executor = ProcessPoolExecutor(
                self.width, CONTEXT, initializer=start_worker, initargs=(told,)
            )
        return self.executor


def connect(address: str) -> Any:
    """Return a client of the Dask scheduler at an address; a ValueError if there is none."""
    try:
        from distributed import Client
    except ImportError as error:
        raise ValueError("--dask needs the extra dask: pip install 'ludex[dask]'") from error
    try:
        return Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(f"--dask {address!r}: no scheduler answers there") from error


def work_as_here(
    work: Callable[[Order], Answer], settings: dict[str, str | None], job: Order
) -> Answer:
    """Return what the work makes of a job, with the settings of whoever has ordered it."""
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    return work(job)


def start_worker(told: Any) -> None:
    """Set up a process of the pool; the first to compile something says so, if anybody listens."""
    end_with_parent()
    if told is not None:
        jit.listeners.append(functools.partial(tell_compiling, told))


def tell_compiling(told: Any, game: str) -> None:
    """Say on the screen that processes compile, once for all of them."""
    if not told.is_set():
        told.set()
        words = f"compiling the rules of {game or 'all games'} in every process …"
        print(words, file=sys.stderr, flush=True)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from this process for a while, and for ever from those that it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
