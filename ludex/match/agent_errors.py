"""Distinguish errors of an agent from interruptions by Ctrl-C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ludex.core.termination import CRASHED, Offence, error_line

interrupted = threading.Event()  # somebody has pressed Ctrl-C


class Blame:
    """Turns whatever an agent raises into its offence, except when somebody presses Ctrl-C.

    It is entered for every decision: a class is quicker than a generator.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, Offence):
            return
        if isinstance(error, KeyboardInterrupt) and in_main_thread() and interrupted.is_set():
            return
        raise Offence(CRASHED, error_line(error)) from error


blamed = Blame()


@contextmanager
def noticing() -> Iterator[None]:
    """Tell Ctrl-C from a KeyboardInterrupt that an agent raises; only the main thread gets both."""
    before: Any = signal.getsignal(signal.SIGINT)
    if not in_main_thread() or not callable(before):
        yield
        return

    def notice(number: int, frame: FrameType | None) -> None:
        interrupted.set()
        before(number, frame)

    signal.signal(signal.SIGINT, notice)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        interrupted.clear()


def in_main_thread() -> bool:
    """Return whether this is where Ctrl-C is heard."""
    return threading.current_thread() is threading.main_thread()
