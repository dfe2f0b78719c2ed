"""`ludex ladder`: rate all levels and learners of a game."""

import time
from typing import Any

import click

from ludex.cli import console, options, words
from ludex.cli.event import PlaySettings, last_line, play_options
from ludex.cli.scores import elo_text
from ludex.cli.tournament import play_event
from ludex.core.rules import Rules, levels_of
from ludex.library.ladder import Ladder, ladder_agents
from ludex.library.results import fault_lines
from ludex.tournaments.plan import ROUND_ROBIN


@click.command()
@options.game
@click.argument("others", type=words.AGENT, nargs=-1, metavar="[AGENT...]")
@click.option("--matches", type=options.POSITIVE, default=20, help="Matches per pairing; 20.")
@play_options
@options.as_json
def ladder(rules: Rules, others: tuple[str, ...], matches: int, settings: PlaySettings) -> None:
    """Rate all levels and learners of a game.

    Random is at 0. Further AGENTs, such as qtable:file=my.npz, are rated along with them. Each
    rating is stored with its date and version; ludex history --ratings shows the latest of each
    agent, and with --all every one.

    \b
    ludex ladder nuts --seed 1
    ludex ladder trap ./mine.py --rule size=5 --matches 10
    """
    plan = settings.plan(rules, ladder_agents(rules, others), ROUND_ROBIN, matches)
    began = time.perf_counter()
    event = play_event(plan, settings)
    found = Ladder(event, plan)
    found.keep()
    rows, failed = found.ratings, found.failures
    last = last_line(event, plan, time.perf_counter() - began, settings.db)
    told = {"ratings": rows, "faults": failed, "seed": plan.seed, "event": event.number or None}
    console.emit(told, show, told, levels_of(rules), last)


def show(told: dict[str, Any], levels: dict[str, str], last: str) -> None:
    """Print a ladder, and a last line."""
    table = console.table("", "agent", "Elo (95 %)", "matches")
    for place, row in enumerate(told["ratings"], start=1):
        elo = elo_text(row["elo"], row["low"], row["high"])
        table.add_row(str(place), row["agent"], elo, str(row["matches"]))
    console.show(console.fit(table, "agent"))
    for name, text in levels.items():
        click.echo(f"{name} is {text}")
    for line in (*fault_lines(told["faults"]), last):
        click.echo(line)
