"""Grade one submission by all tests of an assignment except the tournament."""

import json
import math
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ludex.core.rules import Rules
from ludex.core.termination import error_line, printable
from ludex.external.interface import Submission, find_submission, parse_source
from ludex.grading import assignment
from ludex.grading.assignment import Assignment, Test
from ludex.grading.comparison import compare
from ludex.grading.course import CHECKS, COMPARED
from ludex.grading.examples import example_faults
from ludex.grading.intake import Entry, file_names, find_program
from ludex.grading.manual_marks import HandMark, manual_mark
from ludex.grading.progress import ProgressFile
from ludex.grading.results import results
from ludex.grading.score import RAN_OUT, Mark, MatchResult, award_records, gives_up, zero_mark
from ludex.grading.session import Session, mark_of
from ludex.grading.transcript import mark_transcripts
from ludex.grading.workspace import write_marks
from ludex.io.files import write_text
from ludex.store import Store
from ludex.tournaments.event import register
from ludex.tournaments.job import MatchJob, play_job
from ludex.tournaments.plan import SERIES, pairings


class MarkingTask(NamedTuple):
    """A submission to be marked by one process."""

    file: str
    """Of the assignment."""
    entry: Entry
    workspace: str
    """The workspace of the submission."""
    seconds: float = 0.0
    """Time limit for matches; 0 for none."""
    pages: bool = True
    note: str = ""
    """A note for its owner."""
    by_hand: tuple[tuple[str, HandMark], ...] = ()
    """Manual marks by test; a tuple, because tasks are hashed."""


class Context(NamedTuple):
    """What all tests of a submission share."""

    given: Assignment
    rules: Rules
    workspace: Path
    over: Callable[[], bool]
    """Whether the time for grading has run out."""
    report: ProgressFile
    entry: Entry = Entry("", "")
    submission: Submission | None = None
    """Its agent, if a test needs one and it was found."""
    fault: str = ""
    """Why there is none."""


def mark_entry(task: MarkingTask) -> str:
    """Mark a submission, write its marks, and return its name; faults never raise."""
    given = assignment.read(Path(task.file))
    workspace = Path(task.workspace)
    workspace.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + task.seconds if task.seconds else math.inf
    report = ProgressFile(workspace, given)
    fault, submission = task.entry.fault, None
    if not fault and any(test.kind in assignment.PLAYED for test in given.tests):
        try:
            submission = find_submission(task.entry.folder, given.course)
        except ValueError as error:
            fault = without_paths(str(error), task.entry.folder)
    rules, over = given.make_rules(), lambda: time.monotonic() > end
    context = Context(given, rules, workspace, over, report, task.entry, submission, fault)
    tests = [test for test in given.tests if test.kind != assignment.TOURNAMENT]
    by_hand = dict(task.by_hand)
    try:
        marks = [
            manual_mark(test, by_hand.get(test.name))
            if test.kind == assignment.MANUAL
            else safe_mark(context, test)
            for test in tests
        ]
        write_marks(workspace, fault, marks)
        for test in tests[-1:] if task.pages else ():
            context.report.say(test, 0, 0, ", and the page")
        write_reports(task, given, fault, marks)
    finally:
        context.report.end()
    return task.entry.name


