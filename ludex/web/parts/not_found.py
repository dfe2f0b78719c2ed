"""The page for invalid addresses: it says why, with the right status."""

from fastapi import Response
from nicegui import ui

from ludex.web.parts.layout import nothing_here
from ludex.web.state.catalogue import Missing
from ludex.web.state.tasks import without_paths


def absent(error: ValueError) -> Response | None:
    """Fill the page, and return it with its status; nothing if the browser has it already."""
    nothing_here(without_paths(str(error)))
    client = ui.context.client
    if client.has_socket_connection:
        return None
    return client.build_response(client.request, 404 if isinstance(error, Missing) else 400)
