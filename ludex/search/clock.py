"""A time limit for compiled code: a timer sets a flag that the code polls."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ludex.kernel.jit import thinking_time

SHORTEST_WAIT = 0.001  # seconds; the timer must not be a busy loop while code is compiled


@contextmanager
def stop_flag(seconds: float, flag: np.ndarray | None = None) -> Iterator[np.ndarray]:
    """Yield a flag, an array of one int, that turns from 0 to 1 when the time is up.

    0 means no limit; compilation time does not count. Compiled code releases the GIL, so the
    timer always runs.
    """
    flag = np.zeros(1, np.int64) if flag is None else flag
    flag[0] = 0
    if seconds <= 0.0:
        yield flag
        return
    done = threading.Event()
    end = thinking_time() + seconds

    def ring() -> None:
        while (left := end - thinking_time()) > 0.0:
            if done.wait(max(left, SHORTEST_WAIT)):
                return
        flag[0] = 1

    timer = threading.Thread(target=ring, daemon=True)
    timer.start()
    try:
        yield flag
    finally:
        done.set()
        timer.join()
