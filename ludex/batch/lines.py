"""Lines of play below a position, counted without recursion, which a card does not have.

Written once for the CPU and for a card, as `stepping` is.
"""

from typing import NamedTuple

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER
from ludex.kernel.bits import NumberSet, exclude, is_empty, lowest, size
from ludex.kernel.jit import shared
from ludex.kernel.tuples import from_column, write_column


class Untried(NamedTuple):
    """The moves of a node that are still to be tried."""

    own: NumberSet
    """Those of the seat to move or of chance; at simultaneous moves, those of seat 0."""
    others: NumberSet
    """At simultaneous moves, those of seat 1 beside the lowest of seat 0; else 0 alone."""


@shared
def no_moves_left(rules):
    """Return untried moves if there are none."""
    return Untried(ask.no_moves(rules), ask.lone_move(rules))


@shared
def moves_from(rules, state):
    """Return all moves from a state as untried."""
    mover = ask.turn(rules, state)
    if mover == OVER:
        return no_moves_left(rules)
    if mover == CHANCE:
        return Untried(ask.possible(rules, state), ask.lone_move(rules))
    if mover == BOTH:
        return Untried(ask.moves(rules, state, 0), ask.moves(rules, state, 1))
    return Untried(ask.moves(rules, state, mover), ask.lone_move(rules))


@shared
def move_count(untried):
    """Return how many moves there are, if none has been tried."""
    return size(untried.own) * size(untried.others)


@shared
def next_move(rules, state, untried):
    """Return the first of the untried moves, and the others."""
    own = lowest(untried.own)
    if ask.turn(rules, state) != BOTH:
        return own, Untried(exclude(untried.own, own), untried.others)
    other = lowest(untried.others)
    rest = exclude(untried.others, other)
    if not is_empty(rest):
        return ask.pair(own, other), Untried(untried.own, rest)
    left = exclude(untried.own, own)
    return ask.pair(own, other), Untried(left, ask.moves(rules, state, 1))


@shared
def count_lines(rules, first, none, positions, depth, stack, totals, part):
    """Add up how many lines are 1, 2, … `depth` plies long below a part of the positions.

    A part is a number, the end, and the stride to the next. The stack, and the totals, have their
    own places for each part: column `stride * level + number`. It has states and untried moves,
    and is used from the second level on; the node at hand is in registers.
    """
    states, sets = stack
    position, high, stride = part
    lane, level, deepest = position, 0, 0  # most nodes are deepest: their sum is in a register
    state, untried = first, none
    while True:
        if is_empty(untried.own):
            if level > 0:
                level -= 1
                state = from_column(first, states, stride * level + lane)
                untried = from_column(none, sets, stride * level + lane)
                continue
            if position >= high:
                break
            state = from_column(first, positions, position)
            untried = moves_from(rules, state)
            totals[lane] += move_count(untried)
            position += stride
            if depth == 1:
                untried = none
            continue
        move, untried = next_move(rules, state, untried)
        child = ask.apply(rules, state, move)
        below = moves_from(rules, child)
        if level + 2 == depth:
            deepest += move_count(below)
        else:
            totals[stride * (level + 1) + lane] += move_count(below)
        if level + 2 < depth and not is_empty(below.own):
            write_column(state, states, stride * level + lane)
            write_column(untried, sets, stride * level + lane)
            level += 1
            state, untried = child, below
    if deepest:
        totals[stride * (depth - 1) + lane] += deepest
