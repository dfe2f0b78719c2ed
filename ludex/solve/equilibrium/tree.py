"""The tree of a two-player game, as arrays of nodes and edges.

Nodes are the reachable states, in topological order: a state that several histories lead to is one
node. Where both seats choose at once, seat 0 comes first, and seat 1 chooses without knowing what.
"""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER, Rules
from ludex.kernel.bits import members, size
from ludex.kernel.jit import allocating, compiled
from ludex.solve.states.index import number_of
from ludex.solve.states.keys import pack, unpack
from ludex.solve.states.listing import Listing, Unsolvable

NOTHING = -1  # the information set of chance


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
    like, _, fields, keys, lookup, _, _ = listing
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
                    targets[edge] = nodes[number_of(pack(after, fields), keys, lookup)]
                    actions[edge] = action
                    edge += 1
        elif mover == CHANCE:
            for outcome in members(ask.possible(rules, state)):
                after = ask.apply(rules, state, outcome)
                targets[edge] = nodes[number_of(pack(after, fields), keys, lookup)]
                chances[edge] = ask.chance(rules, state, outcome)
                edge += 1
        else:
            for action in members(ask.moves(rules, state, mover)):
                after = ask.apply(rules, state, action)
                targets[edge] = nodes[number_of(pack(after, fields), keys, lookup)]
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


@allocating
def topological_order(starts, targets):
    """Return the nodes in topological order; those on cycles, and after them, are left out."""
    count = len(starts) - 1
    incoming = np.zeros(count, np.int32)
    for target in targets:
        incoming[target] += 1
    order = np.zeros(count, np.int64)
    found = 0
    for node in range(count):
        if incoming[node] == 0:  # the first node, unless play can return to it
            order[found] = node
            found += 1
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
