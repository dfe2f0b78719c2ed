"""`ludex best`: what an agent would do, and why."""

import secrets
import time
from typing import Any

import click
import numpy as np

from ludex.agents import default_agent, levels_of, make_agent
from ludex.cli.options import (
    as_json,
    patiently,
    position_option,
    print_json,
    screen,
    starts,
    with_rules,
)
from ludex.play import choosers, describe, lawful
from ludex.rules import (
    BOTH,
    CHANCE,
    Rules,
    State,
    apply,
    game_of,
    label,
    position,
    seat_name,
    turn,
)
from ludex.search.choice import Choice


@click.command()
@with_rules
@click.option("--agent", "text", help="Who is asked; the default agent of the game.")
@position_option
@click.option("--seat", type=click.IntRange(0, 1), help="Who chooses, where both do at once.")
@click.option("--seed", type=click.IntRange(min=0), help="Repeat the agent's luck.")
@as_json
def best(
    rules: Rules,
    text: str | None,
    given: str | None,
    seat: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Say what an agent would do, and why.

    The value is worth to seat 0, from -1 to 1, or to the seat that is named.

    \b
    ludex best arena --agent alphabeta:depth=8
    ludex best nuts --agent minimax:depth=9 --position "9 1" --json
    """
    text = text or default_agent(rules)
    agent = make_agent(text, rules)
    seed = secrets.randbelow(2**32) if seed is None else seed
    for state in starts(rules, given):
        deciding = choosers(rules, state)
        if not deciding:
            offer = rolled(rules, state)
            raise ValueError(f"nobody is to choose here: {describe(rules, state)}{offer}")
        chooser = deciding[(seat or 0) if len(deciding) == 2 else 0]
        began = time.perf_counter()
        rng = np.random.default_rng(seed)
        choice = patiently(agent.consider, rules, state, chooser, rng)
        seconds = time.perf_counter() - began
        viewer = 0 if seat is None else seat
        told = facts(rules, state, chooser, viewer, choice)
        told |= {"seconds": seconds, "agent": text}
        if as_json or given == "-":
            print_json(told)
        else:
            show(rules, chooser, told)


def rolled(rules: Rules, state: State) -> str:
    """Return what to ask instead where chance is to act: an outcome after which a seat chooses."""
    for outcome in lawful(rules, state) if turn(rules, state) == CHANCE else ():
        after = apply(rules, state, outcome)
        if choosers(rules, after):
            name = label(rules, state, outcome)
            return f'; try it after {name}: --position "{position(rules, after)}"'
    return ""


def facts(rules: Rules, state: State, chooser: int, viewer: int, choice: Choice) -> dict[str, Any]:
    """Return what programs want to know of a choice."""
    sign = 1.0 if viewer == chooser else -1.0
    known = choice.value == choice.value  # not a number where an agent has no opinion

    def named(numbers: Any, factor: float) -> dict[str, float]:
        return {label(rules, state, one): factor * number + 0.0 for one, number in numbers.items()}

    return {
        "position": position(rules, state),
        "move": label(rules, state, choice.action),
        "value": sign * choice.value + 0.0 if known else None,  # not -0.0
        "nodes": choice.nodes,
        "depth": choice.depth,
        "line": line_labels(rules, state, choice.line or (choice.action,)),
        "values": named(choice.values, sign),
        "mixture": named(choice.mixture, 1.0),
    }


def line_labels(rules: Rules, state: State, line: tuple[int, ...]) -> list[str]:
    """Return the labels of a line, as far as only one seat chooses at a time."""
    names = []
    for action in line:
        names.append(label(rules, state, action))
        if turn(rules, state) == BOTH:
            break
        state = apply(rules, state, action)
    return names


def show(rules: Rules, chooser: int, told: dict[str, Any]) -> None:
    """Print a choice for people."""
    value = "no opinion" if told["value"] is None else f"{told['value']:+.4f}"
    console = screen()
    console.print(f"{seat_name(rules, chooser)}: [bold]{told['move']}[/]  value {value}")
    level = levels_of(game_of(rules)).get(told["agent"])
    console.print(f"agent: {told['agent']}{f' ({level})' if level else ''}", markup=False)
    console.print(f"line: {', '.join(told['line'])}", markup=False)
    for name, number in sorted(told["values"].items(), key=lambda pair: -pair[1]):
        console.print(f"  {name:<16} {number:+.4f}", markup=False)
    for name, share in sorted(told["mixture"].items(), key=lambda pair: -pair[1]):
        console.print(f"  {name:<16} share {share:.1%}", markup=False)
    speed = told["nodes"] / max(told["seconds"], 1e-9)
    console.print(
        f"{told['nodes']:,} nodes to depth {told['depth']} in {told['seconds']:.3f} s"
        f" ({speed:,.0f} a second)"
    )
