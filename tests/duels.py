"""A game with every kind of turn, and the search for both at once, with a small table."""

from pathlib import Path
from typing import Any

import numpy as np

from ludex.core.choice import Choice
from ludex.core.rules import BOTH, Rules, State, turn
from ludex.games import find, rules_class
from ludex.search.simultaneous import Simultaneous
from tests.lines import random_states

# Rock, paper, scissors, where paper wins double; then chance may turn the score around, and who
# is behind may give or take a point. It has every kind of turn.
DUEL = """
from typing import NamedTuple
from ludex.core.rules import BOTH, CHANCE, OVER, part

ACTIONS, OUTCOMES, AT_ONCE = 3, 2, True

class DuelRules(NamedTuple):
    rounds: int = 3

class Duel(NamedTuple):
    stage: int
    score: int
    rounds: int

def initial(rules):
    return Duel(0, 0, rules.rounds)

def turn(rules, state):
    if state.rounds == 0:
        return OVER
    if state.stage == 0:
        return BOTH
    return CHANCE if state.stage == 1 else 1 if state.score > 0 else 0

def legal(rules, state, seat, action):
    return state.stage == 0 or action < 2

def chance(rules, state, outcome):
    return 0.75 if outcome == 0 else 0.25

def apply(rules, state, move):
    if state.stage == 0:
        first, second = part(move, 0), part(move, 1)
        won = (first - second) % 3
        score = state.score
        if won == 1:
            score += 2 if first == 1 else 1
        elif won == 2:
            score -= 2 if second == 1 else 1
        return Duel(1, score, state.rounds)
    if state.stage == 1:
        return Duel(2, state.score if move == 0 else -state.score, state.rounds)
    return Duel(0, state.score + (move if state.score % 2 else -move), state.rounds - 1)

def returns(rules, state, seat):
    worth = max(-8, min(8, state.score)) / 8.0
    return worth if seat == 0 else -worth

def estimate(rules, state, seat):
    worth = max(-8, min(8, state.score)) / 9.0
    return worth if seat == 0 else -worth
"""


def agent(**options: Any) -> Simultaneous:
    return Simultaneous(**{"table": 1} | options)


def considered(rules: Rules, state: State, seat: int, seed: int = 1, **options: Any) -> Choice:
    return agent(**options).consider(rules, state, seat, np.random.default_rng(seed))


def decisions(rules: Rules, seeds: int) -> list[tuple[State, int]]:
    """Return sampled states where somebody decides, with every seat that does."""
    found = {
        (state, seat)
        for seed in range(seeds)
        for state in random_states(rules, seed)
        for seat in (0, 1)
        if turn(rules, state) in (BOTH, seat)
    }
    return sorted(found)[:: 1 + len(found) // 24]


def duel_in(folder: Path) -> Rules:
    """Return the rules of the game, written into a folder."""
    file = folder / "duel.py"
    file.write_text(DUEL)
    return rules_class(find(str(file)))()
