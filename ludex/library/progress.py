"""Progress of long computations: a bar in a terminal, a line in a notebook, silent otherwise."""

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from rich import progress as columns
from rich.console import Console
from rich.progress import Progress, ProgressColumn, Task
from rich.table import Column
from rich.text import Text

from ludex.kernel import jit

OFTEN = 0.2  # seconds between two updates of a notebook
PATIENCE = 0.3  # seconds before the first: a cell keeps an empty line of each that was shown

Tell = Callable[[str, int, int], None]
"""Called with the name of the work, the amount done, and the total (0 if unknown)."""


def show_progress(wanted: bool = True) -> AbstractContextManager[Tell]:
    """Yield a function that shows progress in a notebook or terminal, if wanted."""
    if wanted and in_notebook():
        # Available here, although it is not a dependency.
        return notebook_line(importlib.import_module("IPython.display"))
    return progress_bar() if wanted else nullcontext(lambda what, done, total: None)


def bar(*before: ProgressColumn | str) -> Progress:
    """Return a transient bar on standard error, disabled unless that is a terminal."""
    console = Console(stderr=True)
    # In a narrow terminal only the bar shrinks: a truncated number would be wrong.
    kinds = (columns.MofNCompleteColumn, columns.TimeRemainingColumn)
    whole = [kind(table_column=Column(no_wrap=True)) for kind in kinds]
    shown = (*before, columns.BarColumn(), *whole)
    return Progress(*shown, console=console, transient=True, disable=not console.is_terminal)


class Speed(ProgressColumn):
    """Steps per second."""

    def render(self, task: Task) -> Text:
        """Return the speed as text; nothing if a step takes seconds."""
        return Text(f"{task.speed:,.0f} a second" if (task.speed or 0.0) >= 1.0 else "")


@contextmanager
def progress_bar() -> Iterator[Tell]:
    """Yield a function that shows the name and progress of the work on a bar."""
    with bar(columns.TextColumn("{task.description}"), Speed(Column(no_wrap=True))) as progress:
        task = progress.add_task("", total=None)

        def tell(what: str, done: int, total: int) -> None:
            if what.split(",")[0] != progress.tasks[0].description.split(",")[0]:
                progress.reset(task)
            progress.update(task, description=what, completed=done, total=total or None)

        yield tell


def running_shell() -> Any:
    """Return the IPython shell that runs this code, in a terminal or a notebook, or None."""
    shell = sys.modules.get("IPython")
    return shell.get_ipython() if shell is not None else None


def in_notebook() -> bool:
    """Return whether this is a Jupyter kernel."""
    return hasattr(running_shell(), "kernel")


def return_in_ipython(stop: KeyboardInterrupt, words: str) -> None:
    """Print in IPython how far an interrupted call came, so that it can return; else raise that."""
    if running_shell() is None:
        stop.add_note(words)
        raise stop
    print(words, file=sys.stderr)


def live_display() -> Callable[[Any], None]:
    """Return a function that displays a thing below the cell, in place of what it showed before."""
    notebook = importlib.import_module("IPython.display")
    handle: Any = None

    def show(thing: Any) -> None:
        nonlocal handle
        if handle is None:
            handle = notebook.display(thing, display_id=True)
        else:
            handle.update(thing)

    return show


@contextmanager
def notebook_line(notebook: Any) -> Iterator[Tell]:
    """Yield a function that updates a line below the cell, which also says what is compiled."""
    handle: Any = None
    began, last, stage, line = time.monotonic(), 0.0, "", ""

    def show(text: str) -> None:
        nonlocal handle
        handle = handle or notebook.display(notebook.HTML(""), display_id=True)
        handle.update(notebook.HTML(text))

    def tell(what: str, done: int, total: int) -> None:
        nonlocal last, stage, line
        if what.split(",")[0] != stage or time.monotonic() > last + OFTEN:
            share = f'<progress value="{done}" max="{total}"></progress> ' if total else ""
            count = f": {done:,} of {total:,}" if total else f": {done:,}" if done else " …"
            line = f"{share}{what}{count}"
            if handle or time.monotonic() > began + PATIENCE:
                last, stage = time.monotonic(), what.split(",")[0]
                show(line)

    def announce(game: str) -> None:
        show(f"compiling the rules of {game or 'all games'}, and keeping the result …")

    def show_line_again(begins: bool) -> None:
        if handle and not begins:
            show(line)

    jit.listeners.append(announce)
    jit.watchers.append(show_line_again)
    try:
        yield tell
    finally:
        jit.listeners.remove(announce)
        jit.watchers.remove(show_line_again)
        if handle:
            show("")
