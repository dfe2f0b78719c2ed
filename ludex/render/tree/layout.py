"""The layout of a search tree: where its nodes are, and the room for their labels.

Leaves are side by side, parents above the middle of their children, and nothing overlaps. Where
this would be too wide, children without drawn descendants are stacked below one another, to the
right of those that have children.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from ludex.render.tree.folding import Path, ShownBranch
from ludex.search.explicit_tree import Branch, Node, NodeKind
from ludex.search.transposition import AT_LEAST, AT_MOST, EXACT

SIGNS = {EXACT: "", AT_LEAST: "≥", AT_MOST: "≤"}
BOXES = (NodeKind.OVER, NodeKind.LEAF)
HALF = 24.0  # half the height of a node
BOX = 13.0  # half the height of a box
BASE = 24.0  # half the base of a triangle, at least
STUB = 0.42  # scale of a pruned node
GAP = 10.0
WIDE = 1600.0  # wider trees have stacks
ROW, TICK = 29.0, 14.0  # the height of a row in a stack, and from its spine to a label
LETTER, LINE = 11.0, 13.0  # font size and line height at nodes and branches
LETTER_WIDTH = 0.62  # of the font size, on average
LONGEST = 11  # characters in a line of a label


# Words. -----------------------------------------------------------------------------------------


def width_of(text: str, size: float = LETTER) -> float:
    """Return the approximate width of a text."""
    return LETTER_WIDTH * size * len(text)


def value_text(node: Node, digits: int) -> str:
    """Return the value of a node, with ≥ or ≤ if it is a bound; nothing if it has none."""
    if node.value is None:
        return ""
    text = f"{node.value:.{digits}f}"
    text = text.lstrip("-") if float(text) == 0.0 else text
    return SIGNS[node.bound] + text.replace("-", "−")


def digits_of(numbers: Iterable[float | None]) -> int:
    """Return the number of decimals that distinguish values, up to three."""
    values = [value for value in numbers if value is not None]
    for digits in (0, 1, 2):
        if all(abs(value - round(value, digits)) < 1e-9 for value in values):
            return digits
    apart = len({round(value, 6) for value in values})
    return 2 if len({round(value, 2) for value in values}) == apart else 3


def probability_text(p: float) -> str:
    """Return a probability; as a fraction if it is simple and its decimals would not end.

    It is never rounded to 0 or 1.
    """
    fraction = Fraction(p).limit_denominator(12)
    if abs(fraction - p) < 1e-9 and (1000 % fraction.denominator or fraction.denominator == 1):
        return str(fraction)
    if not 0.0005 <= p < 0.9995:
        return "<0.001" if p < 0.5 else ">0.999"
    return f"{p:.3f}".rstrip("0")


def label_lines(branch: Branch) -> list[str]:
    """Return the label of a branch in one or two short lines, and its probability."""
    text = branch.label
    breaks = [at for at, letter in enumerate(text) if letter == " "]
    lines = [text]
    if len(text) > LONGEST and breaks:
        middle = min(breaks, key=lambda at: abs(at - len(text) / 2))
        lines = [text[:middle], text[middle + 1 :]]
    lines = [line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…" for line in lines if line]
    return lines if branch.probability is None else [*lines, probability_text(branch.probability)]


# Places. ----------------------------------------------------------------------------------------


class TreeLook(NamedTuple):
    """The parameters of the layout."""

    digits: int
    stacked: bool = False
    """Whether children without drawn descendants are stacked."""


class PlacedNode(NamedTuple):
    """A node, or the fold of its parent, with its place in the picture."""

    x: float
    level: int
    shown: ShownBranch | None
    below: tuple["PlacedNode", ...] = ()
    folded: int = 0
    parent: Path = ()
    down: float = 0.0
    """The offset below its level."""
    spine: float | None = None
    """In a stack, the x of the vertical line from which its branches start."""

    def all(self) -> Iterator["PlacedNode"]:
        """Yield this and all that are below it."""
        yield self
        for one in self.below:
            yield from one.all()


def choose_look(what: ShownBranch) -> TreeLook:
    """Choose the parameters so that the tree is not too wide."""
    look = TreeLook(digits_of(one.branch.node.value for one in what.all()))
    return look._replace(stacked=span(what, look) > WIDE)


def value_width(node: Node, look: TreeLook) -> float:
    """Return the approximate width of a value, which is bold."""
    return 1.12 * width_of(value_text(node, look.digits))


def half_width(branch: Branch, look: TreeLook) -> float:
    """Return half the width of a node."""
    letters = value_width(branch.node, look)
    if branch.cut:
        return STUB * BASE
    if branch.node.kind in BOXES:
        return max(15.0, letters / 2 + 5)
    if branch.node.kind in (NodeKind.MAX, NodeKind.MIN):
        return max(BASE, 0.78 * letters + 2)  # the triangle is this wide at the value
    return max(HALF, letters / 2 + 2)


def own_room(branch: Branch, look: TreeLook) -> float:
    """Return the width of a node with its label and gap."""
    letters = max((width_of(line) for line in label_lines(branch)), default=0.0)
    return max(2 * half_width(branch, look), letters) + GAP


def fold_room(folded: int) -> float:
    """Return the width of a fold with its gap, 0 if nothing is folded."""
    return width_of(f"+{folded}") + 14 + GAP if folded else 0.0


def split_children(one: ShownBranch, look: TreeLook) -> tuple[list[ShownBranch], list[ShownBranch]]:
    """Return the children of a node that are side by side, and those in the stack after them."""
    rows = [child for child in one.below if not child.below]
    if not look.stacked or len(rows) < 2:
        return list(one.below), []
    return [child for child in one.below if child.below], rows


def row_label_width(rows: list[ShownBranch]) -> float:
    """Return the width of the labels in a stack."""
    return max(width_of(" ".join(label_lines(row.branch))) for row in rows) + 6


def row_node_width(one: ShownBranch, look: TreeLook) -> float:
    """Return the width of a node in a stack, with its value."""
    if one.branch.cut or one.branch.node.kind in BOXES:
        return 2 * half_width(one.branch, look)
    return 2 * BOX + 4 + value_width(one.branch.node, look)


def stack_room(rows: list[ShownBranch], folded: int, look: TreeLook) -> float:
    """Return the width of a stack."""
    widest = max(row_node_width(row, look) + fold_room(row.folded) for row in rows)
    return TICK + row_label_width(rows) + max(widest, fold_room(folded)) + 2 * GAP


def span(one: ShownBranch, look: TreeLook) -> float:
    """Return the width of a subtree."""
    return max(own_room(one.branch, look), sum(child_spans(one, look)))


def child_spans(one: ShownBranch, look: TreeLook) -> list[float]:
    """Return the width of each child side by side, then of the stack or fold after them."""
    beside, rows = split_children(one, look)
    rest = stack_room(rows, one.folded, look) if rows else fold_room(one.folded)
    return [*(span(child, look) for child in beside), rest]


def lay_out(one: ShownBranch, left: float, level: int, look: TreeLook) -> PlacedNode:
    """Place a subtree from `left` on, parents above the middle of their children."""
    own, whole, widths = own_room(one.branch, look), span(one, look), child_spans(one, look)
    beside, rows = split_children(one, look)
    x = left + (whole - sum(widths)) / 2
    below, middles = [], []
    for child, room in zip(beside, widths, strict=False):
        below.append(lay_out(child, x, level + 1, look))
        middles.append(below[-1].x)
        x += room
    if rows:
        below += stack(one, rows, x, level + 1, look)
    elif one.folded:
        below.append(PlacedNode(x + widths[-1] / 2, level + 1, None, (), one.folded, one.path))
    if below[len(middles) :]:
        middles.append(x + widths[-1] / 2)
    centre = (middles[0] + middles[-1]) / 2 if middles else left + whole / 2
    centre = min(max(centre, left + own / 2), left + whole - own / 2)
    return PlacedNode(centre, level, one, tuple(below))


def stack(
    one: ShownBranch, rows: list[ShownBranch], left: float, level: int, look: TreeLook
) -> list[PlacedNode]:
    """Place a stack: the children of a node one below the other, with their folds."""
    x = left + TICK + row_label_width(rows)
    nodes = []
    for at, row in enumerate(rows):
        boxed = row.branch.cut or row.branch.node.kind in BOXES
        place = x + (half_width(row.branch, look) if boxed else BOX)
        middle = x + row_node_width(row, look) + fold_room(row.folded) / 2
        fold = PlacedNode(middle, level, None, (), row.folded, row.path, at * ROW, left)
        below = (fold,) if row.folded else ()
        nodes.append(PlacedNode(place, level, row, below, down=at * ROW, spine=left))
    if one.folded:
        middle, down = x + (fold_room(one.folded) - GAP) / 2, len(rows) * ROW
        nodes.append(PlacedNode(middle, level, None, (), one.folded, one.path, down, left))
    return nodes


def level_heights(nodes: list[PlacedNode], top: float) -> list[float]:
    """Return the y of each level; wide families hang lower, so that their branches are steep."""
    places = [top]
    for level in range(max(node.level for node in nodes)):
        families = [node.below for node in nodes if node.level == level and node.below]
        widest = max(family[-1].x - family[0].x for family in families)
        fan = min(max(widest / 8, 30.0), 130.0)
        places.append(places[-1] + 2 * HALF + fan + label_height(nodes, level + 1))
    return places


def label_height(nodes: list[PlacedNode], level: int) -> float:
    """Return the height of the labels above the nodes of a level."""
    here = [node.shown for node in nodes if node.level == level and node.spine is None]
    lines = [len(label_lines(shown.branch)) for shown in here if shown is not None]
    return LINE * max(lines, default=0) + 4


def node_rise(node: PlacedNode) -> float:
    """Return the height of a node above its centre."""
    if node.shown is None or node.shown.branch.cut:
        return STUB * HALF
    return BOX if node.shown.branch.node.kind in BOXES else HALF
