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
    """Return a bar that vanishes when its work is done, and is not there for programs."""
    console = Console(stderr=True)
    # Where it is narrow the bar alone gives way: half a number would be a wrong one.
    whole = [MofNCompleteColumn(table_column=column()), TimeRemainingColumn(table_column=column())]
    columns = (*before, BarColumn(), *whole)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def column() -> Column:
    """Return a column that is never broken."""
    return Column(no_wrap=True)


class Speed(ProgressColumn):
    """How many steps a second are made."""

    def get_table_column(self) -> Column:
        """Return how it stands among the others."""
        return column()

    def render(self, task: Task) -> Text:
        """Return it as text."""
        return Text(f"{task.speed or 0:,.0f} a second")


@contextmanager
def telling() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that shows on a bar what is being done, and how far it is."""
    with bar(TextColumn("{task.description}"), Speed()) as progress:
        task = progress.add_task("", total=None)

        def tell(what: str, done: int, total: int) -> None:
            if what.split(",")[0] != progress.tasks[0].description.split(",")[0]:
                progress.reset(task)
            progress.update(task, description=what, completed=done, total=total or None)

        yield tell
