"""The moves of a watched match as a list, with the current one highlighted."""

from collections.abc import Callable, Coroutine
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.match.session import Match
from ludex.web.parts.faults import NO_FAULTS, Faults
from ludex.web.parts.move_log import ply_words

Go = Callable[[int], Coroutine[Any, Any, None]]
"""Shows a ply."""
PAGE = 100  # moves; the list contains the current page and its neighbours
EMIT_PLY = "(e) => { const found = lx.clicked(e, 'ply'); if (found) emit(found[0]) }"


class MoveList:
    """The list; clicking a row shows its move, and a mark the position before it."""

    def __init__(self, match: Match, go: Go) -> None:
        self.match, self.go = match, go
        self.faults = NO_FAULTS
        self.drawn: tuple[Any, ...] = ()
        self.at = -1
        self.list = ui.html(sanitize=False, tag="ol").classes("lx-log lx-walk")
        self.list.props('aria-label="Moves"').on("click", self.on_click, js_handler=EMIT_PLY)

    async def on_click(self, event: GenericEventArguments) -> None:
        """Show the ply of the clicked row or mark."""
        if type(event.args) is int and 0 <= event.args < len(self.match.plies):
            await self.go(event.args)

    def mark_faults(self, faults: Faults) -> None:
        """Mark the bad moves."""
        self.faults = faults
        self.show(self.at)

    def show(self, at: int) -> None:
        """Highlight a ply in the list."""
        moved, self.at = at != self.at, at
        low = max(0, at // PAGE * PAGE - PAGE)
        high = min(low + 3 * PAGE, len(self.match.plies))
        drawn = low, high, self.match.over, dict(self.faults)
        if drawn != self.drawn:
            self.drawn = drawn
            self.list.content = "".join(self.row(number) for number in range(low, high))
        elif not moved:
            return
        ui.run_javascript(f"lx.markMove({self.list.id}, {at})")

    def row(self, number: int) -> str:
        """Return the row of a ply."""
        said = ply_words(self.match, number, self.faults) if number else ""
        current = ' aria-current="true"' if number == self.at else ""
        words = said or '<span class="lx-soft">the first position</span>'
        return (
            f'<li><button type="button" data-ply="{number}"{current}><span class="lx-number">'
            f"{number or ''}</span><span>{words}</span></button></li>"
        )
