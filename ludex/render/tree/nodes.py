"""The nodes and branches of a drawn search tree."""

from ludex.core.rules import BOTH, CHANCE, OVER
from ludex.core.scene import Shape
from ludex.render.svg import PALETTE, blend, escape_text, group, number
from ludex.render.tree import layout
from ludex.render.tree.folding import Path, ShownBranch
from ludex.render.tree.layout import BASE, BOX, BOXES, GAP, HALF, LETTER, LINE, STUB, TICK
from ludex.search.explicit_tree import Branch, GameTree, Node, NodeKind

COLOURS = {
    NodeKind.MAX: "blue",
    NodeKind.MIN: "red",
    NodeKind.AVERAGE: "red",
    NodeKind.CHANCE: "bark",
    NodeKind.BOTH: "cyan",
    NodeKind.OVER: "slate",
    NodeKind.LEAF: "slate",
}
PALE = 0.8  # the share of white in the fill of a node


def outline(kind: NodeKind, half: float, look: str) -> str:
    """Return the outline of a node around its centre."""
    if kind in (NodeKind.MAX, NodeKind.MIN):
        tip = -HALF if kind == NodeKind.MAX else HALF
        points = f"0,{number(tip)} {number(half)},{number(-tip)} {number(-half)},{number(-tip)}"
        return f'<polygon points="{points}" {look}/>'
    if kind in (NodeKind.CHANCE, NodeKind.AVERAGE):
        return f'<ellipse rx="{number(half)}" ry="{number(HALF)}" {look}/>'
    up = HALF if kind == NodeKind.BOTH else BOX
    size = f'width="{number(2 * half)}" height="{number(2 * up)}"'
    round_by = number(BOX if kind == NodeKind.LEAF else 2.0)
    return f'<rect x="{number(-half)}" y="{number(-up)}" {size} rx="{round_by}" {look}/>'


def matrix_lines() -> str:
    """Return the grid lines of a simultaneous node."""
    third, edge = number(HALF / 3), number(HALF)
    down = f"M-{third}-{edge}V{edge}M{third}-{edge}V{edge}"
    across = f"M-{edge}-{third}H{edge}M-{edge} {third}H{edge}"
    return f'<path d="{down}{across}" stroke="{PALETTE["white"]}" stroke-width="2" fill="none"/>'


def node_look(branch: Branch, lit: bool) -> str:
    """Return the fill and stroke of a node."""
    if branch.cut:
        return f'fill="{PALETTE["mist"]}" {stroke(cut=True)}'
    kind, value = branch.node.kind, branch.node.value or 0.0
    edge = fill = PALETTE[COLOURS[kind]]
    if kind == NodeKind.OVER and value:
        edge = fill = PALETTE["blue" if value > 0.0 else "red"]
    fill = PALETTE["white"] if kind == NodeKind.LEAF else blend(fill, PALETTE["white"], PALE)
    edge, thick = (PALETTE["green"], "4") if lit else (edge, "1.6")
    return f'fill="{fill}" stroke="{edge}" stroke-width="{thick}" stroke-linejoin="round"'


def symbol(kind: NodeKind) -> str:
    """Return the symbol of a kind of node for the legend."""
    half = HALF if kind in (NodeKind.CHANCE, NodeKind.AVERAGE, NodeKind.BOTH) else 1.3 * HALF
    drawn = outline(kind, half, node_look(Branch("", Node(kind, "", 0)), False))
    return f'<g transform="scale({STUB})">{drawn}</g>'


def tooltip(tree: GameTree, branch: Branch) -> str:
    """Return the tooltip of a node."""
    node = branch.node
    nobody = {CHANCE: "chance", BOTH: "both", OVER: ""}
    who = tree.names[node.mover] if node.mover >= 0 else nobody[node.mover]
    kinds = {
        NodeKind.MAX: f"{who} takes the most",
        NodeKind.MIN: f"{who} takes the least",
        NodeKind.AVERAGE: f"{who} takes anything",
        NodeKind.CHANCE: "chance",
        NodeKind.BOTH: "both choose at once",
        NodeKind.OVER: "the end",
        NodeKind.LEAF: f"an estimate; {who} would be next",
    }
    lines = [branch.label] if branch.label else []
    if branch.probability is not None:
        lines.append(f"probability {branch.probability:.6g}")
    lines += [node.position, kinds[node.kind]]
    if branch.cut:
        lines.append("cut: the search did not look")
    if node.value is not None:
        viewer, sign = tree.names[tree.seat], layout.SIGNS[node.bound]
        lines.append(f"value {sign} {node.value:.6g} for {viewer}")
    return "\n".join(lines)


