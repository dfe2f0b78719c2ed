"""Options shared by commands that play many matches: where, time control, and storage."""

import functools
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from ludex.cli.options import Command, NewFile, chosen_seed, pool_options
from ludex.cli.recorded import db_option
from ludex.core.rules import Rules
from ludex.core.time_control import Clocks, read_clocks
from ludex.external.sandbox import UNSAFE
from ludex.io.files import ignore_interrupts, write_text
from ludex.io.text import many
from ludex.store import Store
from ludex.tournaments.event import Event, begin_event
from ludex.tournaments.plan import Plan, make_plan
from ludex.workers.pool import Pool


class PlayOptions(NamedTuple):
    """Options of commands that play many matches."""

    seed: int
    seeded: bool
    """Whether the seed was given."""
    pool: Pool
    clocks: Clocks
    store: Store | None
    out: Path | None
    db: str | None = None
    """The URL of the store, if it is not the default one."""


def allow_unsafe(ctx: Any, param: Any, unsafe: bool) -> None:
    """Let external programs run without a sandbox, also in child processes."""
    if unsafe:
        os.environ[UNSAFE] = "1"


no_store_option = click.option("--no-store", is_flag=True, help="Do not store the matches.")
unsafe_option = click.option(
    "--unsafe",
    is_flag=True,
    expose_value=False,
    callback=allow_unsafe,
    help="Run external programs without a sandbox.",
)


clock_option = click.option(
    "--clock",
    default="",
    metavar="NAME=SECONDS,…",
    help="Time control: decision, turn or match; plies=N ends a match as a draw; none turns off"
    " the default clock of external programs.",
)


def play_options(command: Command) -> Command:
    """Add the options of playing many matches to a command, as `options`."""

    @click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed; random by default.")
    @pool_options
    @clock_option
    @click.option(
        "--out", type=NewFile(), metavar="FILE.jsonl", help="Write a record of every match."
    )
    @db_option
    @no_store_option
    @unsafe_option
    @functools.wraps(command)
    def wrapped(
        seed: int | None,
        pool: Pool,
        clock: str,
        out: Path | None,
        db: str | None,
        no_store: bool,
        **rest: Any,
    ) -> Any:
        if no_store and db:
            raise ValueError("--db and --no-store: expected one of them")
        options = PlayOptions(
            chosen_seed(seed),
            seed is not None,
            pool,
            read_clocks(clock) if clock else Clocks(),
            None if no_store else Store(db),
            out,
            db,
        )
        return command(options=options, **rest)

    return wrapped


def plan_of(
    game: str, rules: Rules, agents: tuple[str, ...], order: tuple[str, int, int], how: PlayOptions
) -> Plan:
    """Return a plan; an order is a format, the matches of each pairing, and the rounds."""
    own = game if "/" not in game and not game.endswith(".py") else str(Path(game).resolve())
    return make_plan(own, rules, agents, *order, how.seed, how.clocks)


@contextmanager
def open_event(plan: Plan, options: PlayOptions) -> Iterator[Event]:
    """Yield the event of a plan, and write its records even if interrupted."""
    event = begin_event(plan, options.store)
    try:
        yield event
    except KeyboardInterrupt as stop:
        if event.store:
            stop.add_note(f"event {event.number} has what was played")
            stop.add_note(f"the same command goes on from there, with --seed {plan.seed}")
        if options.out:
            with ignore_interrupts():
                written = write_records(options.out, event.lines)
            if written:
                stop.add_note(f"{many(written, 'match')} in {options.out}")
        raise
    if options.out:
        write_records(options.out, event.lines)


def write_records(path: Path, lines: list[str]) -> int:
    """Write records to a file, if there are any; return how many."""
    if lines:
        write_text(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def event_hint(number: int, options: PlayOptions) -> str:
    """Return the end of a line that says how to find an event; empty if not stored."""
    return f"; event {number} (ludex history {number}{db_hint(options.db)})" if number else ""


def db_hint(db: str | None) -> str:
    """Return the --db option without a password; empty for the default store."""
    named = re.sub(r"(://[^/@:]*):[^@]*@", r"\1:***@", db or "")
    return f" --db {shlex.quote(named)}" if named else ""


def effort(matches: int, before: int, seconds: float) -> str:
    """Return how many matches were played, in which time, and how many before."""
    all_of_them = many(matches, "match")
    if before >= matches:
        return f"{all_of_them}, all played before"
    some = f", {before} of them played before," if before else ""
    return f"{all_of_them}{some} in {seconds:.1f} s"
