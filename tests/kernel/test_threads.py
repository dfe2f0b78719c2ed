"""Ctrl-C while compiled code or the compiler runs, neither of which can be interrupted."""

import signal
import threading
from typing import Any

import pytest

from ludex.kernel import jit
from ludex.kernel.threads import run_interruptibly

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
