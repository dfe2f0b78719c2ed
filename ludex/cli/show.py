"""`ludex show`: a position as text, as JSON or as a picture."""

from pathlib import Path
from typing import Any

import click

from ludex.cli import console, options
from ludex.core import rules as ask
from ludex.core.play import describe
from ludex.core.rules import BOTH, CHANCE, OVER, Rules
from ludex.io.files import write_text
from ludex.match.session import Match
from ludex.render.svg import svg

WORDS = {CHANCE: "chance", BOTH: "both", OVER: "over"}


@click.command()
@options.game
@options.position
@click.option("--picture", type=options.PATH, help="Write an SVG picture.")
@options.as_json
def show(rules: Rules, given: str | None, picture: Path | None) -> None:
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
        if console.json_wanted():
            console.print_json(facts(Match(rules, state, chance="manual")))
        else:
            console.show(ask.render(rules, state))
            console.say(describe(rules, state))


def facts(match: Match) -> dict[str, Any]:
    """Return the position of a match as JSON."""
    both = [match.legal_moves(seat) for seat in match.choosers] if match.turn == BOTH else None
    told: dict[str, Any] = {
        "position": match.position,
        "turn": WORDS.get(match.turn, match.turn),
        "moves": both or match.legal_moves(),
    }
    if match.turn == CHANCE:
        numbers = match.legal_numbers()
        told["chances"] = [ask.chance(match.rules, match.state, one) for one in numbers]
    if match.turn == OVER:
        told["returns"] = match.returns
    return told
