"""A sequence of expansions with indices in place of keys, over which values are iterated.

It is read sequentially only, so that no place in it needs an address: a node has an index, a kind
and the number of its targets, which follow it. Folded nodes come before the state that they belong
to, with indices above those of all states.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import Rules, actions, at_once, returns
from ludex.kernel.jit import compiled, shared
from ludex.kernel.matrix_game import guarantees, solve
from ludex.solve.states.keys import unpack
from ludex.solve.states.state_space import number_of
from ludex.solve.states.successors import END, MATRIX, MAXIMUM, ODDS, expand

# Places in the array of numbers that writing a tape works with: how much is written of nodes,
# targets and chances, how many nodes are folded, and how many targets had no value yet.
NODES, TARGETS, CHANCES, FOLDED, UNKNOWN = range(5)


class Tape(NamedTuple):
    """The arrays of a tape, and how much of them is written."""

    numbers: np.ndarray
    kinds: np.ndarray
    degrees: np.ndarray
    targets: np.ndarray
    chances: np.ndarray
    work: np.ndarray


def make_tape(nodes: int, targets: int, chances: int) -> Tape:
    """Return an empty tape with room for so many nodes, targets and chances."""
    return Tape(
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int16),
        np.zeros(targets, np.int32),
        np.zeros(chances),
        np.zeros(UNKNOWN + 1, np.int64),
    )


# Sweeps are called thousands of times for a small game, and Numba takes longer to tell the type of
# a named tuple than of a plain one: a tape is handed to them as `tuple(tape)`.
Matrices = tuple[np.ndarray, np.ndarray, np.ndarray]


def make_matrices(rules: Rules) -> Matrices:
    """Return scratch for states where both choose at once.

    It is three matrices (what each pair of actions is worth, its hope and its progress), three
    mixtures, and a tableau.
    """
    size = actions(rules) if at_once(rules) else 1
    return np.zeros((3, size, size)), np.zeros((3, size)), np.zeros((size + 2, size + 2))


@shared
def room_left(numbers, targets, chances, work, new_kinds, new_targets, new_odds):
    """Return whether any expansion that fits into the scratch fits onto the tape too."""
    return (
        work[NODES] + len(new_kinds) <= len(numbers)
        and work[TARGETS] + len(new_targets) <= len(targets)
        and work[CHANCES] + len(new_odds) <= len(chances)
    )


@shared
def put(
    number, nodes, keys, slots, values, numbers, kinds, degrees, targets, chances, work,
    new_kinds, new_degrees, new_targets, new_odds,
):  # fmt: skip
    """Put the expansion of the state of a number onto the tape."""
    folded = len(keys) + work[FOLDED]
    place = 0
    for node in range(nodes):
        last = node == nodes - 1
        numbers[work[NODES]] = number if last else folded + node
        kinds[work[NODES]] = new_kinds[node]
        degrees[work[NODES]] = new_degrees[node]
        work[NODES] += 1
        for _ in range(new_degrees[node]):
            key = int(new_targets[place])
            target = number_of(key, keys, slots) if key >= 0 else folded - 1 - key
            targets[work[TARGETS]] = target
            work[TARGETS] += 1
            if key >= 0 and values[target] != values[target]:
                work[UNKNOWN] += 1
            if new_kinds[node] == ODDS:
                chances[work[CHANCES]] = new_odds[place]
                work[CHANCES] += 1
            place += 1
    work[FOLDED] += nodes - 1


@compiled
def write(rules, listing, block, values, tape, scratch):
    """Write the states of a block onto an empty tape, and return how many there was room for.

    States that are over get their values at once. A value that is not a number is unknown.
    """
    like, folding, fields, keys, slots, _, _ = listing
    numbers, kinds, degrees, targets, chances, work = tape
    new_kinds, new_degrees, new_targets, new_odds, own = scratch
    work[:] = 0
    for done in range(len(block)):
        if not room_left(numbers, targets, chances, work, new_kinds, new_targets, new_odds):
            return done
        state = unpack(like, int(keys[block[done]]), fields)
        nodes = expand(
            rules, state, folding, fields, new_kinds, new_degrees, new_targets, new_odds, own
        )[0]
        if new_kinds[nodes - 1] == END:
            values[block[done]] = returns(rules, state, 0)
            continue
        put(
            block[done], nodes, keys, slots, values,
            numbers, kinds, degrees, targets, chances, work,
            new_kinds, new_degrees, new_targets, new_odds,
        )  # fmt: skip
    return len(block)


@shared
def gather_from(seat, sign, numbers, targets, place, rows, columns, game):
    """Write numbers of targets into a matrix whose rows are the actions of the seat."""
    for row in range(rows):
        for column in range(columns):
            number = sign * numbers[targets[place + row * columns + column]]
            if seat == 0:
                game[row, column] = number
            else:
                game[column, row] = number


@compiled
def sweep(tape, values, states, shrink, matrices):
    """Compute the value of every node from those of its targets.

    What states are worth is shrunk by a factor. Return by how much the value of a state changed
    at most; and, where both choose at once, how far apart the values are that the two can
    guarantee at most.
    """
    numbers, kinds, degrees, targets, chances, work = tape
    games, mixtures, tableau = matrices
    game = games[0]
    change = gap = 0.0
    place = odd = 0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        worth = 0.0
        if kind == ODDS:
            for index in range(degree):
                worth += chances[odd + index] * values[targets[place + index]]
            odd += degree
        elif kind < MATRIX:
            worth = values[targets[place]]
            for index in range(1, degree):
                other = values[targets[place + index]]
                worth = max(worth, other) if kind == MAXIMUM else min(worth, other)
        else:
            columns = kind - MATRIX
            rows = degree // columns
            gather_from(0, 1.0, values, targets, place, rows, columns, game)
            worth = solve(game, rows, columns, mixtures[0], mixtures[1], tableau)
            least, most = guarantees(game, rows, columns, mixtures[0], mixtures[1])
            gap = max(gap, most - least)
        place += degree
        number = numbers[node]
        if number < states:
            worth *= shrink
            change = max(change, abs(worth - values[number]))
        values[number] = worth
    return change, gap
