"""The places of Aeroplane Chess: hangar, launch area, track, final stretch, home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.compiled import shared

if TYPE_CHECKING:
    from ludex.games.aeroplane import Aeroplane, AeroplaneRules

BITS = 6
FIELD = (1 << BITS) - 1

SQUARES = 52
QUARTER = 13  # squares from one colour's first square to the next colour's
CAPTURE, BLOCK = 0, 1

# Places of a plane, as fields.
HANGAR, LAUNCH = 0, 1
TRACK_END = 51  # own step 50; the stretch follows
CROSSED = TRACK_END + 3  # where a flight crosses the facing colour's stretch
HOME = 57
FLIGHT_POINT = 19  # own step 18
FLIGHT_END = FLIGHT_POINT + 12
JUMP = 4

# All planes at home, for each number of planes.
ALL_HOME = tuple(sum(HOME << BITS * plane for plane in range(planes)) for planes in range(5))

# For people.
LETTERS = "RBYG"  # the colour of square i is the letter i mod 4
COLOUR_NAMES = ("Red", "Blue", "Yellow", "Green")
PLACES = ("h", "l", *map(str, range(1, 51)), *(f"f{place}" for place in range(1, 6)), "home")


@shared
def on_track(field):
    """Return whether a plane is on one of the 52 squares."""
    return LAUNCH < field <= TRACK_END


def colour(rules: AeroplaneRules, seat: int) -> int:
    """Return the number of a seat's colour."""
    return 1 + 2 * seat if rules.seats == 2 else seat


def first_square(rules: AeroplaneRules, seat: int) -> int:
    """Return the square of a seat's own step 1."""
    return (39 + QUARTER * colour(rules, seat)) % SQUARES


def seat_name(rules: AeroplaneRules, seat: int) -> str:
    return COLOUR_NAMES[colour(rules, seat)]


def fields(rules: AeroplaneRules, planes: int) -> list[int]:
    """Return the fields of a seat's planes."""
    return [planes >> BITS * plane & FIELD for plane in range(rules.planes)]


def planes_on(rules: AeroplaneRules, state: Aeroplane, square: int) -> list[tuple[str, int]]:
    """Return colour letter and number of every plane on a square of the track."""
    return [
        (LETTERS[colour(rules, seat)], plane)
        for seat in range(rules.seats)
        for plane, field in enumerate(fields(rules, state[seat]))
        if on_track(field) and (first_square(rules, seat) + field - 2) % SQUARES == square
    ]
