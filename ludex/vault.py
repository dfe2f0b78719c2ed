"""Arrays in a file that says whose they are, and that is never trusted without its checksum."""

import hashlib
import json
import lzma
import shutil
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ludex.files import whole_file

Arrays = dict[str, np.ndarray]

# What reading a damaged archive may raise.
DAMAGE = (
    *(ValueError, KeyError, TypeError, EOFError, OSError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
)


class Unusable(ValueError):
    """A file does not hold what it should."""


def write(path: Path, owner: dict[str, Any], arrays: Arrays, facts: dict[str, Any]) -> None:
    """Write arrays of an owner with some facts about them; the file appears when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = {"owner": owner, "facts": facts, "checksum": checksum(arrays, owner, facts)}
    contents: dict[str, Any] = {"meta": np.array(json.dumps(meta)), **arrays}
    with whole_file(path) as file:
        np.savez(file, **contents)


def read(
    path: Path, owner: dict[str, Any], names: tuple[str, ...]
) -> tuple[Arrays, dict[str, Any]]:
    """Return arrays and facts; Unusable if they are damaged, or another owner's."""
    arrays, meta = contents(path, names)
    if meta["owner"] != owner:
        raise Unusable(f"{path} belongs to another game or other rules")
    return arrays, dict(meta["facts"])


def owner_of(path: Path, names: tuple[str, ...]) -> dict[str, Any]:
    """Return whose arrays a file holds; Unusable if it is damaged."""
    return dict(contents(path, names)[1]["owner"])


def contents(path: Path, names: tuple[str, ...]) -> tuple[Arrays, dict[str, Any]]:
    """Return arrays, and their owner, facts and checksum; Unusable if they are damaged."""
    with path.open("rb") as opened:
        try:
            with np.load(opened) as file:
                meta = json.loads(str(file["meta"]))
                arrays = {name: file[name] for name in names}
                said = dict(meta["owner"]), dict(meta["facts"])
                sum_then = meta["checksum"]
        except DAMAGE as error:
            raise Unusable(f"{path} is damaged ({type(error).__name__})") from error
    # The first files had a checksum of their arrays alone.
    if sum_then not in (checksum(arrays, *said), checksum(arrays)):
        raise Unusable(f"{path} is damaged (its checksum differs)")
    return arrays, meta


def checksum(arrays: Arrays, *said: dict[str, Any]) -> str:
    """Return a hash of arrays with their names, kinds and shapes, and of what is said of them."""
    digest = hashlib.blake2b()
    for one in said:
        digest.update(json.dumps(one, sort_keys=True).encode())
    for name, array in arrays.items():
        digest.update(f"{name} {array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def check_room(folder: Path, wanted: int) -> None:
    """Raise an error if a folder's disk has no room for so many bytes."""
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    free = shutil.disk_usage(there).free
    if free < wanted:
        raise ValueError(
            f"the disk of {folder} has {free / 2**20:,.0f} MiB left, and {wanted / 2**20:,.0f} are"
            " needed (set LUDEX_SOLUTIONS to a folder with more room)"
        )
