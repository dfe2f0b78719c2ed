"""The strength of a learner: matches against a fixed opponent, without learning."""

from typing import Any

import numpy as np
from numpy.random import Generator

from ludex.core.rules import (
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    information_state,
    initial,
    returns,
    seats,
    turn,
    with_action,
)
from ludex.core.sampling import pick_outcome
from ludex.core.search_profile import Learned, SearchProfile
from ludex.core.time_control import PLIES
from ludex.kernel.jit import compiled
from ludex.learn.accuracy import DecisionSample
from ludex.learn.lookahead import shallow_search
from ludex.learn.qtable import QTable, play_match
from ludex.learn.table import AT_RANDOM, BY_VALUE, Memory, choosers, pick_by
from ludex.learn.weights import Weights, scratch
from ludex.stats import Tally

QUICK, SLOW = (400, 40)  # matches against compiled opponents, and against other agents
GREEDY = "greedy"  # the opponent of a learned estimate: the game's own


@compiled
def play_all(rules, memory, way, other, other_way, rng, matches, results):
    """Write the returns of the learner in matches with alternating seats."""
    for match in range(matches):
        mine = match % seats(rules)
        state = initial(rules)
        for _ in range(PLIES):
            mover = turn(rules, state)
            if mover == OVER:
                results[match] = returns(rules, state, mine)
                break
            move = pick_outcome(rules, state, rng) if mover == CHANCE else 0
            low, high = choosers(mover)
            for seat in range(low, high + 1):
                if seat == mine:
                    action = pick_by(rules, memory, way, state, seat, rng)
                else:
                    action = pick_by(rules, other, other_way, state, seat, rng)
                move = with_action(mover, move, seat, action)
            state = apply(rules, state, move)


compiled_pick = compiled(pick_by)


def evaluate(rules: Rules, memory: Memory, way: int, against: Any, seed: Any) -> Tally:
    """Return the results of a table against `random`, or against agents made by a function.

    `way` is how actions are chosen by the table.
    """
    rng = np.random.default_rng(seed)
    other = None if against == "random" else against()
    fast = other is None or (isinstance(other, QTable) and not other.explore)
    results = np.zeros(QUICK if fast else SLOW)
    if fast:
        theirs = (memory, AT_RANDOM) if other is None else (other.memory, BY_VALUE)
        play_all(rules, memory, way, *theirs, rng, len(results), results)
    else:
        for match in range(len(results)):
            results[match] = play_against(rules, memory, way, against(), rng, match % seats(rules))
    return Tally.of(results)


def play_against(
    rules: Rules, memory: Memory, way: int, other: Any, rng: Generator, mine: int
) -> float:
    """Return the returns of the learner in a match against an agent."""

    def choose(state: State, seat: int) -> int:
        if seat == mine:
            return int(compiled_pick(rules, memory, way, state, seat, rng))
        return int(other.consider(rules, information_state(rules, state, seat), seat, rng).action)

    end = play_match(rules, rng, choose, lambda state, move: apply(rules, state, move))
    return float(returns(rules, end, mine)) if turn(rules, end) == OVER else 0.0


# Learned estimates. ------------------------------------------------------------------------------


@compiled
def play_duel(rules, one, other, depth, rng, results):
    """Write the returns of the first profile in matches with alternating seats."""
    for match in range(len(results)):
        mine = match % 2
        state = initial(rules)
        for _ in range(PLIES):
            mover = turn(rules, state)
            if mover == OVER:
                results[match] = returns(rules, state, mine)
                break
            if mover == CHANCE:
                move = pick_outcome(rules, state, rng)
            elif mover == mine:
                move = shallow_search(rules, state, mover, depth, one)[0]
            else:
                move = shallow_search(rules, state, mover, depth, other)[0]
            state = apply(rules, state, move)


def evaluate_weights(rules: Rules, weights: Weights, seed: Any) -> Tally:
    """Return the results of weights against the game's own estimate."""
    profile = Learned(0, weights.values, scratch())
    return compare(rules, profile, 0, 1, seed, QUICK)


def compare(
    rules: Rules, one: SearchProfile, other: SearchProfile, depth: int, seed: Any, matches: int
) -> Tally:
    """Return the results of one search profile against another at the same depth."""
    results = np.zeros(matches)
    play_duel(rules, one, other, depth, np.random.default_rng(seed), results)
    return Tally.of(results)


compiled_search = compiled(shallow_search)


def greedy_policies(rules: Rules, weights: Weights, sample: DecisionSample) -> np.ndarray:
    """Return what weights choose in the decisions of a sample at a depth of one decision."""
    profile, policies = Learned(0, weights.values, scratch()), np.zeros(sample.legal.shape)
    for row, (state, seat) in enumerate(sample.decisions):
        policies[row, compiled_search(rules, state, seat, 1, profile)[0]] = 1.0
    return policies
