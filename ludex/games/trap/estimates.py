"""The estimates of trap: the three scores of the document, and two of ours.

The document's scores (its section 2.3.1) count the possible next steps. `area` also compares the
room beyond and who is nearer to it. `free` counts only the steps of one seat: after a step, those
of the player who stepped; after a landing, those of the player who was thrown at.
"""

import math

from ludex.core.rules import moves, possible
from ludex.core.search_profile import style_part
from ludex.games.trap.cells import STEP, free_cells, neighbours, spread, steps
from ludex.kernel.bits import members
from ludex.kernel.bits import size as count
from ludex.kernel.jit import shared

STYLES = {
    "estimate": ("area", "is", "ais", "ocls", "free"),
    "throws": ("near", "all"),
    "chance": ("full", "target"),
}
AREA, IS, AIS, OCLS, FREE = range(5)
NEAR = FULL = 0

# Bounds of the document's scores: eight neighbours with eight each. Divisors are one larger.
MOST_STEPS = 8
MOST_LOOKAHEAD = MOST_STEPS * MOST_STEPS

# The weights of `area`: a step now, a cell within two steps, one within three, a step after the
# freest step, all cells reached first. Of six sets and `ocls`, 300 matches a
# pair at depth 3, none was clearly better and those without FIRST were worse. A score of WHOLE
# has a value of about 0.7.
NOW, WITHIN_TWO, WITHIN_THREE, NEXT, FIRST = 2, 1, 1, 4, 27
WHOLE = 33.0


def estimate(rules, state, seat):
    return area_score(rules, state, seat)


def estimate_as(rules, state, seat, profile):
    score = style_part(profile, 0)
    if score == AREA:
        return area_score(rules, state, seat)
    if score == OCLS:
        difference = lookahead(rules, state, seat) - lookahead(rules, state, 1 - seat)
        return difference / (MOST_LOOKAHEAD + 1)
    mine = count(steps(rules, state, seat))
    theirs = count(steps(rules, state, 1 - seat))
    if score == FREE:
        return (mine if seat == state.seat else -theirs) / (MOST_STEPS + 1)
    if score == AIS:
        return (mine - 2 * theirs) / (2 * MOST_STEPS + 1)
    return (mine - theirs) / (MOST_STEPS + 1)


@shared
def lookahead(rules, state, seat):
    """Return the number of pairs of a step of a seat and its next step."""
    left = 1 << (state.cell1 if seat == 0 else state.cell2)
    vacant = free_cells(rules, state) | left  # the seat may step back to where it came from
    total = 0
    for cell in members(steps(rules, state, seat)):
        total += count(neighbours(rules, cell) & vacant)
    return total


@shared
def area_score(rules, state, seat):
    """Return the `area` score: the lead of a seat in room, strictly between -1 and 1."""
    vacant = free_cells(rules, state)
    balance = room(rules, vacant, state.cell1) - room(rules, vacant, state.cell2)
    # At equal distance, the seat that steps next is there first.
    if (state.seat == 0) == (state.phase == STEP):
        mine, theirs = cells_reached(rules, vacant, 1 << state.cell1, 1 << state.cell2)
    else:
        theirs, mine = cells_reached(rules, vacant, 1 << state.cell2, 1 << state.cell1)
    score = (balance + FIRST * ((mine - theirs) / (mine + theirs))) / WHOLE
    score /= math.sqrt(1.0 + score * score)
    return score if seat == 0 else -score


@shared
def room(rules, vacant, cell):
    """Return the room around a cell, by the weights of `area`."""
    now = neighbours(rules, cell) & vacant
    two = spread(rules, now) & vacant | now
    three = spread(rules, two) & vacant | two
    return (
        NOW * count(now)
        + WITHIN_TWO * count(two)
        + WITHIN_THREE * count(three)
        + NEXT * freest(rules, now, vacant)
    )


@shared
def freest(rules, now, vacant):
    """Return the largest number of vacant cells around one of some cells."""
    most = 0
    for cell in members(now):
        most = max(most, count(neighbours(rules, cell) & vacant))
    return most


@shared
def cells_reached(rules, vacant, first, second):
    """Return how many cells each reaches before the other, walking over vacant cells by turns."""
    found = 0
    while found != first | second:
        found = first | second
        first |= spread(rules, first) & vacant & ~second
        second |= spread(rules, second) & vacant & ~first
    return count(first), count(second)


def candidates(rules, state, seat, profile):
    if state.phase == STEP or style_part(profile, 1) != NEAR:
        return moves(rules, state, seat)
    near = steps(rules, state, 1 - seat)
    return near if near else moves(rules, state, seat)


def foreseen(rules, state, profile):
    return possible(rules, state) if style_part(profile, 2) == FULL else 1 << state.target
