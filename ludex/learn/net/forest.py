"""Search trees of many matches at once, for which a network evaluates all leaves in one call.

After Danihelka et al., "Policy improvement by planning with Gumbel" (2022): at the root, Gumbel
noise and sequential halving choose what is simulated; below it, an action is taken as often as an
improved policy says. Where both seats choose at once, the pairs of their actions are a matrix game,
and both play its equilibrium. Chance is drawn anew by every simulation, and what follows each of
its outcomes has a node of its own.
"""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State, view
from ludex.core.sampling import outcome_at
from ludex.kernel import matrix_game
from ludex.kernel.bits import lowest, members, size
from ludex.kernel.counter_rng import uniform
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import flatten, from_column, from_row, write_row

NONE = -1  # no node, no action
C_VISIT, C_SCALE = 50.0, 1.0  # how much the values of actions change the policy, as in the paper
EXPLORE = 0.1  # of pairs of simultaneous actions, those drawn by the policy of the network
PLACES = 1 << 20  # in the stream of a tree, between two simulations


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


# Trees. ------------------------------------------------------------------------------------------


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


@shared
def improve(rules, forest, tree, node, bits, mover, policy):
    """Write the improved policy of a node; actions not taken yet count as its value so far.

    Return how often the edges of the node were taken.
    """
    taken, most, weight, worth = 0, 0, 0.0, 0.0
    high = -np.inf
    for action in members(bits):
        high = max(high, forest.logits[tree, node, 0, action])
    for action in members(bits):
        count = forest.counts[tree, node, action]
        if count > 0:
            prior = np.exp(forest.logits[tree, node, 0, action] - high)
            taken, most, weight = taken + count, max(most, count), weight + prior
            worth += prior * mean_value(forest, tree, node, action)
    mixed = forest.values[tree, node, mover]
    if taken > 0:
        mixed = (mixed + taken * worth / weight) / (1 + taken)
    top = -np.inf
    for action in members(bits):
        count = forest.counts[tree, node, action]
        value = mean_value(forest, tree, node, action) if count > 0 else mixed
        policy[action] = forest.logits[tree, node, 0, action] + confidence(most) * value
        top = max(top, policy[action])
    total = 0.0
    for action in members(bits):
        policy[action] = np.exp(policy[action] - top)
        total += policy[action]
    for action in members(bits):
        policy[action] /= total
    return taken


@shared
def confidence(most):
    """Return the factor of values beside logits, given how often the best-known edge was taken."""
    return (C_VISIT + most) * C_SCALE / 2.0


@shared
def inner_action(rules, forest, tree, node, bits, mover, policy):
    """Return the action that lags most behind the improved policy."""
    taken = improve(rules, forest, tree, node, bits, mover, policy)
    best, chosen = -np.inf, lowest(bits)
    for action in members(bits):
        lag = policy[action] - forest.counts[tree, node, action] / (1.0 + taken)
        if lag > best:
            best, chosen = lag, action
    return chosen


@shared
def root_action(forest, tree, bits, visits):
    """Return the action with the highest score among those that were taken so often.

    The score is the noise, the logit, and the value found so far.
    """
    most = 0
    for action in members(bits):
        most = max(most, forest.counts[tree, 0, action])
    best, chosen = -np.inf, lowest(bits)
    for action in members(bits):
        count = forest.counts[tree, 0, action]
        if count == visits:
            score = forest.noise[tree, action] + forest.logits[tree, 0, 0, action]
            if count > 0:
                score += confidence(most) * mean_value(forest, tree, 0, action)
            if score > best:
                best, chosen = score, action
    return chosen


@shared
def fill_matrix(rules, forest, tree, node, ours, theirs, matrix):
    """Write what pairs of actions are worth to seat 0; return how many were never taken."""
    unknown, row = 0, 0
    for one in members(ours):
        column = 0
        for other in members(theirs):
            edge = one * ask.actions(rules) + other
            if forest.counts[tree, node, edge] > 0:
                matrix[row, column] = mean_value(forest, tree, node, edge)
            else:
                matrix[row, column] = forest.values[tree, node, 0]
                unknown += 1
            column += 1
        row += 1
    return unknown


@shared
def member_at(bits, mixture, share):
    """Return the member of a set at a share of a mixture over it, from 0 to below 1."""
    left, place, found = share, 0, 0
    for member in members(bits):
        found = member
        left -= mixture[place]
        place += 1
        if left < 0.0:
            break
    return found


@shared
def network_mixture(forest, tree, node, side, bits, mixture):
    """Write the policy of the network for a side, over the members of a set."""
    high = -np.inf
    for action in members(bits):
        high = max(high, forest.logits[tree, node, side, action])
    place, total = 0, 0.0
    for action in members(bits):
        mixture[place] = np.exp(forest.logits[tree, node, side, action] - high)
        total += mixture[place]
        place += 1
    for one in range(place):
        mixture[one] /= total


@shared
def pair_of_actions(rules, forest, tree, node, state, key, place, scratch):
    """Return an edge of simultaneous actions: one never taken if there is one, else by equilibrium.

    Now and then the policy of the network draws both.
    """
    matrix, first, second, work = scratch
    ours, theirs = ask.moves(rules, state, 0), ask.moves(rules, state, 1)
    unknown = fill_matrix(rules, forest, tree, node, ours, theirs, matrix)
    explores = uniform(key, place) < EXPLORE
    if unknown > 0 or explores:
        network_mixture(forest, tree, node, 0, ours, first)
        network_mixture(forest, tree, node, 1, theirs, second)
    else:
        matrix_game.solve(matrix, size(ours), size(theirs), first, second, work)
    if unknown == 0:
        one = member_at(ours, first, uniform(key, place + 1))
        return one * ask.actions(rules) + member_at(theirs, second, uniform(key, place + 2))
    best, chosen, row = -1.0, NONE, 0
    for one in members(ours):
        column = 0
        for other in members(theirs):
            edge = one * ask.actions(rules) + other
            share = first[row] * second[column]
            if forest.counts[tree, node, edge] == 0 and share > best:
                best, chosen = share, edge
            column += 1
        row += 1
    return chosen


# What a search does. -----------------------------------------------------------------------------


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


def visits_due(actions: int, sims: int) -> np.ndarray:
    """Return how often the action of each simulation was taken before, by sequential halving.

    Of so many actions the better half is kept again and again, and all that are left are taken
    equally often.
    """
    if actions <= 1:
        return np.arange(sims)
    rounds = int(np.ceil(np.log2(actions)))
    due: list[int] = []
    counts, left = [0] * actions, actions
    while len(due) < sims:
        for _ in range(max(1, sims // (rounds * left))):
            due += counts[:left]
            counts[:left] = [one + 1 for one in counts[:left]]
        left = max(2, left // 2)
    return np.array(due[:sims], np.int64)
