"""A process that answers one line of JSON with another, within a time limit."""

import contextlib
import functools
import json
import math
import os
import selectors
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

from ludex.core.termination import CRASHED, ILLEGAL, OUT_OF_TIME, Offence, repr_of, shorten
from ludex.external.cpu_time import Meter
from ludex.external.log import Log

LONGEST_ANSWER = 65536  # bytes of an answer at most
CHUNK = 65536  # bytes that are read at once
LEAVE_SECONDS = 0.5  # seconds for ending after the last word
DYING = 1.0  # seconds for ending after closing the pipe
GLANCE = 0.05  # seconds after which we look whether it has ended


class Process:
    """A process in a session of its own, which is ended with all that it has started.

    `home` is what it calls its own folder, and `copy` is a folder that is removed with it. What it
    prints on the standard error is read only while we wait for its answer. One that prints without
    having been asked waits until it is, as soon as the pipe is full.
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
        self.heard = bytearray()
        self.asked = 0
        self.child = (
            starter(os.getpid())
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
        # Where nobody closes it, as when one question is asked and no match is played.
        self.lost = weakref.finalize(self, discard, self.child, copy)
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

        It may take so many seconds of wall time, and so many of CPU time and idle time.
        """
        end = time.monotonic() + wall
        self.thought = 0.0
        self.meter.begin()
        self.heard += read_pipe(self.answers) or b""
        if self.heard:
            raise Offence(ILLEGAL, f"spoke without being asked: {repr_of(bytes(self.heard))}")
        self.asked += 1
        request = json.dumps({**facts, "number": self.asked}).encode() + b"\n"
        try:
            line = self.exchange(request, end, wall, seconds)
        finally:
            self.thought = self.meter.answered()
        if self.thought > seconds:
            raise too_long(seconds)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise Offence(ILLEGAL, f"answered {repr_of(line)}, which is not a JSON object")
        if answer.pop("number", self.asked) != self.asked:  # to something asked before
            raise Offence(ILLEGAL, f"said more than it was asked: {repr_of(line)}")
        return answer

    def exchange(self, request: bytes, end: float, wall: float, seconds: float) -> bytes:
        """Write a line and return the one that comes back, reading prints meanwhile."""
        for some in self.listen(end, seconds, request):
            if not some:
                self.raise_gone()
            self.heard += some
            if b"\n" in self.heard:
                break
            if len(self.heard) > LONGEST_ANSWER:
                raise Offence(ILLEGAL, f"answered a line of more than {LONGEST_ANSWER} bytes")
        else:
            late = time.monotonic() >= end
            raise Offence(OUT_OF_TIME, f"no answer after {wall:g} s") if late else too_long(seconds)
        line, _, rest = bytes(self.heard).partition(b"\n")
        self.heard.clear()
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
        """Yield what the process says as it comes, writing a request and reading prints meanwhile.

        No bytes say that it has ended, or closed its output. Nothing more is yielded after the end,
        when it has used so many seconds as its meter counts them, or when it is over.
        """
        with selectors.DefaultSelector() as selector:
            if request:
                selector.register(self.requests, selectors.EVENT_WRITE)
            selector.register(self.answers, selectors.EVENT_READ)
            selector.register(self.prints, selectors.EVENT_READ)
            while True:
                pause = self.meter.glance()
                left = end - time.monotonic()
                if left <= 0.0 or self.meter.used() > seconds or over():
                    return
                ready = {key.fd for key, _ in selector.select(min(left, pause))}
                if self.prints in ready and not self.read_prints():
                    selector.unregister(self.prints)
                if self.requests in ready:
                    request = self.write(request)
                    if not request:
                        selector.unregister(self.requests)
                some = read_pipe(self.answers) if self.answers in ready else None
                if self.answers not in ready and self.ended():
                    # What it has started may hold the pipe open, and it may have answered since.
                    some = read_pipe(self.answers) or b""
                if some is not None:
                    yield some

    def write(self, request: bytes) -> bytes:
        """Write what fits, and return the rest."""
        try:
            return request[os.write(self.requests, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError:
            return b""  # that it has ended is seen where its answer is read

    def read_prints(self) -> bool:
        """Keep what was printed, and return whether there may be more."""
        some = read_pipe(self.prints)
        self.log.add(some or b"")
        return some != b""

    def ended(self) -> bool:
        """Return whether the process has ended; it is still there to be asked how."""
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return (
            self.child.returncode is not None
            or os.waitid(os.P_PID, self.child.pid, look) is not None
        )

    def wait(self, seconds: float) -> bool:
        """Read prints until the process ends, and return whether it did."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.prints, selectors.EVENT_READ)
            while not (ended := self.ended()) and time.monotonic() < end:
                if not selector.get_map():
                    time.sleep(GLANCE / 10)
                elif selector.select(GLANCE / 10) and not self.read_prints():
                    selector.unregister(self.prints)
        return ended

    def raise_gone(self) -> NoReturn:
        """Raise the offence of ending, or of no longer speaking."""
        if not self.wait(DYING):
            raise Offence(CRASHED, "closed its standard output")
        self.kill()
        code = self.child.returncode
        why = f": {self.log.last_line}" if code > 0 and self.log.last_line else ""
        raise Offence(CRASHED, shorten(f"{exit_words(code)}{why}"))

    def note(self, facts: dict[str, Any]) -> None:
        """Say something to which no answer is expected."""
        if self.child.stdin and not self.child.stdin.closed:
            self.write(json.dumps(facts).encode() + b"\n")

    def leave(self, facts: dict[str, Any] | None = None) -> None:
        """Say a last word, to which no answer is expected, and let the process end itself."""
        if self.child.stdin and not self.child.stdin.closed:
            if facts is not None:
                self.note(facts)
            self.child.stdin.close()
            self.wait(LEAVE_SECONDS)

    def kill(self) -> None:
        """End the process and all that it has started, and keep what is left of its prints."""
        if not self.lost.alive:
            return
        kill_group(self.child)
        self.drain()
        self.lost()

    def drain(self) -> None:
        """Keep what was printed and not read yet."""
        for _ in range(16):  # more than a pipe holds; somebody may still be writing
            some = read_pipe(self.prints)
            if not some:
                break
            self.log.add(some)


@functools.cache
def starter(process: int) -> ThreadPoolExecutor:
    """Return the thread that starts processes, one for each of ours.

    A process that shall die with its parent dies with the thread that has started it.
    """
    return ThreadPoolExecutor(1, "starter")


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """End a process with its group, before its number can be given to another."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def discard(child: subprocess.Popen[bytes], copy: tempfile.TemporaryDirectory[str] | None) -> None:
    """End a process with its group, close its pipes, and remove its folder, if it has one."""
    kill_group(child)
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe:
            pipe.close()
    if copy:
        copy.cleanup()


def too_long(seconds: float) -> Offence:
    """Return the offence of using more time than is allowed."""
    return Offence(OUT_OF_TIME, f"no answer in {seconds:g} s of CPU time and sleep")


def read_pipe(pipe: int) -> bytes | None:
    """Return what a pipe holds: None for nothing yet, no bytes for its end."""
    try:
        return os.read(pipe, CHUNK)
    except BlockingIOError:
        return None


def exit_words(code: int) -> str:
    """Return how a process ended; a shell or a sandbox says 128 + N for signal N."""
    number = -code if code < 0 else code - 128
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"ended with exit code {code}"
    return f"was ended by {name}"
