"""The moves of a running match, the last one first, with comments."""

import html
from collections.abc import Mapping
from types import MappingProxyType

from ludex.core.rules import CHANCE, seat_name
from ludex.web.state.live_match import Table
from ludex.web.state.tasks import shown_agent

SHOWN = 200  # plies in the list

Faults = Mapping[tuple[int, int], tuple[str, str]]
"""By ply and seat: the mark of what was played badly, and what it is called."""
NONE: Faults = MappingProxyType({})


def shown_agents(table: Table) -> list[str]:
    """Return the agents' texts without the folders of the server."""
    return [shown_agent(text) for text in table.agents]


def ply_words(table: Table, number: int, faults: Faults = NONE) -> str:
    """Return who did what in a ply, or what luck did, with the marks of what was played badly."""
    said = []
    for seat, words in table.told(number):
        text = html.escape(words)
        if seat == CHANCE:
            luck = html.escape(table.luck_of(number))
            said.append(f'<span class="lx-luck">{luck}: {text}</span>')
            continue
        mark, name = faults.get((number - 1, seat), ("", ""))
        fault = f' <span class="lx-blunder" title="{name}">{mark}</span>' if mark else ""
        said.append(f"{html.escape(seat_name(table.rules, seat))}: <b>{text}</b>{fault}")
    came = (f' <span class="lx-soft">{html.escape(event)}</span>' for event in table.events(number))
    return ", ".join(said) + "".join(came)


def log_of(table: Table) -> str:
    """Return the list of moves, the last ones if there are many."""
    lines = []
    for number in range(max(1, len(table.plies) - SHOWN), len(table.plies)):
        said = ply_words(table, number)
        lines.append(f'<li><span class="lx-number">{number}</span><span>{said}</span></li>')
    return "".join(reversed(lines)) or '<li><span></span><span class="lx-soft">none yet</span></li>'
