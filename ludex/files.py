"""Files that are whole or not there at all."""

import os
import tempfile
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write a file of text so that nobody ever sees a part of it."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_text(text, encoding="utf-8")  # a link or a device is not ours to replace
        return
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def umask() -> int:
    """Return which permissions new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
