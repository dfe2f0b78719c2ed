"""A visit to a page of a class: who looks at it, with which rights, and the layout."""

import asyncio
import html
import inspect
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, TypeVar

from fastapi import Request, Response
from nicegui import ui

from ludex import __version__
from ludex.classroom.people import Person
from ludex.io.keys import Refused
from ludex.web.classroom.desk import Desk, session_key
from ludex.web.classroom.rights import HAND_IN, INSTRUCT, WATCH
from ludex.web.parts import layout
from ludex.web.parts.site import Site
from ludex.web.state.public_text import without_paths

PATIENCE = 20.0  # seconds to wait for a slow database
PAGES = (
    ("/class", "Ladder", WATCH),
    ("/class/mine", "My programs", HAND_IN),
    ("/class/matches", "Matches", WATCH),
    ("/class/final", "Final", WATCH),
    ("/class/people", "People", INSTRUCT),
)
LEAVE = """<form method="post" action="/class/leave"><button class="lx-keys-button lx-leave">
Log out</button></form>"""
Found = TypeVar("Found")


class Visit:
    """A browser at a page."""

    def __init__(self, desk: Desk, request: Request) -> None:
        self.desk, self.classroom = desk, desk.classroom
        self.key = session_key(request)
        self.person: Person | None = request.state.visitor.person
        self.query = {**request.query_params, **request.path_params}

    def number(self, name: str) -> int:
        """Return a number of the address."""
        text = self.query.get(name, "")
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValueError("no page has this address")
        return int(text)

    async def read(self, ask: Callable[..., Found], *given: Any) -> Found:
        """Ask the database of the class something, whose first argument is the class."""
        return await asyncio.to_thread(ask, self.classroom, *given)

    async def act(self, right: str) -> Person:
        """Return who is here now, for something that needs a right; a `Refused` if it is gone."""
        self.person = await self.desk.person_of_session(self.key)
        self.desk.require(self.person, right)
        assert self.person is not None
        return self.person

    async def still_here(self) -> bool:
        """Return whether the visitor may still look on; otherwise the log-in is shown."""
        await self.desk.settings.get()
        self.person = await self.desk.person_of_session(self.key)
        allowed = self.desk.allows(self.person, WATCH)
        if not allowed:
            ui.navigate.to("/class/enter")
        return allowed

    def repeat(self, seconds: float, refresh: Callable[[], Awaitable[None]]) -> ui.timer:
        """Refresh a page again and again while a browser shows it; return what does so.

        The server keeps a page for a while after its browser has left, lest it come back.
        """
        client = ui.context.client

        async def refresh_if_shown() -> None:
            if client.has_socket_connection:
                await refresh()

        return ui.timer(seconds, refresh_if_shown, immediate=False)

    @property
    def site(self) -> Site:
        """The pages that this visitor may open."""
        return class_site(self.desk, self.person)

    def frame(self, title: str, current: str = "", lead: str = "") -> Any:
        """Wrap a page's content in the layout."""
        return layout.frame(title, current, lead, self.site)


def class_site(desk: Desk, person: Person | None) -> Site:
    """Return the name, the navigation and the footer that somebody sees."""
    pages = tuple((path, name) for path, name, right in PAGES if desk.allows(person, right))
    who = f"{html.escape(person.name)} ({person.role})" if person else "a guest"
    way = LEAVE if person else '<a href="/class/enter">Log in</a>'
    footer = f"<div>Ludex {__version__}</div><div>You are {who}.</div>{way}"
    return Site(desk.classroom.name, "/class", pages or (PAGES[0][:2],), footer)


MakePage = Callable[[Visit], Awaitable[None]]
"""Builds a page of a class."""


def add_page(desk: Desk, path: str, right: str, make: MakePage) -> None:
    """Register a page that needs a right; a ValueError is shown as an error page."""

    @ui.page(path, response_timeout=PATIENCE)
    async def show(request: Request) -> Response | None:
        visit = Visit(desk, request)
        try:
            desk.require(visit.person, right)
            made = make(visit)
            if inspect.isawaitable(made):
                await made
        except ValueError as error:
            return error_page(visit, error)
        return None


def error_page(visit: Visit, error: ValueError) -> Response:
    """Return a page with an error."""
    client = ui.context.client
    client.content.clear()
    with client.content:
        layout.show_error_page(without_paths(str(error)), site=visit.site)
    refused = isinstance(error, Refused)
    status = HTTPStatus.FORBIDDEN if refused else HTTPStatus.NOT_FOUND
    return client.build_response(client.request, status)
