"""`ludex replay`: a past match, step by step."""

import json
import sys

import click

from ludex.cli import console, options
from ludex.core.rules import Rules, events, render, seat_name
from ludex.core.termination import plain_text
from ludex.external.log import with_caption
from ludex.library import history
from ludex.match.record import Record, end_text, write


@click.command()
@click.argument("record")
@options.match
@click.option("--step", is_flag=True, help="Wait for Enter after every move.")
@click.option("--last", is_flag=True, help="Show only the last position.")
@click.option("--output", is_flag=True, help="Show the output of external programs instead.")
@options.db
@options.as_json
def replay(
    record: str, number: int | None, step: bool, last: bool, output: bool, db: str | None
) -> None:
    """Replay a past match, move by move.

    RECORD is a file of records, or EVENT/MATCH in the store (see ludex history).

    \b
    ludex match nuts best random --matches 2 --out two.jsonl
    ludex replay two.jsonl --match 2 --step
    ludex replay 12/3 --output
    """
    given = [name for name, on in (("step", step), ("last", last), ("output", output)) if on]
    if console.json_wanted() and given:
        raise ValueError("--json has all: expected neither --step, --last nor --output with it")
    if len(given) > 1:
        raise ValueError(f"{' and '.join(f'--{name}' for name in given)}: expected one of them")
    console.announce_compiling()
    past = history.replay(record, number, db)
    found, rules, line, names = past
    if console.json_wanted():
        console.print_json(
            {**json.loads(write(found)), "labels": names, "positions": past.positions}
        )
        return
    if output:
        show_output(rules, found)
        return
    plies = zip(line, found.moves, names, strict=False)
    for ply, (state, move, name) in enumerate(plies, start=1):
        if not last:
            console.show(f"{render(rules, state)}\n")
            told = [f"{ply}. {history.mover(rules, state)}: {name}", *events(rules, state, move)]
            console.say("\n  ".join(told) + "\n")
            if step and sys.stdin.isatty():
                click.prompt("Enter for the next", default="", show_default=False, prompt_suffix="")
    console.show(render(rules, line[-1]))
    console.say(f"\n{end_text(rules, found)}")


def show_output(rules: Rules, record: Record) -> None:
    """Print the output of the program at each seat, and how the match ended."""
    for seat, text in enumerate(record.output):
        if text:
            name = f"{seat_name(rules, seat)} ({record.agents[seat]})"
            click.echo(with_caption(name, plain_text(text)))
    if not any(record.output):
        click.echo("nothing is kept that a program has printed in this match")
    click.echo(plain_text(end_text(rules, record)))
