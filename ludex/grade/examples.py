"""Examples of a document, `>>> droid.shots`, tried in somebody's module and compared here."""

import doctest
from pathlib import Path

from ludex.ending import Offence, shortened
from ludex.foreign import START, complaint, sandbox
from ludex.foreign.interface import Submission
from ludex.foreign.launch import started
from ludex.foreign.log import last_part
from ludex.grade.mark import PRINTED

SECONDS = 10.0  # for one line


def tried(path: Path, file: Path, examples: str) -> list[str]:
    """Return what is wrong with a module by some examples, in words; nothing if all is well."""
    parsed = doctest.DocTestParser().get_examples(examples)
    process = started(Submission(path, file, "examples"), sandbox.wanted())
    try:
        answer = process.answer({"ludex": 1, "seed": 1}, START)
        if answer.get("ready") is not True:
            raise complaint(answer, "not ready")
        for one in parsed:
            answer = process.answer({"run": one.source}, SECONDS)
            if "move" not in answer:
                raise Offence("", f"{one.source.strip()}: {complaint(answer, 'no answer').words}")
            if not same(one.want, str(answer["move"])):
                found = shortened(str(answer["move"])) or "nothing"
                wanted = one.want.strip() or "nothing"
                return [f">>> {one.source.strip()}", f"expected: {wanted}", f"shown: {found}"]
    except Offence as offence:
        process.kill()  # all that it has printed is read then
        printed = last_part(process.log.text, PRINTED)
        # Without a line of the file a traceback says no more than the words.
        return [offence.words, *(["", "It printed:", printed] if file.name in printed else [])]
    finally:
        process.kill()
    return []


def same(wanted: str, found: str) -> bool:
    """Return whether two texts show the same; the order in a set does not matter."""
    wanted, found = wanted.strip(), found.strip()
    if wanted.startswith("{") and found.startswith("{"):
        both = (sorted(text.strip("{}").split(", ")) for text in (wanted, found))
        return len({tuple(one) for one in both}) == 1
    return wanted == found
