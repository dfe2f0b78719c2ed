"""Distinguish errors of an agent from interruptions by Ctrl-C."""

import os
import signal
import sysconfig
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from numba.core.errors import NumbaError

from ludex.core.termination import CRASHED, Offence, error_line

# Code of Ludex, of Python, or of an installed package.
LIBRARIES = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
NOT_OWN = (f"{Path(__file__).parents[1]}{os.sep}", *LIBRARIES, "<frozen ")
interrupted = threading.Event()  # set by Ctrl-C


class DoesNotCompile(ValueError):
    """Compiled code of Ludex cannot call a function of the game."""


class ErrorsAsOffences:
    """Turns any error of an agent into an offence, except Ctrl-C and errors of the game.

    A class, because it is entered for every decision and a generator is slower.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, Offence):
            return
        if isinstance(error, KeyboardInterrupt) and in_main_thread() and interrupted.is_set():
            return
        own = own_line(error)
        if isinstance(error, NumbaError) and not own:
            from ludex.conformance.check import numba_message

            raise DoesNotCompile(f"the game does not compile: {numba_message(error)}") from error
        raise Offence(CRASHED, error_line(error) + own) from error


errors_as_offences = ErrorsAsOffences()


def own_line(error: BaseException) -> str:
    """Return where the user's own code failed, such as " (line 2 of choose)", or nothing."""
    steps = traceback.walk_tb(error.__traceback__)
    own = [(line, at.f_code) for at, line in steps if not at.f_code.co_filename.startswith(NOT_OWN)]
    return f" (line {own[-1][0]} of {own[-1][1].co_name})" if own else ""


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
