"""A page about one game: its addresses, and links to the same page of other games."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import Request, Response
from nicegui import ui

from ludex.core.rules import Rules
from ludex.web.parts.not_found import error_response
from ludex.web.state.catalogue import parse_rules
from ludex.web.state.server_state import ServerState

Query = Mapping[str, str]
"""The query parameters of an address."""
Show = Callable[[ServerState, str, Rules, Query], object]


def game_page(server: ServerState, path: str, show: Show) -> None:
    """Register a page at `path/GAME`, and at `path` for the first game; show ValueErrors."""

    @ui.page(path)
    @ui.page(f"{path}/{{game}}")
    async def page(request: Request, game: str = "") -> Response | None:
        query = request.query_params
        name = game or next(iter(server.catalogue.games))
        try:
            rules = server.catalogue.rules(name, parse_rules(query.get("rules", "")))
            shown = show(server, name, rules, query)
            if inspect.isawaitable(shown):
                await shown
        except ValueError as error:
            return error_response(error)
        return None


def game_picker(server: ServerState, game: str, path: str) -> None:
    """Add a selector that opens the same page for another game."""
    names = {one.name: one.title for one in server.catalogue.games.values()}
    go: Callable[..., Any] = lambda event: ui.navigate.to(f"{path}/{event.value}")  # noqa: E731
    picker = ui.select(names, value=game, label="game", on_change=go)
    picker.props("outlined dense").style("min-width: 15rem")
