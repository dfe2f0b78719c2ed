"""TOML files, with words for what is wrong with one."""

import tomllib
from pathlib import Path
from typing import Any


def table_in(path: Path, place: str) -> dict[str, Any]:
    """Return what a TOML file says; a ValueError begins with the place, as people call the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{place}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place} is not TOML: {error}") from error
