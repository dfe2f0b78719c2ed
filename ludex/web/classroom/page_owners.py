"""Messages of websockets, which only reach pages that were opened in the same session.

The number of a page is secret, but it stands in the address of its websocket, and so perhaps in the
log of a proxy: with it alone nobody may press the buttons of somebody else's page.
"""

import inspect
from typing import Any
from urllib.parse import parse_qs

from nicegui import Client, core
from starlette.requests import HTTPConnection

from ludex.io.keys import key_matches
from ludex.web.classroom.desk import session_key

MESSAGES = ("handshake", "event", "javascript_response", "ack", "log")


def bind_pages() -> None:
    """Drop messages to pages of other sessions from now on."""
    handlers = core.sio.handlers["/"]
    if hasattr(handlers["event"], "bound"):
        return
    handlers["connect"] = bound_connect(handlers["connect"])
    for name in MESSAGES:
        handlers[name] = bound(handlers[name])


def bound_connect(connect: Any) -> Any:
    """Return a handler of new connections that refuses those to pages of other sessions."""

    async def connect_to_own(sid: str, environ: dict[str, Any], auth: Any = None) -> Any:
        (page, *_) = parse_qs(environ.get("QUERY_STRING", "")).get("client_id", [""])
        if page in Client.instances and not owns(sender_of(environ), page):
            return False
        return await connect(sid, environ, auth)

    return connect_to_own


def bound(handle: Any) -> Any:
    """Return a handler of messages that drops those to pages of other sessions."""

    async def handle_own(sid: str, message: dict[str, Any]) -> Any:
        if not owns(sender_of(core.sio.get_environ(sid)), message["client_id"]):
            return False
        found = handle(sid, message)
        return await found if inspect.isawaitable(found) else found

    handle_own.bound = True  # type: ignore[attr-defined]
    return handle_own


def sender_of(environ: dict[str, Any]) -> HTTPConnection:
    """Return the request with which a connection began."""
    return HTTPConnection(environ["asgi.scope"])


def owns(sender: HTTPConnection, page: str) -> bool:
    """Return whether a page was opened in the session of a request."""
    found = Client.instances.get(page)
    return found is not None and key_matches(session_key(found.request), session_key(sender))
