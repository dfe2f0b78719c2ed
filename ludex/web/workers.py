"""Work in other processes, a task at a time each; what takes too long ends with its process.

The page's loop never waits for compiled code, for compiling or for the interpreter's lock.
"""

import asyncio
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from ludex.web import limits


class Busy(ValueError):
    """There is more to do than can be done."""


def obey(pipe: Connection) -> None:
    """Do one task after another until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    while True:
        try:
            task, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, task(*arguments)
        except ValueError as error:
            answer = False, str(error)
        except Exception as error:
            answer = False, f"{type(error).__name__}: {error}"
        try:
            pipe.send(answer)
        except OSError:
            return  # nobody waits for it any more


class Worker:
    """One process with the pipe to it; it is started when there is something to do."""

    def __init__(self) -> None:
        self.process: Any = None
        self.pipe: Any = None
        self.ending = threading.Lock()

    def do(self, task: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        """Return what the task returns; a ValueError says what went wrong."""
        if self.process is None or not self.process.is_alive():
            self.start()
        try:
            self.pipe.send((task, arguments))
            if not self.pipe.poll(seconds):
                self.stop()
                raise ValueError(f"it took more than {seconds:g} seconds and was ended")
            fine, answer = self.pipe.recv()
        except (EOFError, OSError) as error:
            self.stop()
            raise ValueError("the process that worked on it has ended") from error
        if not fine:
            raise ValueError(answer)
        return answer

    def start(self) -> None:
        """Start the process."""
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=obey, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def stop(self) -> None:
        """End the process; the server and whoever waits for an answer may do so at once."""
        with self.ending:
            if self.process is not None:
                self.process.kill()
                self.process.join()
                self.pipe.close()
                self.process = None


class Workers:
    """Several workers, and the tasks that wait for one.

    Without any, tasks are done by threads of this process: for tests.
    """

    def __init__(self, count: int) -> None:
        self.workers = [Worker() for _ in range(count)]
        self.free: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self.workers:
            self.free.put_nowait(worker)
        self.threads = ThreadPoolExecutor(max(count, 4), "work")
        self.waiting = 0
        # What nobody plays for leaves a worker free for those who play.
        self.spare = asyncio.Semaphore(max(1, count - 1))

    async def do_aside(
        self, task: Callable[..., Any], *arguments: Any, seconds: float = limits.THINKING
    ) -> Any:
        """Return the same as `do`, but never take the last worker."""
        async with self.spare:
            return await self.do(task, *arguments, seconds=seconds)

    async def do(
        self, task: Callable[..., Any], *arguments: Any, seconds: float = limits.THINKING
    ) -> Any:
        """Return what a task returns; a ValueError says what went wrong, Busy that it must wait."""
        if self.waiting >= limits.WAITING:
            raise Busy("too much is going on here; try again in a moment")
        if not self.workers:
            return await asyncio.wrap_future(self.threads.submit(task, *arguments))
        self.waiting += 1
        try:
            worker = await self.free.get()
        finally:
            self.waiting -= 1
        loop = asyncio.get_running_loop()

        def done(future: Future[Any]) -> None:
            # Also when nobody waits for the answer any more.
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.free.put_nowait, worker)

        future = self.threads.submit(worker.do, task, arguments, seconds)
        future.add_done_callback(done)
        return await asyncio.wrap_future(future)

    def start(self) -> None:
        """Start all processes, so that nobody has to wait for that."""
        for worker in self.workers:
            worker.start()

    def stop(self) -> None:
        """End all processes."""
        for worker in self.workers:
            worker.stop()
        self.threads.shutdown(wait=False, cancel_futures=True)
