"""A position as named shapes: what a game says about its picture, without drawing it."""

from typing import NamedTuple


class Shape(NamedTuple):
    """One thing in a picture. What stays the same thing from state to state keeps its id.

    The place is the centre of the shape, except for a `line`, which goes from (x, y) to
    (x + width, y + height). `angle` turns the shape clockwise, in degrees.
    """

    id: str
    kind: str
    x: float
    y: float
    width: float = 0.0
    height: float = 0.0
    colour: str = "ink"
    text: str = ""
    angle: float = 0.0
    action: int = -1
    """What clicking the shape chooses; -1 for nothing."""


class Scene(NamedTuple):
    """A picture of this width and height, its shapes listed from back to front."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
