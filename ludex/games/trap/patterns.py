"""Patterns of trap for learned estimates: the cells around a player, and the room.

Every pattern belongs to one seat, and depends on the seat to move and on the phase of the turn.
The two rows on each side of a player are read from the inside, so that what is learned about
one side holds on all four, and under reflection.
"""

from ludex.games.trap.cells import COLUMNS, DISTANCES, ROWS, STEP, free_cells, neighbours, spread
from ludex.games.trap.estimates import cells_reached, freest
from ludex.io.text import many
from ludex.kernel.bits import size as count
from ludex.kernel.jit import shared

# The first index of each kind of pattern, for one kind of turn.
AROUND = 0  # which cells around are free (8 bits), by how far the other seat is
ROOM = AROUND + 3 * 256  # cells within two steps (0 to 24), within three (0 to 48)
APART = ROOM + 25 * 49  # the distance to the other seat, free cells around that one and around
FREEST = APART + 13 * 9 * 9  # the most free cells after a step, free cells now
SIDE = FREEST + 9 * 9  # two rows of five on a side of the seat, and the cells left and right of it
SHARE = SIDE + (1 << 12)  # cells that each seat reaches first; only for the seat to move
ALL = SHARE + 50 * 50
TURNS = ("they throw", "they step", "we throw", "we step")
PATTERNS_SIZE = len(TURNS) * ALL

CLOSE, FAR = 2, 4  # distances up to which the other seat is close, and not far
IN_COLUMN = 0b00001_00001_00001_00001_00001  # the first cells of five rows of five
GATHER = 0x11111  # a factor that gathers every fifth bit from bit 16 on


def patterns(rules, state, seat, places):
    mine, theirs = (state.cell1, state.cell2) if seat == 0 else (state.cell2, state.cell1)
    vacant = free_cells(rules, state)
    ours = state.seat == seat
    base = (2 * ours + (state.phase == STEP)) * ALL
    now = neighbours(rules, mine) & vacant
    two = spread(rules, now) & vacant | now
    three = spread(rules, two) & vacant | two
    apart = int(DISTANCES[rules.size, mine, theirs])
    steps, their_steps = count(now), count(neighbours(rules, theirs) & vacant)
    cells = window(rules, mine, vacant)
    ring = cells >> 6 & 7 | (cells >> 11 & 1) << 3 | (cells >> 13 & 1) << 4 | (cells >> 16 & 7) << 5
    beside = (cells >> 11 & 1 | cells >> 12 & 2) << 10
    upright = (cells >> 7 & 1 | cells >> 16 & 2) << 10
    places[0] = base + AROUND + ((apart > CLOSE) + (apart > FAR)) * 256 + ring
    places[1] = base + ROOM + min(count(two), 24) * 49 + min(count(three), 48)
    places[2] = base + APART + (apart * 9 + their_steps) * 9 + steps
    places[3] = base + FREEST + freest(rules, now, vacant) * 9 + steps
    places[4] = base + SIDE + (beside | cells & 0x3FF)
    places[5] = base + SIDE + (beside | cells >> 20 | (cells >> 15 & 31) << 5)
    places[6] = base + SIDE + (upright | column(cells, 0) | column(cells, 1) << 5)
    places[7] = base + SIDE + (upright | column(cells, 4) | column(cells, 3) << 5)
    if not ours:
        return 8
    first, second = (mine, theirs) if state.phase == STEP else (theirs, mine)
    reached = cells_reached(rules, vacant, 1 << first, 1 << second)
    places[8] = base + SHARE + 50 * reached[0] + reached[1]
    return 9


@shared
def window(rules, cell, vacant):
    """Return the vacant cells of the 5 x 5 window around a cell, as 25 bits row by row."""
    size = rules.size
    row, column = int(ROWS[size, cell]), int(COLUMNS[size, cell])
    bits = 0
    for place in range(5):
        other = row + place - 2
        if 0 <= other < size:
            there = vacant >> other * size & (1 << size) - 1
            bits |= (there << 2 >> column & 31) << 5 * place
    return bits


@shared
def column(cells, place):
    """Return one column of a window as five bits from the top."""
    return (cells >> place & IN_COLUMN) * GATHER >> 16 & 31


# For people. ------------------------------------------------------------------------------------


def patterns_text(rules, place):
    turn, place = divmod(place, ALL)
    return f"{TURNS[turn]}: {kind_text(place)}"


def kind_text(place: int) -> str:
    """Return a pattern in words, without the turn."""
    if place >= SHARE:
        first, second = divmod(place - SHARE, 50)
        return f"who steps next reaches {many(first, 'cell')} first, the other {second}"
    if place >= SIDE:
        place -= SIDE
        outer, inner = row_text(place & 31, 5), row_text(place >> 5 & 31, 5)
        beside = row_text(place >> 10, 2)
        return f"on a side {outer}, before it {inner}, beside us {beside[0]}o{beside[1]}"
    if place >= FREEST:
        most, now = divmod(place - FREEST, 9)
        return f"{many(now, 'free cell')} around, {most} after the best step"
    if place >= APART:
        apart, steps = divmod(place - APART, 81)
        theirs, mine = divmod(steps, 9)
        return f"{apart} apart, {many(mine, 'free cell')} around us, {theirs} around them"
    if place >= ROOM:
        two, three = divmod(place - ROOM, 49)
        return f"{many(two, 'cell')} within two steps, {three} within three"
    far, ring = divmod(place, 256)
    rows = row_text(ring & 7, 3), row_text(ring >> 3 & 3, 2), row_text(ring >> 5, 3)
    shown = f"{rows[0]}/{rows[1][0]}o{rows[1][1]}/{rows[2]}"
    return f"around us {shown}, {('close', 'near', 'far')[far]}"


def row_text(bits: int, cells: int) -> str:
    """Return a row of cells: a dash where one is free, an x where it is not."""
    return "".join("-" if bits >> cell & 1 else "x" for cell in range(cells))
