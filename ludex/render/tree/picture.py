"""A search tree as SVG, drawn as in textbooks.

Max nodes are triangles that point up, min nodes triangles that point down, chance nodes circles,
simultaneous nodes squares, terminal nodes boxes. Pruned branches are grey and dashed and have no
value. Nodes without room are folded into a grey pill with their number.
"""

from ludex.core.rules import BOTH, CHANCE
from ludex.core.scene import Shape, panel
from ludex.render.svg import document, group, number
from ludex.render.tree import layout
from ludex.render.tree import nodes as drawing
from ludex.render.tree.folding import Path, ShownBranch, best_line, fold_tree
from ludex.render.tree.layout import HALF, PlacedNode, TreeLook
from ludex.render.tree.nodes import COLOURS
from ludex.search.explicit_tree import GameTree, NodeKind, chosen_branch, cuts, size

MARGIN = 24.0
NARROWEST = 720.0  # with room for the header
SMALL = 12.0  # font size of the legend and of level names
MOST_WORDS = 8  # labels of the expected line in the header


def picture(tree: GameTree, heading: str, what: ShownBranch | None = None) -> str:
    """Return a tree, or the part `what` of it, as an SVG document with a heading."""
    what = what or fold_tree(tree.root)
    look = layout.choose_look(what)
    gutter = 8 + max(layout.width_of(name, SMALL) for name in [*tree.names, "both"])
    inner = layout.span(what, look)
    width = max(NARROWEST, inner + gutter + 2 * MARGIN)
    left = MARGIN + gutter + (width - gutter - 2 * MARGIN - inner) / 2
    root = layout.lay_out(what, left, 0, look)
    nodes = list(root.all())
    top, words = header(tree, what, heading, width)
    places = layout.level_heights(nodes, top + 2 * HALF)
    height = max(places[node.level] + node.down for node in nodes) + HALF + MARGIN
    parts = [
        group(panel(width, height)),
        *words,
        *level_names(tree, nodes, places),
        *draw_branches(nodes, places, best_line(tree.root)),
        *draw_nodes(tree, nodes, places, look),
    ]
    return document(width, height, parts, heading)


def draw_branches(nodes: list[PlacedNode], places: list[float], line: list[Path]) -> list[str]:
    """Return all branches, the most important on top, then their labels."""
    drawn: list[tuple[int, str]] = []
    labels: list[str] = []
    words = [layout.label_height(nodes, level) for level in range(len(places))]
    for node in nodes:
        start = (node.x, places[node.level] + layout.node_rise(node))
        for child in node.below:
            if child.level == node.level:
                continue  # a fold beside a node in a stack
            y = places[child.level] + child.down
            fan = places[child.level] - HALF - words[child.level]
            lit = child.shown is not None and child.shown.path in line
            rank = 0
            if child.shown is not None:
                branch = child.shown.branch
                rank = 4 if lit else 3 if branch.chosen else 1 if branch.cut else 2
                labels.append(drawing.draw_label(child, child.shown, y, lit))
            drawn.append((rank, drawing.draw_branch(start, child, y, fan, lit)))
    return [text for _, text in sorted(drawn, key=lambda pair: pair[0])] + labels


def draw_nodes(
    tree: GameTree, nodes: list[PlacedNode], places: list[float], look: TreeLook
) -> list[str]:
    """Return all nodes and folds."""
    line = best_line(tree.root)
    lit = set(line) if len(line) > 1 else set()
    drawn = []
    for node in nodes:
        y = places[node.level] + node.down
        if node.shown is not None:
            drawn.append(drawing.draw_node(tree, node, node.shown, y, node.shown.path in lit, look))
        else:
            drawn.append(drawing.draw_fold(node.parent, node.folded, node.x, y))
    return drawn


# The words around the tree. ---------------------------------------------------------------------


