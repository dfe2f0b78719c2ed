"""The expansion of a state: its moves and successors, as a small graph.

Not every state gets an index. Where an action is followed by chance, or chance by an action, the
state between has a single predecessor, and is folded into it. Which of the two is folded depends
on the game: with dice, the states before the roll are few; where each of many actions has its own
risk, those before the action are.

An expansion is a row of nodes, the folded ones first and the state itself last. A node has a
kind, and targets: keys of states, or -1 - NODE for folded ones. A chance node also has
probabilities.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    actions,
    apply,
    at_once,
    canonical,
    chance,
    moves,
    outcomes,
    pair,
    possible,
    turn,
)
from ludex.kernel.bits import lowest
from ludex.kernel.jit import shared
from ludex.solve.states.keys import pack

# What is folded: nothing, chance after an action, a decision after chance.
NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS = 0, 1, 2

# Kinds of nodes: seat 0 wants most, seat 1 least, chance has odds, nothing follows. From MATRIX
# on both choose at once, and what exceeds it is how many columns, seat 1's actions, there are.
MAXIMUM, MINIMUM, ODDS, END, MATRIX = 0, 1, 2, 3, 4


class Scratch(NamedTuple):
    """Arrays with room for any expansion in a game: what `expand` writes into.

    `own` holds the targets of the state itself while those of folded nodes are written.
    """

    kinds: np.ndarray
    degrees: np.ndarray
    targets: np.ndarray
    odds: np.ndarray
    own: np.ndarray


def make_scratch(rules: Rules) -> Scratch:
    """Return the scratch for a game."""
    moves = actions(rules) ** 2 if at_once(rules) else actions(rules)
    widest = max(moves, outcomes(rules))
    room = widest * (1 + max(actions(rules), outcomes(rules)))
    return Scratch(
        np.zeros(widest + 1, np.int64),
        np.zeros(widest + 1, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room),
        np.zeros(widest, np.int64),
    )


@shared
def folds(folding, mover, next_mover):
    """Return whether a state is folded into the one before it, by whose turns they are."""
    if folding == FOLD_CHANCE:
        return next_mover == CHANCE and mover != CHANCE
    return folding == FOLD_DECISIONS and mover == CHANCE and next_mover >= 0


@shared
def kind_of(mover):
    """Return the kind of a node at which one seat, or chance, is to act."""
    return ODDS if mover == CHANCE else mover


@shared
def choices(rules, state, mover):
    """Return what a seat or chance may do, as bits."""
    return possible(rules, state) if mover == CHANCE else moves(rules, state, mover)


@shared
def write_targets(rules, state, mover, fields, targets, odds, begin):
    """Write what may follow a state from a place on, and return the place after it, and 0.

    If a state does not fit into the fields: -1 - FIELD, and the value that does not fit.
    """
    end = begin
    bits = choices(rules, state, mover)
    while bits:
        move = lowest(bits)
        bits &= bits - 1
        after = canonical(rules, apply(rules, state, move))
        key = pack(after, fields)
        if key < 0:
            return key, after[-1 - key]
        place = end
        if mover == CHANCE:
            # Several outcomes may lead to one state.
            place = begin
            while place < end and targets[place] != key:
                place += 1
            p = chance(rules, state, move)
            odds[place] = p if place == end else odds[place] + p
        targets[place] = key
        end = max(end, place + 1)
    return end, 0


# What is called for every state takes the arrays one by one: in a tuple they cost counting who
# holds them, an eighth of the time that listing takes.


@shared
def expand(rules, state, folding, fields, kinds, degrees, targets, odds, own):
    """Write the expansion of a state into scratch; return how many nodes and targets it has.

    degrees[NODE] targets belong to a node, in order. If a state does not fit into the fields:
    -1 - FIELD, and the value that does not fit.
    """
    mover = turn(rules, state)
    if mover == OVER:
        kinds[0], degrees[0] = END, 0
        return 1, 0
    nodes = end = count = columns = 0
    rows = moves(rules, state, 0) if mover == BOTH else choices(rules, state, mover)
    while rows:
        row = lowest(rows)
        rows &= rows - 1
        second = moves(rules, state, 1) if mover == BOTH else 1
        columns = 0
        while second:
            move = pair(row, lowest(second)) if mover == BOTH else row
            second &= second - 1
            columns += 1
            after = apply(rules, state, move)
            next_mover = turn(rules, after)
            if folds(folding, mover, next_mover):
                begin = end
                end, value = write_targets(rules, after, next_mover, fields, targets, odds, begin)
                if end < 0:
                    return end, value
                kinds[nodes], degrees[nodes] = kind_of(next_mover), end - begin
                own[count] = -1 - nodes
                nodes += 1
            else:
                after = canonical(rules, after)
                key = pack(after, fields)
                if key < 0:
                    return key, after[-1 - key]
                own[count] = key
            count += 1
    kinds[nodes] = MATRIX + columns if mover == BOTH else kind_of(mover)
    degrees[nodes] = count
    bits = possible(rules, state) if mover == CHANCE else 0
    for place in range(count):
        targets[end + place] = own[place]
        if mover == CHANCE:
            odds[end + place] = chance(rules, state, lowest(bits))
            bits &= bits - 1
    return nodes + 1, end + count
