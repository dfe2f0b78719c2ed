"""A scene as a self-contained SVG."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from ludex.core.scene import Scene, Shape

PALETTE = {
    "ink": "#22304A",
    "slate": "#5B6780",
    "grey": "#98A1B3",
    "silver": "#CBD1DC",
    "mist": "#EEEBE4",
    "paper": "#FBF8F2",
    "white": "#FFFFFF",
    "night": "#18213A",
    "dusk": "#243050",
    "wood": "#CF9A62",
    "bark": "#AF773F",
    "nut": "#A2592A",
    "red": "#D9443F",
    "blue": "#2E6FD0",
    "yellow": "#F2B21B",
    "green": "#2F9E5B",
    "cyan": "#14A0B8",
    "sand": "#E9DCC3",
    "sky": "#DBE8F4",
}

FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

# XML cannot contain these, not even escaped.
UNPRINTABLE = {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"}


def svg(scene: Scene, title: str = "") -> str:
    """Return a scene as an SVG document; a ValueError names an unknown kind or colour."""
    return document(scene.width, scene.height, [group(shape) for shape in scene.shapes], title)


def document(width: float, height: float, parts: list[str], title: str = "") -> str:
    """Return an SVG document of these parts, from back to front."""
    across, down = number(width), number(height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}"'
        f' viewBox="0 0 {across} {down}" role="img" font-family={attribute(FONT)}>'
    ]
    if title:
        lines.append(f"<title>{escape_text(title)}</title>")
    return "\n".join([*lines, *parts, "</svg>\n"])


def group(shape: Shape) -> str:
    """Return a shape as an SVG group with its id, drawn around the origin and translated.

    A click chooses `data-action`, where both choose at once for `data-seat`. A shape without
    action and text lets the mouse through to the shapes behind it.
    """
    transform = f"translate({number(shape.x)} {number(shape.y)})"
    if shape.angle:
        transform += f" rotate({number(shape.angle)})"
    attributes = f'id={attribute(shape.id)} transform="{transform}"'
    if shape.opacity < 1.0:
        attributes += f' opacity="{number(shape.opacity)}"'
    if shape.action >= 0:
        attributes += f' data-action="{shape.action}" cursor="pointer"'
        attributes += f' data-seat="{shape.seat}"' if shape.seat >= 0 else ""
    inside = drawing(shape)
    if shape.text and shape.kind not in TEXT_KINDS:
        inside = f"<title>{escape_text(shape.text)}</title>{inside}"
    elif shape.action < 0:
        attributes += ' pointer-events="none"'
    return f"<g {attributes}>{inside}</g>"


def drawing(shape: Shape) -> str:
    """Return what a shape looks like around the origin, before it is moved and turned."""
    if shape.kind in SHAPE_KINDS:
        return SHAPE_KINDS[shape.kind](shape)
    if shape.kind.lstrip().startswith("<"):
        return draw_icon(shape, shape.kind)
    known = f"there are {', '.join(SHAPE_KINDS)}, or a drawing of your own that begins with '<'"
    raise ValueError(f"shape {shape.id!r}: no kind {shape.kind!r} ({known})")


# Writing. ---------------------------------------------------------------------------------------


def number(value: float) -> str:
    """Return a number with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def escape_text(text: str) -> str:
    """Escape a text for element content."""
    return escape(text.translate(UNPRINTABLE))


def attribute(text: str) -> str:
    """Escape and quote a text as the value of an attribute."""
    return quoteattr(text.translate(UNPRINTABLE))


def paint(shape: Shape) -> str:
    """Return the colour of a shape in SVG notation."""
    if shape.colour not in PALETTE:
        raise ValueError(
            f"shape {shape.id!r}: no colour {shape.colour!r} (there are {', '.join(PALETTE)})"
        )
    return PALETTE[shape.colour]


