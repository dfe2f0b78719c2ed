"""What the programs of a match have printed."""

import html

from nicegui import ui

from ludex.core.rules import seat_name, seats
from ludex.web.parts import layout
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.reader import Reader


class ProgramOutput:
    """A panel for each program that has printed something which the reader may see."""

    def __init__(self, live: LiveMatch, reader: Reader) -> None:
        self.live, self.reader = live, reader
        self.box, self.shown = layout.div(), ""

    def refresh(self) -> None:
        """Show what was printed since the last time."""
        live = self.live
        texts = {seat: self.reader.output(live, seat) for seat in range(seats(live.match.rules))}
        content = "".join(
            f"<h2>What {html.escape(seat_name(live.match.rules, seat))} printed</h2>"
            f'<pre class="lx-output" tabindex="0">{html.escape(text)}</pre>'
            for seat, text in texts.items()
            if text
        )
        if content != self.shown:
            self.shown = content
            self.box.clear()
            with self.box, layout.sheet():
                ui.html(content, sanitize=False)
