"""TOML files, with readable error messages."""

import tomllib
from pathlib import Path
from typing import Any

WORDS: dict[type[Any], str] = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: 'texts in brackets, such as ["random", "greedy"]',
    dict: "a part of its own, such as [rules]",
}
"""What a value is called in a message to whoever writes a file."""


def table_in(path: Path, place: str) -> dict[str, Any]:
    """Return what a TOML file says; a ValueError begins with the place, as people call the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{place}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place} is not TOML: {error}") from error
