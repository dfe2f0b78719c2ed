"""Examples of a document, `>>> droid.shots`, run in a student's module and compared here.

The value of a line is compared, whatever is printed meanwhile. A line without a value that should
show something is one that prints, as `>>> print(droid.shots)` does: the expected lines must then
be among the printed ones, in order.
"""

import doctest
import json
from pathlib import Path

from ludex.core.termination import Offence, shorten
from ludex.core.time_control import WALL_FACTOR
from ludex.external.agent import answer_offence, run_submission
from ludex.external.interface import Submission
from ludex.external.log import last_part
from ludex.external.process import Process
from ludex.grading.score import PRINTED

SECONDS = 10.0  # for one line


def example_faults(path: Path, file: Path, examples: str, course: str) -> list[str]:
    """Return the first example that a module fails, as lines; empty if it passes all."""
    parsed = doctest.DocTestParser().get_examples(examples)
    if not parsed:
        return []
    try:
        with run_submission(Submission(path, file, f"{course}/examples")) as process:
            return next((wrong for one in parsed if (wrong := example_fault(process, one))), [])
    except Offence as offence:
        printed = last_part(offence.__notes__[-1], PRINTED)
        # A traceback without a line of the file adds nothing.
        return [offence.words, *(["", "It printed:", printed] if file.name in printed else [])]


def example_fault(process: Process, one: doctest.Example) -> list[str]:
    """Return as lines how the answer to an example is wrong; empty if it is right."""
    source = one.source.strip()
    answer = process.answer({"run": one.source}, WALL_FACTOR * SECONDS, SECONDS)
    if "move" not in answer:
        raise Offence("", f"{source}: {answer_offence(answer, 'no answer').words}")
    value, printed = value_and_prints(answer["move"])
    if shows_same_value(one.want, value) or (not value and contains_lines(one.want, printed)):
        return []
    shown = shorten(value or (printed if one.want.strip() else "")) or "nothing"
    return [f">>> {source}", f"expected: {one.want.strip() or 'nothing'}", f"shown: {shown}"]


def value_and_prints(answer: object) -> tuple[str, str]:
    """Return value and output of a line; raise an Offence for any other answer."""
    try:
        value, printed = map(str, json.loads(str(answer)))
    except (ValueError, TypeError, RecursionError):
        raise Offence("", f"answered {shorten(str(answer))}, which nothing here asked") from None
    return value, printed


def contains_lines(wanted: str, printed: str) -> bool:
    """Return whether the wanted lines occur among the printed ones, in order."""
    lines = iter([line.strip() for line in printed.splitlines()])
    return all(line.strip() in lines for line in wanted.strip().splitlines())


def shows_same_value(wanted: str, found: str) -> bool:
    """Return whether two texts show the same value, ignoring the order in sets."""
    wanted, found = wanted.strip(), found.strip()
    if wanted.startswith("{") and found.startswith("{"):
        both = (sorted(text.strip("{}").split(", ")) for text in (wanted, found))
        return len({tuple(one) for one in both}) == 1
    return wanted == found
