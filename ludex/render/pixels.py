"""Pictures as pixels: rasterise the SVG that `ludex/render/svg.py` writes.

matplotlib's rasteriser draws it. It supports only the SVG elements of our pictures, and uses
matplotlib's own font.
"""

import math
import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.patches import BoxStyle
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D, Transform

Canvas: Any = RendererAgg  # untyped

DOTS_PER_INCH = 72.0  # makes a point, matplotlib's unit of line width, a pixel
TRANSFORMS = {"translate": "translate", "rotate": "rotate_deg", "scale": "scale"}
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
# The number of arguments of each path command.
PATH_COMMANDS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "A": 7, "Z": 0}


def pixels(svg: str) -> np.ndarray:
    """Rasterise an SVG into rows of RGB pixels from 0 to 255, on white.

    Width and height are even, as most video codecs require.
    """
    root = fromstring(svg)
    width, height = (2 * math.ceil(float(root.attrib[side]) / 2) for side in ("width", "height"))
    canvas = Canvas(width, height, DOTS_PER_INCH)
    sheet = Element("rect", {"width": str(width), "height": str(height), "fill": "#FFFFFF"})
    root.insert(0, sheet)
    draw_element(canvas, root, Affine2D().scale(1, -1).translate(0, height), {})
    return np.array(canvas.buffer_rgba())[:, :, :3]


def draw_element(canvas: Any, element: Element, place: Transform, above: dict[str, Any]) -> None:
    """Draw an element and its children; the opacity of a group applies to each of them."""
    look = {key: above[key] for key in ("fill", "alpha") if key in above} | element.attrib
    look["alpha"] = float(above.get("alpha", 1.0)) * float(look.get("opacity", 1.0))
    own = Affine2D()
    for name, numbers in reversed(re.findall(r"(\w+)\(([^)]*)\)", look.get("transform", ""))):
        getattr(own, TRANSFORMS[name])(*map(float, numbers.split()))
    place = own + place
    if element.tag.rpartition("}")[2] in OUTLINES:
        draw_outline(canvas, element, place, look)
    for inside in element:
        draw_element(canvas, inside, place, look)


def draw_outline(canvas: Any, element: Element, place: Transform, look: dict[str, Any]) -> None:
    """Draw the fill and the stroke of an element."""
    path = OUTLINES[element.tag.rpartition("}")[2]](element)
    edge, fill = look.get("stroke", "none"), look.get("fill", "#000000")
    size = math.sqrt(abs(np.linalg.det(place.get_matrix())))
    pen = canvas.new_gc()
    pen.set_alpha(look["alpha"])
    pen.set_linewidth(float(look.get("stroke-width", 1)) * size if edge != "none" else 0.0)
    pen.set_foreground(to_rgba(edge if edge != "none" else "#000000", look["alpha"]), isRGBA=True)
    pen.set_capstyle(look.get("stroke-linecap", "butt"))
    pen.set_joinstyle(look.get("stroke-linejoin", "miter"))
    if "stroke-dasharray" in look:
        lengths = map(float, look["stroke-dasharray"].split())
        pen.set_dashes(0, [max(0.01, one * size) for one in lengths])
    inside = None if fill == "none" else to_rgba(fill, look["alpha"])
    if "paint-order" in look:  # stroke below the fill
        canvas.draw_path(pen, path, place, None)
        pen.set_linewidth(0.0)
    canvas.draw_path(pen, path, place, inside)


def number_of(element: Element, name: str) -> float:
    """Return a numeric attribute of an element, 0 if absent."""
    return float(element.get(name, 0))


def rectangle(element: Element) -> Path:
    """Return a rectangle with rounded corners."""
    x, y, width, height = (number_of(element, name) for name in ("x", "y", "width", "height"))
    corner = min(number_of(element, "rx"), width / 2, height / 2)
    return BoxStyle.Round(pad=0, rounding_size=max(corner, 1e-6))(x, y, width, height, 1)


