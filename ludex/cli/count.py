"""`ludex count`: perft."""

import time

import click

from ludex.cli import console, options
from ludex.core.devices import device_for
from ludex.core.perft import lines
from ludex.core.rules import Rules, State, position
from ludex.kernel.threads import run_interruptibly
from ludex.library.game import count_lines


@click.command()
@options.game
@click.option("--depth", type=click.IntRange(1, 60), required=True, help="Depth in plies.")
@options.position
@options.device
@options.as_json
def count(rules: Rules, depth: int, given: str | None, device: str | None) -> None:
    """Count the lines of play from a position (perft).

    \b
    ludex count arena --depth 6
    ludex count trap --rule size=4 --depth 4 --json
    ludex count nuts --depth 16 --device auto
    """
    used = device and device_for(rules, device)
    for state in options.start_states(rules, given):
        if device is None and not console.json_wanted():
            show_by_depth(rules, state, depth)
            continue
        began = time.perf_counter()
        totals = run_interruptibly(count_lines, rules, state, depth, used)
        told = {"position": position(rules, state), "counts": totals}
        console.emit(told, show, totals, f"{time.perf_counter() - began:.2f} s on {used}")


def show_by_depth(rules: Rules, state: State, depth: int) -> None:
    """Count one depth after another, and print each with its time."""
    click.echo(f"{'depth':>5} {'lines':>20} {'seconds':>9}")
    for plies in range(1, depth + 1):
        began = time.perf_counter()
        total = run_interruptibly(lines, rules, state, plies)
        click.echo(f"{plies:>5} {total:>20,} {time.perf_counter() - began:>9.2f}")


def show(totals: list[int], took: str) -> None:
    """Print the numbers of lines that were counted at once."""
    click.echo(f"{'depth':>5} {'lines':>20}")
    for plies, total in enumerate(totals, start=1):
        click.echo(f"{plies:>5} {total:>20,}")
    click.echo(f"all depths at once in {took}")