def header(
    tree: GameTree, what: ShownBranch, heading: str, width: float
) -> tuple[float, list[str]]:
    """Return the lower end of the header, and its parts."""
    title = Shape("heading", "bold", MARGIN, 34, 0, 20, text=heading, anchor="start")
    line = title._replace(id="facts", kind="text", y=62, height=13, text=facts(tree, what))
    drawn = [group(title), group(line._replace(colour="slate"))]
    x, y = MARGIN, 94.0
    for at, (sample, meaning) in enumerate(legend(tree, what)):
        room = 34 + layout.width_of(meaning, SMALL) + 18
        if x + room > width - MARGIN and x > MARGIN:
            x, y = MARGIN, y + 28
        drawn.append(f'<g transform="translate({number(x + 14)} {number(y)})">{sample}</g>')
        words = Shape(f"legend-{at}", "text", x + 34, y, 0, SMALL, "slate", meaning)
        drawn.append(group(words._replace(anchor="start")))
        x += room
    return y, drawn


def facts(tree: GameTree, what: ShownBranch) -> str:
    """Summarise the tree in one line."""
    labels, best = [], chosen_branch(tree.root)
    while best is not None:
        labels.append(best.label)
        best = chosen_branch(best.node)
    line = ", ".join(labels[:MOST_WORDS]) + (" …" if len(labels) > MOST_WORDS else "")
    value = layout.value_text(tree.root, layout.digits_of([tree.root.value]))
    parts = [
        f"value {value} for {tree.names[tree.seat]}",
        f"{size(tree.root):,} nodes",
        f"{cuts(tree.root):,} cut" if cuts(tree.root) else "",
        f"{what.hidden:,} folded" if what.hidden else "",
        f"expected: {line}" if line else "",
    ]
    return "  ·  ".join(part for part in parts if part)


def legend(tree: GameTree, what: ShownBranch) -> list[tuple[str, str]]:
    """Return a symbol and its meaning for everything in the picture."""
    kinds = {one.branch.node.kind for one in what.all() if not one.branch.cut}
    others = [name for seat, name in enumerate(tree.names) if seat != tree.seat]
    them, takes = " and ".join(others), "takes" if len(others) == 1 else "take"
    meanings = {
        NodeKind.MAX: f"{tree.names[tree.seat]} takes the most",
        NodeKind.MIN: f"{them} {takes} the least",
        NodeKind.AVERAGE: f"{them} {takes} anything: the average",
        NodeKind.CHANCE: "chance: the average",
        NodeKind.BOTH: "both choose at once",
        NodeKind.LEAF: "estimate",
        NodeKind.OVER: "end",
    }
    found = [(drawing.symbol(kind), words) for kind, words in meanings.items() if kind in kinds]
    lines = [
        ("expected", drawing.stroke(lit=True), len(best_line(tree.root)) > 1),
        ("best", drawing.stroke(chosen=True), any(one.branch.chosen for one in what.all())),
        ("cut", drawing.stroke(cut=True), any(one.branch.cut for one in what.all())),
        ("folded", drawing.stroke(folded=True), what.hidden > 0),
    ]
    shown = [(look, words) for words, look, there in lines if there]
    return found + [(f'<path d="M-14 0H14" fill="none" {look}/>', words) for look, words in shown]


def level_names(tree: GameTree, nodes: list[PlacedNode], places: list[float]) -> list[str]:
    """Return the mover of each level whose searched nodes agree on it."""
    drawn = []
    for level, y in enumerate(places):
        here = [node.shown.branch for node in nodes if node.shown and node.level == level]
        searched = [one.node for one in here if one.node.kind not in layout.BOXES and not one.cut]
        movers = {(node.mover, node.kind) for node in searched}
        if len(movers) == 1:
            mover, kind = movers.pop()
            name = {CHANCE: "chance", BOTH: "both"}.get(mover) or tree.names[mover]
            words = Shape(f"level-{level}", "text", MARGIN, y, 0, SMALL, COLOURS[kind], name)
            drawn.append(group(words._replace(anchor="start")))
    return drawn
