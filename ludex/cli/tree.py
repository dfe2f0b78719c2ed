"""`ludex tree`: draw the search tree of an agent."""

from pathlib import Path
from typing import Any

import click

from ludex.cli import console, options, words
from ludex.core.play import value_text
from ludex.core.rules import Rules
from ludex.library.tree import MOST_NODES, MOST_SHOWN, USUAL_DEPTH, SearchTree
from ludex.search.minimax import DEEPEST


@click.command()
@options.game
@click.option(
    "--agent", "text", type=words.AGENT, default="minimax", show_default=True, help="The agent."
)
@click.option(
    "--depth",
    type=click.IntRange(1, DEEPEST),
    help=f"Search depth in decisions; that of the agent, or {USUAL_DEPTH}.",
)
@options.one_position
@click.option(
    "--out", type=options.NewFile(parents=True), required=True, help="The SVG picture to write."
)
@click.option(
    "--show",
    "most",
    type=click.IntRange(min=2),
    default=MOST_SHOWN,
    show_default=True,
    help="Maximum number of nodes to draw; the others are folded.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=2),
    default=MOST_NODES,
    show_default=True,
    help="Maximum number of nodes to search.",
)
@options.as_json
def tree(
    rules: Rules, text: str, depth: int | None, given: str | None, out: Path, most: int, nodes: int
) -> None:
    """Draw the search tree of an agent.

    Actions are searched in ascending order, without a transposition table, so that values and
    cutoffs can be checked by hand. Values are those of the player to move.

    \b
    ludex tree nuts --depth 3 --position "5 0" --out tree.svg
    ludex tree arena --agent alphabeta --out tree.svg
    ludex tree trap --rule size=3 --agent expectiminimax:pruning=star1 --out tree.svg
    """
    if out.suffix != ".svg":
        raise ValueError(f"--out {str(out)!r}: expected a name that ends in .svg")
    found = SearchTree(rules, options.start_state(rules, given), text, depth, nodes, most)
    found.write(out)
    told = found.facts | {"file": str(out)}
    console.emit(told, show, rules, found.grown.names[told["seat"]], told)


def show(rules: Rules, who: str, told: dict[str, Any]) -> None:
    """Print what was drawn, and whose turn it is."""
    move = f"{told['move']}  " if told["move"] else ""  # none at chance, or for a mixture
    value = value_text(rules, told["worth"], told["seat"], ".4f", exact=False)
    console.say(f"{who}: {move}{value}")
    console.say(
        f"{told['nodes']:,} nodes, {told['cut']:,} cut, {told['folded']:,} folded:"
        f" wrote {told['file']}"
    )
