"""Aeroplane Chess as planes, as networks see it: a row for each seat, the own one first."""

from ludex.games.aeroplane.places import BITS, FIELD, HOME, planes_of

# The share of a seat's planes on each place of its own way, from the hangar to home; then, the
# same everywhere: the roll in sixths, and whether it is the seat's turn.
PLACES, ROLL, TURN = range(3)


def view_shape(rules):
    return 3, rules.seats, HOME + 1


def view(rules, state, seat, planes):
    for row in range(rules.seats):
        fields = planes_of(state, (seat + row) % rules.seats)
        for plane in range(rules.planes):
            planes[PLACES, row, fields >> BITS * plane & FIELD] += 1.0 / rules.planes
        for place in range(HOME + 1):
            planes[ROLL, row, place] = state.roll / 6.0
            planes[TURN, row, place] = 1 if state.seat == seat else 0
