"""A scene as a self-contained SVG."""

import math
from collections.abc import Callable
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

# XML has no place for these, not even escaped.
UNPRINTABLE = {code: "\ufffd" for code in range(32) if chr(code) not in "\t\n\r"}


def svg(scene: Scene, title: str = "") -> str:
    """Return a scene as the text of one SVG file; a ValueError names an unknown kind or colour."""
    return document(scene.width, scene.height, [group(shape) for shape in scene.shapes], title)


def document(width: float, height: float, parts: list[str], title: str = "") -> str:
    """Return the text of an SVG file of this size with these parts, from back to front."""
    across, down = number(width), number(height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}"'
        f' viewBox="0 0 {across} {down}" role="img" font-family={attribute(FONT)}>'
    ]
    if title:
        lines.append(f"<title>{written(title)}</title>")
    return "\n".join([*lines, *parts, "</svg>\n"])


def group(shape: Shape) -> str:
    """Return a shape as an SVG group with its id, drawn around the origin and moved to its place.

    What clicking chooses stands in `data-action` and, where both choose at once, `data-seat`. What
    has neither an action nor words lets the mouse through to the shapes behind it.
    """
    if shape.kind not in KINDS:
        raise ValueError(
            f"shape {shape.id!r}: no kind {shape.kind!r} (there are {', '.join(KINDS)})"
        )
    transform = f"translate({number(shape.x)} {number(shape.y)})"
    if shape.angle:
        transform += f" rotate({number(shape.angle)})"
    attributes = f'id={attribute(shape.id)} transform="{transform}"'
    if shape.opacity < 1.0:
        attributes += f' opacity="{number(shape.opacity)}"'
    if shape.action >= 0:
        attributes += f' data-action="{shape.action}" cursor="pointer"'
        attributes += f' data-seat="{shape.seat}"' if shape.seat >= 0 else ""
    inside = KINDS[shape.kind](shape)
    if shape.text and shape.kind not in SPEAKING:
        inside = f"<title>{written(shape.text)}</title>{inside}"
    elif shape.action < 0:
        attributes += ' pointer-events="none"'
    return f"<g {attributes}>{inside}</g>"


# Writing. ---------------------------------------------------------------------------------------


def number(value: float) -> str:
    """Return a number with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def written(text: str) -> str:
    """Return a text as it stands between tags."""
    return escape(text.translate(UNPRINTABLE))


def attribute(text: str) -> str:
    """Return a text as the value of an attribute, with its quotes."""
    return quoteattr(text.translate(UNPRINTABLE))


def paint(shape: Shape) -> str:
    """Return the colour of a shape as SVG has it."""
    if shape.colour not in PALETTE:
        raise ValueError(
            f"shape {shape.id!r}: no colour {shape.colour!r} (there are {', '.join(PALETTE)})"
        )
    return PALETTE[shape.colour]


def mixed(colour: str, other: str, share: float) -> str:
    """Return a colour with this share of another one in it."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex().upper()


# Plain kinds. -----------------------------------------------------------------------------------


def rectangle(shape: Shape, rounding: float, look: str) -> str:
    """Return a rectangle whose corners are round by this share of its shorter side."""
    width, height = shape.width, shape.height
    radius = number(rounding * min(width, height))
    return (
        f'<rect x="{number(-width / 2)}" y="{number(-height / 2)}" width="{number(width)}"'
        f' height="{number(height)}" rx="{radius}" {look}/>'
    )


def filled(rounding: float) -> Callable[[Shape], str]:
    """Return a drawer of filled rectangles with such corners."""
    return lambda shape: rectangle(shape, rounding, f'fill="{paint(shape)}"')


def draw_panel(shape: Shape) -> str:
    """Return a sheet with a fine edge inside its size."""
    inner = shape._replace(width=shape.width - 2, height=shape.height - 2)
    edge = mixed(paint(shape), PALETTE["ink"], 0.16)
    return rectangle(inner, 0.04, f'fill="{paint(shape)}" stroke="{edge}" stroke-width="2"')


def outline(shape: Shape) -> str:
    """Return the look of something that is not filled."""
    return f'fill="none" stroke="{paint(shape)}" stroke-width="{number(shape.stroke)}"'


def draw_frame(shape: Shape) -> str:
    """Return the outline of a box."""
    return rectangle(shape, 0.12, outline(shape))


def ellipse(shape: Shape, look: str) -> str:
    """Return an ellipse, which is a circle where width and height are equal."""
    return f'<ellipse rx="{number(shape.width / 2)}" ry="{number(shape.height / 2)}" {look}/>'


def draw_disc(shape: Shape) -> str:
    """Return a filled ellipse."""
    return ellipse(shape, f'fill="{paint(shape)}"')


