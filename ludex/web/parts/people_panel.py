"""The people at a match: names, who is here, and how many watch."""

import html

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.agents.registry import HUMAN
from ludex.core.rules import seat_name
from ludex.io.text import many
from ludex.web.parts import layout
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.people import LONGEST

FIELD = (
    f'Your name <input maxlength="{LONGEST}" autocomplete="nickname" data-remember="lx-name"'
    ' enterkeyhint="done" onkeydown="if (event.key === \'Enter\') this.blur()">'
)
"""Enter leaves the field, so that the next key is a move."""
EMIT_TEXT = "(event) => emit(event.target.value)"


class PeoplePanel:
    """The panel, for a match with guests or spectators."""

    def __init__(self, live: LiveMatch, key: str) -> None:
        self.live, self.key = live, key
        with layout.sheet() as self.sheet:
            layout.heading("People", 2)
            self.list = ui.html(sanitize=False).props('aria-live="polite"')
            if live.guests and live.seats_of(key):
                field = ui.html(FIELD, sanitize=False, tag="label").classes("lx-name")
                field.on("change", self.rename, js_handler=EMIT_TEXT)
                ui.run_javascript(f"lx.recall({field.id})")
        self.refresh()

    def rename(self, event: GenericEventArguments) -> None:
        """Take the name that was typed."""
        if isinstance(event.args, str):
            self.live.people.rename(self.key, event.args)

    def refresh(self) -> None:
        """Show who is here."""
        live, people = self.live, self.live.people
        lines = [
            f'<li class="{"lx-here" if people.is_here(seat) else "lx-away"}">{self.line(seat)}</li>'
            for seat, text in enumerate(live.agents)
            if text == HUMAN
        ]
        watching = many(people.spectators, "spectator") if people.spectators else ""
        self.list.content = f'<ul class="lx-people">{"".join(lines)}</ul>{watching}'
        self.sheet.set_visibility(bool(live.guests or people.spectators))

    def line(self, seat: int) -> str:
        """Return a person in one line."""
        name = seat_name(self.live.match.rules, seat)
        called = self.live.people.names.get(seat, "")
        own = " (you)" if seat in self.live.seats_of(self.key) else ""
        here = "is here" if self.live.people.is_here(seat) else "is not here"
        return html.escape(f"{name}{f': {called}' if called else ''}{own} {here}")
