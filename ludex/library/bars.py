"""Progress bars on standard error, so that they do not disturb standard output."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text


def bar(*before: ProgressColumn | str) -> Progress:
    """Return a transient bar, disabled unless standard error is a terminal."""
    console = Console(stderr=True)
    # In a narrow terminal only the bar shrinks: a truncated number would be wrong.
    kinds = (MofNCompleteColumn, TimeRemainingColumn)
    whole = [kind(table_column=Column(no_wrap=True)) for kind in kinds]
    columns = (*before, BarColumn(), *whole)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


class Speed(ProgressColumn):
    """Steps per second."""

    def get_table_column(self) -> Column:
        """Return the layout of the column."""
        return Column(no_wrap=True)

    def render(self, task: Task) -> Text:
        """Return the speed as text."""
        return Text(f"{task.speed or 0:,.0f} a second")


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows the name and progress of the work on a bar."""
    with bar(TextColumn("{task.description}"), Speed()) as progress:
        task = progress.add_task("", total=None)

        def tell(what: str, done: int, total: int) -> None:
            if what.split(",")[0] != progress.tasks[0].description.split(",")[0]:
                progress.reset(task)
            progress.update(task, description=what, completed=done, total=total or None)

        yield tell
