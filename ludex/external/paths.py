"""Files and folders named in agent texts, relative to the file that names them."""

import os
from collections.abc import Iterator
from pathlib import Path

from ludex.external import names_file
from ludex.external.interface import path_and_word


def with_whole_paths(text: str, folder: Path) -> str:
    """Return the text of an agent, in which paths that begin at a folder are whole."""
    if names_file(text):
        return text if text.startswith(("/", "~")) else os.path.normpath(folder / text)
    name, colon, options = text.partition(":")
    return f"{name}{colon}{','.join(with_whole_path(one, folder) for one in options.split(','))}"


def with_relative_paths(text: str, folder: Path) -> str:
    """Return the text of an agent, in which paths begin at a folder if they lie in it."""
    there = with_whole_paths(text, folder)
    if not names_file(text) or there == text:
        return there
    if not Path(path_and_word(there)[0]).exists():
        return text
    return there if names_file(there) else f"./{there}"


def with_whole_path(option: str, folder: Path) -> str:
    """Return an option such as `file=mine.npz`, with the whole path if there is such a file."""
    start = value_at(option)
    file = folder / option[start:]
    return f"{option[:start]}{file}" if start and file.is_file() else option


def value_at(option: str) -> int:
    """Return where the value of an option begins, as in `estimate=learned:mine.npz`."""
    return max(option.rfind("="), option.rfind(":")) + 1


def paths(text: str) -> Iterator[Path]:
    """Yield the files and folders that the text of an agent names, after `with_whole_paths`."""
    if names_file(text):
        yield Path(path_and_word(text)[0])
        return
    for option in text.partition(":")[2].split(","):
        file = Path(option[value_at(option) :])
        if file.is_absolute():
            yield file
