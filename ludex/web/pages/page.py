"""The registration of pages, and what pages about one game share."""

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from fastapi import Request, Response
from nicegui import ui

from ludex.core.rules import Rules
from ludex.web.parts import layout
from ludex.web.parts.field_errors import FieldError
from ludex.web.parts.rules_form import RulesForm
from ludex.web.parts.site import PAGES
from ludex.web.state.catalogue import Missing, parse_rules, rules_line, rules_text, texts_of
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState

PATIENCE = 20.0  # seconds to wait for a slow store

Query = Mapping[str, str]
"""The parameters in the path and the query of an address."""
MakePage = Callable[[ServerState, Query], Any]
"""Builds a page; the `load` of what it returns runs once the browser is connected."""


def add_page(server: ServerState, path: str, make: MakePage) -> None:
    """Register a page; a ValueError is shown as an error page with its status."""

    @ui.page(path, response_timeout=PATIENCE)
    def show(request: Request) -> Any:
        query = {**request.query_params, **request.path_params}
        try:
            page = make(server, query)
        except ValueError as error:
            return error_response(error, working_link(server, make, query))
        show_preparation(server)
        return load(page) if inspect.isawaitable(page) or hasattr(page, "load") else None


def show_preparation(server: ServerState) -> None:
    """Show how far the server is with compiling, in the head line or the foot, until it is done."""
    if words := server.preparation.words():
        line = layout.note(words).classes("lx-preparing").props('role="status"')

        def refresh() -> None:
            line.text = server.preparation.words()
            timer.active = bool(line.text)

        timer = ui.timer(1.0, refresh)


async def load(page: Any) -> Response | None:
    """Finish a page that could not be built at once."""
    try:
        if inspect.isawaitable(page):
            page = await page
        await ui.context.client.connected()
        await page.load()
    except ValueError as error:
        return error_response(error)
    return None


def working_link(server: ServerState, make: MakePage, query: Query) -> tuple[str, str] | None:
    """Return the text and address of a game's page without the rules and position asked for."""
    game = server.catalogue.games.get(query.get("game", ""))
    if game is None or not isinstance(make, type) or not issubclass(make, GamePage):
        return None
    if not {"rules", "position"} & set(query):
        return None  # it would fail again
    name = PAGES.get(make.path, make.path.strip("/").capitalize())
    return f"{name}: {game.title}", f"{make.path}/{game.name}"


def error_response(error: ValueError, link: tuple[str, str] | None = None) -> Response | None:
    """Fill the page with an error; return it with its status, or None if it was already sent."""
    client = ui.context.client
    client.content.clear()  # what was made before the error
    with client.content:
        layout.show_error_page(without_paths(str(error)), link)
    if client.has_socket_connection:
        return None
    return client.build_response(client.request, 404 if isinstance(error, Missing) else 400)


class GamePage:
    """A page about one game, by the rules in its address."""

    path = ""
    """Where the page is for the first game; GAME is appended for others."""

    def __init__(self, server: ServerState, query: Query) -> None:
        self.server = server
        self.game = query.get("game") or next(iter(server.catalogue.games))
        self.rules = server.catalogue.rules(self.game, parse_rules(query.get("rules", "")))
        server.preparation.prefer(self.game)
        self.tables_link: ui.link | None = None
        self.keep_in_links()

    def address(self, path: str = "", rules: Rules | None = None, **query: str) -> str:
        """Return the address of a page about this game; of this page and its rules by default."""
        changes = rules_text(rules or self.rules)
        return layout.address(f"{path or self.path}/{self.game}", rules=changes, **query)

    def keep_in_links(self) -> None:
        """Let the navigation, and the link to the tables of rules, keep the game and its rules."""
        layout.keep_in_navigation(self.game, rules_text(self.rules))
        if self.tables_link is not None:
            self.tables_link.props["href"] = self.address("/rules")

    def add_tables_link(self) -> None:
        """Add a link to the rules in tables, if the game has such."""
        if self.rules_form.has_tables:
            words = "All numbers of this game, as tables"
            self.tables_link = ui.link(words, self.address("/rules"))

    def rules_fields(self) -> None:
        """Add the rules outside tables as fields, folded while they are the usual ones."""
        changed = bool(rules_text(self.rules))
        self.rules_box = ui.expansion(value=changed).classes("lx-rules")
        with self.rules_box, layout.div("lx-form"):
            given = self.server.catalogue, self.game, self.rules
            self.rules_form = RulesForm(*given, on_change=self.take_rules)
            self.add_tables_link()
        self.show_changes()

    def show_changes(self) -> None:
        """Name the rules that differ from the usual ones."""
        changes = rules_line(texts_of(self.rules))
        self.rules_box.text = f"Rules: {changes or 'the usual ones'}"

    def take_rules(self) -> None:
        """Take the rules of the form, or show what is wrong with them."""
        with layout.errors_shown(), suppress(FieldError):
            before, self.rules = self.rules, self.rules_form.read()
            if self.rules != before:
                self.show_changes()
                self.keep_in_links()
                self.rules_changed()

    def rules_changed(self) -> None:
        """Adapt the rest of the page to rules that were changed in their fields."""

    def game_picker(self) -> None:
        """Add a selector that opens the same page for another game."""
        names = {one.name: one.title for one in self.server.catalogue.games.values()}
        go: Callable[..., Any] = lambda event: ui.navigate.to(f"{self.path}/{event.value}")  # noqa: E731
        picker = ui.select(names, value=self.game, label="game", on_change=go)
        picker.props("outlined dense").style("min-width: 15rem")