def draw_ring(shape: Shape) -> str:
    """Return the outline of an ellipse."""
    return ellipse(shape, outline(shape))


def draw_line(shape: Shape) -> str:
    """Return a line with round ends."""
    end = f'x2="{number(shape.width)}" y2="{number(shape.height)}"'
    return f'<line {end} {outline(shape)} stroke-linecap="round"/>'


def draw_dots(shape: Shape) -> str:
    """Return a dotted line."""
    gap = number(3 * shape.stroke)
    return draw_line(shape).replace("/>", f' stroke-dasharray="0 {gap}"/>')


def lettering(weight: int) -> Callable[[Shape], str]:
    """Return a drawer of texts of a weight; they are as high as the shape says."""

    def draw(shape: Shape) -> str:
        look = f'fill="{paint(shape)}" font-size="{number(shape.height)}" font-weight="{weight}"'
        place = f'text-anchor={attribute(shape.anchor)} dy=".35em"'
        return f"<text {place} {look}>{written(shape.text)}</text>"

    return draw


def draw_path(shape: Shape) -> str:
    """Return what the text of the shape outlines in a box from -50 to 50, filled."""
    return stretched(
        shape, f'<path d={attribute(shape.text)} fill-rule="evenodd" fill="{paint(shape)}"/>'
    )


def draw_die(shape: Shape) -> str:
    """Return a die in the colour of the shape that shows its text, or nothing."""
    spots = {"1": "5", "2": "37", "3": "357", "4": "1379", "5": "13579", "6": "134679"}
    pips = "".join(
        f'<circle cx="{(int(place) - 1) % 3 * 26 - 26}" cy="{(int(place) - 1) // 3 * 26 - 26}"'
        ' r="9"/>'
        for place in spots.get(shape.text, "")
    )
    look = f'fill="{PALETTE["white"]}" stroke="{paint(shape)}" stroke-width="7"'
    body = f'<rect x="-46" y="-46" width="92" height="92" rx="22" {look}/>'
    return stretched(shape, f'{body}<g fill="{paint(shape)}">{pips}</g>')


# Icons, in a box from -50 to 50 with the top up. ------------------------------------------------


def stretched(shape: Shape, drawing: str) -> str:
    """Return a drawing in the box from -50 to 50, brought to the size of the shape."""
    across, down = f"{shape.width / 100:.4g}", f"{shape.height / 100:.4g}"
    return f'<g transform="scale({across} {down})">{drawing}</g>'


def star(points: int, outer: float, inner: float) -> str:
    """Return the outline of a star around the origin."""
    corners = []
    for corner in range(2 * points):
        radius, angle = inner if corner % 2 else outer, math.pi * corner / points
        corners.append(f"{number(radius * math.sin(angle))} {number(-radius * math.cos(angle))}")
    return f"M{' L'.join(corners)}Z"


