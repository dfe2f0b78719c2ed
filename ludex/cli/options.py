"""Options shared by commands: a game with its rules, a position, JSON output."""

import functools
import json
import math
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.table import Column, Table

from ludex.core.play import read_state
from ludex.core.rules import Rules, State, initial, note_of, seats
from ludex.core.variants import read_pairs, read_rules, read_toml
from ludex.games import game_rules
from ludex.io.files import check_writable
from ludex.kernel import jit
from ludex.kernel.threads import run_in_thread
from ludex.workers.pool import Pool

Command = Callable[..., Any]
Answer = TypeVar("Answer")
MOST_PROCESSES = 256

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def pool_options(command: Command) -> Command:
    """Add the options of parallel processes to a command, as `pool`."""

    @click.option(
        "--processes", type=click.IntRange(1, MOST_PROCESSES), help="Parallel processes; all cores."
    )
    @click.option(
        "--dask",
        metavar="ADDRESS",
        help="Run on the workers of a Dask scheduler (needs the extra dask).",
    )
    @functools.wraps(command)
    def wrapped(processes: int | None, dask: str | None, **rest: Any) -> Any:
        return command(pool=Pool(processes or 0, dask), **rest)

    return wrapped


class NewFile(click.Path):
    """A file to write, checked to be writable before the work begins."""

    def __init__(self, parents: bool = False) -> None:
        super().__init__(path_type=Path)
        self.parents = parents
        """Whether to create its folders."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        """Parse a path."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        try:
            missing = [one for one in (path, *path.parents) if self.parents and not one.exists()]
            check_writable(missing[-1] if missing else path)
        except OSError as error:
            raise ValueError(f"{param.opts[0]} {str(path)!r}: {error.strerror}") from error
        return path


def screen() -> Console:
    """Return a console; a new one each time, so that tests can capture its output."""
    return Console(highlight=False, soft_wrap=True)


def plain_table(*columns: str) -> Table:
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


def rule_options(command: Command) -> Command:
    """Add the options that change rules to a command, as `pairs` and `file`."""
    single = click.option(
        "--rule", "pairs", multiple=True, metavar="KEY=VALUE", help="Change a rule; repeatable."
    )
    all_in_file = click.option(
        "--rules",
        "file",
        type=click.Path(path_type=Path),
        metavar="FILE.toml",
        help="Change rules by a TOML file.",
    )
    return single(all_in_file(command))


def with_rules(command: Command) -> Command:
    """Add a GAME with its rules to a command, as `rules`."""

    @click.argument("game")
    @rule_options
    @functools.wraps(command)
    def wrapped(game: str, pairs: tuple[str, ...], file: Path | None, **rest: Any) -> Any:
        return command(rules=chosen_rules(game, pairs, file), **rest)

    return wrapped


def chosen_rules(game: str, pairs: tuple[str, ...] = (), file: Path | None = None) -> Rules:
    """Return the rules of a game, changed by a file and by single rules."""
    announce_compiling()
    single = read_pairs(pairs)
    # Single rules come last, so that they also override a pattern in the file.
    texts = {
        key: text for key, text in (read_toml(file) if file else {}).items() if key not in single
    }
    rules = game_rules(game, texts | single)
    if note := note_of(rules):
        click.echo(f"ludex: {note}", err=True)
    return rules


def chosen_seed(seed: int | None) -> int:
    """Return the given seed, or a random one of 32 bits."""
    return secrets.randbelow(2**32) if seed is None else seed


def seats_offer(rules: Rules, count: int) -> str:
    """Return the end of a message that suggests a rule for `count` seats, or an empty text."""
    try:
        other = read_rules(rules, {"seats": str(count)})
    except ValueError:
        return ""
    return f", or --rule seats={count}" if seats(other) == count else ""


one_position_option = click.option(
    "--position", "given", metavar="TEXT", help="Start from a position."
)
position_option = click.option(
    "--position",
    "given",
    metavar="TEXT",
    help="Start from a position; - reads one from each line of the standard input.",
)


def check_memory(ctx: Any, param: Any, number: float | None) -> float | None:
    """Return the memory limit, which must be above 0, or None."""
    if number is not None and not 0.0 < number < math.inf:
        raise click.BadParameter(f"{number}: expected a number of GiB above 0")
    return number


memory_option = click.option(
    "--memory",
    "gibibytes",
    type=float,
    callback=check_memory,
    metavar="GIB",
    help="Memory limit; three quarters of the free memory.",
)


def start_state(rules: Rules, given: str | None) -> State:
    """Return the state of a position, or the initial state."""
    if given == "-":
        raise ValueError("--position -: expected one position; this command does not read many")
    return initial(rules) if given is None else read_state(rules, given)


def start_states(rules: Rules, given: str | None) -> Iterator[State]:
    """Yield the state of a position or, for `-`, of each line of standard input."""
    if given != "-":
        yield start_state(rules, given)
        return
    for line in sys.stdin or ():
        if line.strip():
            yield read_state(rules, line)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(value, ensure_ascii=False))


def run_interruptibly(work: Callable[..., Any], *arguments: Any) -> Any:
    """Run work in a thread, so that Ctrl-C interrupts even compiled code."""
    return run_in_thread(work, *arguments).result()


def interruptible(work: Callable[..., Answer], pool: Pool) -> Callable[..., Answer]:
    """Return the work, run in a thread if the pool has only this process."""
    return functools.partial(run_interruptibly, work) if pool.processes == 1 else work


def announce_compiling() -> None:
    """Print once for each game that it is being compiled."""
    told = set()

    def tell(game: str) -> None:
        if game not in told:
            told.add(game)
            click.echo(
                f"compiling the rules of {game or 'all games'}, and keeping the result …", err=True
            )

    jit.listeners[:] = [tell]
