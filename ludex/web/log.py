"""The moves of a match that goes on, the last one first."""

import html

from ludex.rules import CHANCE, seat_name
from ludex.web.table import Table
from ludex.web.tasks import shown_agent

SHOWN = 200  # plies in the list


def shown_agents(table: Table) -> list[str]:
    """Return the agents' texts without the folders of the server."""
    return [shown_agent(text) for text in table.agents]


def log_of(table: Table) -> str:
    """Return the list of moves, the last ones if there are many."""
    lines = []
    for number in range(max(1, len(table.plies) - SHOWN), len(table.plies)):
        said = []
        for seat, words in table.told(number):
            text = html.escape(words)
            if seat == CHANCE:
                luck = html.escape(table.luck_of(number))
                said.append(f'<span class="lx-luck">{luck}: {text}</span>')
            else:
                said.append(f"{html.escape(seat_name(table.rules, seat))}: <b>{text}</b>")
        lines.append(
            f'<li><span class="lx-number">{number}</span><span>{", ".join(said)}</span></li>'
        )
    return "".join(reversed(lines)) or '<li><span></span><span class="lx-soft">none yet</span></li>'
