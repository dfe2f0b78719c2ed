"""Perft: count lines of play, the quickest test that rules are right.

A decision is one ply, a chance outcome is one ply, and a pair of simultaneous actions is one
ply. A finished match has no further lines.
"""

from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State, apply, moves, pair, possible, turn
from ludex.kernel.bits import members, size
from ludex.kernel.jit import compiled


@compiled
def lines(rules, state, depth):
    """Return how many lines of play are this many plies long; depth is 1 or more."""
    mover = turn(rules, state)
    if mover == OVER:
        return 0
    if mover == BOTH:
        total = 0
        first = moves(rules, state, 0)
        if depth == 1:
            return size(first) * size(moves(rules, state, 1))
        for one in members(first):
            for other in members(moves(rules, state, 1)):
                total += lines(rules, apply(rules, state, pair(one, other)), depth - 1)
        return total
    bits = possible(rules, state) if mover == CHANCE else moves(rules, state, mover)
    if depth == 1:
        return size(bits)
    total = 0
    for move in members(bits):
        total += lines(rules, apply(rules, state, move), depth - 1)
    return total


def counts(rules: Rules, state: State, depth: int) -> list[int]:
    """Return the number of lines for each depth up to this one, depth 1 first."""
    return [int(lines(rules, state, plies)) for plies in range(1, depth + 1)]