def blend(colour: str, other: str, share: float) -> str:
    """Blend a colour with this share of another."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex().upper()


# Plain kinds. -----------------------------------------------------------------------------------


def rectangle(shape: Shape, rounding: float, look: str) -> str:
    """Return a rectangle with corners rounded by this share of its shorter side."""
    width, height = shape.width, shape.height
    radius = number(rounding * min(width, height))
    return (
        f'<rect x="{number(-width / 2)}" y="{number(-height / 2)}" width="{number(width)}"'
        f' height="{number(height)}" rx="{radius}" {look}/>'
    )


def draw_panel(shape: Shape) -> str:
    """Return a filled rectangle with a thin inner edge."""
    inner = shape._replace(width=shape.width - 2, height=shape.height - 2)
    edge = blend(paint(shape), PALETTE["ink"], 0.16)
    return rectangle(inner, 0.04, f'{fill(shape)} stroke="{edge}" stroke-width="2"')


def fill(shape: Shape) -> str:
    """Return the attributes of a shape that is only filled."""
    return f'fill="{paint(shape)}"'


def outline(shape: Shape) -> str:
    """Return the attributes of a shape that is only stroked."""
    return f'fill="none" stroke="{paint(shape)}" stroke-width="{number(shape.stroke)}"'


def ellipse(shape: Shape, look: str) -> str:
    """Return an ellipse."""
    return f'<ellipse rx="{number(shape.width / 2)}" ry="{number(shape.height / 2)}" {look}/>'


def draw_line(shape: Shape) -> str:
    """Return a line with round ends."""
    end = f'x2="{number(shape.width)}" y2="{number(shape.height)}"'
    return f'<line {end} {outline(shape)} stroke-linecap="round"/>'


def draw_dots(shape: Shape) -> str:
    """Return a dotted line."""
    gap = number(3 * shape.stroke)
    return draw_line(shape).replace("/>", f' stroke-dasharray="0 {gap}"/>')


def draw_text(shape: Shape, weight: int, style: str = "") -> str:
    """Return the text of a shape, at its height."""
    look = f'{fill(shape)} font-size="{number(shape.height)}" font-weight="{weight}"{style}'
    place = f'text-anchor={attribute(shape.anchor)} dy=".35em"'
    return f"<text {place} {look}>{escape_text(shape.text)}</text>"


def draw_path(shape: Shape) -> str:
    """Return the path in the text of the shape, in a box from -50 to 50, filled."""
    return stretch(shape, f'<path d={attribute(shape.text)} fill-rule="evenodd" {fill(shape)}/>')


def draw_die(shape: Shape) -> str:
    """Return a die that shows the number in the text, or no pips."""
    spots = {"1": "5", "2": "37", "3": "357", "4": "1379", "5": "13579", "6": "134679"}
    pips = "".join(
        f'<circle cx="{(int(place) - 1) % 3 * 26 - 26}" cy="{(int(place) - 1) // 3 * 26 - 26}"'
        ' r="9"/>'
        for place in spots.get(shape.text, "")
    )
    look = f'fill="{PALETTE["white"]}" stroke="{paint(shape)}" stroke-width="7"'
    body = f'<rect x="-46" y="-46" width="92" height="92" rx="22" {look}/>'
    return stretch(shape, f"{body}<g {fill(shape)}>{pips}</g>")


# Icons, in a box from -50 to 50 with the top up; games bring others in their shapes. -----------


def stretch(shape: Shape, drawing: str) -> str:
    """Scale a drawing from the box from -50 to 50 to the size of the shape."""
    across, down = f"{shape.width / 100:.4g}", f"{shape.height / 100:.4g}"
    return f'<g transform="scale({across} {down})">{drawing}</g>'


def draw_icon(shape: Shape, drawing: str) -> str:
    """Return a drawing, tinted in the colour of the shape."""
    main = paint(shape)
    tints = {
        "main": main,
        "dark": blend(main, PALETTE["night"], 0.42),
        "light": blend(main, PALETTE["white"], 0.62),
        "face": "#F7D9B8",
    }
    try:
        return stretch(shape, drawing.replace("\n", "").format_map(tints | PALETTE))
    except KeyError as error:
        known = f"there are {', '.join(tints | PALETTE)}"
        raise ValueError(f"shape {shape.id!r}: no colour {error} ({known})") from error


def icon_drawer(name: str) -> Callable[[Shape], str]:
    """Return a drawer of one of our icons."""
    file = Path(__file__).parent / "icons" / f"{name}.svg"
    return partial(draw_icon, drawing=file.read_text(encoding="utf-8"))


SHAPE_KINDS: dict[str, Callable[[Shape], str]] = {
    "panel": draw_panel,
    "box": lambda shape: rectangle(shape, 0.12, fill(shape)),
    "pill": lambda shape: rectangle(shape, 0.5, fill(shape)),
    "frame": lambda shape: rectangle(shape, 0.12, outline(shape)),
    "disc": lambda shape: ellipse(shape, fill(shape)),
    "ring": lambda shape: ellipse(shape, outline(shape)),
    "line": draw_line,
    "dots": draw_dots,
    "text": partial(draw_text, weight=500),
    "bold": partial(draw_text, weight=700),
    "mono": partial(draw_text, weight=500, style=f' font-family="{MONO}" xml:space="preserve"'),
    "path": draw_path,
    "die": draw_die,
    **{name: icon_drawer(name) for name in ("person", "burst", "crown")},
}

# Kinds whose text is written, and those whose text is drawn; the text of others is a tooltip.
FONT_KINDS = {"text", "bold", "mono"}
TEXT_KINDS = FONT_KINDS | {"path", "die"}
