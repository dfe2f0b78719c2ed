"""Run lines of Python in a student's module, one after the other, and return their results.

The expected results are known to the referee alone. The value of a line and its printed output
are kept apart, because a program may print anything.
"""

import contextlib
import io
import json
import sys
from typing import Any

LONGEST = 8000  # characters of a value or of output; the last ones are returned


class Adapter:
    """Keeps the names of the module, and those that the lines define."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.names = dict(vars(module))

    def move(self, request: dict[str, Any]) -> str:
        """Return as JSON the value that a line displays, if any, and what it printed."""
        values: list[str] = []

        def show(value: Any) -> None:
            if value is not None:
                values.append(repr(value))

        printed = Copy()
        code = compile(request["run"], "<example>", "single")
        sys.displayhook = show
        try:
            with contextlib.redirect_stdout(printed):
                exec(code, self.names)  # the student's own process
        finally:
            sys.displayhook = sys.__displayhook__
        return json.dumps(["\n".join(values)[-LONGEST:], printed.getvalue()[-LONGEST:]])


class Copy(io.StringIO):
    """Stores what is printed, and prints it."""

    def write(self, text: str) -> int:
        """Write a text to both."""
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        return super().write(text)
