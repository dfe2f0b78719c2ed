"""The value of every action while a visitor waits: exact where that is quick."""

import functools
import logging
from typing import Any

from ludex.core.choice import CLOSE
from ludex.core.rules import Rules, initial, seat_name
from ludex.solve.evaluator import Budget, SolutionEvaluator, exact_evaluator
from ludex.solve.states.state_space import Unsolvable
from ludex.web.state import limits

log = logging.getLogger("ludex.web")
TABLE = 64  # MiB for the transposition table of a proof


@functools.cache
def warn(words: str) -> None:
    """Log a warning for the operator, once in each process."""
    log.warning("%s; until then values are estimated", words)


def budget_of(seconds: float) -> Budget:
    """Return the budget of an evaluation with some seconds for an exact value."""
    return Budget(table=TABLE, seconds=seconds, depth=limits.DEPTH)


def known_value(rules: Rules, seconds: float) -> dict[str, Any]:
    """Return the value of the game in words and as a number, None if unknown."""
    unknown = "not solved here"
    try:
        state = initial(rules)
        exact = exact_evaluator(rules, state, budget_of(seconds), warn=warn)
        unknown = "no proof in a moment"
        if isinstance(exact, SolutionEvaluator):
            value, how = exact.value(state), f"{exact.solution.facts['states']:,} states solved"
        else:
            _, value, _, _, _, how = exact.evaluate(state, 0)
    except Unsolvable:
        return {"words": f"{unknown}; a search judges the moves", "value": None}
    return {"words": f"{outcome_words(rules, value)} ({how})", "value": value}


def outcome_words(rules: Rules, value: float) -> str:
    """Return who wins with best play, from the value of a state to seat 0."""
    winner = seat_name(rules, 0 if value > 0 else 1)
    if abs(value) < 1e-6:
        return "best play is a draw"
    if abs(value) > 1.0 - CLOSE:
        return f"{winner} wins with best play"
    return f"worth {abs(value):.3f} to {winner}"
