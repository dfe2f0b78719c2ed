"""The strength of a learned estimate: matches against the game's own, both at depth 1."""

from typing import Any

import numpy as np

from ludex.core.rules import CHANCE, OVER, Rules, apply, initial, returns, turn
from ludex.core.sampling import pick_outcome
from ludex.core.search_profile import Learned, SearchProfile
from ludex.core.time_control import PLIES
from ludex.kernel.jit import compiled
from ludex.learn import evaluation
from ludex.learn.evaluation import Tally
from ludex.learn.lookahead import shallow_search
from ludex.learn.weights import Weights, scratch

GREEDY = "greedy"  # the opponent


@compiled
def play_duel(rules, one, other, depth, rng, worth):
    """Write the returns of the first profile in matches with alternating seats."""
    for match in range(len(worth)):
        mine = match % 2
        state = initial(rules)
        for _ in range(PLIES):
            mover = turn(rules, state)
            if mover == OVER:
                worth[match] = returns(rules, state, mine)
                break
            if mover == CHANCE:
                move = pick_outcome(rules, state, rng)
            elif mover == mine:
                move = shallow_search(rules, state, mover, depth, one)[0]
            else:
                move = shallow_search(rules, state, mover, depth, other)[0]
            state = apply(rules, state, move)


def duel(rules: Rules, weights: Weights, seed: Any) -> Tally:
    """Return the results of weights against the game's own estimate."""
    profile = Learned(0, weights.values, scratch())
    return compare(rules, profile, 0, 1, seed, evaluation.QUICK)


def compare(
    rules: Rules, one: SearchProfile, other: SearchProfile, depth: int, seed: Any, matches: int
) -> Tally:
    """Return the results of one search profile against another at the same depth."""
    worth = np.zeros(matches)
    play_duel(rules, one, other, depth, np.random.default_rng(seed), worth)
    return evaluation.tally_of(worth)
