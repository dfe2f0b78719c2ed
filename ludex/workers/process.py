"""Processes that end with the one that started them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

# A forked process would inherit threads that hold locks.
CONTEXT = multiprocessing.get_context("spawn")


def start_process(
    work: Callable[..., None], *arguments: Any, daemon: bool = True
) -> tuple[Any, Connection]:
    """Start `work(pipe, *arguments)`; return the process and the other end of its pipe.

    A daemon cannot start processes itself.
    """
    ours, theirs = CONTEXT.Pipe()
    process = CONTEXT.Process(target=begin, args=(work, theirs, *arguments), daemon=daemon)
    process.start()
    theirs.close()
    return process, ours


def begin(work: Callable[..., None], pipe: Connection, *arguments: Any) -> None:
    """Run in a process started by `start_process`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    end_with_parent()
    work(pipe, *arguments)


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, for whatever reason."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
