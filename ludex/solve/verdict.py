"""What every action is worth at a state of a solved game, and how a perfect player chooses."""

from typing import NamedTuple

import numpy as np

from ludex.bits import members
from ludex.rules import BOTH, Rules, State, apply, moves, pair, turn
from ludex.solve.hopes import CLOSE, careful
from ludex.solve.solution import Solution


class Verdict(NamedTuple):
    """All of it is worth to one seat that is to choose."""

    value: float
    values: dict[int, float]
    """Of each action; where both choose at once, against a perfect mixture of the other."""
    policy: dict[int, float]
    """How likely a perfect player takes each action: those of most hope, see `hopes.py`."""


def verdict(solution: Solution, rules: Rules, state: State, seat: int) -> Verdict:
    """Return what a solution says to a seat that is to choose."""
    if turn(rules, state) == BOTH:
        return verdict_at_once(solution, rules, state, seat)
    sign = 1.0 if seat == 0 else -1.0
    after = {move: apply(rules, state, move) for move in members(moves(rules, state, seat))}
    values = {move: sign * solution.value(rules, one) for move, one in after.items()}
    best = max(values.values())
    hopes = {
        move: solution.hope(rules, after[move], seat)
        for move, value in values.items()
        if value >= best - CLOSE
    }
    most = max(hopes.values())
    equals = [move for move, hope in hopes.items() if hope >= most - CLOSE]
    return Verdict(best, values, dict.fromkeys(equals, 1.0 / len(equals)))


def verdict_at_once(solution: Solution, rules: Rules, state: State, seat: int) -> Verdict:
    """Return the same where the other seat chooses at the same time."""
    sign = 1.0 if seat == 0 else -1.0
    mine, theirs = (members(moves(rules, state, one)) for one in (seat, 1 - seat))
    after = [
        [
            apply(rules, state, pair(one, other) if seat == 0 else pair(other, one))
            for other in theirs
        ]
        for one in mine
    ]
    game = np.array([[sign * solution.value(rules, one) for one in row] for row in after])
    hopes = np.array([[solution.hope(rules, one, seat) for one in row] for row in after])
    first, second = np.zeros(len(mine)), np.zeros(len(theirs))
    tableau = np.zeros((len(mine) + 2, len(theirs) + 2))
    careful(game, hopes, len(mine), len(theirs), first, second, tableau)
    values = dict(zip(mine, (game @ second).tolist(), strict=True))
    policy = {action: float(p) for action, p in zip(mine, first, strict=True) if p > 0.0}
    return Verdict(sign * solution.value(rules, state), values, policy)
