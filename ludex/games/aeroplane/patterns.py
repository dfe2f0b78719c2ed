"""What a learned estimate sees of a position of aeroplane chess: each plane, and the race.

A plane is seen with the chance that it is caught by the next roll of each opposing plane; a
seat with the moves that it has left, and those that the others have.
"""

from ludex.compiled import shared
from ludex.games.aeroplane.estimates import MOVES_LEFT, escapes
from ludex.games.aeroplane.places import BITS, CROSSED, FIELD, HOME, on_track, planes_of

DANGERS = 4  # classes of how likely a plane is caught
RACE = 40  # classes of moves left, of RACE_STEP each
RACE_STEP = 4

PLANES = 0  # by field and danger
LEFT = PLANES + (HOME + 1) * DANGERS  # own moves left by those of the other who is nearest
ALL = LEFT + RACE * RACE
PATTERNS_SIZE = 2 * ALL


def patterns(rules, state, seat, places):
    base = ALL if state.seat == seat else 0
    planes = planes_of(state, seat)
    for plane in range(rules.planes):
        field = planes >> BITS * plane & FIELD
        danger = 0
        if on_track(field) or field == CROSSED:
            caught = 1.0 - escapes(rules, state, seat, planes, field)
            danger = (caught > 0.0) + (caught > 0.2) + (caught > 0.4)
        places[plane] = base + PLANES + field * DANGERS + danger
    mine, nearest = race(rules, state, seat), RACE - 1
    for other in range(rules.seats):
        if other != seat:
            nearest = min(nearest, race(rules, state, other))
    places[rules.planes] = base + LEFT + mine * RACE + nearest
    return rules.planes + 1


@shared
def race(rules, state, seat):
    """Return the class of the moves that a seat has left if nobody is caught."""
    planes = planes_of(state, seat)
    total = 0.0
    for plane in range(rules.planes):
        total += MOVES_LEFT[planes >> BITS * plane & FIELD]
    return min(int(total / RACE_STEP), RACE - 1)
