"""What an action would do, drawn on the board before it is chosen."""

import math

from ludex.core import rules as ask
from ludex.core.play import legal_moves
from ludex.core.rules import BOTH, CHANCE, Rules, State
from ludex.core.scene import Shape
from ludex.render.svg import TEXT_KINDS

GHOST = 0.45  # opacity of what is shown before it is chosen


def luck_matters(rules: Rules, state: State, action: int) -> bool:
    """Return whether an action leads to chance with outcomes that are not equally likely."""
    if ask.turn(rules, state) == BOTH:
        return False
    after = ask.apply(rules, state, action)
    if ask.turn(rules, after) != CHANCE:
        return False
    odds = [float(ask.chance(rules, after, one)) for one in legal_moves(rules, after)]
    return max(odds) - min(odds) > 1e-9


def preview_shapes(rules: Rules, state: State, action: int) -> list[Shape]:
    """Return what an action adds to the scene: the odds where they differ, else what it moves."""
    before = {shape.id: shape for shape in ask.scene(rules, state).shapes}
    after = ask.scene(rules, ask.apply(rules, state, action)).shapes
    if luck_matters(rules, state, action):
        return [one for one in after if one.id not in before]
    return [one._replace(opacity=GHOST) for one in after if has_moved(one, before.get(one.id))]


def has_moved(shape: Shape, before: Shape | None) -> bool:
    """Return whether a shape that is no mere mark or text has moved."""
    if before is None or shape.shows or shape.kind in TEXT_KINDS:
        return False
    return math.dist(shape[2:4], before[2:4]) > 1.0
