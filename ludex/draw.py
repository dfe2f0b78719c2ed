"""Drawing at random, in compiled code.

`rng` is a NumPy generator. Only its `random()` is used, which gives the same numbers compiled
and interpreted.
"""

from ludex.bits import lowest, nth, size
from ludex.compiled import compiled, shared
from ludex.rules import BOTH, CHANCE, OVER, apply, chance, moves, pair, possible, turn


@shared
def draw_bit(bits, rng):
    """Return the index of one of the bits that are set, each as likely."""
    return nth(bits, int(rng.random() * size(bits)))


@compiled
def draw_action(rules, state, seat, rng):
    """Return a legal action of the seat, whose turn it is, each as likely."""
    return draw_bit(moves(rules, state, seat), rng)


@compiled
def draw_outcome(rules, state, rng):
    """Return an outcome of a CHANCE state by its probability."""
    bits = possible(rules, state)
    left = rng.random()
    outcome = lowest(bits)
    while bits:
        outcome = lowest(bits)
        left -= chance(rules, state, outcome)
        if left < 0.0:
            return outcome
        bits &= bits - 1
    return outcome  # the last one, when rounding left a hair


@compiled
def draw_move(rules, state, rng):
    """Return a move of a state that is not OVER, with every seat choosing at random."""
    mover = turn(rules, state)
    if mover == CHANCE:
        return draw_outcome(rules, state, rng)
    if mover == BOTH:
        first = draw_action(rules, state, 0, rng)
        return pair(first, draw_action(rules, state, 1, rng))
    return draw_action(rules, state, mover, rng)


@compiled
def playout(rules, state, rng, plies):
    """Return the state after random moves to the end, or after this many of them."""
    for _ in range(plies):
        if turn(rules, state) == OVER:
            break
        state = apply(rules, state, draw_move(rules, state, rng))
    return state


@compiled
def draw_line(rules, state, rng, line):
    """Fill an array of ints with random moves, and return how many until the end or its end."""
    for ply in range(len(line)):
        if turn(rules, state) == OVER:
            return ply
        line[ply] = draw_move(rules, state, rng)
        state = apply(rules, state, line[ply])
    return len(line)
