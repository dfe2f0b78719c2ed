"""Comparison of the rules in a student's file with ours, in random situations.

The file answers in its own process; the expected answers are known here alone.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ludex.core.termination import Offence, repr_of
from ludex.core.time_control import WALL_FACTOR
from ludex.external.agent import answer_offence, run_submission
from ludex.external.interface import Submission
from ludex.external.process import Process
from ludex.grading.assignment import Assignment
from ludex.grading.comparison.case import Case, CompareAnswer, ComparedRules

BATCH = 50  # cases in one request, whose answers must fit into one line
SECONDS = 10.0  # for a batch
ALONE = 2.0  # for a single case of a batch that failed


def compare(
    file: Path, given: Assignment, compared: ComparedRules, methods: Sequence[str], count: int
) -> list[str]:
    """Return the first disagreement of a file with our rules, as lines; empty if there is none.

    Each method is tested in `count` cases.
    """
    rules, compare_answer = given.make_rules(), compared.make_comparer()
    submission = Submission(file.parent, file, f"{given.course}/rules")
    try:
        with run_submission(submission) as process:
            for method in methods:
                found = compared.cases(rules, method, random.Random(f"{given.seed} {method}"))
                cases = take_cases(found, method, count)
                while batch := list(islice(cases, BATCH)):
                    try:
                        answers = ask_batch(process, batch, SECONDS)
                    except Offence:
                        process.kill()
                        return failing_case(submission, batch)
                    for case, answer in zip(batch, answers, strict=False):
                        if wrong := disagreement(compare_answer, case, answer):
                            return wrong
    except Offence as offence:
        return [offence.words]
    return []


def take_cases(found: Iterator[Case], method: str, count: int) -> Iterator[Case]:
    """Yield cases until `count` are of the method; others only prepare for it."""
    while count > 0:
        case = next(found)
        count -= case.method == method
        yield case


def ask_batch(process: Process, batch: list[Case], seconds: float) -> list[Any]:
    """Return the answers to a batch; after an error, it is the last of fewer answers."""
    request = {"cases": [case.request for case in batch]}
    answer = process.answer(request, WALL_FACTOR * seconds, seconds)
    answers: Any = answer.get("answers")
    if not isinstance(answers, list) or not all(isinstance(one, dict) for one in answers):
        raise answer_offence(answer, "no answers")
    if len(answers) < len(batch):
        last = answers[-1] if answers else {}
        if "error" not in last or "answer" in last:
            raise answer_offence(answer, "too few answers")
    return answers


def failing_case(submission: Submission, batch: list[Case]) -> list[str]:
    """Return which case of a batch kills or hangs the process, by running each alone."""
    with run_submission(submission) as process:
        for case in batch:
            try:
                ask_batch(process, [case], ALONE)
            except Offence as offence:
                return case.words(case.expectation, offence.words)
    return batch[0].words(batch[0].expectation, f"no answer to it and {len(batch) - 1} others")


def disagreement(compare_answer: CompareAnswer, case: Case, answer: dict[str, Any]) -> list[str]:
    """Return as lines how an answer differs from the expected one; empty if it does not."""
    if "answer" not in answer:
        return case.words(case.expectation, answer_offence(answer, "no answer").words)
    try:
        differing = compare_answer(case, answer["answer"])
    except (KeyError, TypeError, AttributeError, ValueError):  # no answer of ours looks like this
        return case.words(case.expectation, repr_of(answer["answer"]))
    return case.words(*differing) if differing else []
