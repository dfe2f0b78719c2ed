"""Information sets: all nodes that look the same to the seat to move.

A sequence is an action in an information set; perfect recall means that each information set
follows one sequence of its seat.
"""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import Rules, State
from ludex.kernel.jit import allocating, compiled
from ludex.kernel.tuples import flatten
from ludex.solve.equilibrium.tree import NOTHING, Tree, edges_of
from ludex.solve.states.index import number_of
from ludex.solve.states.keys import columns, fields_of_rows, pack, unpack
from ludex.solve.states.listing import Listing, Unsolvable, check_fields

# Sequences: not known yet, and different ones in the same node. NOTHING: the seat has not moved.
UNSET, MIXED = -2, -3


class InformationSets(NamedTuple):
    """Information sets in topological order; the sequences of set i are starts[i] to starts[i + 1].

    A set comes after its parent.
    """

    seats: np.ndarray
    starts: np.ndarray
    actions: np.ndarray
    """The action of each sequence, in ascending order within a set."""
    parents: np.ndarray
    """The sequence of the same seat before each set, or NOTHING."""
    keys: np.ndarray
    """The packed seat and information state of each set."""
    fields: np.ndarray


@compiled
def write_information(rules, listing, states, seats, rows):
    """Write what a seat sees of each of these states into a row, with the seat in front."""
    like, _, fields, keys, _, _, _ = listing
    for index in range(len(states)):
        state = unpack(like, int(keys[states[index]]), fields)
        seen = ask.information_state(rules, state, seats[index])
        numbers = flatten(seen)
        rows[index, 0] = seats[index]
        for place in range(len(numbers)):
            rows[index, 1 + place] = numbers[place]


def information_sets(
    rules: Rules, listing: Listing, tree: Tree, origins: np.ndarray
) -> InformationSets:
    """Return the information sets, without their parents, and number those of the nodes.

    `origins` has the number of the state of each node.
    """
    deciding = np.flatnonzero(tree.movers >= 0)
    rows = np.zeros((len(deciding), 1 + len(flatten(listing.first))), np.int64)
    write_information(rules, listing, origins[deciding], tree.movers[deciding], rows)
    fields = check_fields(fields_of_rows(rows))
    keys, first, inverse = np.unique(
        pack_rows(rows, fields), return_index=True, return_inverse=True
    )
    order = np.argsort(first)  # by their first nodes, so that parents come first
    tree.sets[deciding] = np.argsort(order)[inverse]
    examples = deciding[first[order]]
    edges, starts = edges_of(tree, examples)
    unset = np.full(len(keys), UNSET, np.int64)
    sets = InformationSets(
        tree.movers[examples], starts, tree.actions[edges], unset, keys[order], fields
    )
    differs = differing_node(tree, sets)
    if differs >= 0:
        state = listing.state(int(origins[differs]))
        raise Unsolvable(
            f"seat {tree.movers[differs]} sees the same at {ask.position(rules, state)!r} as"
            " elsewhere, where it has other legal actions"
        )
    return sets


def pack_rows(rows: np.ndarray, fields: np.ndarray) -> np.ndarray:
    """Return the keys of rows that fit into the fields."""
    keys = np.zeros(len(rows), np.int64)
    for column, (low, _, shift) in zip(rows.T, fields.tolist(), strict=True):
        keys |= column - low << shift
    return keys


@compiled
def differing_node(tree, sets):
    """Return a node whose actions are not those of its information set, or -1."""
    movers, node_starts, _, _, edge_actions, _, numbers = tree
    _, starts, actions, _, _, _ = sets
    for node in range(len(movers)):
        if movers[node] < 0:
            continue
        begin, number = node_starts[node], numbers[node]
        if node_starts[node + 1] - begin != starts[number + 1] - starts[number]:
            return node
        for place in range(starts[number + 1] - starts[number]):
            if edge_actions[begin + place] != actions[starts[number] + place]:
                return node
    return -1


@allocating
def link_sets(tree, sets):
    """Write the parents of all information sets; return a node without perfect recall, or -1."""
    movers, node_starts, targets, _, _, _, numbers = tree
    _, starts, _, parents, _, _ = sets
    last = np.full((len(movers), 2), UNSET, np.int64)
    last[0] = NOTHING
    for node in range(len(movers)):
        mover = movers[node]
        if mover >= 0:
            own, number = last[node, mover], numbers[node]
            if own == MIXED or (parents[number] != UNSET and parents[number] != own):
                return node
            parents[number] = own
        for edge in range(node_starts[node], node_starts[node + 1]):
            for seat in range(2):
                sequence = last[node, seat]
                if seat == mover:
                    sequence = starts[numbers[node]] + edge - node_starts[node]
                if last[targets[edge], seat] == UNSET:
                    last[targets[edge], seat] = sequence
                elif last[targets[edge], seat] != sequence:
                    last[targets[edge], seat] = MIXED
    return -1


def set_number(
    rules: Rules, sets: InformationSets, slots: np.ndarray, state: State, seat: int
) -> int:
    """Return the number of the information set of a seat to move; raise Unsolvable if none.

    `slots` is a hash table of the keys of the sets.
    """
    key = pack((seat, *flatten(ask.information_state(rules, state, seat))), sets.fields)
    place = number_of(key, sets.keys, slots) if key >= 0 else NOTHING
    if place < 0:
        game, shown = ask.name_of(rules), ask.position(rules, state)
        raise Unsolvable(f"the first position of {game} does not lead to {shown!r}")
    return int(place)


def information_rows(sets: InformationSets, numbers: np.ndarray) -> np.ndarray:
    """Return the information states of some information sets, as rows of ints."""
    _, *rows = columns(sets.keys[numbers], sets.fields)  # without the seat
    return np.stack(rows, axis=1)
