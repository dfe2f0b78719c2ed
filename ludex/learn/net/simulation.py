"""Simulations in search trees of many matches: a network evaluates all of their leaves at once.

Chance is drawn anew by every simulation, and what follows each of its outcomes has a node of its
own.
"""

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, OVER, Rules, view
from ludex.kernel import matrix_game
from ludex.kernel.bits import members, size
from ludex.kernel.jit import compiled
from ludex.kernel.tuples import from_column, from_row
from ludex.learn.net.forest import NONE, add_node, after_chance, child_of, mean_value
from ludex.learn.net.selection import (
    fill_matrix,
    improve,
    inner_action,
    network_mixture,
    pair_of_actions,
    root_action,
)

PLACES = 1 << 20  # in the stream of a tree, between two simulations


@compiled
def plant(rules, first, forest, columns, choices, low, high):
    """Begin some of the trees anew, each with the state of its column as the root.

    Write how many actions the seat to move can choose from.
    """
    for tree in range(low, high):
        forest.sizes[tree] = 0
        state = from_column(first, columns, tree)
        add_node(rules, forest, tree, state, NONE)
        mover = forest.movers[tree, 0]
        choices[tree] = size(ask.moves(rules, state, mover)) if mover >= 0 else 0


@compiled
def descend(rules, first, forest, paths, planes, due, keys, step, scratch, low, high):
    """Go down to some of the leaves, and write what the seats see there.

    `due` says for each tree how often the action that is taken at its root was taken before; NONE
    if the root is like all other nodes. `keys` are the streams of the trees, and `step` is the
    number of simulations done.
    """
    policy = scratch[1]
    views = planes.shape[0] // paths.trees.shape[0]
    for leaf in range(low, high):
        tree = paths.trees[leaf]
        node, depth, place, key = 0, 0, PLACES * (step + leaf), int(keys[tree])
        paths.nodes[leaf, 0] = 0
        while forest.evaluated[tree, node] and forest.movers[tree, node] != OVER:
            state = from_row(first, forest.states[tree], node)
            mover = int(forest.movers[tree, node])
            if mover == BOTH:
                edge = pair_of_actions(rules, forest, tree, node, state, key, place, scratch)
                place += 3
                move = ask.pair(edge // ask.actions(rules), edge % ask.actions(rules))
            else:
                bits = ask.moves(rules, state, mover)
                if node == 0 and due[tree] != NONE:
                    edge = root_action(forest, tree, bits, due[tree])
                else:
                    edge = inner_action(rules, forest, tree, node, bits, mover, policy)
                move = edge
            after = ask.apply(rules, state, move)
            after, place = after_chance(rules, after, key, place)
            paths.taken[leaf, depth] = edge
            # Other leaves of the same tree count it as taken, with the worth that it had before.
            lent = forest.values[tree, node, mover if mover >= 0 else 0]
            if forest.counts[tree, node, edge] > 0:
                lent = mean_value(forest, tree, node, edge)
            paths.lent[leaf, depth] = lent
            forest.counts[tree, node, edge] += 1
            forest.totals[tree, node, edge] += lent
            child = child_of(first, forest, tree, node, edge, after)
            if child == NONE:
                child = add_node(rules, forest, tree, after, edge)
                forest.siblings[tree, child] = forest.children[tree, node]
                forest.children[tree, node] = child
            node, depth = child, depth + 1
            paths.nodes[leaf, depth] = node
        paths.lengths[leaf] = depth
        for number in range(views):
            planes[leaf * views + number] = 0.0
        if not forest.evaluated[tree, node]:
            state, mover = from_row(first, forest.states[tree], node), forest.movers[tree, node]
            for number in range(views):
                seat = mover if views == 1 else number
                view(rules, state, seat, planes[leaf * views + number])


@compiled
def expand(rules, first, forest, paths, logits, values, low, high):
    """Give some of the leaves what the network says, and tell their ancestors."""
    views = values.shape[0] // paths.trees.shape[0]
    for leaf in range(low, high):
        tree, depth = paths.trees[leaf], paths.lengths[leaf]
        node = paths.nodes[leaf, depth]
        if not forest.evaluated[tree, node]:
            forest.evaluated[tree, node] = True
            mover = int(forest.movers[tree, node])
            if views == 1:
                forest.values[tree, node, mover] = values[leaf]
                forest.values[tree, node, 1 - mover] = -values[leaf]
            else:
                mean = 0.0
                for seat in range(views):
                    mean += values[leaf * views + seat] / views
                for seat in range(views):  # what all seats gain adds up to nothing
                    forest.values[tree, node, seat] = values[leaf * views + seat] - mean
            for side in range(forest.logits.shape[2]):
                seat = side if mover == BOTH else mover
                row = leaf * views + (0 if views == 1 else seat)
                for action in range(ask.actions(rules)):
                    forest.logits[tree, node, side, action] = logits[row, action]
        for above in range(depth):
            parent, edge = paths.nodes[leaf, above], paths.taken[leaf, above]
            mover = forest.movers[tree, parent]
            seat = 0 if mover == BOTH else mover
            worth = forest.values[tree, node, seat] - paths.lent[leaf, above]
            forest.totals[tree, parent, edge] += worth


@compiled
def conclude(rules, first, forest, policies, actions, worths, scratch, low, high):
    """Write the improved policy, the action to take, and the value at some of the roots.

    Each has a row for each side: the seat to move, or both.
    """
    matrix, one, other, work = scratch
    policy = one
    for tree in range(low, high):
        policies[tree] = 0.0
        mover = forest.movers[tree, 0]
        if mover == OVER:
            continue
        state = from_row(first, forest.states[tree], 0)
        if mover == BOTH:
            ours, theirs = ask.moves(rules, state, 0), ask.moves(rules, state, 1)
            unknown = fill_matrix(rules, forest, tree, 0, ours, theirs, matrix)
            worth = matrix_game.solve(matrix, size(ours), size(theirs), one, other, work)
            if unknown == size(ours) * size(theirs):  # stopped before the first simulation
                network_mixture(forest, tree, 0, 0, ours, one)
                network_mixture(forest, tree, 0, 1, theirs, other)
            worths[tree, 0], worths[tree, 1] = worth, -worth
            for side in range(2):
                bits, mixture = (ours, one) if side == 0 else (theirs, other)
                place = 0
                for action in members(bits):
                    policies[tree, side, action] = mixture[place]
                    place += 1
            continue
        bits = ask.moves(rules, state, mover)
        improve(rules, forest, tree, 0, bits, mover, policy)
        worth, most = 0.0, 0
        for action in members(bits):
            policies[tree, 0, action] = policy[action]
            most = max(most, forest.counts[tree, 0, action])
        actions[tree] = root_action(forest, tree, bits, most)
        taken = 0
        for action in members(bits):
            if forest.counts[tree, 0, action] > 0:
                taken += forest.counts[tree, 0, action]
                worth += forest.totals[tree, 0, action]
        worths[tree, 0] = (forest.values[tree, 0, mover] + worth) / (1.0 + taken)


def new_scratch(rules: Rules) -> tuple[np.ndarray, ...]:
    """Return room for a matrix game: the matrix, two mixtures, and the work of its solver."""
    many = int(ask.actions(rules))
    side = many if ask.at_once(rules) else 0
    return (np.zeros((side, side)), np.zeros(many), np.zeros(many), np.zeros((side + 2, side + 2)))
