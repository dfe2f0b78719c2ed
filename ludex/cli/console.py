"""Output of commands: text, tables and JSON, and work that Ctrl-C interrupts."""

import functools
import json
from collections.abc import Callable
from typing import Any, TypeVar

import click
from numba import config
from rich.console import Console
from rich.table import Column, Table

from ludex.kernel import jit
from ludex.kernel.threads import run_interruptibly
from ludex.workers.pool import Pool

Answer = TypeVar("Answer")
FIRST_START = "first start: rules and agents are compiled once; ludex warm does that ahead of time"
JSON = "ludex.json"  # in the context of a command that is to print JSON


def screen() -> Console:
    """Return a console; a new one each time, so that tests can capture its output."""
    return Console(highlight=False, soft_wrap=True)


def show(what: Any) -> None:
    """Print a table, or text with markup."""
    screen().print(what)


def say(text: str) -> None:
    """Print text without markup."""
    screen().print(text, markup=False)


def json_wanted() -> bool:
    """Return whether the running command is to print JSON."""
    return JSON in click.get_current_context().meta


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(value, ensure_ascii=False))


def emit(facts: Any, show: Callable[..., None], *arguments: Any) -> None:
    """Print facts as JSON, or let `show(*arguments)` print them; it gets the facts by default."""
    if json_wanted():
        print_json(facts)
    else:
        show(*arguments or (facts,))


def table(*columns: str) -> Table:
    """Return a table without borders that truncates nothing: agents may differ at the end."""
    folded = (Column(name, overflow="fold") for name in columns)
    return Table(*folded, box=None, pad_edge=False, header_style="bold")


def fit(table: Table, *broken: str) -> Table:
    """Fit a table to the screen by wrapping these columns between words, and return it.

    If that is not enough, the terminal wraps it.
    """
    widths = []
    for column in table.columns:
        cells = [str(one) for one in (column.header, *column.cells)]
        words = [word for cell in cells for word in cell.split()]
        least = max(map(len, words if column.header in broken else cells), default=0)
        widths.append((column, least, max(map(len, cells))))
    spare = screen().width - sum(least + 2 for _, least, _ in widths)
    for column, least, most in widths:
        more = min(max(spare, 0), most - least)
        column.min_width = column.max_width = least + more
        spare -= more
    return table


def minute(second: str) -> str:
    """Return a time to the minute."""
    return second[:16].replace("T", " ")


def warn(text: str) -> None:
    """Print a remark on standard error."""
    click.echo(text, err=True)


def announce_compiling() -> None:
    """Print once for each game that it is being compiled, and at the first start why."""
    announced: set[str] = set()
    first = not config.DISABLE_JIT and jit.is_first_run()

    def tell(game: str) -> None:
        if game not in announced:
            announced.add(game)
            if first and len(announced) == 1:
                warn(FIRST_START)
            warn(f"compiling the rules of {game or 'all games'}, and keeping the result …")

    jit.listeners[:] = [tell]


def interruptible(work: Callable[..., Answer], pool: Pool) -> Callable[..., Answer]:
    """Return the work, run in a thread if the pool has only this process."""
    return functools.partial(run_interruptibly, work) if pool.processes == 1 else work
