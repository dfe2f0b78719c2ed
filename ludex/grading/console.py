"""A dialogue with a student's console program, compared with the expected one.

Differences in white space do not count, nor whether an answer is typed on the line of its question.
"""

import codecs
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ludex.core.termination import CRASHED, OUT_OF_TIME, shorten
from ludex.core.time_control import WALL_FACTOR
from ludex.external import packages, sandbox
from ludex.external.interface import CONSOLE, Submission
from ludex.external.launch import start_process
from ludex.external.process import EXIT_SECONDS, exit_message

SECONDS = 10.0  # time limit for expected output; sleep and CPU time count
CONTEXT = 8  # lines shown before a mismatch
KEPT = 4000  # characters kept of a transcript
LONGEST = 65536  # characters read before they must match
PLACE = re.compile(r'File "(?:[^"]*/)?([^"/]+)", line (\d+)')


class Line(NamedTuple):
    """An expected line, or a question, after which an answer is typed; `#` is any whole number."""

    text: str
    asks: bool = False


class Seen(NamedTuple):
    """Which of the expected lines was printed, and the numbers in it."""

    place: int
    numbers: list[int]


class Mismatch(Exception):
    """A program did not do what is expected; the message shows it in its context."""

    def __init__(
        self, wanted: str, got: str, ending: str = "", context: Sequence[str] = ()
    ) -> None:
        self.ending, self.words = ending, f"expected: {wanted}\ngot: {got}"
        super().__init__("\n".join([*context, self.words]))


class GradingOver(Exception):
    """The time for grading has run out in the middle of a dialogue."""


class Program(NamedTuple):
    """A console program, and how it is run."""

    file: Path
    seed: int
    over: Callable[[], bool] = lambda: False
    """Whether the time for grading has run out."""


