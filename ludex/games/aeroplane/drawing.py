"""Aeroplane Chess drawn: the text display of its document, and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.games.aeroplane.places import (
    HANGAR,
    HOME,
    LAUNCH,
    LETTERS,
    SQUARES,
    TRACK_END,
    colour,
    fields,
    first_square,
    planes_on,
    seat_name,
)
from ludex.rules import NO_MOVE

if TYPE_CHECKING:
    from ludex.games.aeroplane import Aeroplane, AeroplaneRules

STYLES = {"R": "red", "B": "blue", "Y": "yellow", "G": "green"}
WIDTH = 103


def render(rules: AeroplaneRules, state: Aeroplane, last: int = NO_MOVE) -> str:
    marks = [" "] * SQUARES
    for seat in range(rules.seats):
        marks[first_square(rules, seat)] = "E"
        marks[(first_square(rules, seat) + 49) % SQUARES] = "F"
    track = [planes_on(rules, state, square) for square in range(SQUARES)]
    lines = [summary(rules, state, seat) for seat in range(rules.seats)]
    if state.roll:
        lines.append(f"{seat_name(rules, state.seat)} rolled {state.roll}")
    lines.append(banner("Main track", 33, 105))
    lines.append(" ".join(marks))
    lines.append(" ".join(tinted(LETTERS[square % 4]) for square in range(SQUARES)))
    lines += counted([(planes[0][0], len(planes)) if planes else None for planes in track])
    lines.append(banner("Final Stretches", 40, 105))
    for seat in range(rules.seats):
        letter = LETTERS[colour(rules, seat)]
        lines.append(banner(letter, 45, 105))
        lines.append(" ".join([tinted(letter)] * 7))
        here = fields(rules, state[seat])
        stretch = [here.count(field) for field in range(TRACK_END, HOME)]
        stretch[0] = 0  # the stretch is counted from 1; step 50 is on the track
        lines += counted([(letter, planes) if planes else None for planes in stretch])
    return "\n".join(lines)


def summary(rules: AeroplaneRules, state: Aeroplane, seat: int) -> str:
    """Return how many of a seat's planes are where the track does not show them."""
    here = fields(rules, state[seat])
    places = (("hangar", HANGAR), ("launch", LAUNCH), ("home", HOME))
    counts = "  ".join(f"{name} {here.count(field)}" for name, field in places)
    letter = LETTERS[colour(rules, seat)]
    return f"[{STYLES[letter]}]{seat_name(rules, seat):<6}[/]  {counts}"


def banner(text: str, before: int, width: int) -> str:
    """Return a heading of the display, after so many equal signs."""
    return ("=" * before + text).ljust(width, "=")


def tinted(letter: str) -> str:
    """Return a colour's letter in its colour."""
    return f"[{STYLES[letter]}]{letter}[/]"


def counted(places: list[tuple[str, int] | None]) -> list[str]:
    """Return two lines under a row of places: how many planes stand there, and whose."""
    padding = " " * (WIDTH - 2 * len(places) + 1)
    numbers = " ".join(str(place[1]) if place else " " for place in places)
    letters = " ".join(tinted(place[0]) if place else " " for place in places)
    return [numbers + padding, letters + padding]
