"""Progress of long computations: a bar in a terminal, a line in a notebook, silent otherwise."""

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

OFTEN = 0.2  # seconds between two updates of a notebook

Tell = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is (0: unknown)."""


def silent(what: str, done: int, total: int) -> None:
    """Show nothing."""


@contextmanager
def shown(wanted: bool = True) -> Iterator[Tell]:
    """Yield a function that shows how far the work is, where there is somebody to look at it."""
    if wanted and in_notebook():
        # It is there, without being a dependency of ours.
        with notebook_line(importlib.import_module("IPython.display")) as tell:
            yield tell
    elif wanted and sys.stderr is not None and sys.stderr.isatty():
        from ludex.library.bars import telling

        with telling() as tell:
            yield tell
    else:
        yield silent


def in_notebook() -> bool:
    """Return whether this is a Jupyter kernel."""
    shell = sys.modules.get("IPython")
    running: Any = shell.get_ipython() if shell is not None else None
    return running is not None and hasattr(running, "kernel")


@contextmanager
def notebook_line(notebook: Any) -> Iterator[Tell]:
    """Yield a function that keeps one line below the cell up to date; it is gone at the end."""
    html, display = notebook.HTML, notebook.display
    handle = display(html(""), display_id=True)
    last = 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() > last + OFTEN:
            last = time.monotonic()
            share = f'<progress value="{done}" max="{total}"></progress> ' if total else ""
            count = f"{done:,} of {total:,}" if total else f"{done:,}"
            handle.update(html(f"{share}{what}: {count}"))

    try:
        yield tell
    finally:
        handle.update(html(""))
