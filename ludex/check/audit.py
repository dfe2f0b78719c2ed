"""The contract in compiled code: fast enough for thousands of lines of play."""

from ludex.compiled import compiled
from ludex.rules import (
    BOTH,
    CHANCE,
    OVER,
    actions,
    apply,
    chance,
    estimate,
    moves,
    outcomes,
    possible,
    returns,
    seats,
    turn,
)

CLOSE = 1e-9  # what rounding may do to a sum


@compiled
def answers(rules, state, told):
    """Fill an array of 80 zeros with all that the game says about a state."""
    mover = turn(rules, state)
    told[0] = mover
    if mover == OVER:
        for seat in range(seats(rules)):
            told[1 + seat] = returns(rules, state, seat)
    elif mover == CHANCE:
        told[1] = possible(rules, state)
        for outcome in range(outcomes(rules)):
            told[2 + outcome] = chance(rules, state, outcome)
    elif mover == BOTH:
        told[1] = moves(rules, state, 0)
        told[2] = moves(rules, state, 1)
    else:
        told[1] = moves(rules, state, mover)
    for seat in range(seats(rules)):
        told[70 + seat] = estimate(rules, state, seat)


@compiled
def applied(rules, state, move):
    """Return the next state."""
    return apply(rules, state, move)


@compiled
def keeps(rules, state):
    """Return whether a state keeps the promises about turns, moves, chances and returns."""
    mover = turn(rules, state)
    if mover == OVER:
        total = 0.0
        for seat in range(seats(rules)):
            worth = returns(rules, state, seat)
            if not -1.0 <= worth <= 1.0:
                return False
            total += worth
        return abs(total) < CLOSE
    for seat in range(seats(rules)):
        if not -1.0 < estimate(rules, state, seat) < 1.0:
            return False
    if mover == CHANCE:
        total = 0.0
        for outcome in range(outcomes(rules)):
            p = chance(rules, state, outcome)
            if not 0.0 <= p <= 1.0 or (p > 0.0) != (possible(rules, state) >> outcome & 1 == 1):
                return False
            total += p
        return abs(total - 1.0) < CLOSE
    if mover == BOTH:
        both = moves(rules, state, 0) > 0 and moves(rules, state, 1) > 0
        return both and (moves(rules, state, 0) | moves(rules, state, 1)) >> actions(rules) == 0
    if not 0 <= mover < seats(rules):
        return False
    return moves(rules, state, mover) > 0 and moves(rules, state, mover) >> actions(rules) == 0


@compiled
def audit(rules, state, line):
    """Return after how many moves of a line a promise is broken, or -1."""
    for ply in range(len(line)):
        if not keeps(rules, state):
            return ply
        state = apply(rules, state, int(line[ply]))
    return -1 if keeps(rules, state) else len(line)
