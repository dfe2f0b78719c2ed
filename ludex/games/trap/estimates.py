"""How good a position of trap looks: the three scores of the document, and one of ours.

The document's scores (its section 2.3.1) count the steps that are possible next; `area` also
counts who is nearer to the open cells.
"""

from ludex.bits import lowest
from ludex.bits import size as count
from ludex.compiled import shared
from ludex.games.trap.cells import STEP, free, neighbours, steps
from ludex.rules import moves, possible, style_part

STYLES = {
    "estimate": ("area", "is", "ais", "ocls"),
    "throws": ("near", "all"),
    "chance": ("full", "target"),
}
AREA, IS, AIS, OCLS = range(4)
NEAR = FULL = 0

# Eight neighbours with eight each bound the scores of the document; one more keeps them inside.
MOST_STEPS = 8
MOST_LOOKAHEAD = MOST_STEPS * MOST_STEPS


def estimate(rules, state, seat):
    return area_score(rules, state, seat)


def estimate_as(rules, state, seat, style):
    score = style_part(style, 0)
    if score == AREA:
        return area_score(rules, state, seat)
    if score == OCLS:
        difference = lookahead(rules, state, seat) - lookahead(rules, state, 1 - seat)
        return difference / (MOST_LOOKAHEAD + 1)
    mine = count(steps(rules, state, seat))
    theirs = count(steps(rules, state, 1 - seat))
    if score == AIS:
        return (mine - 2 * theirs) / (2 * MOST_STEPS + 1)
    return (mine - theirs) / (MOST_STEPS + 1)


@shared
def lookahead(rules, state, seat):
    """Return the sum, over the steps that a seat could take, of the steps it could take next."""
    left = 1 << (state.cell1 if seat == 0 else state.cell2)
    vacant = free(rules, state) | left  # the seat may step back to where it came from
    bits = steps(rules, state, seat)
    total = 0
    while bits:
        total += count(neighbours(rules, lowest(bits)) & vacant)
        bits &= bits - 1
    return total


@shared
def area_score(rules, state, seat):
    """Return our own estimate."""
    mine = count(steps(rules, state, seat))
    theirs = count(steps(rules, state, 1 - seat))
    return (mine - theirs) / (MOST_STEPS + 1)


def candidates(rules, state, seat, style):
    if state.phase == STEP or style_part(style, 1) != NEAR:
        return moves(rules, state, seat)
    near = steps(rules, state, 1 - seat)
    return near if near else moves(rules, state, seat)


def foreseen(rules, state, style):
    return possible(rules, state) if style_part(style, 2) == FULL else 1 << state.target
