"""Validate an assignment before grading, so that a typo costs nobody points."""

from pathlib import Path

from ludex.agents.registry import make_agent
from ludex.core.rules import Rules, seats
from ludex.external.agent import names_file
from ludex.external.interface import find_submission, word_fault
from ludex.grading import assignment
from ludex.grading.assignment import MATCHES, RULES, SEATS, SESSION, TRANSCRIPT, Assignment, Test
from ludex.grading.course import CHECKS, COMPARED
from ludex.io.schema import errors_at
from ludex.io.text import nearest


def validate(path: Path, run: bool = True) -> Assignment:
    """Read an assignment and create its rules and agents once.

    A ValueError names the file, the test and the wrong key. Without `run`, opponents in files are
    only inspected, so that no sandbox is needed.
    """
    given = assignment.read(path)
    with errors_at(f"assignment {str(path)!r}"):
        rules = given.make_rules()
        if seats(rules) != SEATS:
            raise ValueError(f"the rules have {seats(rules)} seats: expected {SEATS}")
        for number, test in enumerate(given.tests, start=1):
            with errors_at(f"test {number}"):
                check_test(given, test, rules, run)
    return given


def check_test(given: Assignment, test: Test, rules: Rules, run: bool) -> None:
    """Raise a ValueError if a test is not for the course, or its agents cannot be made."""
    if test.kind == TRANSCRIPT and given.course not in CHECKS:
        able = ", ".join(map(repr, CHECKS))
        raise ValueError(f"kind is {test.kind!r}: expected it with course = {able} only")
    if test.kind in (MATCHES, SESSION):
        check_agents(given, test, rules, run)
    if test.kind == RULES or test.compare:
        check_methods(given, test)


def check_methods(given: Assignment, test: Test) -> None:
    """Raise a ValueError if the methods that a test compares are not known in the course."""
    if test.kind != RULES:
        raise ValueError(f"compare is for kind {RULES!r}, not {test.kind!r}")
    if given.course not in COMPARED:
        raise ValueError(f"no file of {given.course} has rules that can be compared")
    names, known = test.compare.split(), COMPARED[given.course].methods
    wrong = next((name for name in names if name not in known), "")
    if wrong or not names:
        said = f"{wrong!r}{nearest(wrong, known)}" if wrong else "is missing"
        raise ValueError(f"compare {said} (expected some of {', '.join(known)})")


def check_agents(given: Assignment, test: Test, rules: Rules, run: bool) -> None:
    """Create the opponent of a test, and check the name of its agent."""
    with errors_at("opponent"):
        if names_file(test.opponent) and not run:
            find_submission(test.opponent, given.course)
        else:
            make_agent(test.opponent, rules)
    if test.agent and (fault := word_fault(given.course, test.agent)):
        raise ValueError(f"agent is {test.agent!r}: {fault}")
