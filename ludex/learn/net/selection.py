"""The selection of actions in search trees, by what a network says and what was found so far.

After Danihelka et al., "Policy improvement by planning with Gumbel" (2022): at the root, Gumbel
noise and sequential halving choose what is simulated; below it, an action is taken as often as an
improved policy says. Where both seats choose at once, the pairs of their actions are a matrix game,
and both play its equilibrium.
"""

import numpy as np

from ludex.core import rules as ask
from ludex.kernel import matrix_game
from ludex.kernel.bits import lowest, members, size
from ludex.kernel.counter_rng import uniform
from ludex.kernel.jit import shared
from ludex.learn.net.forest import NONE, mean_value

C_VISIT, C_SCALE = 50.0, 1.0  # how much the values of actions change the policy, as in the paper
EXPLORE = 0.1  # of pairs of simultaneous actions, those drawn by the policy of the network


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
