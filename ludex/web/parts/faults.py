"""The bad moves of a match, and what to say of them."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ludex.analysis.evaluator import error_name
from ludex.core.rules import Rules, State, at_once, events, label, seat_name
from ludex.solve.evaluator import Evaluation
from ludex.solve.game_length import GameLength
from ludex.web.parts.numbers import unsigned

MARKS = {"blunder": "??", "mistake": "?", "slip": "?!"}  # chess annotation symbols


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
    rules: Rules, state: State, evaluation: Evaluation, length: GameLength, played: int
) -> str:
    """Say which bad move comes next, what it costs, and what was best and why."""
    who, loss = seat_name(rules, evaluation.seat), evaluation.loss(played)
    best = best_text(rules, state, evaluation, length)
    move = f"{who} plays {label(rules, state, played)}"
    return f"Next, {move}: a {error_name(loss)} (costs {unsigned(loss)}). Best was {best}"


def best_text(rules: Rules, state: State, evaluation: Evaluation, length: GameLength) -> str:
    """Return the best action with its effects, or the best mixture, as the end of a sentence."""
    if at_once(rules) and len(evaluation.policy) > 1:
        mixture = sorted(evaluation.policy.items(), key=lambda pair: -pair[1])
        parts = (f"{label(rules, state, one)} {100 * share:.0f} %" for one, share in mixture)
        return f"to mix {', '.join(parts)}."
    best = length.preferred(evaluation)
    words, lasting = label(rules, state, best), length.text(evaluation.value)
    effects = [] if at_once(rules) else events(rules, state, best)
    if effects:
        return f"{words}: {' '.join(effects)}"
    return f"{words}, which {lasting}." if length.after else f"{words}."
