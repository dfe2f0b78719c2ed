"""Run work in a thread: compiled code cannot be interrupted, but waiting for it can."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def run_in_thread(work: Callable[..., Answer], *arguments: Any, **named: Any) -> Future[Answer]:
    """Run a function in a daemon thread, and return the future of its result."""
    future: Future[Answer] = Future()

    def run() -> None:
        try:
            future.set_result(work(*arguments, **named))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def run_interruptibly(work: Callable[..., Answer], *arguments: Any, **named: Any) -> Answer:
    """Return the result of a function; Ctrl-C raises at once, and leaves it running in a thread."""
    if threading.current_thread() is not threading.main_thread():  # only this one gets Ctrl-C
        return work(*arguments, **named)
    return run_in_thread(work, *arguments, **named).result()
