"""A link that invites another person to a match, with a copy button."""

import json

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.web.parts import layout


class Invitation:
    """A link with its copy button."""

    def __init__(self, words: str, path: str) -> None:
        """Show the link, based on the address this browser used."""
        request = ui.context.client.request
        self.link = str(request.base_url).rstrip("/") + path if request else path
        ui.label(words)
        ui.link(self.link, self.link).classes("lx-mono lx-guest").style(
            "display: block; overflow-wrap: anywhere"
        )
        self.button = layout.secondary("Copy the link", lambda: None, "content_copy")
        self.button.style("margin-top: 0.5rem")
        copy = f"async () => emit(await lx.copy({json.dumps(self.link)}))"
        self.button.on("click", self.show_copied, js_handler=copy)

    def show_copied(self, event: GenericEventArguments) -> None:
        """Show whether copying worked."""
        if event.args is True:
            self.button.props("icon=check").text = "Copied"
        else:
            layout.show_error("the browser does not copy it; mark the link and copy it by hand")
