"""The decisions of a match with what each has lost, and what luck has done meanwhile."""

from collections.abc import Callable
from typing import NamedTuple

from ludex.choice import CLOSE
from ludex.judge import DEPTH, ERRORS, Judge, error_name, judge_of
from ludex.play import choosers
from ludex.record import Record, labels, replayed
from ludex.rules import BOTH, CHANCE, Rules, State, label, part, position, seats, turn


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


class Luck(NamedTuple):
    """What chance has given to seat 0."""

    ply: int
    position: str
    outcome: str
    gain: float


class Balance(NamedTuple):
    """What a seat has done in all."""

    decisions: int
    choices: int
    """Decisions in which something could be lost."""
    loss: float
    luck: float
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
    exact: bool
    course: tuple[float, ...]
    """What each state was worth to seat 0."""
    decisions: tuple[Decision, ...]
    lucks: tuple[Luck, ...]
    balances: tuple[Balance, ...]
    labels: tuple[str, ...]


def silent(done: int, total: int) -> None:
    """Tell nobody how far an analysis is."""


def analyse(
    record: Record, depth: int = DEPTH, tell: Callable[[int, int], None] = silent
) -> Analysis:
    """Return the analysis of a match; a ValueError says why it does not replay."""
    rules, line = replayed(record)
    judge = judge_of(rules, line[0], depth)
    names = labels(rules, line, record.moves)
    course = []
    decisions: list[Decision] = []
    lucks: list[Luck] = []
    for ply, state in enumerate(line):
        course.append(judge.value(state))
        if ply > 0 and turn(rules, line[ply - 1]) == CHANCE:
            before = line[ply - 1]
            gain = course[ply] - course[ply - 1]
            lucks.append(Luck(ply, position(rules, before), names[ply - 1], gain))
        if ply < len(record.moves):
            decisions += taken(rules, state, judge, ply + 1, record.moves[ply])
        tell(ply + 1, len(line))
    balances = tuple(
        balance([one for one in decisions if one.seat == seat], lucks, seat)
        for seat in range(seats(rules))
    )
    return Analysis(
        record,
        judge.words,
        judge.exact,
        tuple(course),
        tuple(decisions),
        tuple(lucks),
        balances,
        tuple(names),
    )


def taken(rules: Rules, state: State, judge: Judge, ply: int, move: int) -> list[Decision]:
    """Return what those who chose a move have decided: one seat, both, or none at chance."""
    both = turn(rules, state) == BOTH
    return [
        decided(rules, state, judge, ply, seat, part(move, seat) if both else move)
        for seat in choosers(rules, state)
    ]


def decided(rules: Rules, state: State, judge: Judge, ply: int, seat: int, action: int) -> Decision:
    """Return what one seat has decided."""
    opinion = judge.opinion(state, seat)
    value, values, loss = opinion.value, opinion.values, opinion.loss(action)
    best = max(values, key=lambda one: values[one])
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


def balance(decisions: list[Decision], lucks: list[Luck], seat: int) -> Balance:
    """Return what a seat has done in all; luck is known for two seats alone."""
    choices = [one for one in decisions if not one.trivial]
    sign = {0: 1.0, 1: -1.0}.get(seat, 0.0)
    return Balance(
        len(decisions),
        len(choices),
        sum(one.loss for one in choices),
        sign * sum(luck.gain for luck in lucks) + 0.0,
        {name: sum(one.name == name for one in choices) for name, _ in ERRORS},
        sum(one.loss == 0.0 for one in choices),
    )
