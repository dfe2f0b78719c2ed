"""The gate of a class: rights, rates and sizes of all requests and messages.

It stands behind `rest.security`, which has refused foreign hosts and the scripts of other sites.
"""

from http import HTTPStatus
from typing import NamedTuple

from fastapi.responses import JSONResponse, RedirectResponse, Response
from nicegui import Client
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from ludex.classroom.client import PROGRAMS
from ludex.classroom.people import Person
from ludex.io.keys import key_hash
from ludex.web.classroom.desk import Desk, address_of, session_key
from ludex.web.classroom.page_owners import owns
from ludex.web.classroom.rights import REFUSALS, right_for
from ludex.web.rest.notice import notice
from ludex.web.rest.security import is_for_program
from ludex.web.state import limits

ENTER = "/class/enter"
PAGES = 60  # open at once, of one person; a closed tab counts for a while
STRANGERS = limits.PAGES // 2  # of all strangers together
SLACK = 64 << 10  # bytes of a form besides its files
DRAINED = 16 << 20  # bytes that are read and dropped, so that the sender sees the answer
POLICY = "; ".join(
    (
        "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "object-src 'none'",
    )
)
"""The browser loads nothing from other hosts, and sends nothing there."""
TOO_OFTEN = "too many requests; wait a moment"


class Visitor(NamedTuple):
    """Whoever sends a request."""

    person: Person | None
    key: str
    """Of the session; empty for a program with a token, and for strangers."""
    wrong: bool = False
    """Whether the token is nobody's."""
    unheard: bool = False
    """Whether too many strangers came from this address to look up another key."""
    counted: bool = False
    """Whether it was counted as a stranger's, because the key was not known yet."""


