"""A situation for which a method of a student's file is queried."""

import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ludex.core.termination import repr_of as shown_value
from ludex.core.termination import shorten


class Case(NamedTuple):
    """A query, and the answer expected by our rules."""

    method: str
    position: str
    """As `ludex show` takes it."""
    action: str
    """As the file names it; empty if the method takes none."""
    request: dict[str, Any]
    """The request to the file."""
    expected: Any
    rules: str = ""
    """Rules of the position that differ from the defaults, as `ludex show` takes them."""
    who: str = ""
    """Whose method it is, if the position has two."""

    @property
    def expectation(self) -> str:
        """The expected answer, in words."""
        write = facts_text if isinstance(self.expected, dict) else value_text
        return write(self.expected)

    def words(self, expected: str, got: str) -> list[str]:
        """Return the lines that report a disagreement."""
        of = f" of {self.who}" if self.who else ""
        lines = [f"{self.method}{of} is not as the rules are", f"position: {self.position}"]
        lines += [f"rules: {self.rules}"] * bool(self.rules)
        lines += [f"action: {self.action}"] * bool(self.action)
        return [*lines, f"expected: {expected}", f"got: {got}"]


CompareAnswer = Callable[[Case, dict[str, Any]], tuple[str, str] | None]
"""Returns the expected and the actual answer to a case in words, or None if they agree."""


class ComparedRules(NamedTuple):
    """How the rules in the file of a course are compared with ours."""

    methods: tuple[str, ...]
    cases: Callable[[Any, str, random.Random], Iterator[Case]]
    """Yields situations for a method endlessly."""
    make_comparer: Callable[[], CompareAnswer]
    """Makes a comparer of the answers of one file."""


def differences(expected: dict[str, Any], got: dict[str, Any]) -> tuple[str, str] | None:
    """Return expected and actual facts that differ, in words, or None."""
    wrong = [name for name, value in expected.items() if got.get(name) != value]
    if not wrong:
        return None
    wanted, found = ({name: facts.get(name) for name in wrong} for facts in (expected, got))
    return facts_text(wanted), facts_text(found)


def facts_text(facts: dict[str, Any]) -> str:
    """Return facts in one line."""
    return ", ".join(f"{name} {value_text(value)}" for name, value in facts.items())


def value_text(value: Any) -> str:
    """Return a value as a short printable line: names without quotes, and a cell as a pair."""
    if isinstance(value, list):
        inside = ", ".join(map(str, value))
        return shorten(f"({inside})" if value and isinstance(value[0], int) else f"{{{inside}}}")
    return shorten(value) if isinstance(value, str) and value else shown_value(value)