def ellipse(element: Element) -> Path:
    """Return an ellipse, or a circle."""
    across, down = (float(element.get(name, element.get("r", 0))) for name in ("rx", "ry"))
    centre = number_of(element, "cx"), number_of(element, "cy")
    return Path.unit_circle().transformed(Affine2D().scale(across, down).translate(*centre))


def line(element: Element) -> Path:
    """Return a straight line."""
    return Path([[0.0, 0.0], [number_of(element, "x2"), number_of(element, "y2")]])


def text_outline(element: Element) -> Path:
    """Return the outline of a text, shifted down by `dy`."""
    size, text = number_of(element, "font-size"), element.text or ""
    weight = "bold" if number_of(element, "font-weight") > 600 else "normal"  # those of the font
    family = "monospace" if "monospace" in element.get("font-family", "") else None
    prop = FontProperties(family=family, weight=weight)
    path = TextPath((0, 0), text.replace("$", r"\$"), size, prop=prop)
    width = float(path.vertices[:, 0].max()) if len(path.vertices) else 0.0
    left = -ANCHORS[element.get("text-anchor", "start")] * width
    down = float(element.get("dy", "0em").removesuffix("em")) * size
    return Affine2D().scale(1, -1).translate(left, down).transform_path(path)


def svg_path(element: Element) -> Path:
    """Parse the path of a `path` element."""
    words = re.findall(r"[A-Za-z]|-?(?:\d*\.\d+|\d+)(?:e-?\d+)?", element.get("d", ""))
    points, codes = [np.zeros(2)], [Path.MOVETO]
    command, behind, start = "", points[0], points[0]
    while words:
        if words[0].isalpha():
            command = words.pop(0)
        if command not in PATH_COMMANDS or len(words) < PATH_COMMANDS[command]:
            raise ValueError(
                f"path {element.get('d')!r}: expected {', '.join(PATH_COMMANDS)} and their numbers"
            )
        given = [float(words.pop(0)) for _ in range(PATH_COMMANDS[command])]
        here = points[-1]
        if command == "H":
            given = [given[0], here[1]]
        elif command == "V":
            given = [here[0], given[0]]
        elif command == "S":  # smooth continuation of the last curve
            given = [*(2 * here - behind), *given]
        elif command == "A":
            given = list(arc(here, given).ravel())
        elif command == "Z":
            given = list(start)
        new = np.reshape(given, (-1, 2))
        kind = {"M": Path.MOVETO, "C": Path.CURVE4, "S": Path.CURVE4, "Z": Path.CLOSEPOLY}
        points.extend(new)
        codes += [kind.get(command, Path.LINETO)] * len(new)
        behind = points[-2] if command in "CS" else points[-1]
        if command == "M":
            start = new[0]
        command = {"M": "L", "Z": ""}.get(command, command)
    return Path(np.array(points), codes)


def arc(here: np.ndarray, given: list[float]) -> np.ndarray:
    """Return points along an arc of a circle or an unrotated ellipse."""
    across, down, _, long, clockwise, *end = given
    scale = np.array([across, down])
    first, last = here / scale, np.array(end) / scale
    chord = last - first
    half = math.hypot(*chord) / 2
    side = math.sqrt(max(0.0, 1 - half * half)) * (1 if long != clockwise else -1)
    grow = max(1.0, half)  # a radius that is too small is scaled up
    centre = (first + last) / 2 + side * np.array([-chord[1], chord[0]]) / (2 * half)
    begin = math.atan2(*(first - centre)[::-1])
    turn = math.atan2(*(last - centre)[::-1]) - begin
    turn = turn % math.tau if clockwise else turn % math.tau - math.tau
    angles = begin + np.linspace(0, turn, 25)[1:]
    around = grow * np.column_stack([np.cos(angles), np.sin(angles)])
    points: np.ndarray = (centre + around) * scale
    return points


OUTLINES = {
    "rect": rectangle,
    "ellipse": ellipse,
    "circle": ellipse,
    "line": line,
    "text": text_outline,
    "path": svg_path,
}
