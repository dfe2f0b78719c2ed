"""`ludex tree`: draw the search tree of an agent."""

from pathlib import Path
from typing import Any

import click

from ludex.agents.registry import AGENTS, Agent, make_agent, refuses
from ludex.cli.options import (
    NewFile,
    as_json,
    one_position_option,
    print_json,
    screen,
    start,
    with_rules,
)
from ludex.core.options import read_options
from ludex.core.play import describe
from ludex.core.rules import OVER, Rules, levels_of, position, title, turn
from ludex.io.files import write_text
from ludex.render.tree import picture
from ludex.render.tree.folding import Shown, shown
from ludex.search.explicit_tree import GROWN, Tree, chosen, cuts, grow, size
from ludex.search.minimax import DEEPEST, Greedy

USUAL_DEPTH = 2


@click.command()
@with_rules
@click.option("--agent", "text", default="minimax", show_default=True, help="The agent.")
@click.option(
    "--depth",
    type=click.IntRange(1, DEEPEST),
    help=f"Search depth in decisions; that of the agent, or {USUAL_DEPTH}.",
)
@one_position_option
@click.option("--out", type=NewFile(parents=True), required=True, help="The SVG picture to write.")
@click.option(
    "--show",
    "most",
    type=click.IntRange(min=2),
    default=250,
    show_default=True,
    help="Maximum number of nodes to draw; the others are folded.",
)
@click.option(
    "--nodes",
    type=click.IntRange(min=2),
    default=20_000,
    show_default=True,
    help="Maximum number of nodes to search.",
)
@as_json
def tree(
    rules: Rules,
    text: str,
    depth: int | None,
    given: str | None,
    out: Path,
    most: int,
    nodes: int,
    as_json: bool,
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
    agent = make_agent(text, rules)
    refuse_without_tree(agent, text, rules)
    depth = chosen_depth(agent, levels_of(rules).get(text, text), depth)
    state = start(rules, given)
    if turn(rules, state) == OVER:
        raise ValueError(f"there is nothing to search: {describe(rules, state)}")
    grown = grow(agent, rules, state, depth, nodes)
    what = shown(grown.root, most)
    heading = f"{title(rules)}: {text}, {depth} decision{'' if depth == 1 else 's'} ahead"
    out.parent.mkdir(parents=True, exist_ok=True)
    write_text(out, picture(grown, heading, what))
    told = {"position": position(rules, state), "depth": depth}
    told |= facts(grown, what) | {"file": str(out)}
    if as_json:
        print_json(told)
    else:
        show(grown, told)


def refuse_without_tree(agent: Agent, text: str, rules: Rules) -> None:
    """Raise a ValueError if the agent has no tree that could be drawn."""
    if type(agent) not in GROWN:
        able = [name for name, kind in AGENTS.items() if kind in GROWN and not refuses(kind, rules)]
        raise ValueError(
            f"{text!r} has no tree that could be drawn (those that have: {', '.join(able)})"
        )


def chosen_depth(agent: Agent, text: str, depth: int | None) -> int:
    """Return how deep to look: as the command says, or the agent's text, or as usual."""
    if isinstance(agent, Greedy):
        if depth not in (None, 1):
            raise ValueError(f"--depth {depth}: greedy looks 1 ahead")
        return 1
    own = read_options(text.partition(":")[2]).get("depth")
    return depth or (int(own) if own else USUAL_DEPTH)


def facts(grown: Tree, what: Shown) -> dict[str, Any]:
    """Return what programs want to know of a tree.

    The value to seat 0 is known if that is the seat that is to act or the only other one.
    """
    worth, best = grown.root.value, chosen(grown.root)
    assert worth is not None
    to_first = worth if grown.seat == 0 else -worth if len(grown.names) == 2 else None
    return {
        "move": best.label if best else None,
        "value": to_first,
        "seat": grown.seat,
        "worth": worth,
        "nodes": size(grown.root),
        "cut": cuts(grown.root),
        "shown": what.drawn,
        "folded": what.hidden,
    }


def show(grown: Tree, told: dict[str, Any]) -> None:
    """Print for people what was drawn."""
    console = screen()
    move = f"{told['move']}  " if told["move"] else ""  # nobody's alone, or a mixture
    who = grown.names[grown.seat]
    console.print(f"{who}: {move}worth {told['worth']:+.4f} to {who}", markup=False)
    console.print(
        f"{told['nodes']:,} nodes, {told['cut']:,} cut, {told['folded']:,} folded:"
        f" wrote {told['file']}",
        markup=False,
    )
