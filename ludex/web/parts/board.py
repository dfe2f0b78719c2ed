"""A scene in the browser: named shapes, animated from one scene to the next."""

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from nicegui.element import Element
from nicegui.events import GenericEventArguments

from ludex.core.scene import Scene, Shape
from ludex.render.svg import SHAPE_KINDS, TEXT_KINDS, drawing
from ludex.web.parts.best_line import LineMark
from ludex.web.parts.keyboard import HALVES, KEYS

SHORTEST, LONGEST = 170, 700  # milliseconds of a transition scene
EncodedShape = tuple[Any, ...]
"""A tuple, because NiceGUI copies and observes every list of every page."""


class Offer(NamedTuple):
    """An action that the viewer may choose now."""

    seat: int
    action: int
    label: str
    keys: tuple[str, ...] = ()
    """Shortcut keys besides its number; if empty, those of its label."""


class MoveValue(NamedTuple):
    """What an action is worth, as a badge near its shape and on its button."""

    seat: int
    action: int
    kind: str
    """`best`, `equal` if all are, or the name of an error."""
    sign: str
    """A symbol, or the loss."""
    exact: bool
    words: str


def shared_offer(offer: Offer, name: str) -> Offer:
    """Return an offer with its seat's name and half of a shared keyboard."""
    keys = HALVES[offer.seat].get(offer.label, ())
    return offer._replace(label=f"{name}: {offer.label}", keys=keys)


@functools.lru_cache(maxsize=20_000)
def encode_shape(shape: Shape) -> EncodedShape:
    """Encode a shape for the browser: id, kind, placement, drawing, and action."""
    title = shape.text if shape.kind not in TEXT_KINDS else ""
    place = [round(shape.x, 2), round(shape.y, 2), round(shape.angle, 1), round(shape.opacity, 3)]
    kind = shape.kind if shape.kind in SHAPE_KINDS else "icon"
    return (shape.id, kind, *place, drawing(shape), title, shape.action, shape.seat)


def delta(
    known: dict[str, EncodedShape], scene: Scene
) -> tuple[dict[str, Any], dict[str, EncodedShape]]:
    """Return the changes from known shapes to a scene, and the shapes of the scene."""
    shapes = {shape.id: encode_shape(shape) for shape in scene.shapes}
    frame = {
        "size": [scene.width, scene.height],
        "shapes": [shape for name, shape in shapes.items() if known.get(name) != shape],
        "order": list(shapes) if list(shapes) != list(known) else None,
        "offers": [],
        "ply": 0,
    }
    return frame, shapes


def step_duration(known: dict[str, EncodedShape], frame: dict[str, Any]) -> int:
    """Return the milliseconds of a transition scene, by the longest distance moved."""
    moved = [shape for shape in frame["shapes"] if shape[0] in known]
    ways = (math.dist(shape[2:4], known[shape[0]][2:4]) for shape in moved)
    return round(min(LONGEST, max(SHORTEST, 90 + 2.2 * max(ways, default=0.0))))


class Board(Element, component="board.js"):
    """A board that shows scenes and reports what was chosen."""

    def __init__(
        self,
        scene: Scene,
        label: str,
        offers: Iterable[Offer] = (),
        ply: int = 0,
        asks: bool = False,
        list_in: Element | None = None,
    ) -> None:
        """Show a scene; `list_in` gets a button for each offer."""
        super().__init__()
        self.sent: dict[str, EncodedShape] = {}
        self._props["label"] = label
        self._props["first"] = self.frame(scene, offers, ply, asks=asks)
        self._props["list"] = list_in.html_id if list_in else ""
        self.classes("lx-board")

    def listen(
        self,
        key: Callable[[str], Any],
        choose: Callable[[int, int, int], Any] | None = None,
        preview: Callable[[int, int], Any] | None = None,
        settled: Callable[[int], Any] | None = None,
        shows: Callable[[int, int], Any] | None = None,
    ) -> "Board":
        """Let the board take the page's keys; `choose` gets seat, action and the ply shown.

        `settled` gets the ply at which an animation has ended, or was skipped. While it runs,
        `shows` gets every ply twice: with 0 when its transition begins, and with 1 at its end.
        """
        self._props["keyboard"] = True
        self.on("key", lambda event: key(str(event.args)[:20]))
        if choose:
            self.on("choose", lambda event: forward(event, 3, choose))
        if preview:
            self.on("preview", lambda event: forward(event, 2, preview))
        if settled:
            self.on("settled", lambda event: forward(event, 1, settled))
        if shows:
            self.on("shows", lambda event: forward(event, 2, shows))
        return self

    def frame(
        self, scene: Scene, offers: Iterable[Offer], ply: int, pace: int = 450, asks: bool = False
    ) -> dict[str, Any]:
        """Return the message for a scene; with `asks`, touch shows the odds before choosing."""
        frame, self.sent = delta(self.sent, scene)
        frame |= {"ply": ply, "pace": pace, "asks": asks}
        frame["offers"] = [[*one[:3], one.keys or KEYS.get(one.label, ())] for one in offers]
        return frame

    def show(
        self,
        scene: Scene,
        offers: Iterable[Offer] = (),
        ply: int = 0,
        pace: int = 450,
        asks: bool = False,
        through: Iterable[Scene] = (),
    ) -> float:
        """Queue a scene after those `through` which it is reached; return the seconds of all."""
        frames = []
        for one in through:
            known = self.sent
            frame = self.frame(one, (), ply)
            frames.append(frame | {"pace": step_duration(known, frame), "through": True})
        # In one message, so that choices are available before the transition ends.
        frames.append(self.frame(scene, offers, ply, pace, asks))
        self.run_method("push", *frames)
        return float(sum(frame["pace"] for frame in frames)) / 1000

    def set_inactive(self, asleep: bool) -> None:
        """Look like a mere picture, or like a board again."""
        self.classes(add="lx-asleep") if asleep else self.classes(remove="lx-asleep")

    def hint(self, seat: int, action: int) -> None:
        """Highlight an action."""
        self.run_method("hint", seat, action)

    def show_values(self, values: Iterable[MoveValue]) -> None:
        """Draw the values of actions at their shapes, until the next scene."""
        self.run_method("values", [list(one) for one in values])

    def show_line(self, marks: Iterable[LineMark]) -> None:
        """Draw a line of moves over the scene, until the next one."""
        self.run_method("line", [one._asdict() for one in marks])

    def overlay(self, shapes: Iterable[Shape]) -> None:
        """Draw shapes over the scene until the pointer moves on."""
        self.run_method("overlay", [encode_shape(shape) for shape in shapes])

    def loop(self, frames: list[dict[str, Any]], pace: int) -> None:
        """Show frames in an endless loop."""
        self.run_method("loop", frames, pace)


def forward(event: GenericEventArguments, count: int, callback: Callable[..., Any]) -> Any:
    """Pass on a message from the browser if it is a list of `count` small integers."""
    given = event.args
    if not isinstance(given, list) or len(given) != count:
        return None
    valid = all(type(one) is int and -1 <= one < 10_000 for one in given)
    return callback(*given) if valid else None
