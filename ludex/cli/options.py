"""Options shared by commands: a game with its rules, a position, processes, a store."""

import functools
import math
import os
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from ludex.cli import console, words
from ludex.core.devices import CUDA, DEVICES, chosen_device
from ludex.core.play import read_state
from ludex.core.rules import Rules, State, initial, note_of, seats
from ludex.core.variants import read_pairs, read_rules, read_toml
from ludex.external.sandbox import UNSAFE
from ludex.games import game_rules
from ludex.io.files import check_writable
from ludex.workers.pool import MOST_WORKERS, Pool

Command = Callable[..., Any]

# Types of options.
POSITIVE, SEED = click.IntRange(min=1), click.IntRange(0, 2**63 - 1)
DURATION = click.FloatRange(min=0, min_open=True)  # seconds
PATH = click.Path(path_type=Path)


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


# Options of one parameter. -----------------------------------------------------------------------


def check_memory(ctx: Any, param: Any, number: float | None) -> float | None:
    """Return the memory limit, which must be above 0, or None."""
    if number is not None and not 0.0 < number < math.inf:
        raise click.BadParameter(f"{number}: expected a number of GiB above 0")
    return number


def check_device(ctx: Any, param: Any, name: str | None) -> str | None:
    """Return the device to use; a line says why there is no card if one is asked for."""
    if name != CUDA:
        return name
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        chosen = chosen_device(name)
    for one in said:
        console.warn(f"ludex: {one.message}")
    return chosen


def want_json(ctx: click.Context, param: Any, value: Any) -> Any:
    """Let the command print JSON: for --json, and for positions from the standard input."""
    if value in (True, "-"):
        ctx.meta[console.JSON] = True
    return value


def allow_unsafe(ctx: Any, param: Any, unsafe: bool) -> None:
    """Let external programs run without a sandbox, also in child processes, in this command."""
    if unsafe:
        before = {UNSAFE: os.environ[UNSAFE]} if UNSAFE in os.environ else {}
        os.environ[UNSAFE] = "1"
        ctx.call_on_close(lambda: (os.environ.pop(UNSAFE, None), os.environ.update(before)))


as_json = click.option(
    "--json", is_flag=True, expose_value=False, callback=want_json, help="Print JSON."
)
one_position = click.option("--position", "given", metavar="TEXT", help="Start from a position.")
position = click.option(
    "--position",
    "given",
    metavar="TEXT",
    callback=want_json,
    help="Start from a position; - reads one from each line of the standard input.",
)
memory = click.option(
    "--memory",
    type=float,
    callback=check_memory,
    metavar="GIB",
    help="Memory limit; three quarters of the free memory.",
)
db = click.option(
    "--db",
    metavar="URL",
    help="Another store: a file, sqlite:///FILE, or postgresql://… (needs the extra postgresql).",
)
no_store = click.option("--no-store", is_flag=True, help="Do not store the matches.")
device = click.option(
    "--device",
    type=click.Choice(DEVICES),
    callback=check_device,
    help="Compute on all cores (cpu), an NVIDIA card (cuda), or a card if there is one (auto).",
)
match = click.option("--match", "number", type=POSITIVE, metavar="N", help="Record of the file.")
unsafe = click.option(
    "--unsafe",
    is_flag=True,
    expose_value=False,
    callback=allow_unsafe,
    help="Run external programs without a sandbox.",
)
clock = click.option(
    "--clock",
    default="",
    metavar="NAME=SECONDS,…",
    help="Time control: decision, turn or match; plies=N ends a match as a draw; none turns off"
    " the default clock of external programs.",
)


# Several options that become one argument. -------------------------------------------------------


def pool(command: Command) -> Command:
    """Add the options of parallel processes to a command, as `pool`."""

    @click.option(
        "--processes", type=click.IntRange(1, MOST_WORKERS), help="Parallel processes; all cores."
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


def rules(command: Command) -> Command:
    """Add the options that change rules to a command, as `pairs` and `file`."""
    single = click.option(
        "--rule",
        "pairs",
        type=words.RULE,
        multiple=True,
        metavar="KEY=VALUE",
        help="Change a rule; repeatable.",
    )
    all_in_file = click.option(
        "--rules", "file", type=PATH, metavar="FILE.toml", help="Change rules by a TOML file."
    )
    return single(all_in_file(command))


def game(command: Command) -> Command:
    """Add a GAME with its rules to a command, as `rules`."""

    @click.argument("game", type=words.GAME)
    @rules
    @functools.wraps(command)
    def wrapped(game: str, pairs: tuple[str, ...], file: Path | None, **rest: Any) -> Any:
        return command(rules=chosen_rules(game, pairs, file), **rest)

    return wrapped


def check_store(db: str | None, no_store: bool) -> None:
    """Raise a ValueError if a store is both named and unwanted."""
    if no_store and db:
        raise ValueError("--db and --no-store: expected one of them")


def chosen_rules(game: str, pairs: tuple[str, ...] = (), file: Path | None = None) -> Rules:
    """Return the rules of a game, changed by a file and by single rules."""
    console.announce_compiling()
    single = read_pairs(pairs)
    # Single rules come last, so that they also override a pattern in the file.
    texts = read_toml(file) if file else {}
    others = {key: text for key, text in texts.items() if key not in single}
    chosen = game_rules(game, others | single)
    warn_of(chosen)
    return chosen


def warn_of(rules: Rules) -> None:
    """Print what the user should know about these rules, if anything."""
    if note := note_of(rules):
        console.warn(f"ludex: {note}")


def seats_offer(rules: Rules, count: int) -> str:
    """Return the end of a message that suggests a rule for `count` seats, or an empty text."""
    try:
        other = read_rules(rules, {"seats": str(count)})
    except ValueError:
        return ""
    return f", or --rule seats={count}" if seats(other) == count else ""


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


def db_hint(db: str | None) -> str:
    """Return the --db option without a password; empty for the default store."""
    named = re.sub(r"(://[^/@:]*):[^@]*@", r"\1:***@", db or "")
    return f" --db {shlex.quote(named)}" if named else ""
