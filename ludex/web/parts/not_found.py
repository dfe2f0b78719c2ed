"""The page for invalid addresses: it says why, with the right status."""

from fastapi import Response
from nicegui import ui

from ludex.web.parts import layout
from ludex.web.state.catalogue import Missing
from ludex.web.state.tasks import without_paths


def error_response(error: ValueError) -> Response | None:
    """Fill the page with an error; return it with its status, or None if it was already sent."""
    layout.show_error_page(without_paths(str(error)))
    client = ui.context.client
    if client.has_socket_connection:
        return None
    return client.build_response(client.request, 404 if isinstance(error, Missing) else 400)
