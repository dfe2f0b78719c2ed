"""`ludex warm`: compile ahead of time."""

import sys

import click

from ludex.cli import console, options, words
from ludex.library.warming import Warmed
from ludex.library.warming import warm as warm_games


@click.command()
@click.argument("games", type=words.GAME, nargs=-1, metavar="[GAME]...")
@options.as_json
def warm(games: tuple[str, ...]) -> None:
    """Compile ahead of time what games need.

    Compiles for each GAME, or for all, what the web lab compiles in the background: the levels,
    hints and exact values. Ctrl-C stops it; what was compiled is kept, and the same command goes
    on where it stopped.

    \b
    ludex warm
    ludex warm trap ./mygame.py
    """
    if not (sys.stderr and sys.stderr.isatty()):  # where there is no progress bar
        console.announce_compiling()
    done = warm_games(*games)
    console.emit(done.facts | {"table": done.table}, show, done)


def show(done: Warmed) -> None:
    """Print the time of each part, and where the cache is."""
    if done.seconds:
        table = console.table("game", "part", "seconds")
        for row in done.table:
            table.add_row(row["game"], row["part"], f"{row['seconds']:.1f}")
        console.show(table)
    for why in done.broken.values():
        console.say(f"left out: {why}")
    console.say(repr(done))
