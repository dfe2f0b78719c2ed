"""The estimate of aeroplane chess: the moves that each seat has left.

The moves left of a plane are the expected number that it needs to come home alone, with all its
jumps and flights. A plane that opponents could capture with their next roll counts as captured
with that probability. The fewer moves a seat has left, the likelier it wins.
"""

import math

import numpy as np

from ludex.games.aeroplane import places
from ludex.games.aeroplane.places import BLOCK, CROSSED, HANGAR, HOME, LAUNCH, TRACK_END
from ludex.kernel.jit import shared

DIE = range(1, 7)

# The log-odds of winning per move saved, fitted to 4,000 matches of depth 1 against itself (0.07 to
# 0.09).
EDGE = 0.08


def moves_left() -> np.ndarray:
    """Return the expected number of moves that a plane on each field needs to come home alone."""
    step = np.eye(HOME + 1)
    for field in range(LAUNCH, HOME):
        for roll in DIE:
            step[field, places.field_after_jump(places.landing(field, roll))] -= 1 / len(DIE)
    cost = np.ones(HOME + 1)
    cost[HOME] = 0.0
    step[HANGAR, LAUNCH] = -1.0
    cost[HANGAR] = len(DIE)  # one roll in six lets it out
    return np.linalg.solve(step, cost)


def catches() -> np.ndarray:
    """Return the probability that a roll takes a plane from one field to another, to capture there.

    For CROSSED it is that of a flight across the stretch of the facing colour.
    """
    table = np.zeros((HOME + 1, HOME + 1))
    for field in range(LAUNCH, TRACK_END):
        for roll in DIE:
            landed = places.landing(field, roll)
            end = places.field_after_jump(landed)
            for square in {landed, end}:
                if places.on_track(square):
                    table[field, square] += 1 / len(DIE)
            if end - landed > places.JUMP:
                table[field, CROSSED] += 1 / len(DIE)
    return table


MOVES_LEFT, CATCHES = moves_left(), catches()


def estimate(rules, state, seat):
    mine = expected_moves(rules, state, seat)
    total = 1.0
    for other in range(rules.seats):
        if other != seat:
            total += math.exp(EDGE * (mine - expected_moves(rules, state, other)))
    # A seat that wins with probability p expects p - (1 - p) / (seats - 1).
    return (rules.seats / total - 1.0) / (rules.seats - 1)


@shared
def expected_moves(rules, state, seat):
    """Return the expected moves that a seat has left, including the risk of captures."""
    planes = places.planes_of(state, seat)
    total = 0.0
    for plane in range(rules.planes):
        field = places.field_of(planes, plane)
        spared = escapes(rules, state, seat, planes, field)
        total += spared * MOVES_LEFT[field] + (1.0 - spared) * MOVES_LEFT[HANGAR]
    return total


@shared
def escapes(rules, state, seat, planes, field):
    """Return the probability that no plane of others, rolling once each, captures a plane."""
    track = places.on_track(field)
    if not track and field != CROSSED:
        return 1.0
    if track and rules.stacks == BLOCK and places.count_on(rules, planes, field) > 1:
        return 1.0
    spared = 1.0
    for other in range(rules.seats):
        if other != seat:
            there = places.field_seen(rules, seat, field, other)
            if field == CROSSED and places.faces(rules, other, seat):
                there = CROSSED
            theirs = places.planes_of(state, other)
            for plane in range(rules.planes):
                spared *= 1.0 - CATCHES[places.field_of(theirs, plane), there]
    return spared
