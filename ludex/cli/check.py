"""`ludex check`: check the contract of a game, for authors."""

import sys

import click

from ludex.cli import console, options
from ludex.conformance.check import check_game
from ludex.core.rules import Rules, name_of


@click.command()
@options.game
@click.option("--lines", type=options.POSITIVE, default=5000, help="Number of random lines.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the random lines.")
@options.as_json
def check(rules: Rules, lines: int, seed: int) -> None:
    """Check that a game keeps the contract.

    Examines the states near the start, then random lines of play, then compiled code. A violation
    is shown with the shortest line of play found that leads to it, and the exit code is 1.

    \b
    ludex check ./mygame.py
    ludex check trap --rule size=4 --lines 20000
    """
    report = check_game(rules, lines=lines, seed=seed)
    game = name_of(rules)
    if console.json_wanted():
        console.print_json({"game": game, "ok": not report.fault} | report._asdict())
    else:
        click.echo(f"{game} {report.text}")
        if report.fault:
            click.echo(f"  line      {', '.join(report.line) or '(the start)'}")
            click.echo(f"  position  {report.position}")
    sys.exit(1 if report.fault else 0)
