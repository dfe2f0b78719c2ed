"""The decisions of a match with the value each lost, and the luck in between."""

import math
from collections.abc import Callable
from typing import NamedTuple

from ludex.analysis import evaluator as evaluators
from ludex.analysis.evaluator import Evaluator, SearchEvaluator
from ludex.core.choice import CLOSE
from ludex.core.play import choosers
from ludex.core.rules import (
    BOTH,
    CHANCE,
    State,
    apply,
    imperfect_information,
    label,
    part,
    position,
    seats,
    turn,
)
from ludex.core.rules.display import seat_name
from ludex.io.table import Format, Table, with_headline
from ludex.io.text import many
from ludex.match.record import Record, labels, replay_states, rules_of
from ludex.solve.evaluation import Evaluation


class JudgedDecision(NamedTuple):
    """A decision of a seat, compared with the best one."""

    ply: int
    seat: int
    position: str
    move: str
    best: str
    """The first of the best actions."""
    value: float
    """The value of the state to the seat."""
    loss: float
    name: str
    """`blunder`, `mistake` or `slip`, or nothing."""
    trivial: bool
    """Whether all actions have the same value."""


CHANCE_LUCK, MIXTURE_LUCK, HIDDEN_LUCK = "chance", "mixture", "hidden"
SLIGHT = 1e-5  # an artefact of how a search chooses among equal mixtures, or of a gap


class LuckyGain(NamedTuple):
    """The gain of seat 0 by luck.

    It comes from chance, or from a mixed strategy: the sampled pair of simultaneous actions may be
    worth more or less than the mixture. In a game that hides something, it also comes from what a
    seat does not see: an action may be worth more or less there than where it looks the same.
    """

    ply: int
    position: str
    outcome: str
    gain: float
    source: str = CHANCE_LUCK
    """`CHANCE_LUCK`, `MIXTURE_LUCK` or `HIDDEN_LUCK`."""


class Balance(NamedTuple):
    """The totals of a seat."""

    decisions: int
    choices: int
    """The number of decisions that matter."""
    loss: float
    luck: float | None
    """None where unknown: with more than two seats, only that of the first is known."""
    names: dict[str, int]
    """The number of errors by name."""
    flawless: int
    """The number of choices without loss."""

    @property
    def error(self) -> float:
        """The mean loss per choice."""
        return self.loss / max(self.choices, 1)

    @property
    def accuracy(self) -> float:
        """The share of choices without loss."""
        return self.flawless / self.choices if self.choices else 1.0


FORMATS: dict[str, Format] = {
    **dict.fromkeys(("value", "luck"), "{:+.4f}".format),
    **dict.fromkeys(("lost for each", "lost in all"), "{:.4f}".format),
    "lost": lambda loss: f"{loss:.4f}" if loss else "",
    "flawless": lambda share: f"{100 * share:.0f} %",
}


class Analysis(NamedTuple):
    """The analysis of a match."""

    record: Record
    judge: str
    """The source of the values, in words."""
    exact: bool
    depth: int | None
    """The depth of the search, or None if values are exact."""
    course: tuple[float, ...]
    """The value of each state to seat 0."""
    decisions: tuple[JudgedDecision, ...]
    lucks: tuple[LuckyGain, ...]
    balances: tuple[Balance, ...]
    labels: tuple[str, ...]

    @property
    def source(self) -> str:
        """Where the values come from, and whether they are exact."""
        if self.exact:
            return f"Values are exact: they come from {self.judge}."
        return (
            f"Values are not exact: they are those of {self.judge}."
            " An error counts as far as a search one decision deeper confirms it."
        )

    @property
    def table(self) -> Table:
        """A row for each decision; luck is that of a mixture or of what is hidden, or None."""
        rules = rules_of(self.record)
        gains = {one.ply: one.gain for one in self.lucks if one.source != CHANCE_LUCK}
        rows = (
            {
                "move": one.ply,
                "seat": seat_name(rules, one.seat),
                "did": one.move,
                "best": one.best if one.loss else "",
                "value": one.value,
                "lost": one.loss,
                "error": one.name,
                "luck": gains.get(one.ply, 0.0) * (1 if one.seat == 0 else -1) or None,
            }
            for one in self.decisions
        )
        return Table(rows, FORMATS)

    @property
    def totals(self) -> Table:
        """A row for each seat; None where there was no choice, or luck is unknown."""
        rules = rules_of(self.record)
        rows = (
            {
                "seat": seat_name(rules, seat),
                "agent": self.record.agents[seat],
                "choices": one.choices,
                "flawless": one.accuracy if one.choices else None,
                "lost for each": one.error if one.choices else None,
                "lost in all": one.loss,
                **{f"{kind}s": count for kind, count in one.names.items()},
                "luck": one.luck,
            }
            for seat, one in enumerate(self.balances)
        )
        return Table(rows, FORMATS)

    def __repr__(self) -> str:
        lost = ", ".join(
            f"{agent} lost {one.loss:.4f} in {many(one.choices, 'choice')}"
            for agent, one in zip(self.record.agents, self.balances, strict=True)
        )
        return f"<Analysis of {self.record.game} by {self.judge}: {lost}>"

    def _repr_html_(self) -> str:
        return with_headline(self.source, self.totals, self.table)


Tell = Callable[[Evaluator, int, int], None]
"""Called with the evaluator, the positions done, and their total."""


