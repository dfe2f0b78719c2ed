"""Files: written atomically, tables as CSV, and the folders of the user."""

import csv
import errno
import glob
import io
import os
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

USER_FOLDERS = {"cache": ("XDG_CACHE_HOME", ".cache"), "data": ("XDG_DATA_HOME", ".local/share")}


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file that replaces `path` only once it is completely written."""
    if in_place(path):
        with path.open("wb") as file:
            yield file
        return
    handle, name = create_beside(path)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def check_writable(path: Path) -> None:
    """Raise an OSError if a file could not be written; leave an existing one unchanged."""
    if path.is_dir():
        raise os_error(errno.EISDIR, path)
    if path.exists() and in_place(path):
        if not os.access(path, os.W_OK):
            raise os_error(errno.EACCES, path)
        return
    handle, name = create_beside(Path(os.path.realpath(path)) if path.is_symlink() else path)
    os.close(handle)
    os.unlink(name)


def in_place(path: Path) -> bool:
    """Return whether to write in place: links and devices must not be replaced."""
    return path.is_symlink() or (path.exists() and not path.is_file())


def create_beside(path: Path) -> tuple[int, str]:
    """Create a temporary file in the same folder; return its descriptor and name."""
    try:
        return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise os_error(error.errno or 0, path) from error


def remove(path: Path) -> None:
    """Remove a file, if it is there, and the temporary ones that killed processes left of it."""
    temporary = f".{glob.escape(path.name)}.{'[a-z0-9_]' * 8}"  # as mkstemp names them
    for one in (path, *path.parent.glob(temporary)):
        one.unlink(missing_ok=True)


def os_error(number: int, path: Path) -> OSError:
    """Return the OSError of an error number for a path."""
    return OSError(number, os.strerror(number), str(path))


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C while something is written, even if it is pressed a second time."""
    if threading.current_thread() is not threading.main_thread():  # only this one receives signals
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def write_text(path: Path, text: str) -> None:
    """Write text to a file atomically."""
    with atomic_file(path) as file:
        file.write(text.encode())


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def user_folder(variable: str, kind: str, *inside: str) -> Path:
    """Return the folder that a variable names, or Ludex's in the user's "cache" or "data"."""
    base, usual = USER_FOLDERS[kind]
    ours = Path(os.environ.get(base) or Path.home() / usual, "ludex", *inside)
    return Path(os.environ.get(variable) or ours)


def writable_folder(folder: Path, things: str, variable: str) -> Path:
    """Create a folder for these things; a ValueError names the variable that sets another."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise ValueError(
            f"cannot keep {things} in {str(folder)!r} ({error.strerror});"
            f" set {variable} to a folder that can be written"
        ) from error


def umask() -> int:
    """Return the umask of this process."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
