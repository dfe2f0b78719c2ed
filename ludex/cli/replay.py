"""`ludex replay`: a match of the past, step by step."""

import json
import sys

import click

from ludex.cli.options import announce_compiling, as_json, print_json, screen
from ludex.cli.recorded import chosen_record, db_option, match_option
from ludex.record import end_text, labels, replayed, write
from ludex.rules import CHANCE, Rules, State, events, position, render, seat_name, turn


@click.command()
@click.argument("record")
@match_option
@click.option("--step", is_flag=True, help="Wait for Enter after every move.")
@click.option("--last", is_flag=True, help="Show only the last position.")
@db_option
@as_json
def replay(
    record: str, number: int | None, step: bool, last: bool, db: str | None, as_json: bool
) -> None:
    """Show a match of the past, move by move.

    RECORD is a file of records, or EVENT/MATCH in the store (see ludex history).

    \b
    ludex match nuts best random --matches 2 --out two.jsonl
    ludex replay two.jsonl --match 2 --step
    """
    if as_json and (step or last):
        raise ValueError("--json has the whole match: expected neither --step nor --last with it")
    if step and last:
        raise ValueError("--step and --last: expected one of them")
    announce_compiling()
    found = chosen_record(record, number, db)
    rules, line = replayed(found)
    names = labels(rules, line, found.moves)
    if as_json:
        places = [position(rules, state) for state in line]
        print_json({**json.loads(write(found)), "labels": names, "positions": places})
        return
    console = screen()
    plies = zip(line, found.moves, names, strict=False)
    for ply, (state, move, name) in enumerate(plies, start=1):
        if not last:
            console.print(f"{render(rules, state)}\n")
            told = [f"{ply}. {who(rules, state)}: {name}", *events(rules, state, move)]
            console.print("\n  ".join(told) + "\n", markup=False)
            if step and sys.stdin.isatty():
                click.prompt("Enter for the next", default="", show_default=False, prompt_suffix="")
    console.print(render(rules, line[-1]))
    console.print(f"\n{end_text(rules, found)}", markup=False)


def who(rules: Rules, state: State) -> str:
    """Return who moves, for people."""
    mover = turn(rules, state)
    return "chance" if mover == CHANCE else seat_name(rules, mover) if mover >= 0 else "both"
