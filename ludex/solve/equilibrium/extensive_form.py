"""The extensive form of a two-player game, as arrays: nodes, edges and information sets.

Nodes are the reachable states, in topological order: a state that several histories lead to is one
node. Where both seats choose at once, seat 0 comes first, and seat 1 chooses without knowing what.
An information set has all nodes that look the same to the seat to move. A sequence is an action in
an information set; perfect recall means that each information set follows one sequence of its seat.
"""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.kernel.bits import members, size
from ludex.kernel.jit import compiled
from ludex.kernel.tuples import flatten
from ludex.solve.solving import Tell, all_states, check_seats, tell_nobody
from ludex.solve.states.keys import columns, pack, unpack
from ludex.solve.states.state_space import Listing, Unsolvable, check_fields, number_of
from ludex.solve.states.successors import NO_FOLDING

NOTHING = -1  # the sequence of a seat that has not moved, and the information set of chance
UNSET, MIXED = -2, -3  # sequences: not known yet, and different ones in the same node


class Tree(NamedTuple):
    """Nodes and edges: the edges of node i are starts[i] to starts[i + 1]."""

    movers: np.ndarray
    """A seat, CHANCE or OVER."""
    starts: np.ndarray
    targets: np.ndarray
    chances: np.ndarray
    """The probability of each edge of a CHANCE node."""
    actions: np.ndarray
    """The action of each edge of a decision node."""
    payoffs: np.ndarray
    """The returns of seat 0 in OVER nodes."""
    sets: np.ndarray
    """The information set of each decision node; NOTHING elsewhere."""


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


class ExtensiveForm(NamedTuple):
    """A game in extensive form."""

    tree: Tree
    sets: InformationSets
    states: np.ndarray
    """The states of all nodes, as rows of ints."""
    response_orders: tuple[np.ndarray, np.ndarray]
    """For each seat, the nodes in the order in which a best response is computed."""
    response_starts: tuple[np.ndarray, np.ndarray]
    """Where each group of `response_orders` begins: own nodes and others alternate."""


def extensive_form(
    rules: Rules, first: State, room: int, tell: Tell = tell_nobody
) -> ExtensiveForm:
    """Return the extensive form of a game from a state on.

    Raise TooBig if it has more states than there is room for, and Unsolvable if play can cycle or
    a seat forgets what it knew.
    """
    check_seats(rules)
    listing = all_states(rules, first, room, tell, NO_FOLDING)
    tell("writing the tree", 0, 0)
    raw, origins = raw_tree(rules, listing)
    order = topological_order(raw.starts, raw.targets)
    if len(order) < len(raw.movers):
        raise Unsolvable("play can go in circles, so that its histories cannot be listed")
    tree, origins = reordered(raw, order), origins[order]
    sets = information_sets(rules, listing, tree, origins)
    forgetful = link_sets(tree, sets)
    if forgetful >= 0:
        state = listing.state(int(origins[forgetful]))
        raise Unsolvable(
            f"seat {tree.movers[forgetful]} has no perfect recall at {ask.position(rules, state)!r}"
        )
    orders, starts = zip(*(response_order(tree, seat) for seat in (0, 1)), strict=True)
    states = np.stack(list(columns(listing.keys[origins], listing.fields)), axis=1)
    return ExtensiveForm(tree, sets, states, orders, starts)


# Nodes and edges. ---------------------------------------------------------------------------------


@compiled
def count_edges(rules, listing, edges, rows):
    """Write the numbers of moves of each state: of chance or a seat, or of rows and columns."""
    like, _, fields, keys, _, _, _ = listing
    for number in range(len(keys)):
        state = unpack(like, int(keys[number]), fields)
        mover = ask.turn(rules, state)
        if mover == BOTH:
            rows[number] = size(ask.moves(rules, state, 0))
            edges[number] = size(ask.moves(rules, state, 1))
        elif mover == CHANCE:
            edges[number] = size(ask.possible(rules, state))
        elif mover != OVER:
            edges[number] = size(ask.moves(rules, state, mover))


@compiled
def write_tree(rules, listing, nodes, tree):
    """Write the nodes and edges of all states; nodes[i] is the first node of state i.

    The nodes of seat 1 follow that of seat 0 where both choose at once.
    """
    like, _, fields, keys, slots, _, _ = listing
    movers, starts, targets, chances, actions, payoffs, _ = tree
    edge = 0
    for number in range(len(keys)):
        state = unpack(like, int(keys[number]), fields)
        mover, node = ask.turn(rules, state), nodes[number]
        movers[node], starts[node] = 0 if mover == BOTH else mover, edge
        if mover == OVER:
            payoffs[node] = ask.returns(rules, state, 0)
        elif mover == BOTH:
            for row, action in enumerate(members(ask.moves(rules, state, 0))):
                targets[edge], actions[edge] = node + 1 + row, action
                edge += 1
            for row, first in enumerate(members(ask.moves(rules, state, 0))):
                movers[node + 1 + row], starts[node + 1 + row] = 1, edge
                for action in members(ask.moves(rules, state, 1)):
                    after = ask.apply(rules, state, ask.pair(first, action))
                    targets[edge] = nodes[number_of(pack(after, fields), keys, slots)]
                    actions[edge] = action
                    edge += 1
        elif mover == CHANCE:
            for outcome in members(ask.possible(rules, state)):
                after = ask.apply(rules, state, outcome)
                targets[edge] = nodes[number_of(pack(after, fields), keys, slots)]
                chances[edge] = ask.chance(rules, state, outcome)
                edge += 1
        else:
            for action in members(ask.moves(rules, state, mover)):
                after = ask.apply(rules, state, action)
                targets[edge] = nodes[number_of(pack(after, fields), keys, slots)]
                actions[edge] = action
                edge += 1
    starts[len(movers)] = edge


