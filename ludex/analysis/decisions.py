"""The decisions of a match with the value each lost, and the luck in between."""

import math
from collections.abc import Callable
from typing import NamedTuple

from ludex.analysis.evaluator import (
    ERRORS,
    Evaluator,
    SearchEvaluator,
    error_name,
    evaluator_for,
    usual_budget,
)
from ludex.core.choice import CLOSE
from ludex.core.play import choosers
from ludex.core.rules import BOTH, CHANCE, State, apply, label, part, position, seats, turn
from ludex.match.record import Record, labels, replayed
from ludex.solve.evaluator import Evaluation


class Decision(NamedTuple):
    """What a seat did, and what it could have had."""

    ply: int
    seat: int
    position: str
    move: str
    best: str
    """The first of the best actions."""
    value: float
    """What the state was worth to the seat."""
    loss: float
    name: str
    """What the error is called, or nothing."""
    trivial: bool
    """Whether it did not matter what the seat did."""


CHANCE_LUCK, MIXTURE_LUCK = "chance", "mixture"
SLIGHT = 1e-5  # luck that a search can make up by how it chooses among equal mixtures


class Luck(NamedTuple):
    """What seat 0 has gained without anybody's merit.

    Chance gives it; and so do two choices made at once. A perfect player may have to mix, and
    what it draws against the other's action can be worth more or less than the mixture.
    """

    ply: int
    position: str
    outcome: str
    gain: float
    source: str = CHANCE_LUCK
    """Chance itself, or the mixture of two choices made at once."""


class Balance(NamedTuple):
    """What a seat has done in all."""

    decisions: int
    choices: int
    """Decisions in which something could be lost."""
    loss: float
    luck: float | None
    """None where it is not known: of more than two seats that of the first alone is."""
    names: dict[str, int]
    """How often its errors were blunders, mistakes and slips."""
    flawless: int
    """Choices in which nothing was lost."""

    @property
    def error(self) -> float:
        """Loss for each choice, on average."""
        return self.loss / max(self.choices, 1)

    @property
    def accuracy(self) -> float:
        """The share of the choices in which nothing was lost."""
        return self.flawless / self.choices if self.choices else 1.0


class Analysis(NamedTuple):
    """All that can be said about a match."""

    record: Record
    judge: str
    """Who evaluated it, in words."""
    exact: bool
    depth: int | None
    """How many decisions a search looked ahead, or None where values are exact."""
    course: tuple[float, ...]
    """What each state was worth to seat 0, as the decisions say it."""
    decisions: tuple[Decision, ...]
    lucks: tuple[Luck, ...]
    balances: tuple[Balance, ...]
    labels: tuple[str, ...]

    @property
    def source(self) -> str:
        """Who says so, and how sure that is."""
        if self.exact:
            return f"Values are exact: they come from {self.judge}."
        return (
            f"Values are not exact: they are those of {self.judge}."
            " An error counts as far as a search one decision deeper confirms it."
        )


Tell = Callable[[Evaluator, int, int], None]
"""Told who evaluates, and how many positions of how many are done."""


def analyse(
    record: Record, depth: int | None = None, tell: Tell = lambda evaluator, done, total: None
) -> Analysis:
    """Return the analysis of a match; a ValueError says why it does not replay."""
    rules, line = replayed(record)
    evaluator = evaluator_for(rules, line[0], usual_budget(rules, depth))
    names = labels(rules, line, record.moves)
    course = []
    decisions: list[Decision] = []
    lucks: list[Luck] = []
    tell(evaluator, 0, len(line))
    for ply, state in enumerate(line):
        here: list[Decision] = []
        if ply < len(names):
            here, gain = decisions_at(evaluator, state, ply + 1, record.moves[ply])
            if abs(gain) > (CLOSE if evaluator.exact else SLIGHT):
                drew = (ply + 1, position(rules, state), names[ply], gain, MIXTURE_LUCK)
                lucks.append(Luck(*drew))
        decisions += here
        course.append(worth_to_first(evaluator, state, here))
        if ply > 0 and turn(rules, line[ply - 1]) == CHANCE:
            before = line[ply - 1]
            gain = course[ply] - course[ply - 1]
            lucks.append(Luck(ply, position(rules, before), names[ply - 1], gain))
        tell(evaluator, ply + 1, len(line))
    balances = tuple(
        balance([one for one in decisions if one.seat == seat], lucks, seat, seats(rules))
        for seat in range(seats(rules))
    )
    return Analysis(
        record,
        evaluator.words,
        evaluator.exact,
        evaluator.depth if isinstance(evaluator, SearchEvaluator) else None,
        tuple(course),
        tuple(decisions),
        tuple(lucks),
        balances,
        tuple(names),
    )


