"""The transitions of some states: expansions in a row, over which values are iterated.

They are read in sequence only: a node has an index, a kind, and the number of its targets, which
follow it. Folded nodes precede the state that they belong to; their indices are above those of
all states.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import Rules, actions, at_once, returns
from ludex.kernel.jit import compiled, shared
from ludex.kernel.matrix_game import guarantees, solve
from ludex.solve.policy import UNREACHED, apply_policy
from ludex.solve.states.index import number_of
from ludex.solve.states.keys import unpack
from ludex.solve.states.successors import EXPECTATION, MATRIX, MAXIMUM, TERMINAL, expand

# Indices into the work array: how many nodes, targets and probabilities are written, how many
# nodes are folded, and how many targets have no value yet.
NODES, TARGETS, CHANCES, FOLDED, UNKNOWN = range(5)


MOST_NARROW = 120  # simultaneous actions of a seat whose kinds and degrees fit into few bits


class Transitions(NamedTuple):
    """The arrays, and how much of them is written."""

    numbers: np.ndarray
    kinds: np.ndarray
    degrees: np.ndarray
    targets: np.ndarray
    chances: np.ndarray
    work: np.ndarray


def make_transitions(rules: Rules, nodes: int, targets: int) -> Transitions:
    """Return empty arrays with room for some nodes and targets."""
    wide = at_once(rules) and actions(rules) > MOST_NARROW
    return Transitions(
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int16 if wide else np.int8),
        np.zeros(nodes, np.int32 if wide else np.int16),
        np.zeros(targets, np.int32),
        np.zeros(targets),
        np.zeros(UNKNOWN + 1, np.int64),
    )


# Sweeps are called thousands of times for a small game, and Numba takes longer to type a named
# tuple than a plain one: they are called with `tuple(transitions)`.
Matrices = tuple[np.ndarray, np.ndarray, np.ndarray]


def make_matrices(rules: Rules) -> Matrices:
    """Return scratch for simultaneous moves.

    It is three matrices (the value, tie value and progress of each pair of actions), three
    mixtures, and a tableau.
    """
    size = actions(rules) if at_once(rules) else 1
    return np.zeros((3, size, size)), np.zeros((3, size)), np.zeros((size + 2, size + 2))


@shared
def append(
    number, nodes, keys, lookup, values, numbers, kinds, degrees, targets, chances, work,
    new_kinds, new_degrees, new_targets, new_chances,
):  # fmt: skip
    """Append the expansion of a state to the transitions."""
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
            target = number_of(key, keys, lookup) if key >= 0 else folded - 1 - key
            targets[work[TARGETS]] = target
            work[TARGETS] += 1
            if key >= 0 and values[target] != values[target]:
                work[UNKNOWN] += 1
            if new_kinds[node] == EXPECTATION:
                chances[work[CHANCES]] = new_chances[place]
                work[CHANCES] += 1
            place += 1
    work[FOLDED] += nodes - 1


@compiled
def write(rules, listing, block, values, fixed, transitions, scratch):
    """Write the transitions of a block of states, and return how many states there was room for.

    Terminal states get their values at once; unknown values are NaN. With a fixed policy, which
    may be None, the states that it does not reach are left out, and its choices become chance.
    """
    like, folding, fields, keys, lookup, _, _ = listing
    numbers, kinds, degrees, targets, chances, work = transitions
    new_kinds, new_degrees, new_targets, new_chances, own, seen = scratch
    work[:] = 0
    for done in range(len(block)):
        number = block[done]
        if fixed is not None:
            if fixed.places[number] == UNREACHED:
                continue
        nodes_fit = work[NODES] + len(new_kinds) <= len(numbers)
        if not nodes_fit or work[TARGETS] + len(new_targets) > len(targets):
            return done
        state = unpack(like, int(keys[number]), fields)
        nodes, written = expand(
            rules, state, folding, fields,
            new_kinds, new_degrees, new_targets, new_chances, own, seen,
        )  # fmt: skip
        if new_kinds[nodes - 1] == TERMINAL:
            values[number] = returns(rules, state, 0)
            continue
        if fixed is not None:
            nodes, written = apply_policy(
                fixed.seat, fixed.weights, fixed.places[number], nodes, written,
                new_kinds, new_degrees, new_targets, new_chances, own,
            )  # fmt: skip
        append(
            number, nodes, keys, lookup, values, numbers, kinds, degrees, targets, chances, work,
            new_kinds, new_degrees, new_targets, new_chances,
        )  # fmt: skip
    return len(block)


@shared
def gather(seat, sign, numbers, targets, place, rows, columns, game):
    """Write a number of each target into a matrix whose rows are the actions of the seat."""
    for row in range(rows):
        for column in range(columns):
            number = sign * numbers[targets[place + row * columns + column]]
            if seat == 0:
                game[row, column] = number
            else:
                game[column, row] = number


@compiled
def sweep(transitions, values, states, discount, matrices):
    """Compute the value of every node from those of its targets; states are discounted.

    Return the greatest change of a state's value, and the greatest gap between what the two seats
    can guarantee at a simultaneous move.
    """
    numbers, kinds, degrees, targets, chances, work = transitions
    games, mixtures, tableau = matrices
    game = games[0]
    change = gap = 0.0
    place = chance_at = 0
    for node in range(work[NODES]):
        kind, degree = int(kinds[node]), int(degrees[node])
        value = 0.0
        if kind == EXPECTATION:
            for index in range(degree):
                value += chances[chance_at + index] * values[targets[place + index]]
            chance_at += degree
        elif kind < MATRIX:
            value = values[targets[place]]
            for index in range(1, degree):
                other = values[targets[place + index]]
                value = max(value, other) if kind == MAXIMUM else min(value, other)
        else:
            columns = kind - MATRIX
            rows = degree // columns
            gather(0, 1.0, values, targets, place, rows, columns, game)
            value = solve(game, rows, columns, mixtures[0], mixtures[1], tableau)
            least, most = guarantees(game, rows, columns, mixtures[0], mixtures[1])
            gap = max(gap, most - least)
        place += degree
        number = numbers[node]
        if number < states:
            value *= discount
            change = max(change, abs(value - values[number]))
        values[number] = value
    return change, gap
