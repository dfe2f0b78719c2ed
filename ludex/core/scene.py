"""A position as named shapes: what a picture of a game contains, without drawing it."""

import re
import textwrap
from collections.abc import Collection
from typing import NamedTuple


class Shape(NamedTuple):
    """A shape of a picture."""

    id: str
    """The name of the shape in the picture; what persists from state to state keeps it."""
    kind: str
    """One of the kinds of `ludex/render/svg.py`, or an icon of the game's own, which begins with
    `<`: SVG in a box from -50 to 50, with colours in braces, where {main} is that of the shape, and
    {dark} and {light} are its tints."""
    x: float
    """The centre from left to right; for a `line` or `dots`, where it begins."""
    y: float
    """The centre from top to bottom; for a `line` or `dots`, where it begins."""
    width: float = 0.0
    """The width; for a `line` or `dots`, how far it goes to the right."""
    height: float = 0.0
    """The height; for a text, the font size; for a `line` or `dots`, how far it goes down."""
    colour: str = "ink"
    """One of the colours of `ludex/render/svg.py`."""
    text: str = ""
    """The content of a text, a path or a die; for other shapes, a description."""
    angle: float = 0.0
    """How far it is turned clockwise around its place, in degrees."""
    action: int = -1
    """The action that a click chooses; -1 for none."""
    seat: int = -1
    """The seat of the action in simultaneous moves; -1 for the seat to act."""
    opacity: float = 1.0
    """From 0, which is invisible, to 1."""
    stroke: float = 2.0
    """The width of a line or an outline."""
    anchor: str = "middle"
    """The part of a text that is at its place: `start`, `middle` or `end`."""
    shows: str = ""
    """`OFFER` if it only marks what can be chosen, `TURN` if it only marks whose turn it is."""


class Scene(NamedTuple):
    """A picture of this width and height, its shapes listed from back to front."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


OFFER, TURN = "offer", "turn"
LETTER, WIDEST = 24.0, 72  # the font size, and the cells of a line, of a picture of text
PLATE, PLATE_Y = 64.0, 56.0
"""The height and the centre of a seat's plate."""
PLATE_ID = re.compile(r"seat-\d+")


def panel(width: float, height: float) -> Shape:
    """Return the background of a picture of this size."""
    return Shape("panel", "panel", width / 2, height / 2, width, height, "paper")


def text_scene(text: str) -> Scene:
    """Return a picture of lines of text, centred together; those over WIDEST cells are wrapped."""
    from rich.cells import cell_len  # imported on use

    lines: list[str] = []
    for line in textwrap.dedent(text.expandtabs()).strip("\n").split("\n"):
        lines += textwrap.wrap(line, WIDEST, drop_whitespace=False) or [""]
    across = 0.6 * LETTER * max(map(cell_len, lines))  # the advance of most monospaced fonts
    width, height = max(across, 300.0) + 2 * LETTER, (1.4 * len(lines) + 2) * LETTER
    line_shape = Shape("", "mono", (width - across) / 2, 0, 0, LETTER, anchor="start")
    shapes = (
        line_shape._replace(id=f"line-{place}", y=(1.4 * place + 1.7) * LETTER, text=line)
        for place, line in enumerate(lines)
    )
    return Scene(width, height, (panel(width, height), *shapes))


def plate(
    seat: int,
    x: float,
    width: float,
    name: str,
    detail: str,
    colour: str,
    lit: bool,
    icon: str = "person",
) -> list[Shape]:
    """Return the name plate of a seat, highlighted if `lit`; a detail, if any, comes last.

    The highlight and the detail mark whose turn it is.
    """
    key, left, y = f"seat-{seat + 1}", x - width / 2, PLATE_Y
    shapes = plate_ground(Shape(key, "box", x, y, width, PLATE), colour, lit)
    words = Shape(f"{key}-name", "bold", left + 66, y - 11, 0, 18, text=name, anchor="start")
    shapes += [Shape(f"{key}-icon", icon, left + 34, y, 44, 44, colour), words]
    if detail:
        line = words._replace(id=f"{key}-detail", kind="text", y=y + 13, height=14, text=detail)
        shapes.append(line._replace(colour="slate", shows=TURN))
    return shapes


def plate_ground(box: Shape, colour: str, lit: bool) -> list[Shape]:
    """Return the box of a plate, with its highlight in the colour of the seat if `lit`."""
    if not lit:
        return [box._replace(colour="mist")]
    over = box._replace(colour=colour, shows=TURN)
    return [
        box._replace(colour="white"),
        over._replace(id=f"{box.id}-glow", opacity=0.16),
        over._replace(id=f"{box.id}-frame", kind="frame"),
    ]


def without_offers(scene: Scene) -> Scene:
    """Return a scene in which nothing can be chosen."""
    kept = (shape for shape in scene.shapes if shape.shows != OFFER)
    return scene._replace(shapes=tuple(shape._replace(action=-1) for shape in kept))


def at_rest(scene: Scene, winners: Collection[int] = ()) -> Scene:
    """Return a scene in which it is nobody's turn, as after an interrupted match.

    The plates of the winners are highlighted, and no others.
    """
    colours = {shape.id: shape.colour for shape in scene.shapes}
    won, shapes = {f"seat-{seat + 1}" for seat in winners}, list[Shape]()
    for shape in without_offers(scene).shapes:
        if PLATE_ID.fullmatch(shape.id):
            shapes += plate_ground(shape, colours.get(f"{shape.id}-icon", "ink"), shape.id in won)
        elif shape.shows != TURN:
            shapes.append(shape)
    return scene._replace(shapes=tuple(shapes))
