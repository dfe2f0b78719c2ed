"""The extensive form of a two-player game: its tree, its information sets, and their order."""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import Rules, State
from ludex.kernel.jit import allocating
from ludex.solve.equilibrium.information_sets import InformationSets, information_sets, link_sets
from ludex.solve.equilibrium.tree import Tree, raw_tree, reordered, topological_order
from ludex.solve.solving import Tell, all_states, check_seats, tell_nobody
from ludex.solve.states.keys import columns
from ludex.solve.states.listing import Unsolvable
from ludex.solve.states.successors import NO_FOLDING


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


# The order of a best response. --------------------------------------------------------------------


@allocating
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
