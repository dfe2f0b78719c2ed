"""Grade one submission by all tests of an assignment except the tournament."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludex.core.rules import Rules
from ludex.core.termination import error_line, printable
from ludex.external.interface import Submission, find_submission, parse_source
from ludex.games import game_rules
from ludex.grading import assignment as assignments
from ludex.grading.assignment import (
    BOTH,
    EXAMPLES,
    MANUAL,
    PLAYED,
    RULES,
    SEATS,
    SESSION,
    TOURNAMENT,
    TRANSCRIPT,
    Assignment,
    Test,
)
from ludex.grading.comparison import Order as Comparison
from ludex.grading.comparison import compare
from ludex.grading.examples import tried
from ludex.grading.intake import Entry, file_names, program
from ludex.grading.manual import HandMark, manual_mark
from ludex.grading.progress import Report
from ludex.grading.results import write_results
from ludex.grading.score import RAN_OUT, Mark, Result, gives_up, scored, zero
from ludex.grading.session import Session, mark_of
from ludex.grading.transcript import mark_transcripts
from ludex.grading.workspace import keep
from ludex.match.record import read_output
from ludex.store import Played, Store
from ludex.tournaments.event import register
from ludex.tournaments.job import Job, play_job
from ludex.tournaments.plan import SERIES, pairings


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
    note: str = ""
    """What its owner should know of this grading."""
    by_hand: tuple[tuple[str, HandMark], ...] = ()
    """The marks that people have given, with their tests; a tuple, for orders are hashed."""


class Bench(NamedTuple):
    """Where a submission is marked, and what its marking depends on."""

    given: Assignment
    rules: Rules
    desk: Path
    over: Callable[[], bool]
    """Whether the time for grading has run out."""
    report: Report


def rules_of(assignment: Assignment) -> Rules:
    """Return the rules that an assignment is played by."""
    return game_rules(assignment.course, dict(assignment.rules))


def mark_entry(order: Order) -> str:
    """Mark a submission, keep its marks, and return its name, whatever is wrong with it."""
    given = assignments.read(Path(order.file))
    desk = Path(order.desk)
    desk.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + order.seconds if order.seconds else math.inf
    bench = Bench(given, rules_of(given), desk, lambda: time.monotonic() > end, Report(desk, given))
    fault, submission = order.entry.fault, None
    if not fault and any(test.kind in PLAYED for test in given.tests):
        try:
            submission = find_submission(order.entry.folder, given.course)
        except ValueError as error:
            fault = plain(str(error), order.entry.folder)
    tests = [test for test in given.tests if test.kind != TOURNAMENT]
    by_hand = dict(order.by_hand)
    try:
        marks = [
            manual_mark(test, by_hand.get(test.name))
            if test.kind == MANUAL
            else marked(bench, test, order.entry, submission, fault)
            for test in tests
        ]
        keep(desk, fault, marks)
        write_results(desk, given, marks, fault, None, order.note)
        if order.pages:
            from ludex.grading.page import write_page

            for test in tests[-1:]:
                bench.report.say(test, 0, 0, ", and the page")
            write_page(desk, order.entry.name, given, fault, marks, order.note)
    finally:
        bench.report.end()
    return order.entry.name


def plain(words: str, folder: str) -> str:
    """Return why something is no agent, without where we keep it."""
    words = words.removeprefix(f"agent {folder!r}: ").replace(folder, ".")
    return words.removesuffix(", and is not executable")


def marked(
    bench: Bench, test: Test, entry: Entry, submission: Submission | None, fault: str
) -> Mark:
    """Return the mark of a test, whatever happens in it; what it says can be shown anywhere."""
    try:
        bench.report.say(test, 0, 0)
        return cleaned(mark_by_kind(bench, test, entry, submission, fault))
    except Exception as error:  # one submission must not stop the others
        return failed(test, error)


def mark_by_kind(
    bench: Bench, test: Test, entry: Entry, submission: Submission | None, fault: str
) -> Mark:
    """Return the mark of a test, by what its kind asks for."""
    if test.kind in (EXAMPLES, RULES) and not entry.fault:  # it needs no agent
        file = Path(entry.folder, file_names(bench.given.course)[0])
        if file.is_file():
            return checked(bench, test, file)
        why = f"there is no {file.name} in it"
        return zero(test, why, why)
    if test.kind == TRANSCRIPT and not entry.fault:
        return talked(bench, test, entry)
    if submission is None:
        return zero(test, f"could not be graded: {fault}")
    agent = f"{submission.path}{f':{test.agent}' if test.agent else ''}"
    try:
        if test.agent:
            find_submission(agent, bench.given.course)
    except ValueError as error:
        why = plain(plain(str(error), agent), str(submission.path))
        return zero(test, why, why)
    if test.kind == SESSION:
        session = Session(bench.given, test, agent)
        return mark_of(session, bench.rules, bench.desk, bench.over, bench.report.say)
    return series(bench, test, agent)


def cleaned(mark: Mark) -> Mark:
    """Return a mark in whose words nothing steers a screen or cannot be written to a file."""
    failures = tuple(one._replace(words=printable(one.words)) for one in mark.failures)
    return mark._replace(
        output=printable(mark.output),
        failures=failures,
        fault=printable(mark.fault),
        printed=printable(mark.printed),
    )


def failed(test: Test, error: Exception) -> Mark:
    """Return the mark of what could not be marked because of an error of ours."""
    why = f"the grading itself failed: {error_line(error)}"
    return zero(test, why, why)


def talked(bench: Bench, test: Test, entry: Entry) -> Mark:
    """Return the mark of dialogues with a console program."""
    try:
        file = program(Path(entry.folder))
        parse_source(entry.folder, file)
    except ValueError as error:
        why = plain(str(error), entry.folder)
        return zero(test, why, why)
    return mark_transcripts(test, file, bench.given.seed, bench.over)


def checked(bench: Bench, test: Test, file: Path) -> Mark:
    """Return the mark of examples and of rules, all of which must be as they should."""
    given = bench.given
    wrong = tried(file.parent, file, test.examples, given.course)
    output = "as in the document"
    if test.kind == RULES and not wrong:
        methods = tuple(test.compare.split())
        order = Comparison(given.course, bench.rules, methods, test.cases, given.seed)
        wrong = compare(file.parent, file, order)
        output = f"as the rules are in {len(methods) * test.cases} situations"
    output = "\n".join(wrong) or output
    return Mark(test.name, 0.0 if wrong else test.points, test.points, output, test.visibility)


def series(bench: Bench, test: Test, agent: str) -> Mark:
    """Return the mark of matches, of which none is played twice."""
    ways = 1 if test.seats == BOTH else SEATS  # of those who sit at one seat, half the plan counts
    plan = bench.given.plan((agent, test.opponent), SERIES, ways * test.matches)
    wanted = [one for one in pairings(plan, {}) if one.agents.index(0) == test.seat(one.number)]
    results: list[Result] = []
    lines: list[str] = []
    store = Store(f"sqlite:///{bench.desk / 'matches.sqlite'}")
    try:
        number = register(store, plan)
        before = zip(store.matches_of(number), store.records(number), strict=True)
        done = {one.number: one._replace(record=line) for one, line in before}
        for pairing in wanted:
            if gives_up(test, results):
                break
            if pairing.number not in done:
                if bench.over():
                    break
                [done[pairing.number]] = play_job(Job(plan, (pairing,)))
                store.keep(number, [done[pairing.number]])
            results.append(result_of(done[pairing.number]))
            lines.append(done[pairing.number].record)
            bench.report.say(test, len(results), test.matches)
    finally:
        store.close()
    late = len(results) < test.matches and not gives_up(test, results)
    lost = tuple(line for line, one in zip(lines, results, strict=True) if one.worth < 0)
    return scored(test, results, [RAN_OUT] * late)._replace(lost=lost, late=late)


def result_of(match: Played) -> Result:
    """Return what a match of a series was to its first agent."""
    seat = match.agents.index(0)
    output = read_output(match.record, seat)
    return Result(seat, match.returns[seat], match.ending, match.seat, match.words, output)
