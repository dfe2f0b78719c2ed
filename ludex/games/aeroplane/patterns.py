"""Patterns of aeroplane chess for learned estimates: each plane, and the race.

A plane is described with the probability that the next roll of each opposing plane captures it;
the race by the difference in moves left, as in the handcrafted estimate. That number is
discretised in several overlapping ways (tile coding), so that the result is smooth. All
patterns depend on the seat to move.
"""

from ludex.games.aeroplane.estimates import MOVES_LEFT, escapes, expected_moves
from ludex.games.aeroplane.places import HANGAR, HOME, PLACES, field_of, planes_of

DANGERS = (0.0, 0.1, 0.2, 0.35)  # thresholds of the probability of a capture
MOST_PLANES = 4
STAGES, STAGE = 5, 16.0  # classes of the moves left of the nearer seat, and their width
CUTS, CLASS = 4, 2.0  # overlapping divisions of the lead into classes, and their width
LARGEST_LEAD = MOST_PLANES * float(MOVES_LEFT.max())
CLASSES = 2 * int(LARGEST_LEAD / CLASS) + 3

# The first index of each kind of pattern, for one kind of turn.
PLANES = 0  # a plane's field and danger
COUNTS = PLANES + (HOME + 1) * (len(DANGERS) + 1)  # planes in the hangar, planes at home, the roll
LEAD = COUNTS + (MOST_PLANES + 1) ** 2 * 7  # the lead, by stage; only for the seat to move
ALL = LEAD + CUTS * STAGES * CLASSES
PATTERNS_SIZE = 2 * ALL


def patterns(rules, state, seat, places):
    ours = state.seat == seat
    base = ALL if ours else 0
    planes = planes_of(state, seat)
    away = home = 0
    for plane in range(rules.planes):
        field = field_of(planes, plane)
        away += field == HANGAR
        home += field == HOME
        danger, caught = 0, 1.0 - escapes(rules, state, seat, planes, field)
        for least in DANGERS:
            danger += caught > least
        places[plane] = base + PLANES + field * (len(DANGERS) + 1) + danger
    counts = (away * (MOST_PLANES + 1) + home) * 7 + state.roll
    places[rules.planes] = base + COUNTS + counts
    if not ours:
        return rules.planes + 1
    mine, nearest = expected_moves(rules, state, seat), 2.0 * LARGEST_LEAD
    for other in range(rules.seats):
        if other != seat:
            nearest = min(nearest, expected_moves(rules, state, other))
    stage = min(int(min(mine, nearest) / STAGE), STAGES - 1)
    for cut in range(CUTS):
        place = int((nearest - mine + LARGEST_LEAD + CLASS * cut / CUTS) / CLASS)
        places[rules.planes + 1 + cut] = base + LEAD + (cut * STAGES + stage) * CLASSES + place
    return rules.planes + 1 + CUTS


# For people. ------------------------------------------------------------------------------------


def patterns_text(rules, place):
    ours, place = divmod(place, ALL)
    return f"{'our' if ours else 'their'} turn: {kind_text(place)}"


def kind_text(place: int) -> str:
    """Return a pattern in words, without the turn."""
    if place >= LEAD:
        cut, place = divmod(place - LEAD, STAGES * CLASSES)
        stage, place = divmod(place, CLASSES)
        lead = place * CLASS - LARGEST_LEAD - CLASS * cut / CUTS
        return f"a lead of {lead:.1f} to {lead + CLASS:.1f} moves, stage {stage}"
    if place >= COUNTS:
        counts, roll = divmod(place - COUNTS, 7)
        away, home = divmod(counts, MOST_PLANES + 1)
        return f"{away} in the hangar, {home} at home, {f'a {roll}' if roll else 'no roll'}"
    field, danger = divmod(place, len(DANGERS) + 1)
    return f"a plane on {PLACES[field]}, danger {danger}"