def raw_tree(rules: Rules, listing: Listing) -> tuple[Tree, np.ndarray]:
    """Return the nodes in the order of the listing, and the number of the state of each node."""
    if ask.answers(ask.game_of(rules), "canonical"):
        raise Unsolvable("a game that hides something cannot have `canonical` states")
    edges, rows = np.zeros((2, len(listing.keys)), np.int64)
    count_edges(rules, listing, edges, rows)
    nodes = np.concatenate([[0], np.cumsum(1 + rows)])
    total = int((np.maximum(rows, 1) * edges + rows).sum())
    tree = Tree(
        np.zeros(nodes[-1], np.int8),
        np.zeros(nodes[-1] + 1, np.int64),
        np.zeros(total, np.int32),
        np.zeros(total),
        np.zeros(total, np.int32),
        np.zeros(nodes[-1]),
        np.full(nodes[-1], NOTHING, np.int32),
    )
    write_tree(rules, listing, nodes, tree)
    return tree, np.repeat(np.arange(len(rows)), 1 + rows)


@compiled
def topological_order(starts, targets):
    """Return the nodes in topological order; those on cycles, and after them, are left out."""
    count = len(starts) - 1
    incoming = np.zeros(count, np.int32)
    for target in targets:
        incoming[target] += 1
    order = np.zeros(count, np.int64)
    found = 1  # the first node, to which no edge leads
    for place in range(count):
        if place == found:
            break
        node = order[place]
        for edge in range(starts[node], starts[node + 1]):
            incoming[targets[edge]] -= 1
            if incoming[targets[edge]] == 0:
                order[found] = targets[edge]
                found += 1
    return order[:found]


def edges_of(tree: Tree, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of some nodes in a row, and where those of each node start."""
    degrees = np.diff(tree.starts)[nodes]
    starts = np.concatenate([[0], np.cumsum(degrees)])
    return np.repeat(tree.starts[nodes] - starts[:-1], degrees) + np.arange(starts[-1]), starts


def reordered(tree: Tree, order: np.ndarray) -> Tree:
    """Return a tree with its nodes in another order."""
    edges, starts = edges_of(tree, order)
    places = np.zeros(len(order), np.int32)
    places[order] = np.arange(len(order))
    return Tree(
        tree.movers[order],
        starts,
        places[tree.targets[edges]],
        tree.chances[edges],
        tree.actions[edges],
        tree.payoffs[order],
        tree.sets[order],
    )


# Information sets. --------------------------------------------------------------------------------


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
    fields = row_fields(rows)
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


def row_fields(rows: np.ndarray) -> np.ndarray:
    """Return fields for packing rows of ints; raise TooBig if they need too many bits."""
    low = rows.min(axis=0)
    bits = [int(span).bit_length() for span in rows.max(axis=0) - low]
    return check_fields(np.stack([low, np.array(bits, np.int64)], axis=1))


def pack_rows(rows: np.ndarray, fields: np.ndarray) -> np.ndarray:
    """Return the keys of rows that fit into the fields."""
    keys = np.zeros(len(rows), np.int64)
    for column, (low, bits) in zip(rows.T, fields.tolist(), strict=True):
        keys = keys << bits | column - low
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


@compiled
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


# The order of a best response. --------------------------------------------------------------------


@compiled
def own_decisions(tree, seat):
    """Return the greatest number of decisions of a seat before each node."""
    movers, starts, targets, _, _, _, _ = tree
    depths = np.zeros(len(movers), np.int64)
    for node in range(len(movers)):
        after = depths[node] + (1 if movers[node] == seat else 0)
        for edge in range(starts[node], starts[node + 1]):
            depths[targets[edge]] = max(depths[targets[edge]], after)
    return depths


def response_order(tree: Tree, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes in groups, and where each group begins; each comes after its successors.

    All nodes of an information set of the seat are in one group. Groups of own nodes and of others
    alternate, and the latter are in reverse topological order.
    """
    depths, others = own_decisions(tree, seat), tree.movers != seat
    groups = 2 * (depths.max() - depths) + others
    order = np.lexsort((-np.arange(len(depths)), groups))
    starts = np.searchsorted(groups[order], np.arange(2 * depths.max() + 3))
    return order, starts


def set_number(
    rules: Rules, sets: InformationSets, slots: np.ndarray, state: State, seat: int
) -> int:
    """Return the number of the information set of a seat to move; raise a KeyError if none.

    `slots` is a hash table of the keys of the sets.
    """
    key = pack((seat, *flatten(ask.information_state(rules, state, seat))), sets.fields)
    place = number_of(key, sets.keys, slots) if key >= 0 else NOTHING
    if place < 0:
        raise KeyError(ask.position(rules, state))
    return int(place)


def never_seen(rules: Rules, state: State) -> Unsolvable:
    """Return the error that no seat to move ever sees a state so."""
    place = ask.position(rules, state)
    return Unsolvable(f"the first position of {ask.name_of(rules)} does not lead to {place!r}")


def information_rows(sets: InformationSets, numbers: np.ndarray) -> np.ndarray:
    """Return the information states of some information sets, as rows of ints."""
    _, *rows = columns(sets.keys[numbers], sets.fields)  # without the seat
    return np.stack(rows, axis=1)
