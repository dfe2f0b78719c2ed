"""Search trees of many matches at once: their arrays, and how nodes are added."""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import CHANCE, OVER, Rules, State
from ludex.core.sampling import outcome_at
from ludex.kernel.counter_rng import uniform
from ludex.kernel.jit import shared
from ludex.kernel.tuples import flatten, write_row

NONE = -1  # no node, no action


class Forest(NamedTuple):
    """Trees with room for so many nodes; the first axis of all arrays is the tree, then the node.

    An edge is an action of the seat to move, or a pair of actions of both seats.
    """

    states: np.ndarray
    """The ints of the state."""
    movers: np.ndarray
    sizes: np.ndarray
    """How many nodes each tree has; node 0 is the root."""
    evaluated: np.ndarray
    """Whether the network, or the end of the match, has given a node its values."""
    values: np.ndarray
    """What a node is worth to each seat."""
    logits: np.ndarray
    """The logits of the network for each seat that moves, and each action."""
    counts: np.ndarray
    """How often each edge was taken."""
    totals: np.ndarray
    """The sum of what the edge was worth to the seat to move, or to seat 0 of both."""
    children: np.ndarray
    """The newest child of a node."""
    siblings: np.ndarray
    """The next child of the same parent."""
    edges: np.ndarray
    """The edge that leads to a node."""
    noise: np.ndarray
    """Gumbel noise of each action at the root."""


class Paths(NamedTuple):
    """How each leaf was reached; the first axis is the leaf."""

    trees: np.ndarray
    lengths: np.ndarray
    nodes: np.ndarray
    """The nodes from the root to the leaf."""
    taken: np.ndarray
    """The edges between them."""
    lent: np.ndarray
    """What each edge counts as worth until its leaf is evaluated."""


def new_forest(rules: Rules, first: State, trees: int, nodes: int) -> Forest:
    """Return a forest in which no tree has a node."""
    actions, seats = int(ask.actions(rules)), int(ask.seats(rules))
    sides = 2 if ask.at_once(rules) else 1
    edges = actions**sides
    return Forest(
        states=np.zeros((trees, nodes, len(flatten(first))), np.int64),
        movers=np.zeros((trees, nodes), np.int64),
        sizes=np.zeros(trees, np.int64),
        evaluated=np.zeros((trees, nodes), np.bool_),
        values=np.zeros((trees, nodes, seats)),
        logits=np.zeros((trees, nodes, sides, actions), np.float32),
        counts=np.zeros((trees, nodes, edges), np.int32),
        totals=np.zeros((trees, nodes, edges)),
        children=np.full((trees, nodes), NONE, np.int32),
        siblings=np.full((trees, nodes), NONE, np.int32),
        edges=np.zeros((trees, nodes), np.int32),
        noise=np.zeros((trees, actions)),
    )


def new_paths(trees: int, leaves: int, nodes: int) -> Paths:
    """Return room for the paths of so many leaves of each tree."""
    many = trees * leaves
    return Paths(
        np.repeat(np.arange(trees), leaves),
        np.zeros(many, np.int64),
        np.zeros((many, nodes + 1), np.int32),
        np.zeros((many, nodes + 1), np.int32),
        np.zeros((many, nodes + 1)),
    )


def views_of_leaf(rules: Rules) -> int:
    """Return how many seats' views of a leaf are evaluated.

    Two seats that take turns share a value, with the opposite sign.
    """
    seats = int(ask.seats(rules))
    return 1 if seats == 2 and not ask.at_once(rules) else seats


@shared
def after_chance(rules, state, key, place):
    """Return the state after all chance, which is drawn from a stream; and the next place in it."""
    while ask.turn(rules, state) == CHANCE:
        state = ask.apply(rules, state, outcome_at(rules, state, uniform(key, place)))
        place += 1
    return state, place


@shared
def add_node(rules, forest, tree, state, edge):
    """Add a node to a tree, and return it; one in which the match is over has its values."""
    node = forest.sizes[tree]
    forest.sizes[tree] += 1
    write_row(state, forest.states[tree], node)
    mover = ask.turn(rules, state)
    forest.movers[tree, node], forest.edges[tree, node] = mover, edge
    forest.counts[tree, node, :] = 0
    forest.totals[tree, node, :] = 0.0
    forest.children[tree, node] = forest.siblings[tree, node] = NONE
    forest.evaluated[tree, node] = mover == OVER
    if mover == OVER:
        for seat in range(ask.seats(rules)):
            forest.values[tree, node, seat] = ask.returns(rules, state, seat)
    return node


@shared
def child_of(first, forest, tree, node, edge, state):
    """Return the child in which an edge has led to a state, or NONE."""
    child = forest.children[tree, node]
    wanted = flatten(state)
    while child != NONE:
        if forest.edges[tree, child] == edge:
            same = True
            for place in range(len(wanted)):
                same &= forest.states[tree, child, place] == wanted[place]
            if same:
                break
        child = forest.siblings[tree, child]
    return child


@shared
def mean_value(forest, tree, node, edge):
    """Return the mean of what an edge, which was taken, was worth."""
    return forest.totals[tree, node, edge] / forest.counts[tree, node, edge]
