"""`ludex agents`: list the agents."""

from typing import Any

import click

from ludex.agents.registry import LEVELS
from ludex.cli import console, options
from ludex.library.player import available_agents


@click.command()
@options.as_json
def agents() -> None:
    """List the agents with their options.

    \b
    ludex agents
    """
    console.emit(available_agents(), show)


def show(agents: list[dict[str, Any]]) -> None:
    """Print the agents with their options."""
    table = console.table("agent", "option", "default", "range", "")
    for one in agents:
        table.add_row(f"[bold]{one['agent']}[/]", "", "", "", one["text"])
        for key, told in one["options"].items():
            table.add_row("", key, told["default"], told["range"], told["text"])
    console.show(table)
    console.show(f"\nLevels of a game, each one of these with options: {', '.join(LEVELS)}.")
