"""The score of a submission in a test, as points and messages."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from ludex.core.termination import BY_RULES, CRASHED, OUT_OF_TIME, TRUNCATED, WHERE
from ludex.external.log import last_part
from ludex.grading.assignment import Test
from ludex.io.text import many
from ludex.match.record import read_record
from ludex.stats import Tally

MOST_REASONS = 5  # kinds of failure that are named
RAN_OUT = "the time for grading ran out"
BRIEF = 160  # characters of a remark
PRINTED = 4 << 10  # characters of output


class Failure(NamedTuple):
    """A kind of failure of an agent, and how often it occurred."""

    ending: str
    words: str
    times: int


class Mark(NamedTuple):
    """Points for a test, with the reasons."""

    test: str
    score: float
    most: float
    output: str
    visibility: str = "visible"
    lost: tuple[str, ...] = ()
    """Records of the lost matches."""
    late: bool = False
    """Whether the time limit cut it short, so that another run may differ."""
    matches: int = 0
    by_rules: int = 0
    """How many of them ended by the rules."""
    failures: tuple[Failure, ...] = ()
    """The most frequent first."""
    fault: str = ""
    """Why nothing could be tested, or the first error in a dialogue."""
    printed: str = ""
    """The end of the output in the first match that it failed."""
    awaited: bool = False
    """Whether a manual mark is still missing."""

    @classmethod
    def of(cls, test: Test, score: float, output: str, **facts: Any) -> Self:
        """Return the mark of a test, with the rounded score."""
        return cls(test.name, round(score, 2), test.points, output, test.visibility, **facts)


class MatchResult(NamedTuple):
    """The result of a match for the graded agent."""

    seat: int
    worth: float
    ending: str
    offender: int
    """The seat that failed, or -1."""
    words: str
    output: str = ""
    """The agent's output."""

    @classmethod
    def of_record(cls, line: str, seat: int) -> Self:
        """Return the result of a recorded match for a seat."""
        record = read_record(line)
        output = record.output[seat] if record.output else ""
        return cls(seat, record.returns[seat], record.ending, record.seat, record.words, output)

    @property
    def failed(self) -> bool:
        """Whether the agent failed: an illegal move, a timeout or a crash."""
        return self.ending not in (BY_RULES, TRUNCATED) and self.offender == self.seat


def zero_mark(test: Test, reason: str, fault: str = "") -> Mark:
    """Return the mark of a test that could not be run."""
    return Mark.of(test, 0.0, reason, fault=fault)


def gives_up(test: Test, results: Sequence[MatchResult]) -> bool:
    """Return whether an agent failed so often in a row that the rest counts as lost."""
    last = results[-test.give_up :] if test.give_up else []
    hopeless = [one for one in last if one.failed and one.ending in (CRASHED, OUT_OF_TIME)]
    return 0 < test.give_up == len(hopeless)


def award(test: Test, results: Sequence[MatchResult], notes: Sequence[str] = ()) -> Mark:
    """Return the mark of matches; unplayed ones earn nothing, or count as lost."""
    unplayed = test.matches - len(results) if gives_up(test, results) else 0
    wins, draws, losses = tally = Tally.of([one.worth for one in results] + [-1.0] * unplayed)
    counted = tally.matches
    total = test.win * wins + test.draw * draws + test.loss * losses
    # In a session with a time limit, the share is of the matches played.
    out_of = max(counted, 1) if test.seconds else test.matches
    earned = total / out_of * test.matches / (test.full or test.matches)
    score = test.points * min(earned, 1.0)
    notes = list(notes)
    if unplayed:
        notes.append(f"{unplayed} of them not played, after {test.give_up} failures in a row")
    if counted < test.at_least:
        score = 0.0
        were = "was" if counted == 1 else "were"
        notes.append(f"only {many(counted, 'match')} {were} played, and {test.at_least} are needed")
    failed = failures(results)
    met = f"{many(counted, 'match')} against {test.against}"
    found = f"{met}: {wins} won, {draws} drawn, {losses} lost{threshold(test)}"
    return Mark.of(
        test,
        score,
        "\n".join([found, *notes, *reasons(failed)]),
        matches=counted,
        by_rules=sum(one.ending == BY_RULES for one in results),
        failures=failed,
        printed=next((last_part(one.output, PRINTED) for one in results if one.failed), ""),
    )


def award_records(
    test: Test, lines: Sequence[str], notes: Sequence[str] = (), late: bool = False
) -> Mark:
    """Return the mark of recorded matches; `late` if the time for grading cut them short."""
    results = [MatchResult.of_record(line, test.seat(number)) for number, line in enumerate(lines)]
    lost = tuple(line for line, one in zip(lines, results, strict=True) if one.worth < 0)
    return award(test, results, notes)._replace(lost=lost, late=late)


def threshold(test: Test) -> str:
    """Return in words what earns full marks; nothing if all matches must be won."""
    if not test.full:
        return ""
    if (test.win, test.draw, test.loss) == (1.0, 0.0, 0.0):
        return f"; full marks from {test.full:g} wins"
    counted = f"a win counts {test.win:g}, a draw {test.draw:g}, a loss {test.loss:g}"
    return f"; full marks from {test.full:g} ({counted})"


def failures(results: Sequence[MatchResult]) -> tuple[Failure, ...]:
    """Return the agent's failures, the most frequent kind first.

    Messages that differ only in numbers or position are one kind, quoted by the first.
    """
    ways: dict[tuple[str, str], list[str]] = {}
    for one in results:
        if one.failed:
            ways.setdefault((one.ending, kind_of(one.words)), []).append(one.words)
    found = [
        Failure(ending, f"{words[0]}{' (the first of them)' * (len(set(words)) > 1)}", len(words))
        for (ending, _), words in ways.items()
    ]
    return tuple(sorted(found, key=lambda failure: -failure.times))


def kind_of(words: str) -> str:
    """Return the message of a failure without numbers and position."""
    return re.sub(r"\d+", "#", words.partition(WHERE)[0])


def reasons(failed: Sequence[Failure]) -> list[str]:
    """Return a line for each of the first failures."""
    lines = [
        f"{many(times, 'time')} {ending}: {words}" for ending, words, times in failed[:MOST_REASONS]
    ]
    more = len(failed) - MOST_REASONS
    if more > 0:
        lines.append(f"and {many(more, 'other reason')}")
    return lines


def remark(marks: Sequence[Mark]) -> str:
    """Return what is wrong with a submission in a few words; nothing if it has all points.

    This is its commonest failure or else the test that cost most, one without points first.
    """
    said = [f"{mark.test}: {mark.fault}" for mark in marks if mark.fault][:1]
    endings, words = Counter[str](), Counter[tuple[str, str]]()
    for failure in (one for mark in marks for one in mark.failures):
        endings[failure.ending] += failure.times
        words[failure.ending, failure.words] += failure.times
    if endings:
        ending, count = endings.most_common(1)[0]
        why = next(one for (kind, one), _ in words.most_common() if kind == ending)
        out_of = many(sum(mark.matches for mark in marks), "match")
        said.append(f"{ending} in {count} of {out_of}: {why}")
    given = [mark for mark in marks if not mark.awaited]
    # A test without points says more than one where many lose some.
    worst = max(given, key=lambda mark: (mark.score == 0.0, mark.most - mark.score), default=None)
    if not said and worst is not None and worst.score < worst.most:
        why = "; ".join(worst.output.splitlines())
        said.append(f"{worst.test}: {worst.score:g} of {worst.most:g}, {why}")
    text = "; ".join(said)
    return text if len(text) <= BRIEF else f"{text[: BRIEF - 1]}…"
