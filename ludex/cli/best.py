"""`ludex best`: the move that an agent chooses, and why."""

from typing import Any

import click
import numpy as np
from rich.markup import escape

from ludex.agents.registry import default_agent, make_agent
from ludex.cli import console, options, words
from ludex.core import rules as ask
from ludex.core.play import choosers, legal_moves, value_text
from ludex.core.rules import CHANCE, Rules, State
from ludex.kernel.threads import run_interruptibly
from ludex.library.player import Decision, chooser, decide
from ludex.match.luck import chosen_seed
from ludex.match.warm_up import warm_up_at

DEALS_MAX = 20  # outcomes of chance in a suggested position, one after another


@click.command()
@options.game
@click.option("--agent", "text", type=words.AGENT, help="The agent; the default agent of the game.")
@options.position
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    help="The seat of the value, and of the choice in simultaneous moves.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the agent; random by default.")
@options.as_json
def best(
    rules: Rules, text: str | None, given: str | None, seat: int | None, seed: int | None
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
    warm, seed = False, chosen_seed(seed)
    try:
        for state in options.start_states(rules, given):
            deciding = require_chooser(rules, state)
            chooser = deciding[(seat or 0) if len(deciding) == 2 else 0]
            if not warm:
                run_interruptibly(warm_up_at, rules, state, chooser, agent)
                warm = True
            rng = np.random.default_rng(seed)
            choice = run_interruptibly(decide, agent, rules, state, chooser, rng, True)
            signs = {chooser: 1.0} | ({1 - chooser: -1.0} if ask.seats(rules) == 2 else {})
            viewer = seat or 0
            told = facts(choice, signs.get(viewer))
            told = {"position": ask.position(rules, state), **told, "agent": text}
            viewer = viewer if viewer in signs else chooser
            whole = (rules, (chooser, viewer, signs[viewer]), choice, told)
            console.emit(told, show, *whole)
    finally:
        if hasattr(agent, "close"):
            agent.close()


def require_chooser(rules: Rules, state: State) -> tuple[int, ...]:
    """Return the seats that are to choose; a ValueError suggests a position after chance."""
    try:
        chooser(rules, state)
    except ValueError as error:
        raise ValueError(f"{error}{chance_offer(rules, state)}") from None
    return choosers(rules, state)


def chance_offer(rules: Rules, state: State) -> str:
    """Return a suggestion for a chance node: a position after some outcomes; else empty."""
    names: list[str] = []
    while ask.turn(rules, state) == CHANCE and len(names) < DEALS_MAX:
        outcomes = legal_moves(rules, state)
        after = [ask.apply(rules, state, outcome) for outcome in outcomes]
        ready = (place for place, one in enumerate(after) if choosers(rules, one))
        chosen = next(ready, 0)
        names.append(ask.label(rules, state, outcomes[chosen]))
        state = after[chosen]
    if not names or not choosers(rules, state):
        return ""
    return f'; try it after {", ".join(names)}: --position "{ask.position(rules, state)}"'


def facts(choice: Decision, sign: float | None) -> dict[str, Any]:
    """Return a choice as JSON; a sign turns its values into those of a seat, None if unknown."""
    told = {name: getattr(choice, name) for name in ("move", "value", "nodes", "depth", "line")}
    known = choice.value is not None and sign is not None
    values = {name: sign * value + 0.0 for name, value in choice.values.items()} if sign else {}
    return told | {
        "value": sign * choice.value + 0.0 if known else None,  # type: ignore[operator]
        "values": values,
        "mixture": choice.mixture,
        "seconds": choice.seconds,
    }


def show(
    rules: Rules, seats: tuple[int, int, float], choice: Decision, told: dict[str, Any]
) -> None:
    """Print a choice: the chosen action first, the others by value.

    `seats` are who chooses, whose values are shown, and the sign that turns the former into these.
    """
    chooser, viewer, sign = seats
    value = "no opinion"
    if choice.value is not None:
        value = value_text(rules, sign * choice.value, viewer, ".4f", exact=False)
    who = escape(ask.seat_name(rules, chooser))
    console.show(f"{who}: [bold]{escape(choice.move)}[/]  {escape(value)}")
    level = ask.levels_of(rules).get(told["agent"])
    console.say(f"agent: {told['agent']}{f' ({level})' if level else ''}")
    console.say(f"line: {', '.join(choice.line)}")
    shares = choice.mixture if len(choice.mixture) > 1 else {}

    def rank(name: str) -> tuple[bool, float, float]:
        return name != choice.move, -choice.values.get(name, -2.0), -shares.get(name, 0.0)

    for name in sorted(dict.fromkeys([*choice.values, *shares]), key=rank):
        own = f"{sign * choice.values[name] + 0.0:+.4f}" if name in choice.values else ""
        share = f"share {100 * shares.get(name, 0.0):.1f} %" if shares else ""
        console.say(f"  {name:<16} {own:<7}  {share}".rstrip())
    speed = choice.nodes / max(choice.seconds, 1e-9)
    console.show(
        f"{choice.nodes:,} nodes to depth {choice.depth} in {choice.seconds:.3f} s"
        f" ({speed:,.0f} a second)"
    )
