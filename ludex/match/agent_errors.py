"""Distinguish errors of an agent from interruptions by Ctrl-C."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from ludex.core.termination import CRASHED, Offence, error_line

interrupted = threading.Event()  # set by Ctrl-C


class ErrorsAsOffences:
    """Turns any error of an agent into an offence, except Ctrl-C.

    A class, because it is entered for every decision and a generator is slower.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, Offence):
            return
        if isinstance(error, KeyboardInterrupt) and in_main_thread() and interrupted.is_set():
            return
        raise Offence(CRASHED, error_line(error)) from error


errors_as_offences = ErrorsAsOffences()


@contextmanager
def detect_ctrl_c() -> Iterator[None]:
    """Tell Ctrl-C from a KeyboardInterrupt raised by an agent; for the main thread only."""
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
    """Return whether this thread receives Ctrl-C."""
    return threading.current_thread() is threading.main_thread()
