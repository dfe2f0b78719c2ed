"""A drawing of a search tree that can be zoomed."""

import html
from collections.abc import Callable

from nicegui import ui

from ludex.agents.registry import AGENTS, refuses
from ludex.core.rules import Rules, position
from ludex.search.tree_grower import TREE_AGENTS
from ludex.web.parts.layout import busy, heading, secondary, sheet
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery, tree_of, without_paths

# Zoom around the centre: by a factor, to the width of the box (null), or to full size (0).
RESIZE = """(() => {
  const box = getHtmlElement(%d), svg = box.querySelector('svg'), factor = %s;
  if (!svg) return;
  const x = (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth;
  const y = (box.scrollTop + box.clientHeight / 2) / box.scrollHeight;
  const width = factor || svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
  svg.style.width = factor === null ? '' : svg.getBoundingClientRect().width * width + 'px';
  svg.style.maxWidth = factor === null ? '' : 'none';
  box.scrollLeft = x * box.scrollWidth - box.clientWidth / 2;
  box.scrollTop = factor === null ? 0 : y * box.scrollHeight - box.clientHeight / 2;
})()"""
ZOOMS = {
    "Fit": ("fit_screen", "null"),
    "Larger": ("zoom_in", "1.4"),
    "Smaller": ("zoom_out", "1 / 1.4"),
    "Full size": ("open_in_full", "0"),
}


class TreeView:
    """The panel that draws search trees."""

    def __init__(
        self,
        server: ServerState,
        game: str,
        rules: Rules,
        query: Callable[[], PositionQuery | None],
    ) -> None:
        """Offer to draw the tree of the position that `query` returns."""
        self.server, self.game, self.rules, self.query, self.svg = server, game, rules, query, ""
        searchers = [name for name, kind in AGENTS.items() if kind in TREE_AGENTS]
        searchers = [name for name in searchers if not refuses(AGENTS[name], rules)]
        with sheet():
            heading("The tree that a search looks at", 2)
            with ui.element("div").classes("lx-bar"):
                usual = [
                    one for one in ("alphabeta", "simultaneous", "minimax") if one in searchers
                ]
                self.searcher = ui.select(searchers, value=(usual or searchers)[0], label="search")
                self.searcher.props("outlined dense").style("min-width: 10rem")
                self.depth = ui.select([1, 2, 3, 4], value=2, label="decisions ahead")
                self.depth.props("outlined dense").style("min-width: 9rem")
                self.button = secondary("Draw the tree", self.draw, "account_tree")
            self.tools = ui.element("div").classes("lx-bar").style("margin-top: 0.7rem")
            self.drawing = ui.html(sanitize=False).classes("lx-tree").props("tabindex=0")
            self.drawing.props('role="region" aria-label="Search tree"')
            with self.tools:
                self.where = ui.label().classes("lx-mono lx-soft").style("flex: 1 1 8rem")
                for name, (icon, factor) in ZOOMS.items():
                    button = ui.button(icon=icon, color=None).classes("lx-second")
                    button.props(f'flat dense aria-label="{name}" title="{name}"')
                    button.on("click", js_handler=f"() => {RESIZE % (self.drawing.id, factor)}")
                secondary("Save as SVG", self.save, "download").props("dense")
            self.tools.set_visibility(False)

    async def draw(self) -> None:
        """Draw the tree of the position."""
        query = self.query()
        if query is None:
            return
        searcher, depth = str(self.searcher.value), int(self.depth.value or 2)
        try:
            with busy(self.button):
                work = self.server.workers.do(tree_of, query, searcher, depth, seconds=30.0)
                self.svg = (await work)["svg"]
            self.drawing.content = self.svg
            self.where.text = f"from {position(*query.decode())}"
        except ValueError as error:
            self.svg = ""
            words = html.escape(without_paths(str(error)))
            self.drawing.content = f'<p class="lx-soft">{words}</p>'
        self.tools.set_visibility(bool(self.svg))

    def save(self) -> None:
        """Download the drawing."""
        ui.download(self.svg.encode(), f"{self.game}-{self.searcher.value}.svg")
