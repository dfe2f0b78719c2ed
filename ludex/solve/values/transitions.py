"""The transitions of a block of states: expansions in a row, from which equations are written.

They are read in sequence only: a node has a kind and some targets, which follow those of the node
before it. States come in descending order, each after the nodes that are folded into it; the kind
of a folded node is -1 - KIND. A state that is terminal has a node without targets.

A target is the number of a state. Folded nodes have numbers above those of all states, the same for
every state: what is known of them is overwritten when the next state is evaluated. A block may be
written in parts, which are swept side by side: a state of another part has a second number, above
those of folded nodes, for what was known of it before the sweep.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import Rules, actions, at_once, returns
from ludex.kernel.jit import compiled, shared
from ludex.solve.policy import UNREACHED, apply_policy
from ludex.solve.states.index import number_of
from ludex.solve.states.keys import unpack
from ludex.solve.states.successors import EXPECTATION, MAXIMUM, TERMINAL, Scratch, expand

# Indices into the work array: how many nodes, targets and probabilities are written, how many
# targets have the same leading fields as their state, the number after that of the first state, the
# block or part of one, the states that are not written yet, the first number of a folded node, the
# shift of a key to its leading fields, and of a block in parts its first number, the number after
# its last, and the first of the second numbers.
NODES, TARGETS, CHANCES, INSIDE, END, LOW, HIGH, LEFT = range(8)
FOLDED, LEADING, WHOLE_LOW, WHOLE_HIGH, OTHERS = range(8, 13)
DONE, NO_ROOM, PAUSED = range(3)  # why a compiled function returned

MOST_NARROW = 120  # simultaneous actions of a seat whose kinds and degrees fit into few bits


class Transitions(NamedTuple):
    """The arrays, and how much of them is written."""

    kinds: np.ndarray
    degrees: np.ndarray
    targets: np.ndarray
    chances: np.ndarray
    work: np.ndarray


def make_transitions(
    rules: Rules, nodes: int, targets: int, folded: int, leading: int = 63
) -> Transitions:
    """Return empty arrays with room for some nodes and targets.

    Folded nodes have numbers from `folded` on; a key is shifted by `leading` to its leading fields.
    """
    wide = at_once(rules) and actions(rules) > MOST_NARROW
    work = np.zeros(OTHERS + 1, np.int64)
    work[FOLDED], work[LEADING] = folded, leading
    return Transitions(
        np.zeros(nodes, np.int16 if wide else np.int8),
        np.zeros(nodes, np.int32 if wide else np.int16),
        np.zeros(targets, np.int32),
        np.zeros(targets),
        work,
    )


def widened(transitions: Transitions, room: int) -> Transitions:
    """Return transitions with more room; only memory that is written to is ever used."""
    kinds, degrees, targets, chances, work = transitions

    def wider(array: np.ndarray, used: int) -> np.ndarray:
        copy = np.zeros(room, array.dtype)
        copy[:used] = array[:used]
        return copy

    return Transitions(
        wider(kinds, work[NODES]),
        wider(degrees, work[NODES]),
        wider(targets, work[TARGETS]),
        wider(chances, work[CHANCES]),
        work,
    )


Matrices = tuple[np.ndarray, np.ndarray, np.ndarray]


def make_matrices(rules: Rules) -> Matrices:
    """Return scratch for simultaneous moves.

    It is three matrices (the value, tie value and progress of each pair of actions), three
    mixtures, and a tableau.
    """
    size = actions(rules) if at_once(rules) else 1
    return np.zeros((3, size, size)), np.zeros((3, size)), np.zeros((size + 2, size + 2))


def folded_nodes(scratch: Scratch) -> int:
    """Return how many nodes may be folded into a state."""
    return len(scratch.kinds)


@shared
def append(
    own_key, nodes, keys, lookup, kinds, degrees, targets, chances, work,
    new_kinds, new_degrees, new_targets, new_chances,
):  # fmt: skip
    """Append the expansion of a state, which has a key of its own."""
    place, leading = 0, own_key >> work[LEADING]
    for node in range(nodes):
        kind = new_kinds[node]
        kinds[work[NODES]] = kind if node == nodes - 1 else -1 - kind
        degrees[work[NODES]] = new_degrees[node]
        work[NODES] += 1
        for _ in range(new_degrees[node]):
            key = int(new_targets[place])
            target = number_of(key, keys, lookup) if key >= 0 else work[FOLDED] - 1 - key
            if work[WHOLE_LOW] <= target < work[WHOLE_HIGH]:
                if target < work[LOW] or target >= work[HIGH]:
                    target += work[OTHERS] - work[WHOLE_LOW]
            targets[work[TARGETS]] = target
            work[TARGETS] += 1
            work[INSIDE] += key >= 0 and key >> work[LEADING] == leading
            if kind == EXPECTATION:
                chances[work[CHANCES]] = new_chances[place]
                work[CHANCES] += 1
            place += 1


@compiled
def write(rules, listing, low, high, solved, fixed, transitions, scratch, most):
    """Write the transitions of the states from low to below high; return why it stopped.

    It stops after `most` targets, and goes on where it stopped. Terminal states get their values
    at once. With a fixed policy, which may be None, the states that it does not reach have no
    targets, and its choices become chance.
    """
    like, folding, fields, keys, lookup, _, _ = listing
    kinds, degrees, targets, chances, work = transitions
    new_kinds, new_degrees, new_targets, new_chances, own, seen = scratch
    values, tie_values, _ = solved
    if work[LEFT] == 0:
        work[:FOLDED] = 0
        work[END] = work[HIGH] = high
        work[LOW], work[LEFT] = low, high - low
    last = work[TARGETS] + most
    while work[LEFT] > 0:
        if work[TARGETS] > last:
            return PAUSED
        nodes_fit = work[NODES] + len(new_kinds) <= len(kinds)
        if not nodes_fit or work[TARGETS] + len(new_targets) > len(targets):
            return NO_ROOM
        number = low + work[LEFT] - 1
        work[LEFT] -= 1
        state = unpack(like, int(keys[number]), fields)
        reached = True
        if fixed is not None:
            reached = fixed.places[number] != UNREACHED
        nodes, written = 1, 0
        if reached:
            nodes, written = expand(
                rules, state, folding, fields,
                new_kinds, new_degrees, new_targets, new_chances, own, seen,
            )  # fmt: skip
        if not reached or new_kinds[nodes - 1] == TERMINAL:
            if reached:
                values[number] = returns(rules, state, 0)
                tie_values[0, number], tie_values[1, number] = values[number], -values[number]
            kinds[work[NODES]], degrees[work[NODES]] = TERMINAL, 0
            work[NODES] += 1
            continue
        if fixed is not None:
            nodes, written = apply_policy(
                fixed.seat, fixed.weights, fixed.places[number], nodes, written,
                new_kinds, new_degrees, new_targets, new_chances, own,
            )  # fmt: skip
        append(
            int(keys[number]), nodes, keys, lookup, kinds, degrees, targets, chances, work,
            new_kinds, new_degrees, new_targets, new_chances,
        )  # fmt: skip
    return DONE


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


@shared
def plain_value(kind, place, degree, targets, chances, chance_at, values):
    """Return the value of a node at which one seat or chance moves, from those of its targets."""
    if kind == EXPECTATION:
        mean = 0.0
        for index in range(degree):
            mean += chances[chance_at + index] * values[targets[place + index]]
        return mean
    value = values[targets[place]]
    for index in range(1, degree):
        other = values[targets[place + index]]
        value = max(value, other) if kind == MAXIMUM else min(value, other)
    return value
