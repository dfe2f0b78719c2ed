"""A link that invites another person to a match, with a copy button."""

import json

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.web.parts import layout


def invitation(words: str, path: str) -> None:
    """Add a link, based on the address this browser used, with its copy button."""
    request = ui.context.client.request
    link = str(request.base_url).rstrip("/") + path if request else path
    ui.label(words)
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