def worth_to_first(evaluator: Evaluator, state: State, here: list[Decision]) -> float:
    """Return what a state was worth to seat 0: what the decision there says, if it does."""
    for one in here:
        if one.seat == 0 or seats(evaluator.rules) == 2:
            return (one.value if one.seat == 0 else -one.value) + 0.0
    return evaluator.value(state)


def decisions_at(
    evaluator: Evaluator, state: State, ply: int, move: int
) -> tuple[list[Decision], float]:
    """Return what those who chose a move have decided: one seat, both, or none at chance.

    The second is what two choices made at once gave to seat 0 by luck.
    """
    both = turn(evaluator.rules, state) == BOTH
    found = [evaluator.evaluate(state, seat) for seat in choosers(evaluator.rules, state)]
    decisions = [
        decision_of(evaluator, state, ply, one, part(move, one.seat) if both else move)
        for one in found
    ]
    return decisions, mixture_luck(evaluator, state, move, found) if both else 0.0


def mixture_luck(evaluator: Evaluator, state: State, move: int, found: list[Evaluation]) -> float:
    """Return what a pair of actions gave to seat 0 beyond what both actions lose.

    Each loss is measured against how a perfect other mixes its actions, so the two explain how
    the value changes on average; the rest is which actions were drawn. If either seat plays its
    perfect mixture, the mean of this luck is 0, whatever the other does.
    """
    first, second = (one.loss(part(move, one.seat)) for one in found)
    after = apply(evaluator.rules, state, move)
    # A search must compare what is seen from the same distance, or its horizon passes for luck.
    if isinstance(evaluator, SearchEvaluator):
        worth = evaluator.worth(after, 0, evaluator.depth - 1)
    else:
        worth = evaluator.value(after)
    gain = worth - found[0].value + first - second
    return 0.0 if math.isnan(gain) else float(gain)


def decision_of(
    evaluator: Evaluator, state: State, ply: int, evaluation: Evaluation, action: int
) -> Decision:
    """Return what one seat has decided.

    An error that a search finds may come from where it stops looking. So the two actions are
    searched once more, one decision deeper, and the smaller loss counts.
    """
    rules, (seat, value, values, *_), loss = evaluator.rules, evaluation, evaluation.loss(action)
    best = max(values, key=lambda one: values[one])
    if isinstance(evaluator, SearchEvaluator) and error_name(loss):
        loss = min(loss, evaluator.second_look(state, seat, action, best))
    return Decision(
        ply,
        seat,
        position(rules, state),
        label(rules, state, action),
        label(rules, state, best),
        value,
        loss if loss > CLOSE else 0.0,
        error_name(loss),
        bool(max(values.values()) - min(values.values()) <= CLOSE),  # values may be NumPy's
    )


def balance(decisions: list[Decision], lucks: list[Luck], seat: int, seated: int) -> Balance:
    """Return what a seat, one of so many, has done in all."""
    choices = [one for one in decisions if not one.trivial]
    gain = sum(luck.gain for luck in lucks)
    luck = gain if seat == 0 else 0.0 - gain if seated == 2 else None
    return Balance(
        len(decisions),
        len(choices),
        sum(one.loss for one in choices),
        luck,
        {name: sum(one.name == name for one in choices) for name, _ in ERRORS},
        sum(one.loss == 0.0 for one in choices),
    )
