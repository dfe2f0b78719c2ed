"""Draw a hat with its balls: what a hats learner knows about a position."""

from collections.abc import Mapping, Sequence

from ludex.core.scene import Scene, Shape
from ludex.render.svg import svg

COLOURS = ("blue", "yellow", "red", "green", "cyan", "nut", "silver", "wood", "slate")
MOST = 40  # balls drawn; beyond that, each stands for several
ROW, BALL = 11, 19.0  # balls in the lowest row, and their size
WIDTH = 380.0
LETTER, WIDE = 14, 8.2  # font size, and an upper bound of the usual letter width
FRONT = "M-50-50C-50-24 50-24 50-50L39 42C20 52-20 52-39 42Z"
BAND = "M-47-50C-20-28 20-28 47-50L44-8C20 12-20 12-44-8Z"


def hat(balls: Mapping[str, int], taken: str = "") -> str:
    """Return a hat as SVG, from the balls of each action; a `taken` ball is shown above."""
    each = -(-max(sum(balls.values()), 1) // MOST)
    kinds = [
        number
        for number, count in enumerate(balls.values())
        for _ in range(max(1, round(count / each)) if count else 0)
    ]
    # A fixed pseudo-random order.
    mixed = sorted(range(len(kinds)), key=lambda place: place * 0.618 % 1.0)
    places = ball_positions(len(kinds))
    above = [kind for kind, words in enumerate(balls) if words == taken]
    rim = 24 - min((y for _, y in places), default=0.0) + 2 * BALL * len(above)
    shapes = [Shape("hat-inside", "disc", WIDTH / 2, rim, 236, 44, "night")]
    for number, (ball, (x, y)) in enumerate(zip(mixed, places, strict=True)):
        shapes += draw_ball(f"hat-ball-{number}", kinds[ball], x, rim + y)
    for kind in above:
        shapes += draw_ball("hat-taken", kind, WIDTH / 2, 1.2 * BALL, 1.4 * BALL)
    shapes += [
        Shape("hat-front", "path", WIDTH / 2, rim + 62, 236, 124, "dusk", FRONT),
        Shape("hat-band", "path", WIDTH / 2, rim + 36, 230, 58, "red", BAND),
    ]
    y = rim + 148
    captions = [f"{words}: {count:,}" for words, count in balls.items()]
    columns = column_count(captions)
    for number, words in enumerate(captions):
        x = 20 + (WIDTH - 20) / columns * (number % columns)
        shapes += draw_ball(f"hat-kind-{number}", number, x, y + 26 * (number // columns))
        line = Shape(f"hat-words-{number}", "text", x + 14, y + 26 * (number // columns), 0, LETTER)
        shapes.append(line._replace(text=words, anchor="start", colour="slate"))
    height = y + 26 * -(-len(captions) // columns)
    if each > 1:
        notes = [f"one ball in this picture is about {each:,} in the hat;"]
        notes.append("a kind that has fewer is drawn once")
        for number, words in enumerate(notes):
            line = Shape(f"hat-note-{number}", "text", WIDTH / 2, height, 0, 13, "slate", words)
            shapes.append(line)
            height += 20
    return svg(Scene(WIDTH, height, tuple(shapes)), "A hat with balls")


def column_count(captions: Sequence[str]) -> int:
    """Return in how many columns the captions fit beside their balls."""
    longest = max(map(len, captions), default=0)
    room = [one for one in (3, 2) if 16 + WIDE * longest <= (WIDTH - 20) / one]
    return room[0] if room else 1


def ball_positions(count: int) -> list[tuple[float, float]]:
    """Return the positions of balls relative to the rim, in rows that get shorter."""
    places: list[tuple[float, float]] = []
    row = 0
    while len(places) < count:
        here = min(max(ROW - row, 1), count - len(places))
        y = -0.86 * BALL * row
        places += [(WIDTH / 2 + (one - (here - 1) / 2) * BALL, y) for one in range(here)]
        row += 1
    return places


def draw_ball(key: str, kind: int, x: float, y: float, size: float = BALL) -> list[Shape]:
    """Return a ball with the number of its kind, so that colour is not needed."""
    colour = COLOURS[kind % len(COLOURS)]
    ink = "ink" if colour in ("yellow", "silver", "wood") else "white"
    return [
        Shape(key, "disc", x, y, size, size, colour),
        Shape(f"{key}-edge", "ring", x, y, size, size, "white", stroke=1.5),
        Shape(f"{key}-number", "bold", x, y, 0, 0.58 * size, ink, str(kind + 1)),
    ]
