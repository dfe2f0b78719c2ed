"""`ludex match`: a series of matches between agents."""

import time
from dataclasses import asdict
from typing import Any

import click

from ludex.cli import console, options, words
from ludex.cli.event import PlaySettings, last_line, play, play_options
from ludex.cli.failures import Failures, output_lines
from ludex.cli.scores import json_number, score_table
from ludex.core.rules import Rules, outcomes, seats
from ludex.core.time_control import Clocks
from ludex.io.text import many
from ludex.kernel.jit import thinking_time
from ludex.library.progress import progress_bar
from ludex.library.results import fault_lines
from ludex.library.series import match_counter, play_on_device, read_stop_rule, refuse_beside_device
from ludex.library.series_results import Series, SeriesScores
from ludex.store import Played
from ludex.tournaments.plan import SERIES


@click.command()
@options.game
@click.argument("agents", type=words.AGENT, nargs=-1, required=True, metavar="AGENT...")
@click.option("--matches", type=options.POSITIVE, default=100, help="Number of matches; 100.")
@click.option(
    "--sprt",
    metavar="elo0=A,elo1=B",
    help="Stop when a sequential test has decided; --matches is then the maximum.",
)
@options.device
@play_options
@options.as_json
def match(
    rules: Rules,
    agents: tuple[str, ...],
    matches: int,
    sprt: str | None,
    settings: PlaySettings,
    device: str | None,
) -> None:
    """Play a series of matches between agents.

    The agents swap seats, and all seatings use the same random numbers. With two agents, the score
    is that of the first. An interrupted series is resumed by the same command with the same seed.

    On a device, whole matches are played in compiled code between random, casual and greedy:
    millions of them, without clocks and records.

    \b
    ludex match nuts alphabeta:depth=8 random --matches 200
    ludex match trap hard medium --rule size=5 --seed 1 --json
    ludex match droids best greedy --sprt elo0=0,elo1=20 --matches 5000
    ludex match trap greedy random --matches 1000000 --device cuda
    """
    if len(agents) != seats(rules):
        offer = options.seats_offer(rules, len(agents))
        named = many(len(agents), "agent")
        raise ValueError(f"{named} for {seats(rules)} seats: name one for each{offer}")
    rule = read_stop_rule(sprt, len(agents))
    if device is not None:
        play_there(rules, agents, matches, sprt, settings, device)
        return
    plan = settings.plan(rules, agents, SERIES, matches)
    began, failures = time.perf_counter(), Failures()
    with progress_bar() as tell:
        count = match_counter(plan, tell)

        def add(some: list[Played]) -> bool:
            failures.take(some)
            return count(some)

        event = play(plan, settings, add, rule)
    series = Series(event, rule, chance=outcomes(rules) > 0)
    told = facts(series, plan.seed) | stored_facts(series)
    told["seconds"] = time.perf_counter() - began
    told["output"] = failures.facts(plan, settings, event.number)
    if settings.store and not outcomes(rules):
        told["different"] = series.different
    last = last_line(event, plan, told["seconds"], settings.db)
    console.emit(told, show, series, told, last)


def play_there(
    rules: Rules,
    agents: tuple[str, ...],
    matches: int,
    sprt: str | None,
    settings: PlaySettings,
    device: str,
) -> None:
    """Play a series on a device, and print it."""
    limits = {"processes": settings.pool.processes, "dask": settings.pool.dask}
    clock = settings.clocks != Clocks()
    given = {"sprt": sprt, "clock": clock, **limits, "out": settings.out, "store": settings.db}
    refuse_beside_device(given)
    began = thinking_time()
    with progress_bar() as tell:
        series = play_on_device(rules, agents, matches, settings.seed, device, tell)
    seconds = thinking_time() - began
    told = facts(series, series.seed) | {"output": [], "seconds": seconds}
    told |= {"device": series.device, "plies": series.plies}
    last = (
        f"{many(series.matches, 'match')}, {series.plies:,} plies in {seconds:.1f} s on"
        f" {series.device}; seed {series.seed}; no records are kept"
    )
    console.emit(told, show, series, told, last)


def facts(series: SeriesScores, seed: int) -> dict[str, Any]:
    """Return the scores of a series as JSON."""
    won, scores, agents = series.first, series.table, series.agents
    told: dict[str, Any] = {
        "agents": list(agents),
        **{name: getattr(won, name) for name in ("matches", "wins", "draws", "losses", "share")},
        "interval": list(won.interval),
        "elo": None,
        "scores": scores,
        "endings": series.endings,
        "faults": series.failures,
        "seconds_per_decision": [one["seconds_per_decision"] for one in scores],
        "seed": seed,
        "event": None,
    }
    if len(agents) == 2:
        shown = series.difference
        told["elo"] = json_number(shown.elo)
        told["elo_interval"] = [json_number(shown.low), json_number(shown.high)]
        told["superiority"] = shown.superiority
        mean, *interval = series.mean_return
        told["mean_return"] = mean
        told["mean_return_interval"] = list(map(json_number, interval))
        told["pairs"] = list(series.pairs)
    return told


def stored_facts(series: Series) -> dict[str, Any]:
    """Return as JSON where a series is stored, and how its test went."""
    told: dict[str, Any] = {"event": series.event.number or None}
    test, progress = series.watch.test, series.sprt
    if test and progress:
        words = test.words(progress.verdict, *series.agents)
        told["sprt"] = {**asdict(test), **progress._asdict()}
        told["sprt"] |= {"verdict": progress.verdict, "words": words}
    return told


def show(series: SeriesScores, told: dict[str, Any], last: str) -> None:
    """Print a series, and a last line before the output of programs that failed."""
    agents = told["agents"]
    if len(agents) == 2:
        low, high = series.interval
        lines = [
            f"{agents[0]}: {series.wins} won, {series.draws} drawn, {series.losses} lost",
            f"{100 * series.share:.1f} % of the points, with 95 % confidence {100 * low:.1f}"
            f" to {100 * high:.1f} %",
        ]
        click.echo("\n".join([*lines, *series.comparison]))
        for text, spent in zip(agents, told["seconds_per_decision"], strict=True):
            if spent is not None:
                click.echo(f"{text}: {1000 * spent:.3g} ms a decision")
    else:
        console.show(score_table(told["scores"]))
        timed = "; ms for each decision" if told["seconds_per_decision"][0] is not None else ""
        click.echo(f"{100 / len(agents):.1f} % of the points would be even{timed}")
    notes = [*series.repetitions, *fault_lines(told["faults"])]
    for line in (*notes, last, *output_lines(told["output"])):
        click.echo(line)