class Gate:
    """Middleware that lets a request through if whoever sends it has the right."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self.app, self.desk = app, desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or let the application do it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        visitor = await self.visitor(asked)
        scope.setdefault("state", {})["visitor"] = visitor
        refusal = self.refusal(asked, visitor)
        if scope["type"] == "http":
            most = self.largest(asked)
            answer = refusal or self.app
            await answer(scope, limited(receive, most, asked), send)
        elif refusal is not None:
            await WebSocketClose(1008)(scope, receive, send)
        else:
            await Socket(self, asked, receive, send).run(scope)

    async def visitor(self, asked: HTTPConnection) -> Visitor:
        """Return who sends a request: by a token if there is one, otherwise by the session."""
        await self.desk.settings.get()  # on which the rights of everybody depend
        scheme, _, token = asked.headers.get("authorization", "").partition(" ")
        by_token = scheme.lower() == "bearer"
        key = token.strip() if by_token else session_key(asked)
        known = self.desk.knows_token(key) if by_token else self.desk.sessions.knows(key)
        if not known and not self.desk.strangers.take(address_of(asked.scope)):
            return Visitor(None, "", unheard=True)
        if by_token:
            person = await self.desk.person_of_token(key)
            return Visitor(person, "", wrong=person is None)
        person = await self.desk.person_of_session(key)
        return Visitor(person, key if person else "", counted=not known)

    def refusal(self, asked: HTTPConnection, visitor: Visitor) -> Response | None:
        """Return why a request is not served, or None if it is."""
        right = right_for(asked.scope["path"])
        here = address_of(asked.scope)
        if visitor.unheard:
            return refuse(asked, HTTPStatus.TOO_MANY_REQUESTS, TOO_OFTEN)
        if visitor.wrong:
            if not self.desk.failures.take(here):
                return refuse(asked, HTTPStatus.TOO_MANY_REQUESTS, TOO_OFTEN)
            return refuse(asked, HTTPStatus.UNAUTHORIZED, "this token is nobody's")
        if not self.counts(visitor, here):
            return refuse(asked, HTTPStatus.TOO_MANY_REQUESTS, TOO_OFTEN)
        if is_foreign(asked):
            return refuse(asked, HTTPStatus.FORBIDDEN, "this page is somebody else's")
        if self.desk.allows(visitor.person, right):
            crowded = asked.scope["path"].startswith("/class") and right
            return refuse_page() if crowded and is_crowded(visitor) else None
        if visitor.person is not None:
            return refuse(asked, HTTPStatus.FORBIDDEN, REFUSALS[right])
        if is_for_program(asked):
            return refuse(asked, HTTPStatus.UNAUTHORIZED, "this class needs a token")
        return RedirectResponse(ENTER, HTTPStatus.SEE_OTHER)

    def counts(self, visitor: Visitor, address: str) -> bool:
        """Count a request; return whether it is not one too many."""
        if visitor.person is None:
            return visitor.counted or self.desk.strangers.take(address)
        return self.desk.requests.take(
            f"{visitor.person.id} {visitor.key and key_hash(visitor.key)}"
        )

    def largest(self, asked: HTTPConnection) -> int:
        """Return how many bytes a request may have."""
        if asked.scope["path"] == PROGRAMS:
            return (self.desk.classroom.settings.kibibytes << 10) + SLACK
        return limits.BODY + SLACK


class Socket:
    """A websocket, each of whose messages needs the right to come in."""

    def __init__(self, gate: Gate, asked: HTTPConnection, receive: Receive, send: Send) -> None:
        self.gate, self.asked = gate, asked
        self.receive, self.send = receive, send
        self.closed = False

    async def run(self, scope: Scope) -> None:
        """Let the application talk to the browser."""
        await self.gate.app(scope, self.next_message, self.send_open)

    async def next_message(self) -> Message:
        """Return a message of the browser; close the socket if it may not send any."""
        message = await self.receive()
        if message["type"] != "websocket.receive":
            return message
        visitor = await self.gate.visitor(self.asked)
        if self.gate.refusal(self.asked, visitor) is None:
            return message
        self.closed = True
        await self.send({"type": "websocket.close", "code": 1008})
        return {"type": "websocket.disconnect", "code": 1008}

    async def send_open(self, message: Message) -> None:
        """Send a message, unless the socket is closed."""
        if not self.closed:
            await self.send(message)


def is_foreign(asked: HTTPConnection) -> bool:
    """Return whether a request, such as an upload, is for a page of another session."""
    _, inside, rest = asked.scope["path"].partition("/_nicegui/client/")
    return bool(inside) and not owns(asked, rest.partition("/")[0])


def is_crowded(visitor: Visitor) -> bool:
    """Return whether too many pages are open: of all together, of one person or of strangers."""
    opened = list(Client.instances.values())
    if len(opened) >= limits.PAGES:
        return True
    person = visitor.person
    owners = [one.request.state.visitor.person for one in opened]
    return owners.count(person) >= (PAGES if person else STRANGERS)


def refuse_page() -> Response:
    """Return a page that asks for patience."""
    words = "<p>Too many pages are open. Close a tab that you do not need, and try again.</p>"
    return notice("Full", words, HTTPStatus.SERVICE_UNAVAILABLE, Retry_After="30")


def limited(receive: Receive, most: int, asked: HTTPConnection) -> Receive:
    """Return a source of the body of a request that ends with an error if it is too large."""
    read = 0

    async def receive_limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            while message.get("more_body") and read < DRAINED:
                message = await receive()
                read += len(message.get("body", b""))
            words = f"expected at most {most >> 10} KiB"
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)
        return message

    return receive_limited


def refuse(asked: HTTPConnection, status: HTTPStatus, words: str) -> Response:
    """Return a refusal: a page for people, a line of JSON for programs."""
    headers = {"Retry-After": "10"} if status == HTTPStatus.TOO_MANY_REQUESTS else {}
    if is_for_program(asked):
        return JSONResponse({"error": words}, status, headers)
    content = f'<p>{words[0].upper()}{words[1:]}.</p><p><a href="/class">To the ladder</a></p>'
    return notice("Not here", content, status)
