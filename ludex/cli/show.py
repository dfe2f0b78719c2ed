"""`ludex show`: a position as text, as JSON or as a picture."""

from pathlib import Path
from typing import Any

import click

from ludex.cli import console, options
from ludex.core import rules as ask
from ludex.core.play import choices, choosers, describe, legal_moves
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.io.files import write_text
from ludex.render.svg import svg

WORDS = {CHANCE: "chance", BOTH: "both", OVER: "over"}


@click.command()
@options.game
@options.position
@click.option("--picture", type=click.Path(path_type=Path), help="Write an SVG picture.")
@options.as_json
def show(rules: Rules, given: str | None, picture: Path | None, as_json: bool) -> None:
    """Show a position.

    \b
    ludex show arena
    ludex show trap --rule size=5 --json
    ludex show droids --position "2,1 2,3 4,5 0,0 48" --picture droids.svg
    """
    if picture is not None and given == "-":
        raise ValueError("--picture draws one position, so it does not go with --position -")
    for state in options.start_states(rules, given):
        if picture is not None:
            write_text(picture, svg(ask.scene(rules, state), ask.title(rules)))
            console.warn(f"wrote {picture}")
        if as_json or given == "-":
            console.print_json(facts(rules, state))
        else:
            console.show(ask.render(rules, state))
            console.say(describe(rules, state))


def facts(rules: Rules, state: State) -> dict[str, Any]:
    """Return a position as JSON."""
    mover = ask.turn(rules, state)
    told: dict[str, Any] = {
        "position": ask.position(rules, state),
        "turn": WORDS.get(mover, mover),
        "moves": [],
    }
    if mover == BOTH:
        told["moves"] = [
            [ask.label(rules, state, action) for action in choices(rules, state, seat)]
            for seat in choosers(rules, state)
        ]
    else:
        told["moves"] = [ask.label(rules, state, move) for move in legal_moves(rules, state)]
    if mover == CHANCE:
        told["chances"] = [ask.chance(rules, state, move) for move in legal_moves(rules, state)]
    if mover == OVER:
        told["returns"] = [ask.returns(rules, state, seat) for seat in range(ask.seats(rules))]
    return told
