"""Runs lines of Python in somebody's module, one after the other, and returns what each shows.

What it should show is known to the referee alone.
"""

import contextlib
import io
from typing import Any


class Manner:
    """Keeps the names of the module, and those that the lines give."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.names = dict(vars(module))

    def begin(self, greeting: dict[str, Any]) -> None:
        """Forget nothing."""

    def move(self, request: dict[str, Any]) -> str:
        """Return what a line prints, and the value that it has."""
        shown = io.StringIO()
        code = compile(request["run"], "<example>", "single")
        with contextlib.redirect_stdout(shown):
            exec(code, self.names)  # this is what we are here for, in a process of its own
        return shown.getvalue()
