"""The links to a match for guests and spectators, to be copied or shared."""

import json

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.core.rules import seat_name
from ludex.web.addresses import link_for_others
from ludex.web.parts import layout
from ludex.web.state.access import PARAMETER, Access
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

SHARE = "() => navigator.share({title: document.title, url: %s}).catch(() => {})"
REVEAL = "if (navigator.share) getHtmlElement(%d).style.display = ''"


class Invitations:
    """The links, on the page of the one who opened a match with guests; else nothing.

    They are shown until all guests have come, and on request after that.
    """

    def __init__(self, server: ServerState, live: LiveMatch, key: str) -> None:
        self.live, self.guests = live, live.guests if key == live.owner else {}
        self.greeted = self.guests_here()
        self.wanted = False  # shown again on request
        if not self.guests:
            return
        entry = {PARAMETER: server.access.key}  # so that the link alone is enough
        path, rules = f"/match/{live.id}", live.match.rules
        with layout.sheet().classes("lx-invite") as self.sheet:
            layout.heading("Invite a friend" if len(self.guests) == 1 else "Invite friends", 2)
            for seat, own in self.guests.items():
                words = f"Send this link: whoever opens it plays {seat_name(rules, seat)}."
                add_link(words, layout.address(path, key=own, **entry), "lx-guest", server.access)
            words = "For spectators, who watch and cannot move:"
            warning = add_link(words, layout.address(path, **entry), "lx-spectator", server.access)
            layout.note(warning).set_visibility(bool(warning))

    def add_button(self) -> None:
        """Add the button that shows the links again."""
        if self.guests:
            self.again = layout.secondary("Show the links again", self.show_again, "link")
            self.again.style("margin-top: 0.6rem")
            self.show()

    def guests_here(self) -> set[int]:
        """Return the seats of the guests who have the match open."""
        return {seat for seat in self.guests if self.live.people.is_here(seat)}

    def show_again(self) -> None:
        """Show the links although all guests have come."""
        self.wanted = True
        self.show()

    def show(self) -> None:
        """Show the links, or the button that shows them again; neither after the end."""
        missing = set(self.guests) - self.live.people.came
        open_now = bool(missing or self.wanted) and not self.live.match.over
        self.sheet.set_visibility(open_now)
        self.again.set_visibility(not open_now and not self.live.match.over)

    def refresh(self) -> None:
        """Announce the guests once all are here; the people panel shows who is."""
        if not self.guests:
            return
        here = self.guests_here()
        if here - self.greeted and len(here) == len(self.guests):
            self.wanted = False
            words = "Your guest is here" if len(here) == 1 else "Your guests are here"
            layout.notify(words, type="positive")
        self.greeted |= here
        self.show()


def add_link(words: str, path: str, name: str, access: Access) -> str:
    """Add an address that others can open, with buttons to copy and to share it.

    It is no link: who followed it by accident would take the seat of the guest. Return a warning
    if others cannot open it.
    """
    link, warning = link_for_others(ui.context.client.request, path, access)
    ui.label(words)
    with layout.div("lx-link-row"):
        ui.label(link).classes(f"lx-mono lx-link-text {name}").props["title"] = link
        button = layout.secondary("Copy", lambda: None, "content_copy", f"Copy the link. {words}")
        share = layout.secondary("Share", lambda: None, "share", f"Share the link. {words}")

    def show_copied(event: GenericEventArguments) -> None:
        if event.args is True:
            button.props("icon=check").text = "Copied"
        else:
            layout.show_error("the browser does not copy it; mark the link and copy it by hand")

    button.on(
        "click", show_copied, js_handler=f"async () => emit(await lx.copy({json.dumps(link)}))"
    )
    share.style("display: none").on("click", js_handler=SHARE % json.dumps(link))
    ui.run_javascript(REVEAL % share.id)  # where the browser can
    return warning
