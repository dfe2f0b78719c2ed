"""`ludex best`: the move that an agent chooses, and why."""

from typing import Any

import click
import numpy as np
from rich.markup import escape

from ludex.agents.registry import default_agent, make_agent
from ludex.cli import console, options
from ludex.core import rules as ask
from ludex.core.choice import Choice
from ludex.core.play import choosers, describe, legal_moves, value_text
from ludex.core.rules import CHANCE, Rules, State
from ludex.kernel.jit import thinking_time
from ludex.library.player import line_labels
from ludex.match.luck import chosen_seed
from ludex.match.warm_up import warm_up_at


@click.command()
@options.game
@click.option("--agent", "text", help="The agent; the default agent of the game.")
@options.position
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    help="The seat of the value, and of the choice in simultaneous moves.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the agent; random by default.")
@options.as_json
def best(
    rules: Rules,
    text: str | None,
    given: str | None,
    seat: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Show the move that an agent chooses, and why.

    The value is that of seat 0, or of the given seat, from -1 to 1. With more than two seats it is
    known only for the seat to move.

    \b
    ludex best arena --agent alphabeta:depth=8
    ludex best nuts --agent minimax:depth=9 --position "9 1" --json
    """
    if seat is not None and seat >= ask.seats(rules):
        raise ValueError(f"--seat {seat}: expected 0 to {ask.seats(rules) - 1}")
    text = default_agent(rules) if text is None else text
    agent = make_agent(text, rules)
    warm = False
    seed = chosen_seed(seed)
    try:
        for state in options.start_states(rules, given):
            deciding = choosers(rules, state)
            if not deciding:
                offer = chance_offer(rules, state)
                raise ValueError(f"nobody is to choose here: {describe(rules, state)}{offer}")
            chooser = deciding[(seat or 0) if len(deciding) == 2 else 0]
            if not warm:
                console.run_interruptibly(warm_up_at, rules, state, chooser, agent)
                warm = True
            began = thinking_time()
            rng = np.random.default_rng(seed)
            choice = console.run_interruptibly(agent.consider, rules, state, chooser, rng)
            seconds = thinking_time() - began
            if hasattr(agent, "expects"):  # not computed in matches
                line = console.run_interruptibly(agent.expects, rules, state, chooser, choice)
                choice = choice._replace(line=line)
            viewer = 0 if seat is None else seat
            told = facts(rules, state, chooser, viewer, choice)
            told |= {"seconds": seconds, "agent": text}
            known = value_sign(rules, chooser, viewer) is not None
            whole = (rules, state, chooser, viewer if known else chooser, choice, told)
            console.emit(told, as_json or given == "-", show, *whole)
    finally:
        if hasattr(agent, "close"):
            agent.close()


def chance_offer(rules: Rules, state: State) -> str:
    """Return a suggestion for a chance node: a position after an outcome; else empty."""
    for outcome in legal_moves(rules, state) if ask.turn(rules, state) == CHANCE else ():
        after = ask.apply(rules, state, outcome)
        if choosers(rules, after):
            name = ask.label(rules, state, outcome)
            return f'; try it after {name}: --position "{ask.position(rules, after)}"'
    return ""


def value_sign(rules: Rules, chooser: int, viewer: int) -> float | None:
    """Return the factor from the chooser's value to the viewer's, or None if unknown."""
    if viewer == chooser:
        return 1.0
    return -1.0 if ask.seats(rules) == 2 else None


def facts(rules: Rules, state: State, chooser: int, viewer: int, choice: Choice) -> dict[str, Any]:
    """Return a choice as JSON."""
    sign = value_sign(rules, chooser, viewer)
    known = choice.value == choice.value  # not a number where an agent has no opinion

    def by_label(numbers: Any, sign: float) -> dict[str, float]:
        return {
            ask.label(rules, state, one): sign * number + 0.0 for one, number in numbers.items()
        }

    return {
        "position": ask.position(rules, state),
        "move": ask.label(rules, state, choice.action),
        "value": sign * choice.value + 0.0 if known and sign is not None else None,  # not -0.0
        "nodes": choice.nodes,
        "depth": choice.depth,
        "line": line_labels(rules, state, choice.line or (choice.action,)),
        "values": by_label(choice.values, sign) if sign is not None else {},
        "mixture": by_label(choice.mixture, 1.0),
    }


def show(
    rules: Rules, state: State, chooser: int, viewer: int, choice: Choice, told: dict[str, Any]
) -> None:
    """Print a choice: the chosen action first, the others by value."""
    sign = value_sign(rules, chooser, viewer)
    assert sign is not None
    value, name = "no opinion", escape(ask.label(rules, state, choice.action))
    if choice.value == choice.value:
        value = value_text(rules, sign * choice.value, viewer, ".4f", exact=False)
    console.show(f"{escape(ask.seat_name(rules, chooser))}: [bold]{name}[/]  {escape(value)}")
    level = ask.levels_of(rules).get(told["agent"])
    console.say(f"agent: {told['agent']}{f' ({level})' if level else ''}")
    console.say(f"line: {', '.join(told['line'])}")

    def rank(action: int) -> tuple[bool, float, float]:
        own, share = choice.values.get(action, -2.0), choice.mixture.get(action, 0.0)
        return action != choice.action, -own, -share

    mixed = len(choice.mixture) > 1
    for action in sorted({*choice.values, *(choice.mixture if mixed else ())}, key=rank):
        own = f"{sign * choice.values[action] + 0.0:+.4f}" if action in choice.values else ""
        share = f"share {100 * choice.mixture.get(action, 0.0):.1f} %" if mixed else ""
        row = f"  {ask.label(rules, state, action):<16} {own:<7}  {share}"
        console.say(row.rstrip())
    speed = told["nodes"] / max(told["seconds"], 1e-9)
    console.show(
        f"{told['nodes']:,} nodes to depth {told['depth']} in {told['seconds']:.3f} s"
        f" ({speed:,.0f} a second)"
    )
