"""Progress of long computations: a bar in a terminal, a line in a notebook, silent otherwise."""

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

OFTEN = 0.2  # seconds between two updates of a notebook

Tell = Callable[[str, int, int], None]
"""Called with the name of the work, the amount done, and the total (0 if unknown)."""


def show_nothing(what: str, done: int, total: int) -> None:
    """Show nothing."""


@contextmanager
def show_progress(wanted: bool = True) -> Iterator[Tell]:
    """Yield a function that shows progress in a notebook or terminal, if wanted."""
    if wanted and in_notebook():
        # Available here, although it is not a dependency.
        with notebook_line(importlib.import_module("IPython.display")) as tell:
            yield tell
    elif wanted and sys.stderr is not None and sys.stderr.isatty():
        from ludex.library.bars import progress_bar

        with progress_bar() as tell:
            yield tell
    else:
        yield show_nothing


def in_notebook() -> bool:
    """Return whether this is a Jupyter kernel."""
    shell = sys.modules.get("IPython")
    running: Any = shell.get_ipython() if shell is not None else None
    return running is not None and hasattr(running, "kernel")


@contextmanager
def notebook_line(notebook: Any) -> Iterator[Tell]:
    """Yield a function that updates one line below the cell, cleared at the end."""
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
