"""Errors below the fields they are about."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ludex.web.parts import layout
from ludex.web.state.public_text import without_paths


class FieldError(ValueError):
    """An input is wrong, and the message is shown below its field."""

    def __init__(self, words: str, field: Any) -> None:
        super().__init__(words)
        self.field = field


@contextmanager
def errors_below(field: Any) -> Iterator[None]:
    """Show a ValueError below a field, and raise it as a FieldError; one of another field stays."""
    field.error = None
    try:
        yield
    except FieldError:
        raise
    except ValueError as error:
        field.error = layout.capitalize(without_paths(str(error)))
        raise FieldError(str(error), field) from error


@contextmanager
def field_errors_shown() -> Iterator[None]:
    """Go to the field with a FieldError, and show any other ValueError as a notification."""
    with layout.errors_shown():
        try:
            yield
        except FieldError as error:
            error.field.run_method("focus")
