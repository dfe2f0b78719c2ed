"""Values of states and actions for the seat to move: exact within a budget, else by a search."""

import functools
from collections.abc import Callable
from contextlib import suppress

import numpy as np

from ludex.core import rules as ask
from ludex.core.leaf_value import leaf_value
from ludex.core.play import choosers, legal_moves
from ludex.core.rules import CHANCE, OVER, Rules, State
from ludex.io.text import many
from ludex.kernel.bits import members
from ludex.search import minimax
from ludex.search.alphabeta import AlphaBeta
from ludex.search.minimax import WORST
from ludex.search.simultaneous import Simultaneous
from ludex.solve import evaluator
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.evaluator import ExactEvaluator, ProofEvaluator
from ludex.solve.known_solutions import Warn
from ludex.solve.proof.mtdf import NO_NODE_LIMIT
from ludex.solve.solving import Tell
from ludex.solve.states.listing import Unsolvable

DEPTH, DEPTH_MANY = 4, 3  # of a search, and with more than two seats
PROOF_NODES = 20_000_000  # ten times what arena takes, some 20 seconds
SLOW_DEPTH, SLOW_PROOF_NODES = 2, 20_000  # of games that are not compiled
# Names of errors by their least loss, on a range from -1 to 1.
ERRORS = (("blunder", 0.2), ("mistake", 0.05), ("slip", 0.01))


def error_name(loss: float) -> str:
    """Return the name of an error with this loss; nothing if it is negligible."""
    return next((name for name, least in ERRORS if loss >= least), "")


class SearchEvaluator:
    """Searches some decisions ahead, and keeps what it has seen for the next position.

    The value of an action is that of the state after it, so that two actions are compared at the
    same depth. With more than two seats, the others are assumed to minimise.
    """

    exact = False

    def __init__(self, rules: Rules, depth: int) -> None:
        self.rules, self.depth = rules, depth
        self.words = f"a search of {many(depth, 'decision')}"
        self.mixed = ask.at_once(rules)
        # A transposition table serves one seat, so each has its own search.
        self.searches = [AlphaBeta() for _ in range(ask.seats(rules))]

    def value(self, state: State) -> float:
        """Return the value of a state to seat 0."""
        return self.value_to(state, 0, self.depth)

    def value_to(self, state: State, seat: int, depth: int) -> float:
        """Return the value of a state to a seat, with depth as the searches count it."""
        rules = self.rules
        if ask.seats(rules) > 2:
            nodes = np.zeros(1, np.int64)
            return float(minimax.value(rules, state, seat, depth, WORST, 0, nodes))
        mover = ask.turn(rules, state)
        if mover == OVER:
            return float(ask.returns(rules, state, seat))
        if depth < 0 or (depth == 0 and mover != CHANCE):
            return float(leaf_value(self.rules, state, seat, 0))
        if mover == CHANCE:
            after = {one: ask.apply(rules, state, one) for one in legal_moves(rules, state)}
            return sum(
                ask.chance(rules, state, outcome)
                * self.value_to(one, seat, depth - (ask.turn(rules, one) == CHANCE))
                for outcome, one in after.items()
            )
        chooser = choosers(rules, state)[0]
        search = Simultaneous(depth) if self.mixed else self.searches[chooser]
        search.depth = depth
        found = search.consider(rules, state, chooser, np.random.default_rng(0)).value
        return float(found if chooser == seat else -found)

    def evaluate(self, state: State, seat: int) -> Evaluation:
        """Return the values of the actions of a seat to move."""
        if self.mixed:
            return quick_evaluation(self.rules, state, seat, self.depth)
        values = {
            action: self.value_to(ask.apply(self.rules, state, action), seat, self.depth - 1)
            for action in members(ask.moves(self.rules, state, seat))
        }
        how = depth_text(self.depth)
        return Evaluation(seat, max(values.values()), values, {}, False, how)

    def deeper_loss(self, state: State, seat: int, action: int, best: int) -> float:
        """Return the loss of an action against another, searched one decision deeper."""
        if self.mixed:
            return quick_evaluation(self.rules, state, seat, self.depth + 1).loss(action)
        after = (ask.apply(self.rules, state, one) for one in (best, action))
        other, own = (self.value_to(one, seat, self.depth) for one in after)
        return max(other - own, 0.0)


