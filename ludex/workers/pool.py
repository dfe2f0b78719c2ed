"""Run jobs in this process, in others on this machine, or on a Dask cluster.

The results are the same everywhere; only their order is not. However it ends, no local process
is left running.
"""

import functools
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, TypeVar

from ludex.kernel import jit
from ludex.kernel.threads import aside

Order = TypeVar("Order")
Answer = TypeVar("Answer")
AHEAD = 4  # jobs that wait for each process, so that none is idle
TRIES = 3  # of a job whose process ends without a word
MOMENT = 1.5  # seconds, about what starting the processes takes


def cores() -> int:
    """Return how many processes this machine runs side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def here(work: Callable[[Order], Answer], jobs: Iterable[Order]) -> Generator[Answer, None, None]:
    """Yield what the work makes of each job, in this process."""
    yield from map(work, jobs)


def here_at_first(
    work: Callable[[Order], Answer],
    jobs: Iterable[Order],
    processes: int,
    prepare: Callable[[Order], None],
) -> Generator[Answer, None, None]:
    """Yield what the work makes of each job: here for a moment, and then on some processes.

    What takes no longer than starting them is done by then. A job that is not is finished here.
    Before the first job it is prepared, however long that takes: all processes gain by it.
    """
    left = iter(jobs)
    ends = 0.0
    for job in left:
        if not ends:
            aside(prepare, job).result()
            ends = time.monotonic() + MOMENT
        future = aside(work, job)
        wait([future], timeout=max(ends - time.monotonic(), 0.0))
        if not future.done():
            break
        yield future.result()
    else:
        return
    yield from on_processes(work, left, processes)
    yield future.result()


def on_processes(
    work: Callable[[Order], Answer], jobs: Iterable[Order], processes: int
) -> Generator[Answer, None, None]:
    """Yield what the work makes of each job, on some processes of this machine.

    A ValueError says so when one of the jobs has ended its process again and again; nobody can
    tell which of those that were being done.
    """
    left = iter(jobs)
    tries: dict[Any, int] = {}
    context = multiprocessing.get_context("spawn")
    told = context.Event() if jit.listeners else None
    while True:
        others = multiprocessing.active_children()
        pool = ProcessPoolExecutor(processes, context, initializer=begin, initargs=(told,))
        waiting: dict[Future[Answer], Order] = {}
        try:
            while True:
                room = AHEAD * processes - len(waiting)
                with uninterrupted():
                    for job in islice(left, room):
                        waiting[pool.submit(work, job)] = job
                if not waiting:
                    pool.shutdown()
                    return
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    answer = future.result()
                    del waiting[future]
                    yield answer
        except BrokenProcessPool as error:
            for job in waiting.values():
                tries[job] = tries.get(job, 0) + 1
            left = chain(list(waiting.values()), left)
            if max(tries.values()) >= TRIES:
                raise ValueError(
                    "a process that played matches has ended without a word"
                ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                if process not in others:
                    process.terminate()


def begin(told: Any) -> None:
    """Begin a process; the first to compile something says so, if anybody here wants to know."""
    end_with_parent()
    if told is not None:
        jit.listeners.append(functools.partial(tell_compiling, told))


def tell_compiling(told: Any, game: str) -> None:
    """Say on the screen that processes compile, once for all of them."""
    if not told.is_set():
        told.set()
        words = f"compiling the rules of {game or 'all games'} in every process …"
        print(words, file=sys.stderr, flush=True)


def end_with_parent() -> None:
    """End this process when the one that started it has ended, however that was."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


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


def on_dask(
    work: Callable[[Order], Answer], jobs: Iterable[Order], address: str
) -> Generator[Answer, None, None]:
    """Yield what the work makes of each job, on the workers of a Dask cluster.

    Dask gives the jobs of a worker that ends to another.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise ValueError("--dask needs the extra dask: pip install 'ludex[dask]'") from error
    try:
        client = Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(f"--dask {address!r}: no scheduler answers there") from error
    with client:
        left = iter(jobs)
        some = AHEAD * max(sum(client.nthreads().values()), 1)
        running = as_completed([client.submit(work, job, pure=False) for job in islice(left, some)])
        for future in running:
            yield future.result()
            for job in islice(left, 1):
                running.add(client.submit(work, job, pure=False))
