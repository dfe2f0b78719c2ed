"""`ludex ladder`: rate all levels and learners of a game."""

import time
from pathlib import Path
from typing import Any

import click

from ludex.agents.registry import make_agent
from ludex.cli.options import (
    as_json,
    chosen_rules,
    fitted,
    plain_table,
    print_json,
    rule_options,
    screen,
)
from ludex.cli.playing import Venue, effort, found_again, plan_of, venue_options
from ludex.cli.scores import elo_text, fault_facts, fault_lines
from ludex.cli.tournament import follow
from ludex.core.rules import Rules, levels_of, seats
from ludex.store import now
from ludex.tournaments.plan import ROUND_ROBIN, Plan
from ludex.tournaments.source import source
from ludex.tournaments.standing import standing

SHIPPED = ("qtable:file=reference",)


@click.command()
@click.argument("game")
@click.argument("others", nargs=-1, metavar="[AGENT...]")
@rule_options
@click.option("--matches", type=click.IntRange(min=1), default=20, help="Matches per pairing; 20.")
@venue_options
@as_json
def ladder(
    game: str,
    others: tuple[str, ...],
    pairs: tuple[str, ...],
    file: Path | None,
    matches: int,
    venue: Venue,
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
    agents = tuple(dict.fromkeys([*climbers(rules), *others]))
    if seats(rules) != 2:
        raise ValueError(f"a ladder is for 2 seats, not {seats(rules)}; see ludex tournament")
    plan = plan_of(game, rules, agents, seats(rules), ROUND_ROBIN, matches, 0, venue)
    began = time.perf_counter()
    number, done, before = follow(plan, venue)
    stands = standing(done, len(agents), agents.index("random"))
    rows = [
        {
            "game": plan.game,
            "rules": rules_text(plan),
            "agent": agents[one.agent],
            "elo": one.elo,
            "low": one.low,
            "high": one.high,
            "matches": stands.scores[one.agent].matches,
            "source": source(),
            "day": now()[:10],
            "event": number,
        }
        for one in stands.ratings
    ]
    if venue.store:
        venue.store.finish(number)
        venue.store.rate(rows)
    failed = fault_facts(stands.faults, agents)
    if as_json:
        told = {"ratings": rows, "faults": failed, "seed": plan.seed, "event": number or None}
        print_json(told)
    else:
        show(rows, levels_of(rules))
        for line in fault_lines(failed):
            click.echo(line)
        spent = effort(stands.matches, before, time.perf_counter() - began)
        click.echo(f"{spent}; seed {plan.seed}{found_again(number, venue)}")


def climbers(rules: Rules) -> list[str]:
    """Return random, the levels of a game, and the learners that come trained with it."""
    return ["random", *levels_of(rules), *trained(rules)]


def trained(rules: Rules) -> list[str]:
    """Return the learners that come trained with a game."""
    able = []
    for text in SHIPPED:
        try:
            make_agent(text, rules)
        except ValueError:  # it is for another game, or other rules
            continue
        able.append(text)
    return able


def rules_text(plan: Plan) -> str:
    """Return the rules of a plan that are not the standard ones."""
    return " ".join(f"{key}={value}" for key, value in plan.rules)


def show(rows: list[dict[str, Any]], levels: dict[str, str]) -> None:
    """Print a ladder for people."""
    table = plain_table("", "agent", "Elo (95 %)", "matches")
    for place, row in enumerate(rows, start=1):
        elo = elo_text(row["elo"], row["low"], row["high"])
        table.add_row(str(place), row["agent"], elo, str(row["matches"]))
    screen().print(fitted(table, "agent"))
    for name, text in levels.items():
        click.echo(f"{name} is {text}")
