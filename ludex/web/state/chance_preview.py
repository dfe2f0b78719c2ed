"""The probabilities after an action that leads to chance: whether to show them, and how."""

from ludex.core.play import legal_moves
from ludex.core.rules import BOTH, CHANCE, Rules, State, apply, chance, scene, turn
from ludex.core.scene import Shape


def luck_matters(rules: Rules, state: State, action: int) -> bool:
    """Return whether an action leads to chance with outcomes that are not equally likely."""
    if turn(rules, state) == BOTH:
        return False
    after = apply(rules, state, action)
    if turn(rules, after) != CHANCE:
        return False
    odds = [float(chance(rules, after, one)) for one in legal_moves(rules, after)]
    return max(odds) - min(odds) > 1e-9


def odds_shapes(rules: Rules, state: State, action: int) -> list[Shape]:
    """Return the shapes that an action adds to the scene before chance decides."""
    there = {shape.id for shape in scene(rules, state).shapes}
    after = apply(rules, state, action)
    return [one for one in scene(rules, after).shapes if one.id not in there]
