"""The perfect player: it plays from a solution, or proves every position."""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from ludex.core.choice import Choice, draw_action, uniform_over_best
from ludex.core.rules import Rules, State, imperfect_information, initial, name_of, position, seats
from ludex.solve.evaluation import Budget
from ludex.solve.evaluator import ExactEvaluator, ProofEvaluator, SolutionEvaluator, exact_evaluator
from ludex.solve.known_solutions import known_equilibrium, known_solution
from ludex.solve.proof.mtdf import has_margin, provable


@dataclass
class Exact:
    """Plays perfectly, from a solution (`ludex solve`) or by proving the position.

    Ties are broken by progress towards the win where play can cycle, then by the value against a
    random opponent. In a proof it wins by the most or loses by the least. In a game that hides
    something, it draws its actions by the strategy of an equilibrium.
    """

    policy_known = True
    imperfect_information = True

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return "" if seats(rules) == 2 else "it is for two seats"

    def prepare(self, rules: Rules) -> None:
        """Raise a ValueError if the game is neither solved nor provable."""
        if imperfect_information(rules):
            known = known_equilibrium(rules) is not None
        else:
            known = known_solution(rules, initial(rules)) is not None or provable(rules)
        if not known:
            raise ValueError(
                "exact plays this game from its solution, and there is none by these rules yet:"
                " run ludex solve first"
            )

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move; its value is the outcome, not the margin."""
        evaluator = evaluator_at(rules, state)
        found = evaluator.evaluate(state, seat)
        line: tuple[int, ...] = ()
        outcome: Callable[[float], float] = float
        if isinstance(evaluator, ProofEvaluator):
            line = evaluator.prove(state).line
            outcome = np.sign if has_margin(rules) else float
        policy = found.policy or uniform_over_best(found.values)
        action = draw_action(policy, rng)
        return Choice(
            action,
            float(outcome(found.value)),
            depth=len(line),
            line=line if line[:1] == (action,) else (action,),
            values={one: float(outcome(value)) for one, value in found.values.items()},
            mixture=policy,
        )


def evaluator_at(rules: Rules, state: State) -> ExactEvaluator:
    """Return an evaluator of a state: the game's solution, a proof, or another solution.

    In a game that hides something, it is that of an equilibrium. Raise a ValueError if there is
    none of them.
    """
    if imperfect_information(rules):
        return exact_evaluator(rules, state, Budget())
    solution = known_solution(rules, state)
    if solution is None and provable(rules):
        return prover_for(rules)
    solution = solution or known_solution(rules, state, anywhere=True)
    if solution is None:
        place = position(rules, state)
        raise ValueError(
            f"the solution has no {place!r}, to which the first position does not lead:"
            f' run ludex solve {name_of(rules)} --position "{place}" first'
        )
    return SolutionEvaluator(rules, solution)


@functools.lru_cache(maxsize=1, typed=True)  # rules of two games may be equal as tuples
def prover_for(rules: Rules) -> ProofEvaluator:
    """Return the evaluator that all matches by these rules share: proofs stay valid."""
    objective = "margin" if has_margin(rules) else "outcome"
    return ProofEvaluator(rules, initial(rules), Budget(), objective)
