"""Array files with a header and a checksum, which is always verified."""

import hashlib
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ludex.io.files import atomic_file

Arrays = dict[str, np.ndarray]

# Errors that reading a damaged archive may raise.
DAMAGE = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)

ARCHIVE = b"PK\x03\x04"  # the first bytes of every such file


class Unusable(ValueError):
    """A file is damaged, or holds something else."""


def write(path: Path, owner: dict[str, Any], arrays: Arrays, facts: dict[str, Any]) -> None:
    """Write arrays atomically, with their owner and some facts about them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = {"owner": owner, "facts": facts, "checksum": checksum(arrays, owner, facts)}
    contents: dict[str, Any] = {"meta": np.array(json.dumps(meta)), **arrays}
    with atomic_file(path) as file:
        np.savez(file, **contents)


def read(
    path: Path, owner: dict[str, Any], names: tuple[str, ...]
) -> tuple[Arrays, dict[str, Any]]:
    """Return arrays and facts; raise Unusable if they are damaged or of another owner."""
    arrays, meta = contents(path, names)
    if meta["owner"] != owner:
        raise Unusable(f"{path} belongs to another game or other rules")
    return arrays, dict(meta["facts"])


def contents(path: Path, names: tuple[str, ...], writer: str = "") -> tuple[Arrays, dict[str, Any]]:
    """Return arrays, and a dictionary of owner, facts and checksum; raise Unusable if damaged.

    `writer` names the program that should have written a file given by a user, for the message.
    """
    with archive(path, writer) as file:
        meta = json.loads(str(file["meta"]))
        arrays = {name: file[name] for name in names}
        parts = dict(meta["owner"]), dict(meta["facts"])
        recorded = meta["checksum"]
    # The oldest files have a checksum of the arrays only.
    if recorded not in (checksum(arrays, *parts), checksum(arrays)):
        raise Unusable(f"{path} is damaged: its checksum differs")
    return arrays, meta


def owner_of(path: Path, writer: str = "") -> dict[str, Any]:
    """Return the owner of arrays, which are not read: whether they are damaged is unknown."""
    with archive(path, writer) as file:
        return dict(json.loads(str(file["meta"]))["owner"])


@contextmanager
def archive(path: Path, writer: str) -> Iterator[Mapping[str, np.ndarray]]:
    """Yield the parts of a file by their names; raise Unusable if one of them cannot be read."""
    with path.open("rb") as opened:
        try:
            with np.load(opened) as file:
                yield file
        except DAMAGE as error:
            raise Unusable(f"{path} {damage_text(path, error, writer)}") from error


def damage_text(path: Path, error: Exception, writer: str) -> str:
    """Return why a file could not be read."""
    with path.open("rb") as file:
        start = file.read(len(ARCHIVE))
    if not start:
        return "is damaged: it is empty"
    if start != ARCHIVE or isinstance(error, KeyError):
        other = f"is not a file that {writer} has written"
        return other if writer else "is damaged: it holds something else"
    whole = zipfile.is_zipfile(path)  # the directory of an archive is at its end
    return f"is damaged: {'a part of it cannot be read' if whole else 'it ends too early'}"


def checksum(arrays: Arrays, *metadata: dict[str, Any]) -> str:
    """Return a hash of arrays with their names, types and shapes, and of the metadata."""
    digest = hashlib.blake2b()
    for one in metadata:
        digest.update(json.dumps(one, sort_keys=True).encode())
    for name, array in arrays.items():
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
