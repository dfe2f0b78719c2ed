"""Atomic files: complete or not there at all."""

import errno
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to write, which appears under its name when all of it is written."""
    if in_place(path):
        with path.open("wb") as file:
            yield file
        return
    handle, name = begun(path)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def check_writable(path: Path) -> None:
    """Raise an OSError now if a file could not be written later; what is there stays as it is."""
    if path.is_dir():
        raise refusal(errno.EISDIR, path)
    if path.exists() and in_place(path):
        if not os.access(path, os.W_OK):
            raise refusal(errno.EACCES, path)
        return
    handle, name = begun(Path(os.path.realpath(path)) if path.is_symlink() else path)
    os.close(handle)
    os.unlink(name)


def in_place(path: Path) -> bool:
    """Return whether something is written where it is: a link or a device is not replaced."""
    return path.is_symlink() or (path.exists() and not path.is_file())


def begun(path: Path) -> tuple[int, str]:
    """Return handle and name of a new file beside the one that it is to become."""
    try:
        return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise refusal(error.errno or 0, path) from error


def refusal(number: int, path: Path) -> OSError:
    """Return an error of the system about a file."""
    return OSError(number, os.strerror(number), str(path))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: who asks twice to stop still wants what is being written."""
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def write_text(path: Path, text: str) -> None:
    """Write a file of text so that nobody ever sees a part of it."""
    with whole_file(path) as file:
        file.write(text.encode())


def umask() -> int:
    """Return which permissions new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