class Console:
    """A running program, and the end of the dialogue so far."""

    def __init__(self, program: Program) -> None:
        file = program.file
        self.name, self.over = file.name, program.over
        submission = Submission(file.parent, file, CONSOLE, str(program.seed))
        self.process = start_process(submission, sandbox.is_enabled())
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.unread = ""
        self.said = ""
        self.silent = False
        """Whether it has ended, or closed its output."""

    def close(self) -> None:
        """End the program."""
        self.process.kill()

    def type(self, answer: str) -> None:
        """Type an answer to a question."""
        self.said = f"{self.said.rstrip()} {answer}\n"[-KEPT:]
        self.process.write(f"{answer}\n".encode())

    def expect(self, *lines: Line, seconds: float = 0.0, keep: bool = False) -> Seen:
        """Return which of these lines is printed next, or raise a Mismatch.

        With `keep` the line can be expected again. 0 seconds stand for the default limit.
        """
        seconds = seconds or SECONDS
        found: list[Fit | None] = []

        def is_decided() -> bool:
            self.unread = self.unread.lstrip()
            found[:] = [fit(line, self.unread, self.silent) for line in lines]
            seen = any(one is not None and one.length for one in found)
            return seen or not any(found) or len(self.unread) > LONGEST

        in_time = self.read_until(is_decided, seconds)
        for place, one in enumerate(found):
            if one is not None and one.length:
                if not keep:
                    self.said = f"{self.said}{self.unread[: one.length].rstrip()}\n"[-KEPT:]
                    self.unread = self.unread[one.length :]
                return Seen(place, one.numbers)
        if in_time:
            raise self.mismatch(lines)
        raise self.mismatch(lines, OUT_OF_TIME, f"nothing after {seconds:g} s")

    def expect_end(self) -> None:
        """Wait until the program ends without an error and without further output."""
        if not self.read_until(lambda: bool(self.unread.strip())):
            raise self.mismatch((), OUT_OF_TIME, f"no end after {SECONDS:g} s")
        if self.unread.strip() or self.failure():
            raise self.mismatch(())

    def at_end(self) -> bool:
        """Wait for further output, and return whether the program ended instead."""
        self.read_until(lambda: bool(self.unread.strip()))
        return self.silent and not self.unread.strip()

    def skip_to(self, line: Line, others: int, but: tuple[str, ...] = ()) -> None:
        """Expect a line after at most so many others, none of which begins with `but`."""
        for _ in range(others):
            try:
                self.expect(line, keep=True)
                break
            except Mismatch as mismatch:
                if mismatch.ending or not self.unread or self.unread.startswith(but):
                    raise
            self.skip_line()
        self.expect(line)

    def skip_line(self) -> None:
        """Pass over a line, which may be anything."""
        self.read_until(lambda: "\n" in self.unread or len(self.unread) >= LONGEST)
        line, _, self.unread = self.unread.partition("\n")
        self.said = f"{self.said}{line}\n"[-KEPT:]

    def read_until(self, enough: Callable[[], bool], seconds: float = 0.0) -> bool:
        """Read until there is enough, or the output ends; return whether that was in time."""
        if enough() or self.silent:
            return True
        seconds = seconds or SECONDS
        self.process.meter.finish()
        self.process.meter.begin()
        end = time.monotonic() + WALL_FACTOR * seconds
        for some in self.process.listen(end, seconds, over=self.over):
            self.silent = some == b""
            self.unread += self.decoder.decode(some).replace("\r\n", "\n")
            if enough() or self.silent:
                return True
        if self.over():
            raise GradingOver
        return False

    def failure(self) -> str:
        """Return how a program that has ended failed, or ""."""
        if self.process.finalizer.alive:
            self.process.wait(EXIT_SECONDS)
            self.process.kill()
        code = self.process.child.returncode
        if code == 0:
            return ""
        log = self.process.log
        why = log.last_line if code > 0 and log.last_line else exit_message(code)
        places = [found for found in PLACE.findall(log.text) if found[0] == self.name]
        place = f" (line {places[-1][1]} of {self.name})" if places else ""
        return shorten(f"{why}{packages.install_hint(why)}{place}")

    def mismatch(self, lines: tuple[Line, ...], ending: str = "", got: str = "") -> Mismatch:
        """Return the mismatch between what was expected and what was printed."""
        texts = [line.text.replace("#", "1, 2 or 3") for line in lines]
        wanted = " | ".join(texts) or "the end of the program"
        printed = shorten(self.unread.strip().split("\n")[0])
        got = (got if not ending else "") or printed or got or "the end of the program"
        if self.silent and not printed and (failed := self.failure()):
            ending, got = CRASHED, f"{CRASHED}: {failed}"
        context = [shorten(line) for line in self.said.split("\n") if line.strip()][-CONTEXT:]
        return Mismatch(wanted, got, ending, context)


class Fit(NamedTuple):
    """The length of a match at the start of a text, or 0 if more must be read, and its numbers."""

    length: int
    numbers: list[int]


def fit(line: Line, text: str, whole: bool) -> Fit | None:
    """Match a line at the start of a text, or return None; a `whole` text will not continue."""
    at, numbers = 0, []
    for part in re.split(r"(#| )", line.text):
        if part == "#" or part == " ":
            found = re.compile(r"-?\d{1,9}" if part == "#" else r"[ \t]+").match(text, at)
            if found is None:
                return Fit(0, []) if text[at:] in ("", "-") and not whole else None
            at = found.end()
            if part == "#":
                if at == len(text) and not whole:
                    return Fit(0, [])
                numbers.append(int(found[0]))
        elif text.startswith(part, at):
            at += len(part)
        else:
            return Fit(0, []) if part.startswith(text[at:]) and not whole else None
    if line.asks:
        return Fit(at, numbers)
    rest = text[at:].lstrip(" \t")
    if rest and rest[0] != "\n":
        return None
    return Fit(at, numbers) if rest or whole else Fit(0, [])
