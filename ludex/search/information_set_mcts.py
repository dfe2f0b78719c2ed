"""Monte Carlo tree search over information sets, for games that hide something.

A simulation starts from a state that looks like the present one to the seat that searches. On its
way down, each seat selects by the statistics of its own information set, so that no seat uses what
it cannot see; chance is sampled. The first information set that is new ends the descent, and a
random playout follows. Source: Cowling, Powley and Whitehouse 2012, with multiple observers.

Statistics are in a hash table from information sets to a row with two numbers for each action.
"""

import math
from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER
from ludex.core.sampling import pick, pick_outcome
from ludex.kernel.bits import exclude, is_empty, members
from ludex.kernel.hashing import mix, mix_all
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import from_row
from ludex.search.uct import simulate

NO_ROW = -1
LONGEST_PATH = 1000  # decisions of a path; the rest is left to the playout


class Statistics(NamedTuple):
    """Rows of information sets: their keys, or 0, and visits and total returns of each action."""

    keys: np.ndarray
    visits: np.ndarray
    totals: np.ndarray
    used: np.ndarray


def new_statistics(rules: ask.Rules, sets: int) -> Statistics:
    """Return statistics with room for so many information sets."""
    rows, width = 1 << (2 * sets).bit_length(), ask.actions(rules)
    return Statistics(
        np.zeros(rows, np.int64),
        np.zeros((rows, width), np.int32),
        np.zeros((rows, width)),
        np.zeros(1, np.int64),
    )


@shared
def row_of(rules, state, seat, keys, used):
    """Return the row of a seat's information set, a new one if needed; NO_ROW if all are used."""
    key = mix(mix_all(0, ask.information_state(rules, state, seat)), seat + 1) | 1
    row = key >> 1 & (len(keys) - 1)  # the lowest bit is always 1
    while keys[row] != key:
        if keys[row] == 0:
            if 2 * used[0] >= len(keys):
                return NO_ROW
            keys[row] = key
            used[0] += 1
            break
        row = (row + 1) & (len(keys) - 1)
    return row


@shared
def select_action(legal, row, visits, totals, c, rng):
    """Return the action of the highest UCB1 bound; any that was never tried comes first."""
    count, untried = 0, legal
    for action in members(legal):
        count += visits[row, action]
        if visits[row, action]:
            untried = exclude(untried, action)
    if not is_empty(untried):
        return pick(untried, rng)
    exploration = c * math.sqrt(math.log(count))
    best, highest = NO_ROW, -math.inf
    for action in members(legal):
        tried = visits[row, action]
        bound = totals[row, action] / tried + exploration / math.sqrt(tried)
        if bound > highest:
            best, highest = action, bound
    return best


@compiled
def grow(rules, first, statistics, belief, path, rewards, flag, rng, sims, settings):
    """Simulate from states drawn from a belief; return the number of simulations.

    `belief` has states of the type of `first` in rows, and their cumulative probabilities. Stops
    after the first simulation that finds the flag set.
    """
    keys, visits, totals, used = statistics
    states, cumulative = belief
    c, plies, profile = settings
    for done in range(1, sims + 1):
        drawn = min(np.searchsorted(cumulative, rng.random(), "right"), len(states) - 1)
        state = from_row(first, states, drawn)
        depth, fresh = 0, False
        while not fresh and depth + 2 <= len(path):
            mover = ask.turn(rules, state)
            if mover == OVER:
                break
            if mover == CHANCE:
                state = ask.apply(rules, state, pick_outcome(rules, state, rng))
                continue
            move = 0
            for seat in range(2 if mover == BOTH else 1):
                chooser = seat if mover == BOTH else mover
                row = row_of(rules, state, chooser, keys, used)
                legal = ask.moves(rules, state, chooser)
                if row == NO_ROW:
                    fresh, action = True, pick(legal, rng)
                else:
                    fresh = fresh or visits[row].sum() == 0
                    action = select_action(legal, row, visits, totals, c, rng)
                path[depth, 0], path[depth, 1], path[depth, 2] = row, action, chooser
                depth += 1
                move = ask.with_action(mover, move, chooser, action)
            state = ask.apply(rules, state, move)
        simulate(rules, state, rewards, rng, plies, profile)
        for place in range(depth):
            row, action, chooser = path[place]
            if row != NO_ROW:
                visits[row, action] += 1
                totals[row, action] += rewards[chooser]
        if flag[0]:
            return done
    return sims
