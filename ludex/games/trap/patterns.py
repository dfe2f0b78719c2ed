"""What a learned estimate sees of a position of trap: patterns around a seat, and its room.

Each pattern is seen by one seat, and apart for whether it steps next. The eight cells around a
seat and the eight beyond a quarter turn are read in the same way from all four sides, so that
what is learned on one side holds on the others.
"""

from ludex.bits import size as count
from ludex.compiled import shared
from ludex.games.trap.cells import DISTANCES, STEP, free, neighbours, spread
from ludex.games.trap.estimates import freest

# Where each kind of pattern begins among the weights, without the doubling by who steps next.
NEAR = 0  # the free cells around: 8 bits
ROOM = NEAR + 256  # cells within two steps (0 to 24), within three (0 to 48)
APART = ROOM + 25 * 49  # the distance to the other seat, the free cells around that one
SHARE = APART + 13 * 9  # cells that the seat reaches first, of 49
NEXT = SHARE + 50  # the most free cells after a step (0 to 8), and the free cells now
ALL = NEXT + 9 * 9
PATTERNS_SIZE = 2 * ALL


@shared
def around(rules, cell, vacant):
    """Return which cells around a cell are vacant, as 8 bits row by row."""
    size = rules.size
    row, column = cell // size, cell % size
    bits = 0
    place = 0
    for down in range(-1, 2):
        for right in range(-1, 2):
            if down == 0 and right == 0:
                continue
            if 0 <= row + down < size and 0 <= column + right < size:
                bits |= (vacant >> cell + down * size + right & 1) << place
            place += 1
    return bits


def patterns(rules, state, seat, places):
    mine, theirs = (state.cell1, state.cell2) if seat == 0 else (state.cell2, state.cell1)
    vacant = free(rules, state)
    steps_next = (state.seat == seat) == (state.phase == STEP)
    base = ALL if steps_next else 0
    now = neighbours(rules, mine) & vacant
    two = spread(rules, now) & vacant | now
    three = spread(rules, two) & vacant | two
    places[0] = base + NEAR + around(rules, mine, vacant)
    places[1] = base + ROOM + min(count(two), 24) * 49 + min(count(three), 48)
    apart = int(DISTANCES[rules.size, mine, theirs])
    places[2] = base + APART + apart * 9 + count(neighbours(rules, theirs) & vacant)
    places[3] = base + SHARE + reached(rules, vacant, 1 << mine, 1 << theirs, steps_next)
    places[4] = base + NEXT + freest(rules, now, vacant) * 9 + count(now)
    return 5


@shared
def reached(rules, vacant, mine, theirs, first):
    """Return how many cells a seat reaches before the other, if both walk by turns."""
    found = 0
    while found != mine | theirs:
        found = mine | theirs
        if first:
            mine |= spread(rules, mine) & vacant & ~theirs
            theirs |= spread(rules, theirs) & vacant & ~mine
        else:
            theirs |= spread(rules, theirs) & vacant & ~mine
            mine |= spread(rules, mine) & vacant & ~theirs
    return count(mine)
