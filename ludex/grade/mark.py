"""Marks: what a test has shown of a submission, in points and words."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ludex.ending import BY_RULES, TRUNCATED
from ludex.grade.assignment import Test
from ludex.record import Record

MOST_REASONS = 5  # ways to end against the rules that are named
RAN_OUT = "the time for grading ran out"


class Mark(NamedTuple):
    """Points for a test, with the reasons."""

    test: str
    score: float
    most: float
    output: str
    visibility: str = "visible"
    lost: tuple[str, ...] = ()
    """Records of matches that were lost, the first ones."""
    late: bool = False
    """Whether a clock has cut it short, so that another time it may be otherwise."""


class Result(NamedTuple):
    """What a match was to the agent that is graded."""

    seat: int
    worth: float
    record: Record


def zero(test: Test, reason: str) -> Mark:
    """Return the mark of what could not be tried."""
    return Mark(test.name, 0.0, test.points, reason, test.visibility)


def scored(test: Test, results: Sequence[Result], notes: Sequence[str] = ()) -> Mark:
    """Return the mark of matches; those that were not played bring nothing."""
    wins = sum(one.worth > 0 for one in results)
    draws = sum(one.worth == 0 for one in results)
    losses = len(results) - wins - draws
    total = test.win * wins + test.draw * draws + test.loss * losses
    # Of a session that is cut by its clock, the share is that of the matches that were played.
    out_of = max(len(results), 1) if test.seconds else test.matches
    score = test.points * total / out_of
    if len(results) < test.at_least:
        score = 0.0
        least = f"only {len(results)} matches were played, and {test.at_least} are needed"
        notes = [*notes, least]
    lines = [
        f"{len(results)} matches against {test.opponent}: {wins} won, {draws} drawn, {losses} lost",
        *notes,
        *reasons(results),
    ]
    return Mark(test.name, round(score, 2), test.points, "\n".join(lines), test.visibility)


def reasons(results: Sequence[Result]) -> list[str]:
    """Return how the agent has ended matches against the rules, the most frequent way first."""
    found = Counter(
        f"{one.record.ending}: {one.record.words}"
        for one in results
        if one.record.ending not in (BY_RULES, TRUNCATED) and one.record.seat == one.seat
    )
    lines = [
        f"{count} time{'' if count == 1 else 's'} {words}"
        for words, count in found.most_common(MOST_REASONS)
    ]
    if len(found) > MOST_REASONS:
        lines.append(f"and {len(found) - MOST_REASONS} other reasons")
    return lines