def write_reports(
    task: MarkingTask,
    given: Assignment,
    fault: str,
    marks: list[Mark],
    rating: float | None = None,
    page: bool = True,
) -> None:
    """Write the results of a submission and, if wanted, its page."""
    workspace = Path(task.workspace)
    found = results(given, marks, fault, rating, task.note)
    write_text(workspace / "results.json", json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    if task.pages and page:
        from ludex.grading.page import write_page

        write_page(workspace, task.entry.name, given, fault, marks, task.note)


def without_paths(words: str, folder: str) -> str:
    """Return a message without the paths of our copy."""
    return words.removeprefix(f"agent {folder!r}: ").replace(folder, ".")


def safe_mark(context: Context, test: Test) -> Mark:
    """Return the mark of a test, with printable text; errors of ours become a mark of 0."""
    try:
        context.report.say(test, 0, 0)
        return printable_mark(mark_by_kind(context, test))
    except Exception as error:  # one submission must not stop the others
        why = f"the grading itself failed: {error_line(error)}"
        return zero_mark(test, why, why)


def mark_by_kind(context: Context, test: Test) -> Mark:
    """Return the mark of a test by its kind."""
    entry, submission = context.entry, context.submission
    if test.kind in (assignment.EXAMPLES, assignment.RULES) and not entry.fault:
        file = Path(entry.folder, file_names(context.given.course)[0])
        if file.is_file():
            return mark_file(context, test, file)
        why = f"there is no {file.name} in it"
        return zero_mark(test, why, why)
    if test.kind == assignment.TRANSCRIPT and not entry.fault:
        return mark_console(context, test)
    if submission is None:
        return zero_mark(test, f"could not be graded: {context.fault}")
    agent = f"{submission.path}{f':{test.agent}' if test.agent else ''}"
    try:
        if test.agent:
            find_submission(agent, context.given.course)
    except ValueError as error:
        why = without_paths(without_paths(str(error), agent), str(submission.path))
        return zero_mark(test, why, why)
    if test.kind == assignment.SESSION:
        session = Session(context.given, test, agent)
        return mark_of(session, context.rules, context.workspace, context.over, context.report.say)
    return mark_series(context, test, agent)


def printable_mark(mark: Mark) -> Mark:
    """Return a mark without control characters or unencodable text."""
    failures = tuple(one._replace(words=printable(one.words)) for one in mark.failures)
    return mark._replace(
        output=printable(mark.output),
        failures=failures,
        fault=printable(mark.fault),
        printed=printable(mark.printed),
    )


def mark_console(context: Context, test: Test) -> Mark:
    """Return the mark of dialogues with a console program."""
    folder = context.entry.folder
    try:
        file = find_program(Path(folder))
        parse_source(file)
    except ValueError as error:
        why = without_paths(str(error), folder)
        return zero_mark(test, why, why)
    checks = CHECKS[context.given.course][test.part - 1]
    return mark_transcripts(checks, test, file, context.given.seed, context.over)


def mark_file(context: Context, test: Test, file: Path) -> Mark:
    """Return the mark of examples and rules: all points if all are right, else none."""
    given = context.given
    wrong = example_faults(file.parent, file, test.examples, given.course)
    output = "as in the document"
    if test.kind == assignment.RULES and not wrong:
        methods = test.compare.split()
        wrong = compare(file, given, COMPARED[given.course], methods, test.cases)
        output = f"as the rules are in {len(methods) * test.cases} situations"
    return Mark.of(test, 0.0 if wrong else test.points, "\n".join(wrong) or output)


def mark_series(context: Context, test: Test, agent: str) -> Mark:
    """Return the mark of a series; stored matches are not played again."""
    # For a fixed seat, half of the plan counts.
    ways = 1 if test.seats == assignment.BOTH else assignment.SEATS
    plan = context.given.plan((agent, test.opponent), SERIES, ways * test.matches)
    wanted = [one for one in pairings(plan, {}) if one.agents.index(0) == test.seat(one.number)]
    results: list[MatchResult] = []
    lines: list[str] = []
    with closing(Store(f"sqlite:///{context.workspace / 'matches.sqlite'}")) as store:
        number = register(store, plan)
        before = zip(store.matches_of(number), store.records(number), strict=True)
        done = {one.number: line for one, line in before}
        for pairing in wanted:
            if gives_up(test, results):
                break
            if pairing.number not in done:
                if context.over():
                    break
                [played] = play_job(MatchJob(plan, (pairing,)))
                store.keep(number, [played])
                done[pairing.number] = played.record
            lines.append(done[pairing.number])
            results.append(MatchResult.of_record(lines[-1], test.seat(pairing.number)))
            context.report.say(test, len(results), test.matches)
    late = len(results) < test.matches and not gives_up(test, results)
    return award_records(test, lines, [RAN_OUT] * late, late)
