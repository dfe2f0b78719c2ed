"""`ludex count`: perft."""

import time

import click

from ludex.cli import console, options
from ludex.core.perft import counts, lines
from ludex.core.rules import Rules, position
from ludex.kernel.threads import run_interruptibly


@click.command()
@options.game
@click.option("--depth", type=click.IntRange(1, 60), required=True, help="Depth in plies.")
@options.position
@options.as_json
def count(rules: Rules, depth: int, given: str | None) -> None:
    """Count the lines of play from a position (perft).

    \b
    ludex count arena --depth 6
    ludex count trap --rule size=4 --depth 4 --json
    """
    for state in options.start_states(rules, given):
        if console.json_wanted():
            totals = run_interruptibly(counts, rules, state, depth)
            console.print_json({"position": position(rules, state), "counts": totals})
            continue
        click.echo(f"{'depth':>5} {'lines':>20} {'seconds':>9}")
        for plies in range(1, depth + 1):
            began = time.perf_counter()
            total = run_interruptibly(lines, rules, state, plies)
            click.echo(f"{plies:>5} {total:>20,} {time.perf_counter() - began:>9.2f}")
