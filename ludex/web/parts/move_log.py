"""The moves of a match in words, its players and its result."""

import html
from collections.abc import Collection

from ludex.agents.registry import HUMAN
from ludex.core.rules import CHANCE, seat_name
from ludex.core.termination import CRASHED, ILLEGAL, OUT_OF_TIME
from ludex.match.view import MatchView
from ludex.web.parts.faults import NO_FAULTS, Fault, Faults
from ludex.web.state.catalogue import texts_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.reader import result_with

SHOWN = 200  # plies in the list
OFFENCES = {
    CRASHED: "'s program failed",
    ILLEGAL: " made an illegal move",
    OUT_OF_TIME: " ran out of time",
}


def players_line(live: LiveMatch, mine: Collection[int]) -> str:
    """Return one line with the players and the changed rules; `mine` are one's own seats."""
    called = live.people.names
    names = []
    for seat, name in enumerate(live.player_names()):
        own = f"{called[seat]} (you)" if called.get(seat) else "you"
        names.append(f"{seat_name(live.match.rules, seat)}: {own if seat in mine else name}")
    changed = ", ".join(f"{key} = {text}" for key, text in texts_of(live.match.rules))
    return ", ".join(names) + (f" · {changed[:80]}" if changed else "")


def result_text(match: MatchView, words: str) -> str:
    """Return the result with words about the end; if a seat broke the rules, with its name."""
    if match.ending not in OFFENCES or len(match.offenders) != 1:
        return result_with(match, words)
    name = seat_name(match.rules, match.offenders[0])
    said = words.removeprefix(f"{name}: ")
    if not said.startswith(name):
        said = f"{name}{OFFENCES[match.ending]}{f': {said}' if said else '.'}"
    return result_with(match, said)


def result_for(live: LiveMatch, key: str, words: str) -> str:
    """Return the result with words about the end, from the view of the holder of a key."""
    match, mine = live.match, live.seats_of(key)
    if not match.over:
        return ""
    words = ending_words(live, mine, words)
    if match.winner < 0:
        text = "A draw"
    elif len(mine) == 1:
        (seat,) = mine
        won = match.returns[seat] == max(match.returns)
        text = "You won" if won else "You lost"
        if not won and not words and len(match.returns) > 2:
            words = f"{live.name(match.winner)} won."
    else:
        text = f"{live.name(match.winner)} wins"
    return f"{text}: {words}" if words else f"{text}."


def ending_words(live: LiveMatch, mine: Collection[int], words: str) -> str:
    """Return words about an early end, with the name of a person instead of the seat's."""
    seat = live.match.offender
    if seat < 0 or live.agents[seat] != HUMAN:
        return words
    own = seat_name(live.match.rules, seat)
    who = "you" if mine == {seat} else live.name(seat)
    return f"{who}{words.removeprefix(own)}" if words.startswith(own) else words


def luck_of(match: MatchView, number: int) -> str:
    """Return the name of a chance ply, with its seat if the state has one."""
    seat = getattr(match.plies[number - 1].state, "seat", -1)
    return f"{seat_name(match.rules, seat)}'s luck" if seat >= 0 else "chance"


def ply_words(match: MatchView, number: int, faults: Faults = NO_FAULTS) -> str:
    """Describe a ply: moves with symbols for bad ones, or chance, and events.

    An outcome of chance that an event names is not repeated.
    """
    said, came = [], match.events(number)
    for seat, words in match.labels_by_seat(number):
        text = html.escape(words)
        if seat == CHANCE:
            luck = html.escape(luck_of(match, number))
            outcome = "" if any(words.split()[-1] in one for one in came) else f" {text}"
            said.append(f'<span class="lx-luck">{luck}:{outcome}</span>')
            continue
        fault = fault_mark(faults.get((number - 1, seat)))
        said.append(f"{html.escape(seat_name(match.rules, seat))}: <b>{text}</b>{fault}")
    effects = (f' <span class="lx-soft">{html.escape(event)}</span>' for event in came)
    return ", ".join(said) + "".join(effects)


def fault_mark(fault: Fault | None) -> str:
    """Return the symbol of a bad move; a click on it opens the position before."""
    if fault is None:
        return ""
    place = f'data-ply="{fault.ply}" title="{fault.kind}"'
    return f' <span class="lx-blunder" {place}>{fault.mark}</span>'


def log_of(match: MatchView) -> str:
    """Return the list of the latest moves, the last one first; the style sheet reverses it."""
    lines = []
    for number in range(max(1, len(match.plies) - SHOWN), len(match.plies)):
        words = ply_words(match, number)
        lines.append(f'<li><span class="lx-number">{number}</span><span>{words}</span></li>')
    return "".join(reversed(lines)) or '<li><span></span><span class="lx-soft">none yet</span></li>'
