"""Worker processes, one task at a time each; a task that takes too long is killed.

Compilation does not count towards the time, and callers can be notified of it.

The event loop never waits for compiled code, for compilation or for the interpreter's lock.
"""

import asyncio
import functools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ludex.kernel import jit
from ludex.web.state import limits
from ludex.web.state.public_text import without_paths
from ludex.workers.process import start_process

Answer = TypeVar("Answer")
OnCompile = Callable[[str], None]
"""Called with the name of a game when it is compiled."""
# Kinds of messages: result, error message, game being compiled, whether it is compiling.
ANSWER, WRONG, GAME, COMPILING = "answer", "wrong", "game", "compiling"


class Busy(ValueError):
    """Too many tasks are waiting."""


def run_tasks(pipe: Connection) -> None:
    """Run tasks from the pipe until its other end is closed."""
    writing = threading.Lock()  # a task may compile in another thread

    def say(kind: str, content: Any) -> None:
        with writing:
            pipe.send((kind, content))

    jit.listeners.append(functools.partial(say, GAME))
    jit.watchers.append(functools.partial(say, COMPILING))
    while True:
        try:
            task, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = ANSWER, task(*arguments)
        except ValueError as error:
            answer = WRONG, str(error)
        except Exception as error:
            answer = WRONG, f"{type(error).__name__}: {error}"
        try:
            say(*answer)
        except OSError:
            return  # the parent has gone


class Worker:
    """A process with a pipe, started when first needed."""

    def __init__(self) -> None:
        self.process: Any = None
        self.pipe: Any = None
        self.compiling = False
        self.ending = threading.Lock()

    def do(
        self,
        task: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        tell: OnCompile = lambda game: None,
    ) -> Any:
        """Run a task and return its result; errors become ValueErrors."""
        if self.process is None or not self.process.is_alive():
            self.start()
        try:
            self.pipe.send((task, arguments))
            kind, answer = self.receive(seconds, tell)
        except (EOFError, OSError) as error:
            self.stop()
            raise ValueError("the process that worked on it has ended") from error
        if kind == WRONG:
            raise ValueError(answer)
        return answer

    def receive(self, seconds: float, tell: OnCompile) -> tuple[str, Any]:
        """Return the kind and content of the answer; kill a task that exceeds its thinking time."""
        left = seconds
        while True:
            began, compiling = time.monotonic(), self.compiling
            if not self.pipe.poll(limits.COMPILING if compiling else max(left, 0.0)):
                self.stop()
                most, what = (limits.COMPILING, "compiling") if compiling else (seconds, "it")
                raise ValueError(f"{what} took more than {most:g} seconds and was ended")
            kind, content = self.pipe.recv()
            if not compiling:
                left -= time.monotonic() - began
            if kind == COMPILING:
                self.compiling = content
            elif kind == GAME:
                tell(content)
            else:
                return kind, content

    def start(self) -> None:
        """Start the process."""
        self.compiling = False
        self.process, self.pipe = start_process(run_tasks)

    def stop(self) -> None:
        """Kill the process; may be called from several threads."""
        with self.ending:
            if self.process is not None:
                self.process.kill()
                self.process.join()
                self.pipe.close()
                self.process = None


async def result_of(future: Future[Answer]) -> Answer:
    """Wait for a result; hide the server's paths in a ValueError."""
    try:
        return await asyncio.wrap_future(future)
    except ValueError as error:
        raise ValueError(without_paths(str(error))) from error


class Workers:
    """A pool of workers with a queue of tasks.

    A pool of size 0 runs tasks in threads of this process, for tests.
    """

    def __init__(self, count: int) -> None:
        self.workers = [Worker() for _ in range(count)]
        self.free: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self.workers:
            self.free.put_nowait(worker)
        self.threads = ThreadPoolExecutor(max(count, 4), "work")
        self.waiting = 0
        # Background tasks leave one worker free for live matches.
        self.spare = asyncio.Semaphore(max(1, count - 1))

    async def do_in_background(
        self, task: Callable[..., Answer], *arguments: Any, seconds: float = limits.THINKING
    ) -> Answer:
        """Run a task like `do`, but never on the last free worker."""
        async with self.spare:
            return await self.do(task, *arguments, seconds=seconds)

    async def do(
        self,
        task: Callable[..., Answer],
        *arguments: Any,
        seconds: float = limits.THINKING,
        tell: OnCompile = lambda game: None,
    ) -> Answer:
        """Run a task and return its result; errors become ValueErrors, a full queue raises Busy.

        Compilation does not count towards the time; `tell` is called in the loop when it starts.
        """
        if self.waiting >= limits.WAITING:
            raise Busy("too much is going on here; try again in a moment")
        if not self.workers:
            return await result_of(self.threads.submit(task, *arguments))
        self.waiting += 1
        try:
            worker = await self.free.get()
        finally:
            self.waiting -= 1
        loop = asyncio.get_running_loop()

        def done(future: Future[Any]) -> None:
            # Also if the caller was cancelled.
            if not loop.is_closed():
                loop.call_soon_threadsafe(self.free.put_nowait, worker)

        def notify(game: str) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(tell, game)

        future = self.threads.submit(worker.do, task, arguments, seconds, notify)
        future.add_done_callback(done)
        return await result_of(future)

    def start(self) -> None:
        """Start all processes ahead of the first task."""
        for worker in self.workers:
            worker.start()

    def stop(self) -> None:
        """End all processes."""
        for worker in self.workers:
            worker.stop()
        self.threads.shutdown(wait=False, cancel_futures=True)
