"""What a visitor reads of a program: all it says, or one line if it is somebody else's."""

import builtins
import re
from collections.abc import Iterator
from contextlib import contextmanager

from ludex.core.rules import seat_name
from ludex.core.termination import CRASHED, ILLEGAL
from ludex.match.record import Record, now
from ludex.match.runner import AFTER_END
from ludex.match.view import MatchView
from ludex.web.state.access import Visitor
from ludex.web.state.archive import public_record, record_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.match_programs import FAULTS, Unplayable
from ludex.web.state.programs import Programs
from ludex.web.state.public_text import without_paths

QUOTING = (CRASHED, ILLEGAL)  # endings whose words may have those of the program in them


class Reader:
    """A visitor who reads of matches; the key may become known later."""

    def __init__(self, programs: Programs, visitor: Visitor) -> None:
        self.programs, self.visitor = programs, visitor

    def may_read(self, agent: str, when: str) -> bool:
        """Return whether all is shown that an agent said in a match that began at a time."""
        return self.programs.may_read(agent, self.visitor, when)

    def may_read_seat(self, live: LiveMatch, seat: int) -> bool:
        """Return whether all is shown that the agent at a seat said in a match."""
        return live.from_file or self.may_read(live.agents[seat], live.began)

    def fault(self, agent: str, ending: str, words: str, when: str) -> str:
        """Return why an agent forfeited a match that began at a time."""
        if ending not in QUOTING or self.may_read(agent, when):
            return without_paths(words)
        return fault_line(ending, words)

    def words(self, live: LiveMatch) -> str:
        """Return why a match ended early, or what else was wrong with it."""
        match, seat = live.match, live.match.offender
        if seat < 0:
            own = all(self.may_read_seat(live, one) for one in range(len(live.agents)))
            return match.words if own or AFTER_END not in match.words else ""
        if match.ending not in QUOTING or self.may_read_seat(live, seat):
            return match.words
        return f"{seat_name(match.rules, seat)}'s program {fault_line(match.ending, match.words)}."

    def result(self, live: LiveMatch) -> str:
        """Return the result of a match in one line; empty before the end."""
        return result_with(live.match, self.words(live))

    def output(self, live: LiveMatch, seat: int) -> str:
        """Return what the program at a seat has printed, if there is one.

        It may print what is hidden from others.
        """
        text = "" if live.hides and not live.match.over else live.programs.output(seat)
        return text if text and self.may_read_seat(live, seat) else ""

    def record(self, live: LiveMatch) -> Record:
        """Return a match as a record without the server's paths."""
        record = public_record(record_of(live))
        seats = range(len(record.output))
        output = tuple(record.output[one] * self.may_read_seat(live, one) for one in seats)
        words = without_paths(self.words(live)) if live.match.over else record.words
        return record._replace(words=words, output=output if any(output) else ())

    @contextmanager
    def reasons_told(self) -> Iterator[None]:
        """Say why a program cannot play, if this visitor may read that."""
        try:
            yield
        except Unplayable as error:
            if not self.may_read(error.text, now()):
                raise
            raise ValueError(error.reason) from error

    def refusal(self, text: str, error: ValueError) -> str:
        """Return why an agent, by its text as typed, has not chosen at a position."""
        may_read = self.may_read(text, now())
        if isinstance(error, Unplayable) and may_read:
            return without_paths(error.reason)
        words = without_paths(str(error))
        ending, colon, _ = words.partition(": ")
        if not colon or ending not in QUOTING:
            return words
        if may_read:
            return f"{text} {FAULTS[ending]} ({words.removeprefix(f'{ending}: ')})"
        return f"{text} {fault_line(ending, words)}"


def result_with(match: MatchView, words: str) -> str:
    """Return the result of a match in one line, with other words about its end."""
    if words == match.words:
        return match.result
    outcome = match.result.removesuffix(f": {match.words}")
    return f"{outcome}: {words}" if words else f"{outcome}."


def fault_line(ending: str, words: str) -> str:
    """Return what a program did, and which of Python's errors it raised, without its own words."""
    kinds = filter(is_error, re.findall(r"\w+", words)) if ending == CRASHED else ()
    kind = next(iter(kinds), "")
    return f"{FAULTS[ending]} ({kind})" if kind else FAULTS[ending]


def is_error(word: str) -> bool:
    """Return whether a word is the name of a built-in exception."""
    found = getattr(builtins, word, None)
    return isinstance(found, type) and issubclass(found, BaseException)
