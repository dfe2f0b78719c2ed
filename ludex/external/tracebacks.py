"""Error messages and tracebacks of an agent, in its own process.

The host loads this file by its path when there is an error; it imports nothing from Ludex.
"""

import os
import sys
import traceback
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST_MESSAGE = 300  # characters


def error_answer(error: Exception, home: str) -> dict[str, object]:
    """Return the answer for an error: its message and the last line of the agent's own in it."""
    print_error(error, home)
    place: dict[str, object] = {}
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        place = {"file": os.path.basename(error.filename), "line": error.lineno}
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(home + os.sep) and "site-packages" not in frame.filename:
            place = {"file": os.path.relpath(frame.filename, home), "line": frame.lineno or 0}
    try:
        text = f"{type(error).__name__}: {error}".removesuffix(": ")
    except Exception as other:
        text = f"{type(error).__name__}: <{type(other).__name__}>"
    return {"error": text.replace(home + os.sep, "")[:LONGEST_MESSAGE], **place}


def print_error(error: BaseException, home: str) -> None:
    """Print the traceback of an error, with short paths and without frames of the host."""
    whole = traceback.TracebackException.from_exception(error)
    todo: list[Any] = [whole]
    for one in todo:
        todo += filter(None, (one.__cause__, one.__context__, *(one.exceptions or ())))
        one.stack[:] = [frame for frame in one.stack if not is_ours(frame.filename)]
        for holder in (one, *one.stack):
            if getattr(holder, "filename", None):  # among exceptions, only a SyntaxError's
                holder.filename = short_path(holder.filename, home)
    try:
        with open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as output:
            output.writelines(whole.format())
    except OSError:  # it has closed its standard error
        return


def is_ours(file: str) -> bool:
    """Return whether frames in this file are of no interest to the agent's author."""
    provided = file.startswith(os.path.join(HERE, "provided") + os.sep)
    return file.startswith("<frozen ") or (file.startswith(HERE + os.sep) and not provided)


def short_path(file: str, home: str) -> str:
    """Return a path relative to the agent's folder, or to the folder it is imported from."""
    known = [place for place in sys.path if isinstance(place, str) and place]
    for place in (home, *sorted(known, key=len, reverse=True)):
        if file.startswith(place + os.sep):
            return file[len(place) + 1 :]
    return file
