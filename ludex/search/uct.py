"""UCT for alternating turns, chance, and simultaneous moves.

A simulation selects a path down the tree, expands its leaf, plays a random playout to the end, and
backs up the returns. Source: Kocsis and Szepesvári 2006, with the bound UCB1 of Auer et al. 2002. A
leaf is expanded on its second visit: most leaves never need children. Every seat maximises its own
mean, which with more than two seats is max^n. Chance is sampled by the rules. States are not
stored: applying the moves again costs at most a tenth of a simulation.

At simultaneous moves each seat selects by its own statistics: by UCB1 (`duct`, Finnsson and
Björnsson 2008), or by regret matching (`regret`, Lanctot, Lisý and Winands 2013), whose average
strategy is played. A pair that was never visited contributes no regret.
"""

import math
from typing import NamedTuple

from ludex.core import rules as ask
from ludex.core.leaf_value import leaf_value
from ludex.core.rules import BOTH, CHANCE, OVER
from ludex.core.sampling import playout
from ludex.core.search_profile import SearchProfile
from ludex.kernel.jit import compiled, shared
from ludex.search.mcts_tree import NO_NODE, ROOT, Tree, best_child, credit, expand, pairs_from

DUCT, REGRET = 0, 1
EXPLORATION = 0.1  # probability of a random action in regret matching


class UctSettings(NamedTuple):
    """The parameters of simulations."""

    c: float
    """The exploration constant of UCB1."""
    plies: int
    """The length at which a playout is cut and estimated."""
    selection: int
    """DUCT or REGRET."""
    profile: SearchProfile


@compiled
def grow(rules, state, columns, scratch, flag, rng, sims, settings):
    """Simulate from the root; return the number of simulations and the maximum depth.

    Stops after the first simulation that finds the flag set. Scratch has room for a path down the
    tree, and for the return of each seat.
    """
    tree = Tree(*columns)
    path, rewards = scratch
    c, plies, selection, profile = settings
    deepest = 0
    for done in range(1, sims + 1):
        leaf, depth = select(rules, state, tree, path, rng, c, selection, profile)
        simulate(rules, leaf, rewards, rng, plies, profile)
        back_up(rules, tree, path, depth, rewards, selection)
        deepest = max(deepest, depth)
        if flag[0]:
            return done, deepest
    return sims, deepest


@shared
def select(rules, state, tree, path, rng, c, selection, profile):
    """Descend to an unvisited leaf, and return its state and depth.

    Fills the path, and expands nodes on the way; stops early at one that cannot be expanded.
    """
    node = ROOT
    path[0] = ROOT
    depth = 0
    while (node == ROOT or tree.visits[node] > 0) and depth + 1 < len(path):
        if tree.first[node] == NO_NODE and not expand(rules, state, tree, node, rng, profile):
            break
        node = choose_child(rules, state, tree, node, rng, c, selection)
        state = ask.apply(rules, state, int(tree.move[node]))
        depth += 1
        path[depth] = node
    return state, depth


@shared
def choose_child(rules, state, tree, node, rng, c, selection):
    """Return the child of an expanded node to descend to."""
    mover, first, width = tree.mover[node], int(tree.first[node]), int(tree.width[node])
    if ask.outcomes(rules) and mover == CHANCE:
        left = rng.random()
        child = first
        for child in range(first, first + width):
            left -= ask.chance(rules, state, int(tree.move[child]))
            if left < 0.0:
                break
        return child
    exploration = c * math.sqrt(math.log(tree.visits[node] + 1.0))
    if ask.at_once(rules) and mover == BOTH:
        rows, others = ask.part(width, 0), ask.part(width, 1)
        if selection == REGRET:
            mine = match_regret(tree, first, rows, rng)
            theirs = match_regret(tree, first + rows, others, rng)
        else:
            mine = best_child(tree, first, rows, exploration)
            theirs = best_child(tree, first + rows, others, exploration)
        return pairs_from(tree, node) + (mine - first) * others + theirs - first - rows
    return best_child(tree, first, width, exploration)


@shared
def match_regret(tree, first, count, rng):
    """Draw an action in proportion to its positive regret, and add to the average strategy."""
    total = 0.0
    for action in range(first, first + count):
        total += max(tree.regret[action], 0.0)
    left = rng.random()
    anything = left < EXPLORATION
    left = left / EXPLORATION if anything else (left - EXPLORATION) / (1.0 - EXPLORATION)
    found = NO_NODE
    for action in range(first, first + count):
        p = max(tree.regret[action], 0.0) / total if total > 0.0 else 1.0 / count
        tree.weight[action] += p
        left -= 1.0 / count if anything else p
        if found == NO_NODE and left < 0.0:
            found = action
    return first + count - 1 if found == NO_NODE else found  # the last, in case of rounding


@shared
def simulate(rules, state, rewards, rng, plies, profile):
    """Set the return of each seat after a random playout, or its estimate if that is cut."""
    end = playout(rules, state, rng, plies)
    over = ask.turn(rules, end) == OVER
    for seat in range(ask.seats(rules)):
        rewards[seat] = (
            ask.returns(rules, end, seat) if over else leaf_value(rules, end, seat, profile)
        )


@shared
def back_up(rules, tree, path, depth, rewards, selection):
    """Credit every node on the path with the return of the seat that moved into it."""
    for ply in range(depth, 0, -1):
        parent, child = int(path[ply - 1]), int(path[ply])
        mover = tree.mover[parent]
        if ask.at_once(rules) and mover == BOTH:
            credit_both(tree, parent, child, rewards, selection)
        else:
            credit(tree, child, rewards[max(mover, 0)])
    credit(tree, ROOT, rewards[0])


@shared
def credit_both(tree, parent, child, rewards, selection):
    """Credit a pair and both its actions, and update the regrets of all other actions."""
    width = int(tree.width[parent])
    rows, others = ask.part(width, 0), ask.part(width, 1)
    first, pairs = int(tree.first[parent]), pairs_from(tree, parent)
    mine, theirs = (child - pairs) // others, (child - pairs) % others
    credit(tree, child, rewards[0])
    tree.second[child] += (rewards[1] - tree.second[child]) / tree.visits[child]
    credit(tree, first + mine, rewards[0])
    credit(tree, first + rows + theirs, rewards[1])
    if selection == REGRET:
        for k in range(rows):
            instead = pairs + k * others + theirs
            if k != mine and tree.visits[instead] > 0:
                tree.regret[first + k] += tree.mean[instead] - rewards[0]
        for k in range(others):
            instead = pairs + mine * others + k
            if k != theirs and tree.visits[instead] > 0:
                tree.regret[first + rows + k] += tree.second[instead] - rewards[1]
