"""The tree of a Monte Carlo search: node i is row i of a few arrays.

The children of a node are a block of rows. They are created together when the node is expanded, in
random order, so that taking the first among equals breaks ties at random. At simultaneous moves
the block holds seat 0's actions, then seat 1's, then all pairs; the pairs lead on, the actions
hold the statistics of each seat.
"""

import math
from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER, Rules
from ludex.kernel.bits import members, size
from ludex.kernel.jit import compiled, shared

ROOT = 0
NO_NODE = -1
UNTRIED = 1e9  # for 1 / sqrt(0): every action is tried once before any is tried again
MIN_VISITS = 8  # of a node that is shown in a line, or reused


class Tree(NamedTuple):
    """The columns. Values are for the seat that moved into the node, for seat 0 at chance."""

    used: np.ndarray
    """One int: how many rows are in use."""
    move: np.ndarray
    """The move that leads from the parent to the node."""
    mover: np.ndarray
    """The turn at the node; known once it is expanded."""
    first: np.ndarray
    """The first row of its children, or NO_NODE."""
    width: np.ndarray
    """The number of children; for BOTH, of each seat's actions, as a `pair`."""
    visits: np.ndarray
    mean: np.ndarray
    """The mean return of the visits."""
    inverse_root: np.ndarray
    """1 / sqrt(visits), or UNTRIED."""
    regret: np.ndarray
    """Of an action at BOTH: its cumulative regret."""
    weight: np.ndarray
    """Of an action at BOTH: the sum of its probabilities."""
    second: np.ndarray
    """Of a pair: its mean for seat 1."""


def new_tree(rules: Rules, nodes: int) -> Tree:
    """Return a tree of a root alone, with room for a number of nodes."""
    extra = nodes if ask.at_once(rules) else 1
    tree = Tree(
        np.ones(1, np.int64),
        *(np.empty(nodes, np.int64) for _ in range(5)),
        *(np.empty(nodes) for _ in range(2)),
        *(np.zeros(extra) for _ in range(3)),
    )
    clear(rules, tree, ROOT, 0)
    return tree


@shared
def clear(rules, tree, node, move):
    """Reset a row to an unvisited leaf."""
    tree.move[node] = move
    tree.first[node] = NO_NODE
    tree.visits[node] = 0
    tree.mean[node] = 0.0
    tree.inverse_root[node] = UNTRIED
    if ask.at_once(rules):
        tree.regret[node] = 0.0
        tree.weight[node] = 0.0
        tree.second[node] = 0.0


@shared
def expand(rules, state, tree, node, rng, profile):
    """Expand a leaf; return False if the match is over or there is no room."""
    mover = ask.turn(rules, state)
    tree.mover[node] = mover
    if mover == OVER:
        return False
    if ask.at_once(rules) and mover == BOTH:
        return expand_pairs(rules, state, tree, node, rng, profile)
    if ask.outcomes(rules) and mover == CHANCE:
        bits = ask.possible(rules, state)
    else:
        bits = ask.candidates(rules, state, mover, profile)
    first = take_rows(tree, size(bits))
    if first == NO_NODE:
        return False
    add(rules, tree, first, bits, rng)
    tree.first[node] = first
    tree.width[node] = size(bits)
    return True


