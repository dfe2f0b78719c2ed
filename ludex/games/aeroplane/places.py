"""The squares of Aeroplane Chess: hangar, launch area, track, final stretch, home."""

from ludex.core.rules import Rules, State
from ludex.kernel.jit import shared

BITS = 6
FIELD = (1 << BITS) - 1

SQUARES = 52
QUARTER = 13  # squares from one colour's first square to the next colour's
CAPTURE, BLOCK = 0, 1

# Places of a plane, as fields.
HANGAR, LAUNCH = 0, 1
TRACK_END = 51  # own step 50; the stretch follows
CROSSED = TRACK_END + 3  # where a flight of the facing colour crosses the stretch
HOME = 57
FLIGHT_POINT = 19  # own step 18
FLIGHT_END = FLIGHT_POINT + 12
JUMP = 4

# All planes at home, for each number of planes.
ALL_HOME = tuple(sum(HOME << BITS * plane for plane in range(planes)) for planes in range(5))

LETTERS = "RBYG"  # the colour of square i is the letter i mod 4
COLOUR_NAMES = ("Red", "Blue", "Yellow", "Green")
PLACES = ("h", "l", *map(str, range(1, 51)), *(f"f{place}" for place in range(1, 6)), "home")


@shared
def on_track(field):
    """Return whether a plane is on one of the 52 squares."""
    return LAUNCH < field <= TRACK_END


@shared
def planes_of(state, seat):
    """Return the planes of a seat."""
    if seat == 0:
        return state.planes1
    if seat == 1:
        return state.planes2
    return state.planes3 if seat == 2 else state.planes4


@shared
def field_of(planes, plane):
    """Return the field of one of a seat's planes."""
    return planes >> BITS * plane & FIELD


@shared
def count_on(rules, planes, field):
    """Return how many of a seat's planes stand on a field."""
    count = 0
    for plane in range(rules.planes):
        count += field_of(planes, plane) == field
    return count


@shared
def field_seen(rules, seat, field, other):
    """Return the field of another seat for the square of this seat's plane.

    It is HANGAR if the plane is not on the track, or planes of the other seat never go there.
    """
    if not on_track(field):
        return HANGAR
    # Two seats face each other, two quarters apart.
    quarters = 2 * (seat - other) if rules.seats == 2 else seat - other
    there = (field - 2 + QUARTER * quarters) % SQUARES + 2
    return there if there <= TRACK_END else HANGAR


@shared
def faces(rules, seat, other):
    """Return whether this seat's flight crosses the other seat's stretch."""
    return other != seat and (rules.seats == 2 or (seat - other) % 4 == 2)


@shared
def landing(field, roll):
    """Return the field that a plane reaches by a roll; past home it walks back."""
    if field == HANGAR:
        return LAUNCH
    field += roll
    return field if field <= HOME else 2 * HOME - field


@shared
def field_after_jump(field):
    """Return the field of a plane after its jump or flight from the square that it reached.

    Own-colour squares are the own steps 2, 6, 10, …: one jump, one flight, in either order.
    """
    if not on_track(field) or field % 4 != 3:
        return field
    if field == FLIGHT_POINT:
        return FLIGHT_END + JUMP
    return FLIGHT_END if field + JUMP == FLIGHT_POINT else field + JUMP


# For people. ------------------------------------------------------------------------------------


def colour(rules: Rules, seat: int) -> int:
    """Return the number of a seat's colour."""
    return 1 + 2 * seat if rules.seats == 2 else seat


def letter(rules: Rules, seat: int) -> str:
    """Return the letter of a seat's colour."""
    return LETTERS[colour(rules, seat)]


def first_square(rules: Rules, seat: int) -> int:
    """Return the square of a seat's own step 1."""
    return (39 + QUARTER * colour(rules, seat)) % SQUARES


def seat_name(rules: Rules, seat: int) -> str:
    return COLOUR_NAMES[colour(rules, seat)]


def fields(rules: Rules, planes: int) -> list[int]:
    """Return the fields of a seat's planes."""
    return [field_of(planes, plane) for plane in range(rules.planes)]


def letters_on(rules: Rules, state: State, square: int) -> list[str]:
    """Return the colour letter of every plane on a square of the track."""
    return [
        letter(rules, seat)
        for seat in range(rules.seats)
        for field in fields(rules, state[seat])
        if on_track(field) and (first_square(rules, seat) + field - 2) % SQUARES == square
    ]