ICONS = {
    "nut": """
<path d="M-35-14C-40 14-24 33 0 47 24 33 40 14 35-14Z" fill="{main}"/>
<path d="M12 36C28 24 36 8 35-14H20C24 8 20 24 12 36Z" fill="{dark}" opacity=".45"/>
<path d="M-24-4C-25 8-20 18-13 24" fill="none" stroke="{light}" stroke-width="6"
 stroke-linecap="round"/>
<path d="M-41-12C-44-32-22-42-4-42L-6-49H6L5-42C24-42 44-32 41-12 24-4-24-4-41-12Z"
 fill="{dark}"/>
<path d="M-27-18 0-34 27-18M-27-30 0-14 27-30" fill="none" stroke="{main}" stroke-width="3"/>""",
    "plane": """
<path d="M0-47C7-47 9-36 9-25V-13L45 10C48 13 47 20 46 22L9 12 6 31 19 40V47L0 42-19 47V40L-6 31
-9 12-46 22C-47 20-48 13-45 10L-9-13V-25C-9-36-7-47 0-47Z" fill="{main}" stroke="{white}"
 stroke-width="11" stroke-linejoin="round" paint-order="stroke"/>
<path d="M0-47C7-47 9-36 9-25V-13L45 10C48 13 47 20 46 22L9 12 6 31 19 40V47L0 42Z" fill="{dark}"
 opacity=".35"/>
<path d="M-5-30C-4-38 4-38 5-30L4-25H-4Z" fill="{light}"/>""",
    "droid": """
<path d="M-45 2C-45-6-29-6-29 2V30H-45ZM29 2C29-6 45-6 45 2V30H29Z" fill="{silver}"/>
<path d="M-47 30H-26V42C-26 46-47 46-47 42ZM26 30H47V42C47 46 26 46 26 42Z" fill="{dark}"/>
<path d="M-27-12H27V34C27 42-27 42-27 34Z" fill="{white}"/>
<path d="M8-12H27V34C27 38 18 40 8 40Z" fill="{silver}" opacity=".6"/>
<path d="M-17-4H17V4H-17ZM-17 10H-3V30H-17ZM3 10H17V17H3ZM3 23H17V30H3Z" fill="{main}"/>
<path d="M-27-14C-27-56 27-56 27-14Z" fill="{main}"/>
<path d="M27-14C27-30 19-42 8-45 14-36 15-26 14-14Z" fill="{dark}" opacity=".45"/>
<circle cx="-4" cy="-27" r="9" fill="{ink}"/>
<circle cx="-7" cy="-30" r="3" fill="{white}"/>
<circle cx="15" cy="-23" r="4" fill="{yellow}"/>""",
    "robot": """
<path d="M-22 24H-3V45H-27C-29 36-26 30-22 24ZM22 24H3V45H27C29 36 26 30 22 24Z" fill="{dark}"/>
<path d="M-18 2H18L22 28H-22Z" fill="{light}"/>
<path d="M-18 4C-34 4-40 16-38 26L-26 27C-27 20-24 16-17 15Z" fill="{main}"/>
<path d="M18 4C30 4 36 10 37 16H43C49 16 49 34 43 34H29C23 34 23 24 26 20 24 17 21 15 17 15Z"
 fill="{main}"/>
<circle cx="-33" cy="29" r="8" fill="{light}"/>
<path d="M-31-18C-31-58 31-58 31-18 31-4 22 6 0 6S-31-4-31-18Z" fill="{main}"/>
<path d="M-21-16C-21-28 21-28 21-16 21-4 14 1 0 1S-21-4-21-16Z" fill="{face}"/>
<path d="M-6-46H6L4-26H-4Z" fill="{light}"/>
<path d="M-36-24H-27V-6H-36ZM27-24H36V-6H27Z" fill="{dark}"/>
<ellipse cx="-9" cy="-13" rx="4" ry="6" fill="{ink}"/><ellipse cx="9" cy="-13" rx="4" ry="6"
 fill="{ink}"/>""",
    "trap": f"""
<circle r="46" fill="{{dark}}"/><circle r="42" fill="{{main}}"/>
<path d="{star(12, 37, 24)}" fill="{{ink}}"/>
<circle r="10" fill="{{dark}}"/><circle r="6" fill="{{light}}"/>
<path d="M-49-7H-40V7H-49ZM40-7H49V7H40Z" fill="{{dark}}"/>""",
    "person": """
<path d="M-34 46C-34 8-22-6 0-6S34 8 34 46C12 50-12 50-34 46Z" fill="{main}"/>
<path d="M8-5C24-2 34 12 34 46 28 47 22 48 16 48 20 24 18 8 8-5Z" fill="{dark}" opacity=".4"/>
<path d="M-13-4 0 12 13-4C8-6-8-6-13-4Z" fill="{white}"/>
<circle cy="-26" r="20" fill="{face}"/>
<path d="M-21-24C-24-54 24-54 21-24 14-26 10-32 8-36 0-28-12-26-21-24Z" fill="{ink}"/>
<circle cx="-7" cy="-22" r="2.6" fill="{ink}"/><circle cx="8" cy="-22" r="2.6" fill="{ink}"/>""",
    "burst": f"""
<path d="{star(11, 49, 30)}" fill="{{main}}"/><path d="{star(9, 30, 17)}" fill="{{white}}"/>""",
    "crown": """
<path d="M-42 32 -46-22-20 0 0-38 20 0 46-22 42 32Z" fill="{main}" stroke="{dark}"
 stroke-width="5" stroke-linejoin="round"/>
<circle cy="14" r="8" fill="{white}"/>""",
}


def icon(drawing: str) -> Callable[[Shape], str]:
    """Return a drawer of an icon, tinted in the colour of the shape."""
    flat = drawing.replace("\n", "")

    def draw(shape: Shape) -> str:
        main = paint(shape)
        tints = {
            "main": main,
            "dark": mixed(main, PALETTE["night"], 0.42),
            "light": mixed(main, PALETTE["white"], 0.62),
            "face": "#F7D9B8",
        }
        return stretched(shape, flat.format_map(PALETTE | tints))

    return draw


KINDS: dict[str, Callable[[Shape], str]] = {
    "panel": draw_panel,
    "box": filled(0.12),
    "pill": filled(0.5),
    "frame": draw_frame,
    "disc": draw_disc,
    "ring": draw_ring,
    "line": draw_line,
    "dots": draw_dots,
    "text": lettering(500),
    "bold": lettering(700),
    "path": draw_path,
    "die": draw_die,
    **{kind: icon(drawing) for kind, drawing in ICONS.items()},
}

# Kinds whose text is drawn; that of all others is shown when the mouse rests on them.
SPEAKING = {"text", "bold", "path", "die"}
