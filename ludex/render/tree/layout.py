"""The layout of a search tree: where its nodes are, and the room for their labels.

Leaves are side by side, parents above the middle of their children, and nothing overlaps. Where
this would be too wide, children without drawn descendants are stacked below one another, to the
right of those that have children.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ludex.render.tree.folding import Path, Shown
from ludex.search.explicit_tree import Branch, Kind, Node
from ludex.search.transposition import AT_LEAST, AT_MOST, EXACT

SIGNS = {EXACT: "", AT_LEAST: "≥", AT_MOST: "≤"}
BOXES = (Kind.OVER, Kind.LEAF)
HALF = 24.0  # half the height of a node
BOX = 13.0  # half the height of a box
BASE = 24.0  # half the base of a triangle, at least
STUB = 0.42  # how large a node is that was cut
GAP = 10.0
WIDE = 1600.0  # a tree that would be wider has stacks
ROW, TICK = 29.0, 14.0  # the height of a row in a stack, and the way from its spine to a label
LETTER, LINE = 11.0, 13.0  # the size of letters at nodes and branches, and of a line of them
LETTER_WIDTH = 0.62  # of its size, on average, in the fonts of `picture.py`
LONGEST = 11  # letters in a line of a label


# Words. -----------------------------------------------------------------------------------------


def width_of(text: str, size: float = LETTER) -> float:
    """Return about how wide a text is."""
    return LETTER_WIDTH * size * len(text)


def value_text(node: Node, digits: int) -> str:
    """Return the value of a node, with a sign where it is a bound; nothing if it has none."""
    if node.value is None:
        return ""
    text = f"{node.value:.{digits}f}"
    text = text.lstrip("-") if float(text) == 0.0 else text
    return SIGNS[node.bound] + text.replace("-", "−")


def digits_of(numbers: Iterable[float | None]) -> int:
    """Return how many decimals tell values apart, up to three."""
    values = [value for value in numbers if value is not None]
    for digits in (0, 1, 2):
        if all(abs(value - round(value, digits)) < 1e-9 for value in values):
            return digits
    apart = len({round(value, 6) for value in values})
    return 2 if len({round(value, 2) for value in values}) == apart else 3


def probability_text(p: float) -> str:
    """Return a probability: a fraction if it is a simple one, and never 0 or 1 for what is not."""
    fraction = Fraction(p).limit_denominator(12)
    if abs(fraction - p) < 1e-9:
        return str(fraction)
    if not 0.0005 <= p < 0.9995:
        return "<0.001" if p < 0.5 else ">0.999"
    return f"{p:.3f}".rstrip("0")


def label_lines(branch: Branch) -> list[str]:
    """Return what stands at a branch: its label in one short line or two, and its probability."""
    text = branch.label
    breaks = [at for at, letter in enumerate(text) if letter == " "]
    lines = [text]
    if len(text) > LONGEST and breaks:
        middle = min(breaks, key=lambda at: abs(at - len(text) / 2))
        lines = [text[:middle], text[middle + 1 :]]
    lines = [line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…" for line in lines if line]
    return lines if branch.probability is None else [*lines, probability_text(branch.probability)]


# Places. ----------------------------------------------------------------------------------------


class Look(NamedTuple):
    """What decides on the size of everything: the decimals of values, and what is stacked."""

    digits: int
    stacked: bool = False
    """Whether children below which nothing is drawn stand one below the other."""


class Twig(NamedTuple):
    """A place in the picture: of a node, or of what stands for the folded ones of its parent."""

    x: float
    level: int
    shown: Shown | None
    below: tuple["Twig", ...] = ()
    folded: int = 0
    parent: Path = ()
    down: float = 0.0
    """How far below its level it is."""
    spine: float | None = None
    """In a stack, where the line runs from which all its branches go to the right."""

    def all(self) -> Iterator["Twig"]:
        """Yield this and all that are below it."""
        yield self
        for one in self.below:
            yield from one.all()


def look_of(what: Shown) -> Look:
    """Return a look in which a tree is not wider than need be."""
    look = Look(digits_of(one.branch.node.value for one in what.all()))
    return look._replace(stacked=span(what, look) > WIDE)


def value_width(node: Node, look: Look) -> float:
    """Return about how wide a value is; it is written in bold."""
    return 1.12 * width_of(value_text(node, look.digits))


def half_width(branch: Branch, look: Look) -> float:
    """Return half the width of a node."""
    letters = value_width(branch.node, look)
    if branch.cut:
        return STUB * BASE
    if branch.node.kind in BOXES:
        return max(15.0, letters / 2 + 5)
    if branch.node.kind in (Kind.MAX, Kind.MIN):
        return max(BASE, 0.78 * letters + 2)  # as wide as a triangle is where the value stands
    return max(HALF, letters / 2 + 2)


def own_room(branch: Branch, look: Look) -> float:
    """Return how much room a node and its label need beside others."""
    letters = max((width_of(line) for line in label_lines(branch)), default=0.0)
    return max(2 * half_width(branch, look), letters) + GAP


def fold_room(folded: int) -> float:
    """Return how much room a node needs that stands for others."""
    return width_of(f"+{folded}") + 14 + GAP if folded else 0.0


def parted(one: Shown, look: Look) -> tuple[list[Shown], list[Shown]]:
    """Return the children of a node that stand side by side, and those in the stack after them."""
    rows = [child for child in one.below if not child.below]
    if not look.stacked or len(rows) < 2:
        return list(one.below), []
    return [child for child in one.below if child.below], rows


def row_words(rows: list[Shown]) -> float:
    """Return how wide the labels in a stack are."""
    return max(width_of(" ".join(label_lines(row.branch))) for row in rows) + 6


def row_node(one: Shown, look: Look) -> float:
    """Return how wide a node in a stack is, with its value."""
    if one.branch.cut or one.branch.node.kind in BOXES:
        return 2 * half_width(one.branch, look)
    return 2 * BOX + 4 + value_width(one.branch.node, look)


def stack_room(rows: list[Shown], folded: int, look: Look) -> float:
    """Return how wide a stack is."""
    widest = max(row_node(row, look) + fold_room(row.folded) for row in rows)
    return TICK + row_words(rows) + max(widest, fold_room(folded)) + 2 * GAP


def span(one: Shown, look: Look) -> float:
    """Return how much room a node and all that is below it need."""
    return max(own_room(one.branch, look), sum(rooms(one, look)))


def rooms(one: Shown, look: Look) -> list[float]:
    """Return how much room each child side by side needs, then all that stands after these."""
    beside, rows = parted(one, look)
    rest = stack_room(rows, one.folded, look) if rows else fold_room(one.folded)
    return [*(span(child, look) for child in beside), rest]


def laid(one: Shown, left: float, level: int, look: Look) -> Twig:
    """Return a node and all that is below it in places from the left on.

    A parent stands over the middle of its children. No room overlaps another.
    """
    own, whole, widths = own_room(one.branch, look), span(one, look), rooms(one, look)
    beside, rows = parted(one, look)
    x = left + (whole - sum(widths)) / 2
    below, middles = [], []
    for child, room in zip(beside, widths, strict=False):
        below.append(laid(child, x, level + 1, look))
        middles.append(below[-1].x)
        x += room
    if rows:
        below += stack(one, rows, x, level + 1, look)
    elif one.folded:
        below.append(Twig(x + widths[-1] / 2, level + 1, None, (), one.folded, one.path))
    if below[len(middles) :]:
        middles.append(x + widths[-1] / 2)
    centre = (middles[0] + middles[-1]) / 2 if middles else left + whole / 2
    centre = min(max(centre, left + own / 2), left + whole - own / 2)
    return Twig(centre, level, one, tuple(below))


def stack(one: Shown, rows: list[Shown], left: float, level: int, look: Look) -> list[Twig]:
    """Return children of a node one below the other: labels, nodes, and what they fold."""
    x = left + TICK + row_words(rows)
    twigs = []
    for at, row in enumerate(rows):
        boxed = row.branch.cut or row.branch.node.kind in BOXES
        place = x + (half_width(row.branch, look) if boxed else BOX)
        fold = Twig(
            x + row_node(row, look) + fold_room(row.folded) / 2,
            *(level, None, (), row.folded, row.path, at * ROW, left),
        )
        below = (fold,) if row.folded else ()
        twigs.append(Twig(place, level, row, below, down=at * ROW, spine=left))
    if one.folded:
        middle, down = x + (fold_room(one.folded) - GAP) / 2, len(rows) * ROW
        twigs.append(Twig(middle, level, None, (), one.folded, one.path, down, left))
    return twigs


def heights(twigs: list[Twig], top: float) -> list[float]:
    """Return where each level lies; wide families hang lower, so that their branches are steep."""
    places = [top]
    for level in range(max(twig.level for twig in twigs)):
        families = [twig.below for twig in twigs if twig.level == level and twig.below]
        widest = max(family[-1].x - family[0].x for family in families)
        fan = min(max(widest / 8, 30.0), 130.0)
        places.append(places[-1] + 2 * HALF + fan + words_height(twigs, level + 1))
    return places


def words_height(twigs: list[Twig], level: int) -> float:
    """Return how much room there must be for labels over the nodes of a level."""
    lines = [
        len(label_lines(twig.shown.branch))
        for twig in twigs
        if twig.level == level and twig.shown is not None and twig.spine is None
    ]
    return LINE * max(lines, default=0) + 4


def top_of(twig: Twig) -> float:
    """Return how high a node rises over its centre."""
    if twig.shown is None or twig.shown.branch.cut:
        return STUB * HALF
    return BOX if twig.shown.branch.node.kind in BOXES else HALF
