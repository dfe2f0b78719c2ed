"""A program as it is handed in and kept: files in one archive, named by its hash.

Nothing of it is run or trusted here. The archive of the same files is always the same, so the hash
tells whether two hand-ins are equal, and the content behind a hash never changes.
"""

import hashlib
import io
import os
import re
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

from ludex.core.termination import shorten
from ludex.grading.intake import Allowance, IntakeError, copy, file_names, find_home, unpack
from ludex.io.files import user_folder

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,58}\.py")
USUAL = "agent.py"
WHEN = (1980, 1, 1, 0, 0, 0)  # the earliest time in a zip


class Package(NamedTuple):
    """A program that was taken in."""

    hash: str
    packed: bytes
    single: str
    """The name of its only file, if it was handed in as one; otherwise empty."""


def package_upload(name: str, data: bytes, game: str, largest: int, files: int) -> Package:
    """Return the program in an uploaded file, which is a Python file or a zip.

    `largest` bytes and `files` are its limits. A ValueError says for its owner what is wrong.
    """
    if len(data) > largest:
        raise IntakeError(f"it is larger than {largest >> 10} KiB")
    with tempfile.TemporaryDirectory(prefix="ludex-") as folder:
        place = Path(folder)
        try:
            if name.lower().endswith(".zip"):
                unpack(io.BytesIO(data), place, Allowance(largest, files))
                return pack(find_home(place, file_names(game)))
            if not name.endswith(".py"):
                raise IntakeError("expected a Python file or a zip")
            if not data.strip():
                raise IntakeError("it is empty")
            own = name if NAME.fullmatch(name) else USUAL
            (place / own).write_bytes(data)
            return pack(place)._replace(single=own)
        except IntakeError:
            raise
        except Exception as error:  # whatever a broken zip raises
            words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            plain = shorten(words.replace(str(place), ".")) or type(error).__name__
            raise IntakeError(f"it cannot be read: {plain}") from error


def package_path(path: Path, game: str, largest: int, files: int) -> Package:
    """Return the program in a Python file, a zip or a folder of this machine."""
    if not path.is_dir():
        return package_upload(*read_upload(path), game, largest, files)
    with tempfile.TemporaryDirectory(prefix="ludex-") as folder:
        copy(path, Path(folder), Allowance(largest, files))
        return pack(find_home(Path(folder), file_names(game)))


def read_upload(path: Path) -> tuple[str, bytes]:
    """Return a file or folder as a browser would upload it: a name and bytes."""
    if path.is_dir():
        with tempfile.TemporaryDirectory(prefix="ludex-") as folder:
            copy(path, Path(folder), Allowance())
            return f"{path.resolve().name}.zip", pack(Path(folder)).packed
    return path.name, path.read_bytes()


def pack(folder: Path) -> Package:
    """Return the files of a folder as one archive."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(one for one in folder.rglob("*") if one.is_file()):
            info = zipfile.ZipInfo(str(file.relative_to(folder)), WHEN)
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, file.read_bytes())
    packed_bytes = stream.getvalue()
    return Package(hashlib.sha256(packed_bytes).hexdigest(), packed_bytes, "")


def files_in(packed: bytes) -> dict[str, bytes]:
    """Return the files of an archive of ours by name, for those who may read them."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {one.filename: archive.read(one) for one in archive.infolist()}


def unpacked(hash: str, packed: bytes) -> Path:
    """Return a folder of this machine with the files of an archive; it may be deleted any time."""
    if hashlib.sha256(packed).hexdigest() != hash:
        raise ValueError("a program in the database is not what was handed in")
    cache = user_folder("LUDEX_DATA", "data") / "class"
    folder = cache / hash
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = Path(tempfile.mkdtemp(dir=cache, prefix=".new-"))
    try:
        unpack(io.BytesIO(packed), made, Allowance())  # it may come from somebody's bundle
        made.chmod(0o755)  # the sandbox runs it as another user
        os.rename(made, folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        if not folder.is_dir():  # another process was first
            raise
    return folder
