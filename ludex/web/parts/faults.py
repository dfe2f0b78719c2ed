"""The bad moves of a match, and what to say of them."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ludex.analysis.evaluator import error_name
from ludex.core.choice import CLOSE
from ludex.core.rules import (
    OVER,
    Rules,
    State,
    apply,
    at_once,
    events,
    label,
    outcomes,
    returns,
    seat_name,
    seats,
    turn,
)
from ludex.io.text import many, signed
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import GameLength
from ludex.web.parts.numbers import unsigned

MARKS = {"blunder": "??", "mistake": "?", "slip": "?!"}  # chess annotation symbols
NAMED = 3  # of equally good moves


class Fault(NamedTuple):
    """A move that lost value, made in the position after `ply` moves."""

    ply: int
    seat: int
    loss: float
    kind: str

    @property
    def mark(self) -> str:
        """The symbol of its kind."""
        return MARKS[self.kind]


Faults = Mapping[tuple[int, int], Fault]
"""The bad moves of a match, by ply and seat, in order."""
NO_FAULTS: Faults = MappingProxyType({})


def faults_at(ply: int, found: list[Evaluation], played: Mapping[int, int]) -> list[Fault]:
    """Return the bad moves in a position, by the actions that each seat played there."""
    losses = {one.seat: one.loss(played.get(one.seat, -1)) for one in found}
    return [
        Fault(ply, seat, loss, error_name(loss))
        for seat, loss in losses.items()
        if not math.isnan(loss) and error_name(loss)
    ]


def fault_text(
    rules: Rules,
    state: State,
    evaluation: Evaluation,
    length: GameLength,
    played: int,
    reply: str = "",
) -> str:
    """Say which bad move comes next, what it costs, what follows, and what was best and why."""
    who, loss = seat_name(rules, evaluation.seat), evaluation.loss(played)
    move = f"{who} plays {label(rules, state, played)}"
    cost = f"a {error_name(loss)} (costs {unsigned(loss)}){change_text(rules, evaluation, played)}."
    best = best_text(rules, state, evaluation, length)
    return " ".join(filter(None, (f"Next, {move}: {cost}", reply, f"Best was {best}")))


def change_text(rules: Rules, evaluation: Evaluation, played: int) -> str:
    """Say which result an action turns into which, if one of them is certain."""
    values = evaluation.value, evaluation.values[played]
    names = [result_name(rules, value, evaluation.exact) for value in values]
    if not any(names):
        return ""
    pairs = zip(names, values, strict=True)
    before, after = (name or f"a value of {signed(value, 2)}" for name, value in pairs)
    return f" that turns {before} into {after}"


def result_name(rules: Rules, value: float, exact: bool) -> str:
    """Return the result that a value stands for; nothing if it is not certain."""
    if abs(value) > 1.0 - CLOSE:
        return "a win" if value > 0.0 else "a loss"
    certain = exact and not outcomes(rules) and not at_once(rules)
    return "a draw" if certain and abs(value) < CLOSE else ""


def reply_text(
    rules: Rules, state: State, evaluation: Evaluation, length: GameLength, line: tuple[int, ...]
) -> str:
    """Say how best play goes on from an evaluated state, with the moves of a line."""
    if not line:
        return ""
    who, moves = seat_name(rules, evaluation.seat), []
    for action in line:
        mover = seat_name(rules, turn(rules, state))
        moves.append(f"{mover}: {label(rules, state, action)}")
        state = apply(rules, state, action)
    end = f", and {who} {length.text(evaluation.value)}" if length.after else ""
    if not end and turn(rules, state) == OVER:
        winners = [seat for seat in range(seats(rules)) if returns(rules, state, seat) > 0.0]
        end = "".join(f", and {seat_name(rules, seat)} wins" for seat in winners[:1])
    source = "best play is" if evaluation.exact else "a search expects"
    return f"After it, {source} {', '.join(moves)}{end}."


def best_text(rules: Rules, state: State, evaluation: Evaluation, length: GameLength) -> str:
    """Return the best actions with their effect, or the best mixture, as the end of a sentence."""
    if at_once(rules) and len(evaluation.policy) > 1:
        mixture = sorted(evaluation.policy.items(), key=lambda pair: -pair[1])
        parts = (f"{label(rules, state, one)} {100 * share:.0f}\u00a0%" for one, share in mixture)
        return f"to mix {', '.join(parts)}."
    best = [length.preferred(evaluation)] if at_once(rules) else length.best_actions(evaluation)
    names, lasting = [label(rules, state, one) for one in best], length.text(evaluation.value)
    effects = [] if at_once(rules) else events(rules, state, best[0])
    if effects:
        others = f" As good: {join_names(names[1:], 'and')}." if names[1:] else ""
        return f"{names[0]}: {' '.join(effects)}{others}"
    words = join_names(names, "or")
    return f"{words}, which {lasting}." if length.after else f"{words}."


def join_names(names: list[str], conjunction: str) -> str:
    """Return names in one list, of which at most three are named and the others counted."""
    left = len(names) - NAMED
    shown = names if left <= 0 else [*names[:NAMED], many(left, "other")]
    return f" {conjunction} ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
