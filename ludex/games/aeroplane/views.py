"""Observation planes of Aeroplane Chess: a row for each seat, the own one first."""

from ludex.games.aeroplane.places import HOME, field_of, planes_of

# The share of a seat's planes on each place of its way, from the hangar to home; then, constant in
# a row, the roll in sixths, and whether it is this seat's turn. From OWN on, in the first row, the
# place of each own plane, because actions are numbered by planes.
PLACES, ROLL, TURN, OWN = range(4)


def view_shape(rules):
    return OWN + rules.planes, rules.seats, HOME + 1


def view(rules, state, seat, planes):
    for row in range(rules.seats):
        who = (seat + row) % rules.seats
        fields = planes_of(state, who)
        for plane in range(rules.planes):
            field = field_of(fields, plane)
            planes[PLACES, row, field] += 1.0 / rules.planes
            if row == 0:
                planes[OWN + plane, row, field] = 1
        for place in range(HOME + 1):
            planes[ROLL, row, place] = state.roll / 6.0
            planes[TURN, row, place] = 1 if state.seat == who else 0
