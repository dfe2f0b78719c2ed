"""`ludex agents`: the agents."""

import click

from ludex.agents import AGENTS, HUMAN
from ludex.cli.options import as_json, plain_table, print_json, screen


@click.command()
@as_json
def agents(as_json: bool) -> None:
    """List the agents.

    \b
    ludex agents
    """
    texts = {HUMAN: "asks a person"} | {name: entry.text for name, entry in AGENTS.items()}
    if as_json:
        print_json([{"agent": name, "text": text} for name, text in texts.items()])
        return
    table = plain_table("agent", "")
    for name, text in texts.items():
        table.add_row(name, text)
    screen().print(table)
