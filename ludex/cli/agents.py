"""`ludex agents`: list the agents."""

import inspect

import click

from ludex.agents.registry import AGENTS, HUMAN, LEVELS
from ludex.cli.options import as_json, plain_table, print_json, screen
from ludex.core.options import default_text, options_of, range_text


@click.command()
@as_json
def agents(as_json: bool) -> None:
    """List the agents with their options.

    \b
    ludex agents
    """
    texts = {HUMAN: "Asks a person."} | {
        name: (inspect.getdoc(kind) or "").partition("\n")[0] for name, kind in AGENTS.items()
    }
    if as_json:
        print_json(
            [
                {"agent": name, "text": text, "options": options(name)}
                for name, text in texts.items()
            ]
        )
        return
    table = plain_table("agent", "option", "default", "range", "")
    for name, text in texts.items():
        table.add_row(f"[bold]{name}[/]", "", "", "", text)
        for key, told in options(name).items():
            table.add_row("", key, told["default"], told["range"], told["text"])
    screen().print(table)
    screen().print(f"\nLevels of a game, each one of these with options: {', '.join(LEVELS)}.")


def options(name: str) -> dict[str, dict[str, str]]:
    """Return default, range and description of every option of an agent."""
    known = options_of(AGENTS[name]) if name in AGENTS else {}
    return {
        key: {"default": default_text(one), "range": range_text(one), "text": one.text}
        for key, one in known.items()
    }
