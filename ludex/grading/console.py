"""A dialogue with a student's console program, compared with the expected one.

Blank lines, trailing spaces and the width of spaces do not matter, nor does whether an answer is
typed on the line of the question. Everything else must be as in the document.
"""

import codecs
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ludex.core.termination import CRASHED, OUT_OF_TIME, shorten
from ludex.core.time_control import WALL_FACTOR
from ludex.external import packages, sandbox
from ludex.external.interface import CONSOLE, Submission
from ludex.external.launch import start_process
from ludex.external.process import EXIT_SECONDS, exit_message

SECONDS = 10.0  # until something that is expected must be there; sleep and CPU time count
CONTEXT = 8  # lines before a difference that are shown
KEPT = 4000  # letters of a transcript that are kept
LONGEST = 65536  # letters that are read before they must be what is expected
PLACE = re.compile(r'File "(?:[^"]*/)?([^"/]+)", line (\d+)')


class Line(NamedTuple):
    """Something that is expected: a whole line, or a question, behind which somebody types.

    In its text `#` stands for any whole number.
    """

    text: str
    asks: bool = False


class Seen(NamedTuple):
    """What was printed, of all that might have been: its place among them, and its numbers."""

    place: int
    numbers: list[int]


class Difference(Exception):
    """A program has printed something else, or nothing; the message shows it in its context."""

    def __init__(self, ending: str, words: str, context: list[str]) -> None:
        super().__init__("\n".join([*context, words]))
        self.ending, self.words = ending, words


class GradingOver(Exception):
    """The time for grading has run out in the middle of a dialogue."""


class Program(NamedTuple):
    """A console program, and how it is run."""

    file: Path
    seed: int
    over: Callable[[], bool] = lambda: False
    """Whether the time for grading has run out."""


class Console:
    """A program that runs, with all that was said so far."""

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
        """Return which of these lines is printed next, or raise the difference.

        What is kept is there to be expected again. No seconds are as many as usual.
        """
        seconds = seconds or SECONDS
        reads = self.reads(seconds)
        while True:
            self.unread = self.unread.lstrip()
            found = [fit(line, self.unread, self.silent) for line in lines]
            for place, one in enumerate(found):
                if one is not None and one.length:
                    if keep:
                        return Seen(place, one.numbers)
                    self.said = f"{self.said}{self.unread[: one.length].rstrip()}\n"[-KEPT:]
                    self.unread = self.unread[one.length :]
                    return Seen(place, one.numbers)
            if not any(found) or self.silent or len(self.unread) > LONGEST:
                raise self.difference(lines)
            if not next(reads, False):
                raise self.difference(lines, OUT_OF_TIME, f"nothing after {seconds:g} s")

    def expect_end(self) -> None:
        """See the program end without an error and without another word."""
        reads = self.reads(SECONDS)
        while not self.silent:
            if not next(reads, False):
                raise self.difference((), OUT_OF_TIME, f"no end after {SECONDS:g} s")
            if self.unread.strip():
                break
        if self.unread.strip() or self.failure():
            raise self.difference(())

    def at_end(self) -> bool:
        """Wait for another word, and return whether the program ended instead."""
        reads = self.reads(SECONDS)
        while not self.unread.strip() and not self.silent and next(reads, False):
            pass
        return self.silent and not self.unread.strip()

    def skip_to(self, line: Line, others: int, but: tuple[str, ...] = ()) -> None:
        """Expect a line, perhaps after some others, none of which begins with certain words."""
        for _ in range(others):
            try:
                self.expect(line, keep=True)
                break
            except Difference as difference:
                if difference.ending or not self.unread or self.unread.startswith(but):
                    raise
            self.skip_line()
        self.expect(line)

    def skip_line(self) -> None:
        """Pass over a line, which may be anything."""
        reads = self.reads(SECONDS)
        while "\n" not in self.unread and not self.silent and len(self.unread) < LONGEST:
            if not next(reads, False):
                break
        line, _, self.unread = self.unread.partition("\n")
        self.said = f"{self.said}{line}\n"[-KEPT:]

    def reads(self, seconds: float) -> Iterator[bool]:
        """Read what comes next, yielding True for each time there was anything, until `seconds`.

        The time of the program is measured from the first reading on, as measuring takes longer
        than comparing what it has printed already. Raise GradingOver when the time for grading
        runs out.
        """
        self.process.meter.finish()
        self.process.meter.begin()
        end = time.monotonic() + WALL_FACTOR * seconds
        for some in self.process.listen(end, seconds, over=self.over):
            self.silent = some == b""
            self.unread += self.decoder.decode(some).replace("\r\n", "\n")
            yield True
        if self.over():
            raise GradingOver

    def failure(self) -> str:
        """Return how a program that is silent has failed, or nothing."""
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

    def difference(self, lines: tuple[Line, ...], ending: str = "", got: str = "") -> Difference:
        """Return the difference between what was expected and what was printed."""
        texts = [line.text.replace("#", "1, 2 or 3") for line in lines]
        wanted = f"expected: {' | '.join(texts) or 'the end of the program'}"
        printed = shorten(self.unread.strip().split("\n")[0])
        got = (got if not ending else "") or printed or got or "the end of the program"
        if self.silent and not printed and (failed := self.failure()):
            ending, got = CRASHED, f"{CRASHED}: {failed}"
        context = [shorten(line) for line in self.said.split("\n") if line.strip()][-CONTEXT:]
        return Difference(ending, f"{wanted}\ngot: {got}", context)


class Fit(NamedTuple):
    """How a text begins as expected: so many letters of it, or 0 if more of it must be seen."""

    length: int
    numbers: list[int]


def fit(line: Line, text: str, whole: bool) -> Fit | None:
    """Return how a text begins with a line, or None; a whole text has nothing more to come."""
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