Evaluator = ExactEvaluator | SearchEvaluator
"""All have `words`, `exact`, `value` and `evaluate`."""


def default_budget(rules: Rules, depth: int | None = None) -> Budget:
    """Return the budget of an analysis, in nodes, so that every machine stops at the same one."""
    if ask.interpreted(rules):
        return Budget(nodes=SLOW_PROOF_NODES, depth=depth or SLOW_DEPTH)
    usual = DEPTH if ask.seats(rules) == 2 else DEPTH_MANY
    return Budget(nodes=PROOF_NODES, depth=depth or usual)


@functools.lru_cache(maxsize=4, typed=True)  # rules of two games may be equal as tuples
def evaluator_for(rules: Rules, state: State, budget: Budget | None = None) -> Evaluator:
    """Return an evaluator for a whole match from a state on: exact if the budget allows it.

    No search can evaluate a game that hides something: Unsolvable says so.

    The nodes limit the proof of this state only; if it succeeds, later ones are unlimited.
    """
    budget = budget or default_budget(rules)
    if ask.imperfect_information(rules):
        return evaluator.exact_evaluator(rules, state, budget)
    with suppress(Unsolvable):  # then use a search
        exact = evaluator.exact_evaluator(rules, state, budget)
        exact.value(state)
        if isinstance(exact, ProofEvaluator):
            exact.prover.limit(NO_NODE_LIMIT)
        return exact
    return SearchEvaluator(rules, budget.depth)


def evaluations(
    rules: Rules,
    state: State,
    budget: Budget,
    tell: Tell | None = None,
    warn: Warn | None = None,
    give_up: Callable[[Unsolvable], None] = lambda reason: None,
) -> list[Evaluation]:
    """Return an evaluation of one position for each seat that chooses there.

    They are exact within the budget; else `give_up` is called with the reason, and a search used.
    In a game that hides something, Unsolvable is raised instead.
    """
    acting = choosers(rules, state)
    if not acting:
        return []
    try:
        exact = evaluator.exact_evaluator(rules, state, budget, tell=tell, warn=warn)
        return [exact.evaluate(state, seat) for seat in acting]
    except Unsolvable as error:
        if ask.imperfect_information(rules):
            raise
        give_up(error)
        return [quick_evaluation(rules, state, seat, budget.depth) for seat in acting]


def expected_value(
    rules: Rules, state: State, budget: Budget, warn: Warn | None = None
) -> tuple[float, bool]:
    """Return the value of a state for seat 0, and whether it is exact within the budget."""
    try:
        exact = evaluator.exact_evaluator(rules, state, budget, warn=warn)
        return float(exact.value(state)), True
    except Unsolvable:
        if ask.imperfect_information(rules):
            raise
        if ask.at_once(rules):
            return SearchEvaluator(rules, budget.depth).value(state), False
        nodes = np.zeros(1, np.int64)  # the same compiled code as a quick evaluation
        return float(minimax.value(rules, state, 0, budget.depth, WORST, 0, nodes)), False


def quick_evaluation(rules: Rules, state: State, seat: int, depth: int) -> Evaluation:
    """Return the evaluation of a search for a seat: of every legal action where seats take turns.

    At simultaneous moves only the candidates are evaluated. With more than two seats, the others
    are assumed to minimise.
    """
    how = depth_text(depth)
    if ask.at_once(rules):
        choice = Simultaneous(depth).consider(rules, state, seat, np.random.default_rng(0))
        mixture = dict(choice.mixture)
        return Evaluation(seat, choice.value, dict(choice.values), mixture, False, how)
    legal = ask.moves(rules, state, seat)
    values, _ = minimax.action_values(rules, state, legal, seat, depth, WORST, 0)
    return Evaluation(seat, max(values.values()), values, {}, False, how)


def depth_text(depth: int) -> str:
    """Return the depth of a search in words."""
    return f"{many(depth, 'decision')} ahead"
