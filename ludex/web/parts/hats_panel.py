"""The hat a learner last drew from, shown beside the board."""

import html

from nicegui import background_tasks, ui

from ludex.core.rules import label, seat_name
from ludex.web.parts import layout
from ludex.web.parts.hat import hat
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import explain_choice

LEARNER = "hats"


class HatsPanel:
    """The last hat and the ball drawn from it; invisible in matches without a hats learner."""

    def __init__(self, server: ServerState, live: LiveMatch) -> None:
        self.server, self.live, self.match = server, live, live.match
        names = [text.partition(":")[0] for text in live.agents]
        self.seats = [seat for seat, name in enumerate(names) if name == LEARNER]
        self.client, self.shown = ui.context.client, (-1, -1)
        if self.seats:
            with layout.sheet():
                layout.heading("The hat", 2)
                self.drawing = ui.html("Nothing is drawn yet.", sanitize=False)

    def last_draw(self) -> tuple[int, int]:
        """Return the ply and seat of the last draw of a learner, or (-1, -1).

        A hat tells what its learner sees, so that one is shown at the end if that is hidden.
        """
        if self.live.hides and not self.match.over:
            return -1, -1
        for at in range(len(self.match.plies) - 2, -1, -1):
            for seat in self.match.actions_at(at):
                if seat in self.seats:
                    return at, seat
        return -1, -1

    def refresh(self) -> None:
        """Show the hat of the last draw, in the background."""
        if self.seats and self.shown != self.last_draw():
            self.shown = self.last_draw()
            background_tasks.create(self.show(*self.shown))

    async def show(self, at: int, seat: int) -> None:
        """Show a hat, unless a later draw replaces it."""
        live = self.live
        words = "Nothing is drawn yet."
        if at >= 0:
            rules, action = self.match.rules, self.match.actions_at(at)[seat]
            drawn = label(rules, self.match.plies[at].state, action)
            who = html.escape(seat_name(rules, seat))
            asked = live.query(at), live.agents[seat], seat, live.stamps.get(seat, 0.0)
            work = self.server.workers.do(explain_choice, *asked)
            try:
                _, balls = await work
                words = f"{who} drew <b>{html.escape(drawn)}</b>."
                words += f'<div class="lx-hat">{hat(balls, drawn)}</div>'
            except ValueError as error:
                words = html.escape(str(error))
        if not self.client.is_deleted and (at, seat) == self.shown:
            self.drawing.content = words
