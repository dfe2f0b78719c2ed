"""The links that invite other people to a match, with copy buttons."""

import json

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.core.rules import seat_name
from ludex.web.addresses import link_for_others
from ludex.web.parts import layout
from ludex.web.state.access import PARAMETER, Access
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState


class Invitations:
    """A link for each guest, on the page of the one who opened the match; else nothing."""

    def __init__(self, server: ServerState, live: LiveMatch, key: str) -> None:
        self.live, self.guests = live, live.guests if key == live.owner else {}
        self.greeted = self.guests_here()
        if not self.guests:
            return
        with layout.sheet():
            layout.heading("Invite", 2)
            for seat, own in self.guests.items():
                words = f"Whoever opens this link is {seat_name(live.match.rules, seat)}:"
                # A guest comes in with the link alone.
                entry = {PARAMETER: server.access.key}
                path = layout.address(f"/match/{live.id}", key=own, **entry)
                invitation(words, path, server.access)

    def guests_here(self) -> set[int]:
        """Return the seats of the guests who have the match open."""
        return {seat for seat in self.guests if self.live.people.is_here(seat)}

    def refresh(self) -> None:
        """Announce the guests once all are here; the people panel shows who is."""
        here = self.guests_here()
        if here - self.greeted and len(here) == len(self.guests):
            name = "guest is" if len(here) == 1 else "guests are"
            ui.notify(f"Your {name} here", type="positive", position="top")
        self.greeted |= here


def invitation(words: str, path: str, access: Access) -> None:
    """Add a link that others can open, with its copy button."""
    link, warning = link_for_others(ui.context.client.request, path, access)
    ui.label(words)
    if warning:
        layout.note(warning)
    shown = ui.link(link, link).classes("lx-mono lx-guest")
    shown.style("display: block; overflow-wrap: anywhere")
    button = layout.secondary("Copy the link", lambda: None, "content_copy")

    def show_copied(event: GenericEventArguments) -> None:
        if event.args is True:
            button.props("icon=check").text = "Copied"
        else:
            layout.show_error("the browser does not copy it; mark the link and copy it by hand")

    copy = f"async () => emit(await lx.copy({json.dumps(link)}))"
    button.style("margin-top: 0.5rem").on("click", show_copied, js_handler=copy)
