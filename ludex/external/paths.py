"""Files and folders named in agent texts, relative to the file that names them."""

import os
from collections.abc import Iterator
from pathlib import Path

from ludex.external.agent import names_file
from ludex.external.interface import path_and_word


def with_absolute_paths(text: str, folder: Path) -> str:
    """Return the text of an agent with its paths made absolute, from a folder."""
    if names_file(text):
        return text if text.startswith(("/", "~")) else os.path.normpath(folder / text)
    name, colon, options = text.partition(":")
    return f"{name}{colon}{','.join(with_absolute_path(one, folder) for one in options.split(','))}"


def with_paths_in(text: str, folder: Path) -> str:
    """Return the text of an agent with paths that exist in a folder joined to it."""
    there = with_absolute_paths(text, folder)
    if not names_file(text) or there == text:
        return there
    if not Path(path_and_word(there)[0]).exists():
        return text
    return there if names_file(there) else f"./{there}"


def with_absolute_path(option: str, folder: Path) -> str:
    """Return an option such as `file=mine.npz` with an absolute path, if there is such a file."""
    start = value_start(option)
    file = folder / option[start:]
    return f"{option[:start]}{file}" if start and file.is_file() else option


def value_start(option: str) -> int:
    """Return the index of an option's value, as in `estimate=learned:mine.npz`."""
    return max(option.rfind("="), option.rfind(":")) + 1


def named_paths(text: str) -> Iterator[Path]:
    """Yield the files and folders that the text of an agent names, after `with_absolute_paths`."""
    if names_file(text):
        yield Path(path_and_word(text)[0])
        return
    for option in text.partition(":")[2].split(","):
        file = Path(option[value_start(option) :])
        if file.is_absolute():
            yield file
