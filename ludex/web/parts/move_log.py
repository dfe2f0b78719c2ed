"""The moves of a running match, the last one first, with comments."""

import html

from ludex.core.rules import CHANCE, seat_name
from ludex.match.session import Match
from ludex.web.parts.faults import NO_FAULTS, Fault, Faults
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.public_text import public_agent

SHOWN = 200  # plies in the list


def public_agents(live: LiveMatch) -> list[str]:
    """Return the agents' texts without the server's paths."""
    return [public_agent(text) for text in live.agents]


def luck_of(match: Match, number: int) -> str:
    """Return the name of a chance ply, with its seat if the state has one."""
    seat = getattr(match.plies[number - 1].state, "seat", -1)
    return f"chance for {seat_name(match.rules, seat)}" if seat >= 0 else "chance"


def ply_words(match: Match, number: int, faults: Faults = NO_FAULTS) -> str:
    """Describe a ply: moves with symbols for bad ones, or chance, and events."""
    said = []
    for seat, words in match.labels_by_seat(number):
        text = html.escape(words)
        if seat == CHANCE:
            luck = html.escape(luck_of(match, number))
            said.append(f'<span class="lx-luck">{luck}: {text}</span>')
            continue
        fault = fault_mark(faults.get((number - 1, seat)))
        said.append(f"{html.escape(seat_name(match.rules, seat))}: <b>{text}</b>{fault}")
    came = (f' <span class="lx-soft">{html.escape(event)}</span>' for event in match.events(number))
    return ", ".join(said) + "".join(came)


def fault_mark(fault: Fault | None) -> str:
    """Return the symbol of a bad move; a click on it opens the position before."""
    if fault is None:
        return ""
    place = f'data-ply="{fault.ply}" title="{fault.kind}"'
    return f' <span class="lx-blunder" {place}>{fault.mark}</span>'


def log_of(match: Match) -> str:
    """Return the list of the latest moves."""
    lines = []
    for number in range(max(1, len(match.plies) - SHOWN), len(match.plies)):
        words = ply_words(match, number)
        lines.append(f'<li><span class="lx-number">{number}</span><span>{words}</span></li>')
    return "".join(reversed(lines)) or '<li><span></span><span class="lx-soft">none yet</span></li>'
