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
from ludex.external import sandbox
from ludex.external.agent import answer_offence, bare_greeting, wait_until_ready
from ludex.external.interface import Submission
from ludex.external.launch import start_process
from ludex.external.log import last_part
from ludex.grading.score import PRINTED

SECONDS = 10.0  # for one line


def example_faults(path: Path, file: Path, examples: str, course: str) -> list[str]:
    """Return the first example that a module fails, as lines; empty if it passes all."""
    parsed = doctest.DocTestParser().get_examples(examples)
    if not parsed:
        return []
    process = start_process(Submission(path, file, f"{course}/examples"), sandbox.is_enabled())
    try:
        wait_until_ready(process, bare_greeting())
        for one in parsed:
            answer = process.answer({"run": one.source}, WALL_FACTOR * SECONDS, SECONDS)
            if "move" not in answer:
                raise Offence(
                    "", f"{one.source.strip()}: {answer_offence(answer, 'no answer').words}"
                )
            value, printed = value_and_prints(answer["move"])
            found = value or (printed if one.want.strip() else "")
            if not (same(one.want, value) or (not value and among(one.want, printed))):
                wanted = one.want.strip() or "nothing"
                found = shorten(found) or "nothing"
                return [f">>> {one.source.strip()}", f"expected: {wanted}", f"shown: {found}"]
    except Offence as offence:
        process.kill()  # which reads the rest of its output
        printed = last_part(process.log.text, PRINTED)
        # A traceback without a line of the file adds nothing.
        return [offence.words, *(["", "It printed:", printed] if file.name in printed else [])]
    finally:
        process.kill()
    return []


def value_and_prints(answer: object) -> tuple[str, str]:
    """Return value and output of a line; raise an Offence for any other answer."""
    try:
        value, printed = map(str, json.loads(str(answer)))
    except (ValueError, TypeError, RecursionError):
        raise Offence("", f"answered {shorten(str(answer))}, which nothing here asked") from None
    return value, printed


def among(wanted: str, printed: str) -> bool:
    """Return whether the wanted lines occur among the printed ones, in order."""
    lines = iter([line.strip() for line in printed.splitlines()])
    return all(line.strip() in lines for line in wanted.strip().splitlines())


def same(wanted: str, found: str) -> bool:
    """Return whether two texts show the same value, ignoring the order in sets."""
    wanted, found = wanted.strip(), found.strip()
    if wanted.startswith("{") and found.startswith("{"):
        both = (sorted(text.strip("{}").split(", ")) for text in (wanted, found))
        return len({tuple(one) for one in both}) == 1
    return wanted == found
