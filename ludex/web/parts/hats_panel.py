"""The hat that a learner has drawn from in a match, beside the board."""

import html

from nicegui import background_tasks, ui

from ludex.core.rules import label, seat_name
from ludex.web.parts.hat import hat
from ludex.web.parts.layout import heading, sheet
from ludex.web.state.live_match import Table
from ludex.web.state.server_state import Hall
from ludex.web.state.tasks import thinks, without_paths

LEARNER = "hats"


class HatStand:
    """Follows a match, and shows the last hat and the ball that was drawn; else it is not seen."""

    def __init__(self, hall: Hall, table: Table) -> None:
        self.hall, self.table = hall, table
        self.seats = [
            seat for seat, text in enumerate(table.agents) if text.partition(":")[0] == LEARNER
        ]
        self.client, self.shown = ui.context.client, (-1, -1)
        if self.seats:
            with sheet():
                heading("The hat", 2)
                self.drawing = ui.html("Nothing is drawn yet.", sanitize=False)

    def last(self) -> tuple[int, int]:
        """Return at which ply a learner has drawn last, and its seat; -1 and -1 if none has."""
        for at in range(len(self.table.plies) - 2, -1, -1):
            for seat in self.table.played(at):
                if seat in self.seats:
                    return at, seat
        return -1, -1

    def follow(self) -> None:
        """Show the hat of the last draw, as soon as a worker has looked into it."""
        if self.seats and self.shown != self.last():
            self.shown = self.last()
            background_tasks.create(self.show(*self.shown))

    async def show(self, at: int, seat: int) -> None:
        """Show a hat, unless the match has gone on."""
        table = self.table
        words = "Nothing is drawn yet."
        if at >= 0:
            drawn = label(table.rules, table.plies[at].state, table.played(at)[seat])
            who = html.escape(seat_name(table.rules, seat))
            stamp = table.stamps.get(seat, 0.0)
            work = self.hall.workers.do(thinks, table.asked(at), table.agents[seat], seat, stamp)
            try:
                balls = (await work)["balls"]
                words = f"{who} drew <b>{html.escape(drawn)}</b>."
                words += f'<div class="lx-hat">{hat(balls, drawn)}</div>'
            except ValueError as error:
                words = html.escape(without_paths(str(error)))
        if not self.client.is_deleted and (at, seat) == self.shown:
            self.drawing.content = words
