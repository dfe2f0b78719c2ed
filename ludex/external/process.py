"""A process that answers one line of JSON with another, within a time limit."""

import contextlib
import fcntl
import functools
import json
import math
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import termios
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

from ludex.core.termination import CRASHED, ILLEGAL, OUT_OF_TIME, Offence, repr_of, shorten
from ludex.external.cpu_time import Meter
from ludex.external.log import Log

LONGEST_ANSWER = 65536  # bytes
CHUNK = 65536  # bytes read at once
LEAVE_SECONDS = 0.5  # to exit after the last message
EXIT_SECONDS = 1.0  # to exit after closing the pipe
UNREAD = 16384  # bytes, a quarter of a pipe: small writes fill it before its size is reached
POLL_SECONDS = 0.005  # between two checks whether it has ended


class Process:
    """A process in its own session, killed together with all that it has started.

    `home` is its own folder as it sees it; `copy` is a folder that is removed with it. Its standard
    error is read only while an answer is awaited, so a process that prints in between blocks once
    the pipe is full.
    """

    def __init__(
        self,
        command: list[str],
        folder: str,
        environment: dict[str, str],
        files: Sequence[int] = (),
        home: str = "",
        copy: tempfile.TemporaryDirectory[str] | None = None,
        confined: bool = False,
    ) -> None:
        self.home = home
        self.log = Log(home)
        self.received = bytearray()
        self.number = 0
        self.child = (
            starter_thread(os.getpid())
            .submit(
                subprocess.Popen[bytes],
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=environment,
                bufsize=0,
                start_new_session=True,
                pass_fds=files,
            )
            .result()
        )
        # For a process that nobody kills, as when one question is asked outside a match.
        self.finalizer = weakref.finalize(self, discard, self.child, copy)
        assert self.child.stdin and self.child.stdout and self.child.stderr
        self.requests, self.answers = self.child.stdin.fileno(), self.child.stdout.fileno()
        self.prints = self.child.stderr.fileno()
        for pipe in (self.requests, self.answers, self.prints):
            os.set_blocking(pipe, False)
        self.meter = Meter(self.child.pid, orphans=not confined)
        self.thought = 0.0
        """Seconds of CPU time and idle time that the last answer took."""

    def answer(
        self, facts: dict[str, Any], wall: float, seconds: float = math.inf
    ) -> dict[str, Any]:
        """Return the answer to a request, or raise the offence.

        `wall` limits the wall time, `seconds` the CPU time and idle time together.
        """
        end = time.monotonic() + wall
        self.thought = 0.0
        self.meter.begin()
        self.received += read_pipe(self.answers) or b""
        if self.received:
            raise Offence(ILLEGAL, f"spoke without being asked: {repr_of(bytes(self.received))}")
        self.number += 1
        request = json.dumps({**facts, "number": self.number}).encode() + b"\n"
        try:
            line = self.exchange(request, end, wall, seconds)
        finally:
            self.thought = self.meter.finish()
        if self.thought > seconds:
            raise time_offence(seconds)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Offence(ILLEGAL, f"answered {repr_of(line)}, which is not a JSON object")
        if answer.pop("number", self.number) != self.number:  # to an earlier request
            raise Offence(ILLEGAL, f"said more than it was asked: {repr_of(line)}")
        return answer

    def exchange(self, request: bytes, end: float, wall: float, seconds: float) -> bytes:
        """Write a line and return the one that comes back, reading standard error meanwhile."""
        for some in self.listen(end, seconds, request):
            if not some:
                self.raise_exit()
            self.received += some
            if b"\n" in self.received:
                break
            if len(self.received) > LONGEST_ANSWER:
                raise Offence(ILLEGAL, f"answered a line of more than {LONGEST_ANSWER} bytes")
        else:
            if time.monotonic() >= end:
                raise Offence(OUT_OF_TIME, f"no answer after {wall:g} s")
            raise time_offence(seconds)
        line, _, rest = bytes(self.received).partition(b"\n")
        self.received.clear()
        if rest:
            raise Offence(ILLEGAL, f"said more than it was asked: {repr_of(rest)}")
        return line

    def listen(
        self,
        end: float,
        seconds: float,
        request: bytes = b"",
        over: Callable[[], bool] = lambda: False,
    ) -> Iterator[bytes]:
        """Yield output as it comes, writing a request and reading standard error meanwhile.

        Empty bytes mean that the process has ended, or closed its output. Stop at `end`, after
        `seconds` as the meter counts them, or when `over` returns true.
        """
        with selectors.DefaultSelector() as selector:
            if request:
                selector.register(self.requests, selectors.EVENT_WRITE)
            selector.register(self.answers, selectors.EVENT_READ)
            selector.register(self.prints, selectors.EVENT_READ)
            while True:
                pause = self.meter.poll(self.has_unread_output)
                left = end - time.monotonic()
                if left <= 0.0 or self.meter.used_seconds() > seconds or over():
                    return
                ready = {key.fd for key, _ in selector.select(min(left, pause))}
                if self.prints in ready and not self.read_prints():
                    selector.unregister(self.prints)
                if self.requests in ready:
                    request = self.write(request)
                    if not request:
                        selector.unregister(self.requests)
                some = read_pipe(self.answers) if self.answers in ready else None
                if self.answers not in ready and self.has_ended():
                    # Its children may hold the pipe open, and it may have answered since.
                    some = read_pipe(self.answers) or b""
                if some is not None:
                    yield some

    def write(self, request: bytes) -> bytes:
        """Write what fits into the pipe, and return the rest."""
        try:
            return request[os.write(self.requests, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError:
            return b""  # its end is noticed where the answer is read

    def read_prints(self) -> bool:
        """Log what was printed, and return whether there may be more."""
        some = read_pipe(self.prints)
        self.log.add(some or b"")
        return some != b""

    def has_unread_output(self) -> bool:
        """Return whether so much output is unread that the process may be unable to write more."""
        return any(unread_bytes(pipe) > UNREAD for pipe in (self.prints, self.answers))

    def has_ended(self) -> bool:
        """Return whether the process has ended, without reaping it."""
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return (
            self.child.returncode is not None
            or os.waitid(os.P_PID, self.child.pid, look) is not None
        )

    def wait(self, seconds: float) -> bool:
        """Read standard error until the process ends, and return whether it did in time."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.prints, selectors.EVENT_READ)
            while not (ended := self.has_ended()) and time.monotonic() < end:
                if not selector.get_map():
                    time.sleep(POLL_SECONDS)
                elif selector.select(POLL_SECONDS) and not self.read_prints():
                    selector.unregister(self.prints)
        return ended

    def raise_exit(self) -> NoReturn:
        """Raise the offence of a process that has exited or closed its output."""
        if not self.wait(EXIT_SECONDS):
            raise Offence(CRASHED, "closed its standard output")
        self.kill()
        code = self.child.returncode
        why = f": {self.log.last_line}" if code > 0 and self.log.last_line else ""
        raise Offence(CRASHED, shorten(f"{exit_message(code)}{why}"))

    def send(self, facts: dict[str, Any]) -> None:
        """Send a message to which no answer is expected."""
        if self.child.stdin and not self.child.stdin.closed:
            self.write(json.dumps(facts).encode() + b"\n")

    def finish(self, facts: dict[str, Any] | None = None) -> None:
        """Send a last message, close the pipe, and give the process time to exit."""
        if self.child.stdin and not self.child.stdin.closed:
            if facts is not None:
                self.send(facts)
            self.child.stdin.close()
            self.wait(LEAVE_SECONDS)

    def kill(self) -> None:
        """Kill the process and all that it has started, and log the rest of its output."""
        if not self.finalizer.alive:
            return
        kill_group(self.child)
        self.drain()
        self.finalizer()

    def drain(self) -> None:
        """Log what was printed and not read yet."""
        for _ in range(16):  # more than a pipe holds; another process may still be writing
            some = read_pipe(self.prints)
            if not some:
                break
            self.log.add(some)


@functools.cache
def starter_thread(process: int) -> ThreadPoolExecutor:
    """Return the thread that starts processes, one for each process of Ludex.

    PR_SET_PDEATHSIG kills a process when the thread that started it ends, so this one stays.
    """
    return ThreadPoolExecutor(1, "starter")


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill a process and its group, before its id can be reused."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def discard(child: subprocess.Popen[bytes], copy: tempfile.TemporaryDirectory[str] | None) -> None:
    """Kill a process and its group, close its pipes, and remove its folder, if any."""
    kill_group(child)
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe:
            pipe.close()
    if copy:
        copy.cleanup()


def time_offence(seconds: float) -> Offence:
    """Return the offence of using more time than is allowed."""
    return Offence(OUT_OF_TIME, f"no answer in {seconds:g} s of CPU time and sleep")


def read_pipe(pipe: int) -> bytes | None:
    """Return what a pipe holds: None for nothing yet, no bytes for its end."""
    try:
        return os.read(pipe, CHUNK)
    except BlockingIOError:
        return None


def unread_bytes(pipe: int) -> int:
    """Return how many bytes wait in a pipe; none if it is closed."""
    try:
        return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)
    except OSError:
        return 0


def exit_message(code: int) -> str:
    """Return how a process ended; shells and sandboxes report signal N as 128 + N."""
    number = -code if code < 0 else code - 128
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"ended with exit code {code}"
    return f"was ended by {name}"
