"""A drawing of a search tree that can be zoomed."""

import html
from collections.abc import Callable

from nicegui import ui

from ludex.core.rules import Rules, position
from ludex.library.tree import tree_agents
from ludex.web.parts import layout
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery, tree_of

AskQuery = Callable[[], PositionQuery | None]
# The text or icon and the factor of each; null fits the width, 0 is the original size.
ZOOMS = {
    "Original size": ("1:1", None, "0"),
    "Larger": ("", "zoom_in", "1.4"),
    "Smaller": ("", "zoom_out", "1 / 1.4"),
    "Fit the width": ("", "fit_screen", "null"),
}


class TreeView:
    """The panel that draws search trees."""

    def __init__(self, server: ServerState, game: str, rules: Rules, query: AskQuery) -> None:
        """Offer to draw the tree of the position that `query` returns."""
        self.server, self.game, self.rules, self.query, self.svg = server, game, rules, query, ""
        self.drawn: PositionQuery | None = None
        searchers = tree_agents(rules)
        with layout.sheet():
            layout.heading("The tree that a search looks at", 2)
            with layout.row():
                order = ("alphabeta", "simultaneous", "minimax", *searchers)
                usual = next(one for one in order if one in searchers)
                self.searcher = ui.select(searchers, value=usual, label="search")
                self.searcher.props("outlined dense").style("min-width: 10rem")
                self.depth = ui.select([1, 2, 3, 4], value=2, label="decisions ahead")
                self.depth.props("outlined dense").style("min-width: 9rem")
                self.button = layout.secondary("Draw the tree", self.draw, "account_tree")
            self.tools = layout.row("0.7rem")
            self.drawing = ui.html(sanitize=False).classes("lx-tree").props("tabindex=0")
            self.drawing.props('role="region" aria-label="Search tree"')
            with self.tools:
                self.where = ui.label().classes("lx-mono lx-soft").style("flex: 1 1 8rem")
                for name, (text, icon, factor) in ZOOMS.items():
                    button = ui.button(text, icon=icon, color=None).classes("lx-second")
                    button.props(f'flat dense aria-label="{name}" title="{name}"')
                    button.on("click", js_handler=f"() => lx.zoom({self.drawing.id}, {factor})")
                layout.secondary("Save as SVG", self.save, "download").props("dense")
            self.tools.set_visibility(False)

    async def draw(self) -> None:
        """Draw the tree of the position."""
        query = self.query()
        if query is None:
            return
        searcher, depth = str(self.searcher.value), int(self.depth.value or 2)
        try:
            with layout.busy(self.button):
                work = self.server.workers.do(tree_of, query, searcher, depth, seconds=30.0)
                self.svg = await work
            self.drawing.content, self.drawn = self.svg, query
            ui.run_javascript(f"lx.showRoot({self.drawing.id})")
        except ValueError as error:
            self.svg = ""
            words = html.escape(str(error))
            self.drawing.content = f'<p class="lx-soft">{words}</p>'
        self.tools.set_visibility(bool(self.svg))
        self.show_age(self.query())

    def show_age(self, query: PositionQuery | None) -> None:
        """Say which position the tree is of, and fade it if the page shows another one."""
        if not self.svg or self.drawn is None:
            return
        old = query != self.drawn
        where = position(*self.drawn.decode())
        self.where.text = f"Of another position: {where}" if old else f"from {where}"
        self.drawing.classes(**{"add" if old else "remove": "lx-old"})

    def save(self) -> None:
        """Download the drawing."""
        ui.download(self.svg.encode(), f"{self.game}-{self.searcher.value}.svg")
