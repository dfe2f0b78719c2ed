"""Files that are whole or not there at all."""

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
    if path.is_symlink() or (path.exists() and not path.is_file()):
        with path.open("wb") as file:  # a link or a device is not ours to replace
            yield file
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


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