def draw_node(
    tree: GameTree,
    node: layout.PlacedNode,
    one: ShownBranch,
    y: float,
    lit: bool,
    look: layout.TreeLook,
) -> str:
    """Return a node with its value inside, or beside it if it is small."""
    branch, kind = one.branch, one.branch.node.kind
    name = "-".join(map(str, ("node", *one.path)))
    half, scale = layout.half_width(branch, look), 1.0
    small = node.spine is not None and kind not in BOXES
    if branch.cut:
        half, scale = BASE, STUB
    elif small:
        half, scale = HALF, BOX / HALF
    body = outline(kind, half, node_look(branch, lit))
    body += matrix_lines() if kind == NodeKind.BOTH else ""
    if scale < 1.0:
        body = f'<g transform="scale({scale:.3g})">{body}</g>'
    text = layout.value_text(branch.node, look.digits)
    if text:
        words = Shape(f"{name}-value", "bold", 0, 0, 0, LETTER, text=text)
        if small:
            words = words._replace(x=BOX + 4, anchor="start")
        elif kind in (NodeKind.MAX, NodeKind.MIN):  # at the wide end of the triangle
            words = words._replace(y=12.0 if kind == NodeKind.MAX else -12.0)
        body += group(words)
    return (
        f'<g id="{name}" data-kind="{kind}" transform="translate({number(node.x)} {number(y)})">'
        f"<title>{escape_text(tooltip(tree, branch))}</title>{body}</g>"
    )


def draw_fold(parent: Path, folded: int, x: float, y: float) -> str:
    """Return the pill of a fold."""
    name = "-".join(map(str, ("fold", *parent)))
    width = layout.fold_room(folded) - GAP
    pill = Shape(name, "pill", x, y, width, 20, "silver", f"{folded} nodes")
    count = Shape(f"{name}-count", "text", x, y, 0, LETTER, "slate", f"+{folded}")
    return group(pill) + group(count)


def stroke(cut: bool = False, lit: bool = False, chosen: bool = False, folded: bool = False) -> str:
    """Return the stroke of a branch."""
    colour, thick, dashes = "grey", 1.3, ""
    if folded:
        dashes = ' stroke-dasharray="0 5" stroke-linecap="round"'
    elif cut:
        dashes = ' stroke-dasharray="5 4"'
    elif lit:
        colour, thick = "green", 4.0
    elif chosen:
        colour, thick = "ink", 2.2
    return f'stroke="{PALETTE[colour]}" stroke-width="{thick}" stroke-linejoin="round"{dashes}'


def draw_branch(
    start: tuple[float, float], node: layout.PlacedNode, y: float, fan: float, lit: bool
) -> str:
    """Return the line from a parent to the label of a node; below `fan` it goes straight down."""
    look, lines = stroke(folded=True), 0
    if node.shown is not None:
        branch = node.shown.branch
        look, lines = stroke(branch.cut, lit, branch.chosen), len(layout.label_lines(branch))
    if node.spine is None:
        end = f"V{number(y - layout.node_rise(node) - LINE * lines - 3)}"
    else:
        end = f"V{number(y)}h{number(TICK - 4)}"
    turn = number(node.x if node.spine is None else node.spine)
    way = f"M{number(start[0])} {number(start[1])}L{turn} {number(fan)}{end}"
    return f'<path d="{way}" fill="none" {look}/>'


def draw_label(node: layout.PlacedNode, one: ShownBranch, y: float, lit: bool) -> str:
    """Return the label of a branch, above its node or, in a stack, left of it."""
    branch, lines = one.branch, layout.label_lines(one.branch)
    name = "-".join(map(str, ("label", *one.path)))
    colour = "grey" if branch.cut else "green" if lit else "ink"
    kind = "bold" if lit or branch.chosen else "text"
    if node.spine is not None:
        words = Shape(name, kind, node.spine + TICK, y, 0, LETTER, colour, " ".join(lines))
        return group(words._replace(anchor="start"))
    bottom = y - layout.node_rise(node) - 2
    heights = [bottom - LINE * (len(lines) - at - 0.5) for at in range(len(lines))]
    return "".join(
        group(Shape(f"{name}-line-{at}", kind, node.x, y, 0, LETTER, colour, line))
        for at, (line, y) in enumerate(zip(lines, heights, strict=True))
    )
