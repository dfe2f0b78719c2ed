"""`ludex match`: a series of matches between agents."""

import math
import secrets
import time
from pathlib import Path
from typing import Any

import click

from ludex.agents import make_agent
from ludex.cli.options import (
    as_json,
    chosen_rules,
    patiently,
    print_json,
    rule_options,
    seats_offer,
)
from ludex.cli.progress import bar
from ludex.rules import seats
from ludex.series import Score, cores, job_size, jobs_of, play_series, score
from ludex.stats import elo
from ludex.variant import changed


@click.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...")
@rule_options
@click.option("--matches", type=click.IntRange(min=1), default=100, help="How many; 100.")
@click.option("--seed", type=click.IntRange(min=0), help="Repeat a series.")
@click.option("--processes", type=click.IntRange(min=1), help="How many at once; all cores.")
@as_json
def match(
    game: str,
    agents: tuple[str, ...],
    pairs: tuple[str, ...],
    file: Path | None,
    matches: int,
    seed: int | None,
    processes: int | None,
    as_json: bool,
) -> None:
    """Play a series of matches between agents.

    The agents change seats from match to match, and each way around the table is played with
    the same luck. The score is that of the first agent.

    \b
    ludex match nuts alphabeta:depth=8 random --matches 200
    ludex match trap hard medium --rule size=5 --seed 1 --json
    """
    rules = chosen_rules(game, pairs, file)
    if len(agents) != seats(rules):
        offer = seats_offer(rules, len(agents))
        raise ValueError(f"{len(agents)} agents for {seats(rules)} seats: name one for each{offer}")
    for text in agents:
        make_agent(text, rules)
    seed = secrets.randbelow(2**32) if seed is None else seed
    processes = min(processes or cores(), matches)
    size = job_size(matches, processes)
    jobs = jobs_of(game, changed(type(rules)(), rules), agents, matches, seed, size)
    began = time.perf_counter()
    with bar() as progress:
        task = progress.add_task("matches", total=matches)
        arguments = (jobs, processes, lambda some: progress.advance(task, some))
        # Where this process plays, only another thread can be interrupted.
        alone = processes == 1
        played = patiently(play_series, *arguments) if alone else play_series(*arguments)
    won = score(played, len(agents))
    seconds = time.perf_counter() - began
    if as_json:
        print_json(facts(won, agents, seed, seconds))
    else:
        show(won, agents, seed, seconds)


def facts(won: Score, agents: tuple[str, ...], seed: int, seconds: float) -> dict[str, Any]:
    """Return what programs want to know of a series."""
    return {
        "agents": list(agents),
        "matches": won.matches,
        "wins": won.wins,
        "draws": won.draws,
        "losses": won.losses,
        "interval": list(won.interval),
        "elo": won.elo if won.elo is not None and math.isfinite(won.elo) else None,
        "endings": won.endings,
        "seconds": seconds,
        "seconds_per_decision": list(won.seconds),
        "seed": seed,
    }


def show(won: Score, agents: tuple[str, ...], seed: int, seconds: float) -> None:
    """Print a series for people."""
    low, high = won.interval
    click.echo(f"{agents[0]}: {won.wins} won, {won.draws} drawn, {won.losses} lost")
    if won.elo is None:
        compared = f"{100 / len(agents):.1f} % would be even"
    else:
        compared = f"Elo {won.elo:+.0f} ({elo(low):+.0f} to {elo(high):+.0f})"
    click.echo(
        f"{100 * won.share:.1f} % of the points, with 95 % confidence {100 * low:.1f}"
        f" to {100 * high:.1f} %; {compared}"
    )
    for text, spent in zip(agents, won.seconds, strict=True):
        click.echo(f"{text}: {1000 * spent:.3g} ms a decision")
    others = {ending: count for ending, count in won.endings.items() if ending != "BY_RULES"}
    for ending, count in others.items():
        click.echo(f"{count} ended otherwise: {ending}")
    click.echo(f"{won.matches} matches in {seconds:.1f} s; seed {seed}")
