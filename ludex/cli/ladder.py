"""`ludex ladder`: rate all levels and learners of a game."""

import time
from pathlib import Path
from typing import Any

import click

from ludex.cli.options import (
    as_json,
    chosen_rules,
    fit,
    plain_table,
    print_json,
    rule_options,
    screen,
)
from ludex.cli.playing import PlayOptions, effort, event_hint, plan_of, play_options
from ludex.cli.scores import elo_text, fault_lines
from ludex.cli.tournament import play_event
from ludex.core.rules import levels_of
from ludex.library.ladder import Ladder, ladder_agents
from ludex.tournaments.plan import ROUND_ROBIN


@click.command()
@click.argument("game")
@click.argument("others", nargs=-1, metavar="[AGENT...]")
@rule_options
@click.option("--matches", type=click.IntRange(min=1), default=20, help="Matches per pairing; 20.")
@play_options
@as_json
def ladder(
    game: str,
    others: tuple[str, ...],
    pairs: tuple[str, ...],
    file: Path | None,
    matches: int,
    options: PlayOptions,
    as_json: bool,
) -> None:
    """Rate all levels and learners of a game.

    Random is at 0. Further AGENTs, such as qtable:file=my.npz, are rated along with them. Each
    rating is stored with its date and version; ludex history --ratings shows the latest of each
    agent, and with --all every one.

    \b
    ludex ladder nuts --seed 1
    ludex ladder trap ./mine.py --rule size=5 --matches 10
    """
    rules = chosen_rules(game, pairs, file)
    plan = plan_of(game, rules, ladder_agents(rules, others), (ROUND_ROBIN, matches, 0), options)
    began = time.perf_counter()
    event = play_event(plan, options)
    found = Ladder(event, plan)
    found.keep()
    rows, failed = found.ratings, found.failures
    if as_json:
        told = {"ratings": rows, "faults": failed, "seed": plan.seed, "event": event.number or None}
        print_json(told)
    else:
        show(rows, levels_of(rules))
        for line in fault_lines(failed):
            click.echo(line)
        spent = effort(len(event.played), event.before, time.perf_counter() - began)
        click.echo(f"{spent}; seed {plan.seed}{event_hint(event.number, options)}")


def show(rows: list[dict[str, Any]], levels: dict[str, str]) -> None:
    """Print a ladder."""
    table = plain_table("", "agent", "Elo (95 %)", "matches")
    for place, row in enumerate(rows, start=1):
        elo = elo_text(row["elo"], row["low"], row["high"])
        table.add_row(str(place), row["agent"], elo, str(row["matches"]))
    screen().print(fit(table, "agent"))
    for name, text in levels.items():
        click.echo(f"{name} is {text}")
