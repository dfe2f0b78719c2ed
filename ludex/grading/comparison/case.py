"""A situation for which a method of a student's file is queried."""

from typing import Any, NamedTuple

from ludex.core.termination import repr_of as shown_value
from ludex.core.termination import shorten


class Case(NamedTuple):
    """What is asked, and what is expected by our rules."""

    method: str
    position: str
    """As `ludex show` takes it."""
    action: str
    """As the file has it; empty where the method takes none."""
    request: dict[str, Any]
    """What is sent to the file."""
    expected: Any
    rules: str = ""
    """Rules of the position that are not the usual ones, as `ludex show` takes them."""
    who: str = ""
    """Of whose method it is, where a position has two."""

    @property
    def expectation(self) -> str:
        """What is expected, in words for people."""
        return listed(self.expected) if isinstance(self.expected, dict) else shown(self.expected)

    def words(self, expected: str, got: str) -> list[str]:
        """Return lines that tell a disagreement."""
        of = f" of {self.who}" if self.who else ""
        lines = [f"{self.method}{of} is not as the rules are", f"position: {self.position}"]
        lines += [f"rules: {self.rules}"] * bool(self.rules)
        lines += [f"action: {self.action}"] * bool(self.action)
        return [*lines, f"expected: {expected}", f"got: {got}"]


def differences(expected: dict[str, Any], got: dict[str, Any]) -> tuple[str, str] | None:
    """Return in words where facts differ from what is expected, or None."""
    wrong = [name for name, value in expected.items() if got.get(name) != value]
    if not wrong:
        return None
    return listed({name: expected[name] for name in wrong}), listed(
        {name: got.get(name) for name in wrong}
    )


def listed(facts: dict[str, Any]) -> str:
    """Return facts in one line."""
    return ", ".join(f"{name} {shown(value)}" for name, value in facts.items())


def shown(value: Any) -> str:
    """Return a value as people read it: names without quotes, a cell as a pair.

    It is one short line that is safe on any screen, whatever a student's file has put into it.
    """
    if isinstance(value, list):
        inside = ", ".join(map(str, value))
        return shorten(f"({inside})" if value and isinstance(value[0], int) else f"{{{inside}}}")
    return shorten(value) if isinstance(value, str) and value else shown_value(value)
