"""Marking one submission by all tests of an assignment, apart from the tournament."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludex.ending import told
from ludex.foreign.interface import Submission, find_submission
from ludex.games import game_rules
from ludex.grade import assignment as assignments
from ludex.grade.assignment import EXAMPLES, SESSION, TOURNAMENT, Assignment, Test
from ludex.grade.collecting import Entry, file_names
from ludex.grade.desk import keep
from ludex.grade.examples import tried
from ludex.grade.mark import RAN_OUT, Mark, Result, scored, zero
from ludex.grade.session import Session, mark_of
from ludex.record import read_record
from ludex.rules import Rules
from ludex.store import Played, Store
from ludex.tournament.event import Place, enter, play
from ludex.tournament.plan import SERIES


class Order(NamedTuple):
    """What one process has to do: a submission, by an assignment."""

    file: str
    """Of the assignment."""
    entry: Entry
    desk: str
    """A folder for all that is kept of the submission."""
    seconds: float = 0.0
    """After how long nothing more is played; 0 for never."""
    pages: bool = True


def rules_of(assignment: Assignment) -> Rules:
    """Return the rules that an assignment is played by."""
    return game_rules(assignment.course, dict(assignment.rules))


def mark_entry(order: Order) -> str:
    """Mark a submission, keep its marks, and return its name, whatever is wrong with it."""
    given = assignments.read(Path(order.file))
    desk = Path(order.desk)
    desk.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + order.seconds if order.seconds else math.inf
    marks, fault = [], order.entry.fault
    rules = rules_of(given)
    submission: Submission | None = None
    if not fault:
        try:
            submission = find_submission(order.entry.folder, given.course)
        except ValueError as error:
            fault = plain(str(error), order.entry.folder)
    for test in given.tests:
        if test.kind == TOURNAMENT:
            continue
        file = Path(order.entry.folder, file_names(given.course)[0])
        if test.kind == EXAMPLES and file.is_file():  # it needs no agent
            marks.append(checked(test, file))
        elif submission is None:
            marks.append(zero(test, f"could not be graded: {fault}"))
        else:
            marks.append(marked(given, test, submission, rules, desk, end))
    keep(desk, fault, marks)
    if order.pages:
        from ludex.grade.page import write_page

        write_page(desk, order.entry.name, given)
    return order.entry.name


def plain(words: str, folder: str) -> str:
    """Return why something is no agent, without where we keep it."""
    words = words.removeprefix(f"agent {folder!r}: ").replace(folder, ".")
    return words.removesuffix(", and is not executable")


def marked(
    given: Assignment, test: Test, submission: Submission, rules: Rules, desk: Path, end: float
) -> Mark:
    """Return the mark of a test, whatever happens in it."""

    def over() -> bool:
        return time.monotonic() > end

    agent = f"{submission.path}{f':{test.agent}' if test.agent else ''}"
    try:
        if test.agent:
            find_submission(agent, given.course)
        if test.kind == SESSION:
            return mark_of(Session(given, test, agent), rules, desk, over)
        return series(given, test, agent, desk, over)
    except ValueError as error:
        return zero(test, plain(plain(str(error), agent), str(submission.path)))
    except Exception as error:  # one submission must not stop the others
        return zero(test, f"the grading itself failed: {told(error)}")


def checked(test: Test, file: Path) -> Mark:
    """Return the mark of examples, all of which must show what they should."""
    wrong = tried(file.parent, file, test.examples)
    output = "\n".join(wrong) or "as in the document"
    return Mark(test.name, 0.0 if wrong else test.points, test.points, output, test.visibility)


def series(given: Assignment, test: Test, agent: str, desk: Path, over: Callable[[], bool]) -> Mark:
    """Return the mark of matches with changing seats, of which none is played twice."""
    plan = given.plan((agent, test.opponent), SERIES, test.matches)
    store = Store(f"sqlite:///{desk / 'matches.sqlite'}")
    try:
        number = enter(store, plan)
        done: list[Played] = play(plan, Place(1), lambda some: over(), store, number)
        lines = store.records(number)
    finally:
        store.close()
    results = [
        Result(one.agents.index(0), one.returns[one.agents.index(0)], read_record(line))
        for one, line in zip(done, lines, strict=True)
    ]
    lost = tuple(line for line, one in zip(lines, results, strict=True) if one.worth < 0)
    late = len(done) < test.matches
    mark = scored(test, results, [RAN_OUT] * late)
    return mark._replace(lost=lost, late=late)
