"""Random sampling in compiled code.

`rng` is a NumPy generator. Only its `random()` is used, which gives the same numbers compiled
and interpreted. Functions named `pick` are for compiled code, those named `draw` for all code.
"""

from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    apply,
    chance,
    moves,
    pair,
    possible,
    resample,
    turn,
)
from ludex.kernel.bits import lowest, members, nth, size
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import write_column


@shared
def nth_share(bits, share):
    """Return the number of a set at a share of it, from 0 to below 1."""
    return nth(bits, int(share * size(bits)))


@shared
def outcome_at(rules, state, share):
    """Return the outcome of a CHANCE state at a share of the probability, from 0 to below 1."""
    bits = possible(rules, state)
    left = share
    outcome = lowest(bits)
    for outcome in members(bits):
        left -= chance(rules, state, outcome)
        if left < 0.0:
            return outcome
    return outcome  # the last one, in case of rounding


@shared
def pick(bits, rng):
    """Return the index of a set bit, chosen uniformly at random."""
    return nth_share(bits, rng.random())


@shared
def pick_outcome(rules, state, rng):
    """Return an outcome of a CHANCE state, drawn by its probability."""
    return outcome_at(rules, state, rng.random())


@shared
def pick_move(rules, state, mover, rng):
    """Return a random move of a state whose turn is `mover`."""
    if mover == CHANCE:
        return pick_outcome(rules, state, rng)
    if mover == BOTH:
        first = pick(moves(rules, state, 0), rng)
        return pair(first, pick(moves(rules, state, 1), rng))
    return pick(moves(rules, state, mover), rng)


draw_outcome = compiled(pick_outcome)


@compiled
def draw_states(rules, seen, seat, rng, columns):
    """Fill columns with states that look so to the seat, drawn at random."""
    for place in range(columns.shape[1]):
        write_column(resample(rules, seen, seat, rng), columns, place)


@compiled
def playout(rules, state, rng, plies):
    """Return the state after random moves: the end, or that after `plies` of them."""
    for _ in range(plies):
        mover = turn(rules, state)
        if mover == OVER:
            break
        state = apply(rules, state, pick_move(rules, state, mover, rng))
    return state


@compiled
def draw_moves(rules, state, rng, line):
    """Fill an array with random moves up to the end of the match; return their number."""
    for ply in range(len(line)):
        mover = turn(rules, state)
        if mover == OVER:
            return ply
        move = pick_move(rules, state, mover, rng)
        line[ply] = move
        state = apply(rules, state, move)
    return len(line)