def analyse(record: Record, depth: int | None = None, tell: Tell | None = None) -> Analysis:
    """Analyse a match; a ValueError says why it does not replay."""
    rules, line = replay_states(record)
    evaluator = evaluators.evaluator_for(rules, line[0], evaluators.default_budget(rules, depth))
    names = labels(rules, line, record.moves)
    course = []
    decisions: list[JudgedDecision] = []
    lucks: list[LuckyGain] = []
    tell = tell or (lambda evaluator, done, total: None)
    tell(evaluator, 0, len(line))
    for ply, state in enumerate(line):
        here: list[JudgedDecision] = []
        if ply < len(names):
            here, gain = decisions_at(evaluator, state, ply + 1, record.moves[ply])
            if abs(gain) > tolerance(evaluator):
                place = position(rules, state)
                source = MIXTURE_LUCK if turn(rules, state) == BOTH else HIDDEN_LUCK
                lucks.append(LuckyGain(ply + 1, place, names[ply], gain, source))
        decisions += here
        course.append(value_to_first(evaluator, state, here))
        if ply > 0 and turn(rules, line[ply - 1]) == CHANCE:
            place, gain = position(rules, line[ply - 1]), course[ply] - course[ply - 1]
            lucks.append(LuckyGain(ply, place, names[ply - 1], gain))
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


def tolerance(evaluator: Evaluator) -> float:
    """Return the difference between values that counts as none."""
    known = evaluator.exact and not imperfect_information(evaluator.rules)
    return CLOSE if known else SLIGHT


def value_to_first(evaluator: Evaluator, state: State, here: list[JudgedDecision]) -> float:
    """Return the value of a state to seat 0, taken from the decisions there if possible.

    Where something is hidden, a decision has the value of what its seat sees, not of the state.
    """
    for one in () if imperfect_information(evaluator.rules) else here:
        if one.seat == 0 or seats(evaluator.rules) == 2:
            return (one.value if one.seat == 0 else -one.value) + 0.0
    return evaluator.value(state)


def decisions_at(
    evaluator: Evaluator, state: State, ply: int, move: int
) -> tuple[list[JudgedDecision], float]:
    """Return the decisions of a move, none at chance, and the luck of seat 0 in it."""
    both = turn(evaluator.rules, state) == BOTH
    drawn = both or imperfect_information(evaluator.rules)
    found = [evaluator.evaluate(state, seat) for seat in choosers(evaluator.rules, state)]
    decisions = [
        decision_of(evaluator, state, ply, one, part(move, one.seat) if both else move)
        for one in found
    ]
    return decisions, luck_of_move(evaluator, state, move, found) if found and drawn else 0.0


def luck_of_move(evaluator: Evaluator, state: State, move: int, found: list[Evaluation]) -> float:
    """Return the gain of seat 0 by the actions of a move beyond what these lose.

    Losses are measured against the opponent's optimal mixture, and over all that a seat cannot tell
    apart, so they explain the expected change of the value; the rest is luck. Of a pair of actions,
    its mean is 0 if either seat plays its optimal mixture.
    """
    rules, both = evaluator.rules, len(found) > 1
    losses = [one.loss(part(move, one.seat) if both else move) for one in found]
    lost = sum(loss if one.seat == 0 else -loss for one, loss in zip(found, losses, strict=True))
    before = evaluator.value(state) if imperfect_information(rules) else found[0].value
    after = apply(rules, state, move)
    # Compare at the same horizon, or a difference in depth would pass for luck.
    if isinstance(evaluator, SearchEvaluator):
        value = evaluator.value_to(after, 0, evaluator.depth - 1)
    else:
        value = evaluator.value(after)
    gain = value - before + lost
    return 0.0 if math.isnan(gain) else float(gain)


def decision_of(
    evaluator: Evaluator, state: State, ply: int, evaluation: Evaluation, action: int
) -> JudgedDecision:
    """Return the decision of one seat.

    An error found by a search may come from its horizon, so both actions are searched again, one
    decision deeper, and the smaller loss counts.
    """
    rules, (seat, value, values, *_), loss = evaluator.rules, evaluation, evaluation.loss(action)
    best = max(values, key=lambda one: values[one])
    least = SLIGHT if imperfect_information(rules) else CLOSE
    if isinstance(evaluator, SearchEvaluator) and evaluators.error_name(loss):
        loss = min(loss, evaluator.deeper_loss(state, seat, action, best))
    return JudgedDecision(
        ply,
        seat,
        position(rules, state),
        label(rules, state, action),
        label(rules, state, best),
        value,
        loss if loss > least else 0.0,
        evaluators.error_name(loss),
        bool(max(values.values()) - min(values.values()) <= least),  # values may be NumPy's
    )


def balance(
    decisions: list[JudgedDecision], lucks: list[LuckyGain], seat: int, seated: int
) -> Balance:
    """Return the totals of one of `seated` seats."""
    choices = [one for one in decisions if not one.trivial]
    gain = sum(luck.gain for luck in lucks)
    luck = gain if seat == 0 else 0.0 - gain if seated == 2 else None
    return Balance(
        len(decisions),
        len(choices),
        sum(one.loss for one in choices),
        luck,
        {name: sum(one.name == name for one in choices) for name, _ in evaluators.ERRORS},
        sum(one.loss == 0.0 for one in choices),
    )
