"""Ctrl-C while compiled code or the compiler runs, neither of which can be interrupted."""

import signal
import threading
import time
import weakref
from typing import Any

import pytest

from ludex.kernel import jit, threads
from ludex.kernel.threads import DaemonThreads, run_in_threads, run_interruptibly

pytestmark = pytest.mark.plain


def lose_ctrl_c(*arguments: Any) -> None:
    """Press Ctrl-C, and swallow it if it arrives here, as a callback of LLVM does."""
    main = threading.main_thread().ident
    assert main is not None
    try:
        signal.pthread_kill(main, signal.SIGINT)
        threading.Event().wait(0.01)
    except KeyboardInterrupt:
        pass


class Compiler:
    """Stands for a dispatcher of Numba."""

    _compile_for_args = lose_ctrl_c


def test_ctrl_c_reaches_who_waits_for_the_work() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(lose_ctrl_c)


def test_ctrl_c_is_not_lost_in_the_compiler() -> None:
    with pytest.raises(KeyboardInterrupt):
        jit.code_for(Compiler())


def test_work_of_another_thread_needs_no_thread_of_its_own() -> None:
    threads = []

    def work() -> None:
        run_interruptibly(lambda: threads.append(threading.current_thread()))

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert threads == [worker]


def run_jobs(work: Any, jobs: int) -> None:
    """Do some jobs in three threads."""
    run_in_threads([work] * 3, list(range(jobs)))


def test_every_job_is_done_once() -> None:
    done: list[int] = []
    run_jobs(lambda job, pause: done.append(job), 100)
    assert sorted(done) == list(range(100))


def test_a_single_worker_needs_no_thread_and_reports_itself() -> None:
    done: list[Any] = []

    def work(job: int, pause: Any) -> None:
        pause()
        done.append((job, threading.current_thread()))

    run_in_threads([work], [1, 2], lambda: done.append("report"))
    here = threading.current_thread()
    assert done == ["report", (1, here), "report", (2, here)]


def test_an_error_in_a_thread_ends_the_others_and_is_raised() -> None:
    ended = threading.Event()

    def work(job: int, pause: Any) -> None:
        if job == 1:
            raise ValueError("broken")
        try:
            while True:
                pause()
        finally:
            ended.set()

    with pytest.raises(ValueError, match="broken"):
        run_jobs(work, 2)
    assert ended.is_set()


def test_a_thread_that_has_not_begun_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(future: Any, work: Any, worker: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(threads, "start", start)
    with pytest.raises(KeyboardInterrupt):
        run_jobs(lambda job, pause: None, 2)


def test_ctrl_c_ends_all_threads_at_their_next_pause() -> None:
    ended: list[int] = []
    main, all_there = threading.main_thread().ident, threading.Barrier(3)
    assert main is not None

    def work(job: int, pause: Any) -> None:
        all_there.wait()
        if job == 0:
            signal.pthread_kill(main, signal.SIGINT)
        try:
            while True:
                pause()
        finally:
            ended.append(job)

    with pytest.raises(KeyboardInterrupt):
        run_jobs(work, 5)
    assert sorted(ended) == [0, 1, 2]


def test_a_second_ctrl_c_waits_for_all_threads_too() -> None:
    ended: list[int] = []
    main, all_there = threading.main_thread().ident, threading.Barrier(3)
    assert main is not None

    def work(job: int, pause: Any) -> None:
        all_there.wait()
        if job == 0:
            signal.pthread_kill(main, signal.SIGINT)
        try:
            while True:
                pause()
        finally:
            if job == 0:
                signal.pthread_kill(main, signal.SIGINT)
            threading.Event().wait(0.05)
            ended.append(job)

    with pytest.raises(KeyboardInterrupt):
        run_jobs(work, 3)
    assert sorted(ended) == [0, 1, 2]


# Threads that are kept. ---------------------------------------------------------------------------


def test_a_thread_is_kept_for_further_work_and_for_work_after_an_error() -> None:
    kept, seen = DaemonThreads(), []
    for number in range(3):
        done = threading.Event()

        def work(number: int = number, done: threading.Event = done) -> None:
            seen.append((number, threading.get_ident()))
            done.set()

        kept.do(work)
        assert done.wait(10)
        while not kept.idle:
            time.sleep(0.001)
    assert [number for number, _ in seen] == [0, 1, 2]
    assert len({thread for _, thread in seen}) == 1
    with pytest.raises(ZeroDivisionError):
        threads.run_in_thread(lambda: 1 // 0).result(10)
    assert threads.run_in_thread(lambda: 7).result(10) == 7


def test_threads_hold_nothing_of_work_that_is_done() -> None:
    class Work:
        def __call__(self) -> None:
            pass

    kept, work = DaemonThreads(), Work()
    gone = weakref.ref(work)
    kept.do(work)
    del work
    while not kept.idle:
        time.sleep(0.001)
    assert gone() is None


def test_all_work_begins_at_once_however_much_there_is() -> None:
    together = threading.Barrier(5)
    futures = [threads.run_in_thread(together.wait, 10) for _ in range(5)]
    assert sorted(one.result(10) for one in futures) == [0, 1, 2, 3, 4]