@shared
def expand_pairs(rules, state, tree, node, rng, profile):
    """Expand a leaf with simultaneous moves, if there is room."""
    mine, theirs = (
        ask.candidates(rules, state, 0, profile),
        ask.candidates(rules, state, 1, profile),
    )
    rows, others = size(mine), size(theirs)
    first = take_rows(tree, rows + others + rows * others)
    if first == NO_NODE:
        return False
    add(rules, tree, first, mine, rng)
    add(rules, tree, first + rows, theirs, rng)
    for k in range(rows * others):
        move = ask.pair(
            int(tree.move[first + k // others]), int(tree.move[first + rows + k % others])
        )
        clear(rules, tree, first + rows + others + k, move)
    tree.first[node] = first
    tree.width[node] = ask.pair(rows, others)
    return True


@shared
def take_rows(tree, count):
    """Allocate a block of rows, and return the first; NO_NODE if there is no room."""
    first = int(tree.used[0])
    if first + count > len(tree.move):
        return NO_NODE
    tree.used[0] = first + count
    return first


@shared
def add(rules, tree, first, bits, rng):
    """Make a block of leaves, one for each bit that is set, in random order."""
    end = first
    for move in members(bits):
        clear(rules, tree, end, move)
        # An inside-out shuffle: swap the new leaf with any so far, or itself.
        other = first + int(rng.random() * (end + 1 - first))
        tree.move[end], tree.move[other] = tree.move[other], tree.move[end]
        end += 1


@shared
def best_child(tree, first, count, exploration):
    """Return the row of the highest upper confidence bound in a block, the first among equals."""
    best, top = first, -math.inf
    for child in range(first, first + count):
        bound = tree.mean[child] + exploration * tree.inverse_root[child]
        if bound > top:
            best, top = child, bound
    return best


@shared
def credit(tree, node, reward):
    """Add a visit with this return."""
    visits = tree.visits[node] + 1
    share = 1.0 / visits
    tree.visits[node] = visits
    tree.mean[node] += (reward - tree.mean[node]) * share
    tree.inverse_root[node] = math.sqrt(share)


@shared
def pairs_from(tree, node):
    """Return the row of the first pair below a node with simultaneous moves."""
    width = int(tree.width[node])
    return int(tree.first[node]) + ask.part(width, 0) + ask.part(width, 1)


@shared
def children(tree, node):
    """Return the rows of the children of an expanded node that are states: first, and end."""
    first, width = int(tree.first[node]), int(tree.width[node])
    if tree.mover[node] != BOTH:
        return first, first + width
    first = pairs_from(tree, node)
    return first, first + ask.part(width, 0) * ask.part(width, 1)


# Reuse of a subtree. -----------------------------------------------------------------------------


@compiled
def find(rules, state, columns, node, wanted):
    """Return the most-visited node below this one with the wanted state, or NO_NODE.

    `state` is that of the node. Nodes with fewer than MIN_VISITS are skipped.
    """
    tree = Tree(*columns)
    best = NO_NODE
    if tree.first[node] == NO_NODE:
        return best
    start, end = children(tree, node)
    for child in range(start, end):
        if tree.visits[child] >= MIN_VISITS:
            after = ask.apply(rules, state, int(tree.move[child]))
            found = child if after == wanted else find(rules, after, columns, child, wanted)
            if found != NO_NODE and (best == NO_NODE or tree.visits[found] > tree.visits[best]):
                best = found
    return best


@compiled
def copy_below(columns, node, new_columns):
    """Copy a subtree to a new tree with Cheney's algorithm."""
    old, new = Tree(*columns), Tree(*new_columns)
    copy_row(old, node, new, ROOT)
    used = 1
    scanned = 0
    while scanned < used:
        start = int(new.first[scanned])
        if start != NO_NODE:
            _, end = children(new, scanned)  # still rows of the old tree
            for row in range(start, end):
                copy_row(old, row, new, used + row - start)
            new.first[scanned] = used
            used += end - start
        scanned += 1
    new.used[0] = used


@shared
def copy_row(old, row, new, to):
    """Copy a row from one tree to another."""
    new.move[to] = old.move[row]
    new.mover[to] = old.mover[row]
    new.first[to] = old.first[row]
    new.width[to] = old.width[row]
    new.visits[to] = old.visits[row]
    new.mean[to] = old.mean[row]
    new.inverse_root[to] = old.inverse_root[row]
    if len(old.regret) == len(old.move):
        new.regret[to] = old.regret[row]
        new.weight[to] = old.weight[row]
        new.second[to] = old.second[row]
