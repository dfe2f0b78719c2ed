"""The expansion of a state: its moves and successors, as a small graph.

Not every state gets an index. Where an action of a seat is followed by chance, or chance by such an
action, the state between has a single predecessor, and is folded into it. Which of the two is
folded depends on the game: with dice, the states before the roll are few; where each of many
actions has its own risk, those before the action are.

An expansion is a row of nodes, the folded ones first and the state itself last. A node has a
kind, and targets: keys of states, or -1 - NODE for folded ones. A chance node also has
probabilities.
"""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER, Rules
from ludex.kernel.bits import members
from ludex.kernel.hash_table import holds
from ludex.kernel.jit import shared
from ludex.kernel.tuples import flatten, write_row
from ludex.solve.states.keys import pack

# What is folded: nothing, chance after an action, a decision after chance.
NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS = 0, 1, 2

# Kinds of nodes: seat 0 maximises, seat 1 minimises, chance, the end of the match. MATRIX + n is a
# simultaneous move with n columns, the actions of seat 1.
MAXIMUM, MINIMUM, EXPECTATION, TERMINAL, MATRIX = 0, 1, 2, 3, 4


class Scratch(NamedTuple):
    """Arrays with room for any expansion in a game, into which `expand` writes.

    `own` holds the targets of the state itself while those of folded nodes are written. `seen`
    remembers the last state after each outcome, and its key: after many actions chance leads to the
    same states. It is for one kind of fields, and has no rows where keys are found as fast.
    """

    kinds: np.ndarray
    degrees: np.ndarray
    targets: np.ndarray
    chances: np.ndarray
    own: np.ndarray
    seen: np.ndarray


def make_scratch(rules: Rules) -> Scratch:
    """Return the scratch for a game."""
    moves = ask.actions(rules) ** 2 if ask.at_once(rules) else ask.actions(rules)
    widest = max(moves, ask.outcomes(rules))
    room = widest * (1 + max(ask.actions(rules), ask.outcomes(rules)))
    symmetric = ask.answers(ask.game_of(rules), "canonical")
    width = len(flatten(ask.initial(rules)))
    return Scratch(
        np.zeros(widest + 1, np.int64),
        np.zeros(widest + 1, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room),
        np.zeros(widest, np.int64),
        np.zeros((ask.outcomes(rules) if symmetric else 0, width + 1), np.int64),
    )


@shared
def folds(folding, mover, next_mover):
    """Return whether a state is folded into its predecessor, by the movers of both."""
    if folding == FOLD_CHANCE:
        return next_mover == CHANCE and mover >= 0
    return folding == FOLD_DECISIONS and mover == CHANCE and next_mover >= 0


@shared
def kind_of(mover):
    """Return the kind of a node at which a seat or chance is to move."""
    return EXPECTATION if mover == CHANCE else mover


@shared
def choices(rules, state, mover):
    """Return the moves of a seat or chance, as a bit set."""
    return ask.possible(rules, state) if mover == CHANCE else ask.moves(rules, state, mover)


@shared
def key_after(rules, state, move, fields, seen):
    """Return the key of the state after a move of chance."""
    after = ask.apply(rules, state, move)
    if len(seen) == 0:
        return pack(ask.canonical(rules, after), fields)
    if not holds(after, seen, move):
        key = pack(ask.canonical(rules, after), fields)
        write_row(after, seen, move)
        seen[move, len(flatten(after))] = key + 1 if key >= 0 else key
    entry = int(seen[move, len(flatten(after))])
    return entry - 1 if entry > 0 else entry


@shared
def write_targets(rules, state, mover, fields, targets, chances, begin, seen):
    """Write the successors of a state from a place on; return the place after them, and 0.

    If a state does not fit into the fields: -1 - FIELD, and the value that does not fit.
    """
    end = begin
    for move in members(choices(rules, state, mover)):
        if mover == CHANCE:
            key = key_after(rules, state, move, fields, seen)
        else:
            key = pack(ask.canonical(rules, ask.apply(rules, state, move)), fields)
        if key < 0:
            after = ask.canonical(rules, ask.apply(rules, state, move))
            return key, flatten(after)[-1 - key]
        place = end
        if mover == CHANCE:
            # Several outcomes may lead to the same state.
            place = begin
            while place < end and targets[place] != key:
                place += 1
            p = ask.chance(rules, state, move)
            chances[place] = p if place == end else chances[place] + p
        targets[place] = key
        end = max(end, place + 1)
    return end, 0


@shared
def expand(rules, state, folding, fields, kinds, degrees, targets, chances, own, seen):
    """Write the expansion of a state into scratch; return its numbers of nodes and targets.

    Node i has degrees[i] targets, in order. If a state does not fit into the fields: -1 - FIELD,
    and the value that does not fit.
    """
    mover = ask.turn(rules, state)
    if mover == OVER:
        kinds[0], degrees[0] = TERMINAL, 0
        return 1, 0
    nodes = end = count = columns = 0
    rows = ask.moves(rules, state, 0) if mover == BOTH else choices(rules, state, mover)
    for row in members(rows):
        second = ask.moves(rules, state, 1) if mover == BOTH else ask.lone_move(rules)
        columns = 0
        for column in members(second):
            move = ask.pair(row, column) if mover == BOTH else row
            columns += 1
            after = ask.apply(rules, state, move)
            next_mover = ask.turn(rules, after)
            if folds(folding, mover, next_mover):
                begin = end
                end, value = write_targets(
                    rules, after, next_mover, fields, targets, chances, begin, seen
                )
                if end < 0:
                    return end, value
                kinds[nodes], degrees[nodes] = kind_of(next_mover), end - begin
                own[count] = -1 - nodes
                nodes += 1
            else:
                after = ask.canonical(rules, after)
                key = pack(after, fields)
                if key < 0:
                    return key, flatten(after)[-1 - key]
                own[count] = key
            count += 1
    kinds[nodes] = MATRIX + columns if mover == BOTH else kind_of(mover)
    degrees[nodes] = count
    for place in range(count):
        targets[end + place] = own[place]
    if mover == CHANCE:
        for place, outcome in enumerate(members(ask.possible(rules, state))):
            chances[end + place] = ask.chance(rules, state, outcome)
    return nodes + 1, end + count
