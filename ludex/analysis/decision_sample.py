"""A sample of decisions with exact values, by which learners are measured.

It depends on the rules alone, so that all learners of a game can be compared.
"""

import numpy as np
from numpy.random import Generator

from ludex.core.choice import draw_action, uniform_over
from ludex.core.play import choices
from ludex.core.rules import (
    BOTH,
    Rules,
    State,
    actions,
    apply,
    at_once,
    features,
    imperfect_information,
    initial,
    seats,
    turn,
)
from ludex.io.text import ParameterError
from ludex.learn.accuracy import DecisionSample
from ludex.learn.qtable import play_match
from ludex.search.simultaneous import joint
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.evaluator import SolutionEvaluator, find_solution
from ludex.solve.known_solutions import known_solution
from ludex.solve.solution import Solution
from ludex.solve.solving import Tell, tell_nobody
from ludex.solve.states.listing import Unsolvable

DECISIONS = 300
PERFECT = 0.5  # the probability of a perfect move; the others are random

Judged = tuple[State, Evaluation]


def solve_decisions(rules: Rules, tell: Tell = tell_nobody) -> DecisionSample:
    """Return the sample of a game, which is solved first; a ParameterError says why it cannot."""
    if imperfect_information(rules):
        raise ParameterError(
            "{truth} is for games in which everybody sees everything: this one hides some of it"
        )
    try:
        found = find_solution(rules, initial(rules), Budget.to_solve(None), tell)
    except Unsolvable as error:
        raise ParameterError("{truth} needs the solution of the game: {}", error) from error
    sample = sample_decisions(rules, found)
    if sample is None:
        raise ParameterError("{truth} needs decisions: nobody ever chooses between two actions")
    return sample


def known_decisions(rules: Rules) -> DecisionSample | None:
    """Return the sample of a game that is solved already, or can be in a moment; else None."""
    if seats(rules) != 2:
        return None
    found = known_solution(rules, initial(rules), warn=lambda unusable: None)
    return None if found is None else sample_decisions(rules, found)


def sample_decisions(rules: Rules, solution: Solution) -> DecisionSample | None:
    """Return decisions between several actions, as they come up in play; None if none does.

    In these matches each move is a perfect or a random one.
    """
    exact, rng = SolutionEvaluator(rules, solution), np.random.default_rng(0)
    found: list[Judged] = []
    for _ in range(DECISIONS):  # matches, if each has one
        if len(found) < DECISIONS:
            found += judged_decisions(exact, rng)
    if not found:
        return None
    del found[DECISIONS:]
    legal = np.zeros((len(found), actions(rules)), np.bool_)
    for row, (_, one) in enumerate(found):
        legal[row, list(one.values)] = True
    return DecisionSample(
        [(state, one.seat) for state, one in found],
        np.array([int(features(rules, state, one.seat)) for state, one in found]),
        legal,
        np.array([one.value for _, one in found]),
        np.stack([payoffs_of(exact, *one) for one in found]),
        np.array([turn(rules, state) == BOTH for state, _ in found]),
    )


def judged_decisions(exact: SolutionEvaluator, rng: Generator) -> list[Judged]:
    """Return the decisions of a match."""
    rules, found = exact.rules, []

    def choose(state: State, seat: int) -> int:
        one = exact.evaluate(state, seat)
        if len(one.values) > 1:
            found.append((state, one))
        perfect = rng.random() < PERFECT
        return draw_action(one.policy if perfect else uniform_over(list(one.values)), rng)

    play_match(rules, rng, choose, lambda state, move: apply(rules, state, move))
    return found


def payoffs_of(exact: SolutionEvaluator, state: State, found: Evaluation) -> np.ndarray:
    """Return the value of each action to a seat, by the action of the other seat.

    Missing columns are like the first one.
    """
    rules, seat = exact.rules, found.seat
    payoffs = np.zeros((actions(rules), actions(rules) if at_once(rules) else 1))
    if turn(rules, state) != BOTH:
        for action, value in found.values.items():
            payoffs[action] = value
        return payoffs
    theirs = choices(rules, state, 1 - seat)
    for action in found.values:
        for column, reply in enumerate(theirs):
            value = exact.value(apply(rules, state, joint(seat, action, reply)))
            payoffs[action, column] = value if seat == 0 else -value
    payoffs[:, len(theirs) :] = payoffs[:, :1]
    return payoffs
