"""Solved games for tests, never on disk, and the definitions that they are compared with."""

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludex.core.play import legal_moves, read_state
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    canonical,
    chance,
    initial,
    moves,
    pair,
    returns,
    turn,
)
from ludex.games import find, rules_class
from ludex.io.files import write_text
from ludex.kernel.bits import members
from ludex.solve.evaluation import Evaluation
from ludex.solve.evaluator import SolutionEvaluator
from ludex.solve.solution import Solution
from ludex.solve.solving import finish, make_solution, tell_nobody
from ludex.solve.states.keys import unpack
from ludex.solve.states.state_space import best_folding, list_states
from ludex.solve.values.induction import Induction
from tests.kernel.test_matrix_game import program_value
from tests.lines import variant

TICTACTOE, PIG = "examples/tictactoe.py", "examples/pig.py"
# Four traps of nine cells are set, and the board is not its own mirror image.
LATE = "x1./x.x/.2x 0 step"


def outside(name: str, source: str) -> Rules:
    """Return the rules of a game that is written down here.

    It gets the same file every time, so that what was compiled for it is found again.
    """
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    file = Path(__file__).parent.parent / ".cache" / "games" / digest / f"{name}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, source)
    return rules_class(find(str(file)))()


def made(rules: Rules, first: State, folding: int) -> Solution:
    """Return a solution that was never on disk."""
    induction = Induction(rules, list_states(rules, first, folding, 10**6))
    finish(induction, tell_nobody)
    return make_solution(induction, 0.0)


@functools.cache
def solution(game: str, folding: int | None = None, start: str = "", **texts: Any) -> Any:
    """Return rules, and their solution from a position on."""
    rules = variant(game, **texts)
    first = read_state(rules, start) if start else initial(rules)
    return rules, made(rules, first, best_folding(rules, first) if folding is None else folding)


def verdict(solution: Solution, rules: Rules, state: State, seat: int) -> Evaluation:
    """Return what a solution says to a seat that is to choose."""
    return SolutionEvaluator(rules, solution).evaluate(state, seat)


def solved_states(rules: Rules, solution: Solution) -> list[State]:
    """Return the states of a solution that have numbers."""
    like = initial(rules)
    return [unpack(like, int(key), solution.fields) for key in solution.keys]


def sample(found: list[State], most: int) -> list[State]:
    """Return about so many of some states, evenly."""
    return found[:: max(1, len(found) // most)]


def followers(rules: Rules, first: State) -> dict[State, set[State]]:
    """Return all states with those that follow them, symmetric ones as one."""
    found: dict[State, set[State]] = {}
    waiting = [canonical(rules, first)]
    while waiting:
        state = waiting.pop()
        if state not in found:
            after = (apply(rules, state, move) for move in legal_moves(rules, state))
            found[state] = {canonical(rules, one) for one in after}
            waiting += found[state]
    return found


def backup(rules: Rules, state: State, value: Callable[[State], float]) -> float:
    """Return what a state is worth to seat 0 by the states that follow it."""
    mover = turn(rules, state)
    if mover == OVER:
        return returns(rules, state, 0)
    if mover == BOTH:
        rows, columns = (members(moves(rules, state, seat)) for seat in (0, 1))
        game = [[value(apply(rules, state, pair(a, b))) for b in columns] for a in rows]
        return program_value(np.array(game))
    after = {move: value(apply(rules, state, move)) for move in legal_moves(rules, state)}
    if mover == CHANCE:
        return sum(chance(rules, state, move) * worth for move, worth in after.items())
    return max(after.values()) if mover == 0 else min(after.values())
