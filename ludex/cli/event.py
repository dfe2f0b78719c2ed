"""Play an event from a command: its options, records, and the hints that it prints."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ludex.cli import console, options
from ludex.core.time_control import Clocks, read_clocks
from ludex.io.files import ignore_interrupts, write_text
from ludex.io.text import many
from ludex.library.series import MatchSettings
from ludex.match.luck import chosen_seed
from ludex.store import Store
from ludex.tournaments.event import Event, Tell, begin_event
from ludex.tournaments.plan import Plan
from ludex.tournaments.series import StopRule
from ludex.workers.pool import Pool


@dataclass(frozen=True)
class PlaySettings(MatchSettings):
    """Settings of commands that play many matches."""

    seeded: bool = False
    """Whether the seed was given."""
    out: Path | None = None
    db: str | None = None
    """The URL of the store, if it is not the default one."""


def play_options(command: options.Command) -> options.Command:
    """Add the options of playing many matches to a command, as `settings`."""

    @click.option("--seed", type=options.SEED, help="Seed; random by default.")
    @options.pool
    @options.clock
    @click.option(
        "--out", type=options.NewFile(), metavar="FILE.jsonl", help="Write a record of every match."
    )
    @options.db
    @options.no_store
    @options.unsafe
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
        options.check_store(db, no_store)
        clocks = read_clocks(clock) if clock else Clocks()
        store = None if no_store else Store(db)
        given = PlaySettings(chosen_seed(seed), clocks, pool, store, seed is not None, out, db)
        return command(settings=given, **rest)

    return wrapped


def play(plan: Plan, settings: PlaySettings, tell: Tell, rule: StopRule | None = None) -> Event:
    """Play a plan and return its event; write its records even if interrupted."""
    event, out = begin_event(plan, settings.store), settings.out
    work = console.interruptible(event.play, settings.pool)
    try:
        work(plan, settings.pool, tell, bool(out), rule)
    except KeyboardInterrupt as stop:
        if event.store:
            stop.add_note(f"event {event.number} has what was played")
            stop.add_note(f"the same command goes on from there, with --seed {plan.seed}")
        if out:
            with ignore_interrupts():
                written = write_records(out, event.lines)
            if written:
                stop.add_note(f"{many(written, 'match')} in {out}")
        raise
    if out:
        write_records(out, event.lines)
    return event


def write_records(path: Path, lines: list[str]) -> int:
    """Write records to a file, if there are any; return how many."""
    if lines:
        write_text(path, "".join(f"{line}\n" for line in lines))
    return len(lines)


def last_line(event: Event, plan: Plan, seconds: float, db: str | None) -> str:
    """Return how long an event took, its seed, and how to find it."""
    spent = effort(len(event.played), event.before, seconds)
    return f"{spent}; seed {plan.seed}{event_hint(event.number, db)}"


def event_hint(number: int, db: str | None) -> str:
    """Return the end of a line that says how to find an event; empty if not stored."""
    return f"; event {number} (ludex history {number}{options.db_hint(db)})" if number else ""


def effort(matches: int, before: int, seconds: float) -> str:
    """Return how many matches were played, in which time, and how many before."""
    all_of_them = many(matches, "match")
    if before >= matches:
        return f"{all_of_them}, all played before"
    some = f", {before} of them played before," if before else ""
    return f"{all_of_them}{some} in {seconds:.1f} s"
