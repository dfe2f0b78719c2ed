"""A clock that stops compiled code: a timer sets a flag that the code looks at."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def clock(seconds: float) -> Iterator[np.ndarray]:
    """Yield an array of one int that is 0 until the seconds are over, then 1; 0 is for ever."""
    flag = np.zeros(1, np.int64)
    if seconds <= 0.0:
        yield flag
        return
    done = threading.Event()

    def ring() -> None:
        if not done.wait(seconds):
            flag[0] = 1

    timer = threading.Thread(target=ring, daemon=True)
    timer.start()
    try:
        yield flag
    finally:
        done.set()
        timer.join()


def now() -> float:
    """Return seconds on a clock that never goes back."""
    return time.perf_counter()
