"""The picture of a move, and the best line as arrows and dots over a board.

The shapes of a scene say where an action is chosen. If the action moves a shape to that place or
away from it, its picture is an arrow, else a dot at the place. If there is no such shape, the
action has no picture.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ludex.core import rules as ask
from ludex.core.play import choices
from ludex.core.rules import BOTH, Rules, State
from ludex.core.scene import Scene, Shape
from ludex.solve.evaluation import Evaluation
from ludex.web.parts.move_preview import has_moved

LEAST_SHARE = 0.05  # of an action in a mixture that is drawn

Point = tuple[float, float]


class Picture(NamedTuple):
    """A move on the board: an arrow between two places, or a dot at one."""

    end: Point
    start: Point | None = None


class LineMark(NamedTuple):
    """A move of the best line as it is drawn."""

    end: Point
    start: Point | None
    text: str
    """Its number in the line, or its share in a mixture; empty for a single move."""
    exact: bool
    own: bool
    """Whether it is a move of the seat that the line is for."""


def move_picture(rules: Rules, state: State, seat: int, action: int) -> Picture | None:
    """Return the picture of a seat's action, or None if the scene does not show it."""
    scene = ask.scene(rules, state)
    places = [one for one in scene.shapes if one.action == action and one.seat in (-1, seat)]
    if not places:
        return None
    place = max(places, key=lambda one: one.width * one.height)
    arrows = [
        arrow
        for after in scenes_after(rules, state, seat, action)
        for arrow in arrows_at(place, scene, after)
    ]
    longest = max(arrows, key=lambda one: math.dist(one.start or one.end, one.end), default=None)
    return longest or Picture((place.x, place.y))


def scenes_after(rules: Rules, state: State, seat: int, action: int) -> Iterator[Scene]:
    """Yield the scene after an action; at simultaneous moves, one for each other action."""
    if ask.turn(rules, state) != BOTH:
        yield ask.scene(rules, ask.apply(rules, state, action))
        return
    for other in choices(rules, state, 1 - seat):
        move = ask.pair(action, other) if seat == 0 else ask.pair(other, action)
        yield ask.scene(rules, ask.apply(rules, state, move))


def arrows_at(place: Shape, scene: Scene, after: Scene) -> Iterator[Picture]:
    """Yield the ways of the shapes that move to a place, or away from it.

    A shape that leaves a larger place, such as the row with its name, starts at the edge.
    """
    before = {one.id: one for one in scene.shapes}
    for shape in after.shapes:
        old = before.get(shape.id)
        if old is not None and has_moved(shape, old) and covers(place, old) != covers(place, shape):
            inside = covers(place, old) and place.id != shape.id
            start = nearest(place, shape) if inside else (old.x, old.y)
            yield Picture((shape.x, shape.y), start)


def covers(place: Shape, shape: Shape) -> bool:
    """Return whether the middle of a shape is inside another."""
    return 2 * abs(shape.x - place.x) <= place.width and 2 * abs(shape.y - place.y) <= place.height


def nearest(place: Shape, shape: Shape) -> Point:
    """Return the point of a place that is nearest to the middle of a shape."""
    x, y = place.width / 2, place.height / 2
    return (
        min(max(shape.x, place.x - x), place.x + x),
        min(max(shape.y, place.y - y), place.y + y),
    )


def line_marks(
    rules: Rules, state: State, found: list[Evaluation], line: tuple[int, ...]
) -> list[LineMark]:
    """Return the moves of a best line, or at a simultaneous move the mixtures of both seats."""
    if not line:
        return [mark for one in found for mark in mixture_marks(rules, state, one)]
    marks, evaluation = [], found[0]
    for number, move in enumerate(line, 1):
        seat = ask.turn(rules, state)
        if picture := move_picture(rules, state, seat, move):
            text = str(number) if len(line) > 1 else ""
            marks.append(LineMark(*picture, text, evaluation.exact, seat == evaluation.seat))
        state = ask.apply(rules, state, move)
    return marks


def mixture_marks(rules: Rules, state: State, evaluation: Evaluation) -> Iterator[LineMark]:
    """Yield the actions that a seat mixes, each with its share."""
    for action, share in evaluation.policy.items():
        picture = move_picture(rules, state, evaluation.seat, action)
        if share >= LEAST_SHARE and picture:
            text = f"{share:.0%}" if share < 0.995 else ""
            yield LineMark(*picture, text, evaluation.exact, evaluation.seat == 0)


def line_text(rules: Rules, state: State, line: tuple[int, ...]) -> str:
    """Return the moves of a line in words."""
    labels = []
    for move in line:
        labels.append(ask.label(rules, state, move))
        state = ask.apply(rules, state, move)
    return ", ".join(labels)
