"""The application: pages and REST API over one server state, and serving it."""

import asyncio
import logging
import os
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI, Request, Response
from nicegui import Client, app, ui

from ludex import __version__
from ludex.io.keys import new_key
from ludex.store import Store
from ludex.web import HOST, PORT
from ludex.web.addresses import addresses, hosts_for_others, welcome
from ludex.web.pages import docs, lab, manual
from ludex.web.pages.agents import AgentsPage
from ludex.web.pages.guide import GuidePage
from ludex.web.pages.home import show_home
from ludex.web.pages.match import MatchPage
from ludex.web.pages.page import GamePage, MakePage, add_page
from ludex.web.pages.rules import RulesPage
from ludex.web.pages.setup import SetupPage
from ludex.web.pages.tournament import TournamentPage
from ludex.web.pages.train import TrainPage
from ludex.web.pages.understand import Explorer
from ludex.web.pages.viewer import show_live_match, show_stored_match
from ludex.web.pages.watch import WatchForm
from ludex.web.parts import layout
from ludex.web.parts.documents import MANUAL, share_pictures
from ludex.web.rest import guard, make_router
from ludex.web.rest.security import Security
from ludex.web.state import limits
from ludex.web.state.access import Access, is_local
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import ServerState
from ludex.web.state.workers import Workers

log = logging.getLogger("ludex.web")
RECONNECT = 20.0  # seconds to reconnect before the page is reloaded
GAME_PAGES: list[type[GamePage]] = [
    SetupPage,
    WatchForm,
    Explorer,
    TrainPage,
    TournamentPage,
    RulesPage,
    AgentsPage,
    GuidePage,
]
PAGES: dict[str, MakePage] = {
    "/": show_home,
    "/match/{name}": MatchPage,
    "/watch/match/{name}": show_live_match,
    "/watch/record/{event}/{number}": show_stored_match,
    "/lab": lab.LabPage,
    "/lab/{game}": lab.LabPage,
    MANUAL: manual.show_list,
    f"{MANUAL}/{{page}}": manual.show_page,
    **{page.path: page for page in GAME_PAGES},
    **{f"{page.path}/{{game}}": page for page in GAME_PAGES},
}
"""What builds each page, by its address."""


def make_app(server: ServerState) -> FastAPI:
    """Return the web application for a server state."""

    @asynccontextmanager
    async def lifespan(outer: FastAPI) -> AsyncIterator[None]:
        server.workers.start()
        server.resume_matches()
        server.resume_trainings()
        preparing = asyncio.create_task(server.preparation.run())
        yield
        preparing.cancel()
        server.preparation.worker.stop()
        server.halt()
        await server.archive.drain()
        server.close()

    outer = FastAPI(
        title="Ludex", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    outer.include_router(make_router(server))
    guard(outer, server)
    outer.add_middleware(Security, access=server.access)
    register(server)
    docs.register(outer.openapi, bool(server.access.key))
    ui.run_with(
        outer,
        title="Ludex",
        favicon=layout.LOGO,
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT,
        show_welcome_message=False,
    )
    return outer


def register(server: ServerState) -> None:
    """Register all pages; a function, because tests clear what is registered at import."""
    layout.share_files()
    share_pictures()
    for path, make in PAGES.items():
        add_page(server, path, make)
    lab.register_reports(server)

    @app.exception_handler(404)
    async def not_found(request: Request, error: Exception) -> Response:
        with Client(ui.page(""), request=request) as client:
            layout.show_error_page("No page has this address.")
        return client.build_response(request, 404)

    @app.on_page_exception
    def page_failed(error: Exception) -> None:
        log.error("a page failed", exc_info=error)
        layout.show_error_page("Something went wrong here. It was noted; the games go on.")


def serve(
    host: str = HOST,
    port: int = PORT,
    games: tuple[str, ...] = (),
    show: bool = False,
    store: "str | Store | None" = None,
    key: str | None = None,
    names: tuple[str, ...] = (),
    agents: tuple[str, ...] = (),
) -> None:
    """Serve the web lab until it is interrupted; matches go to a store, or to the usual one.

    Visitors need the access key, unless it is empty; by default it is, or beyond this machine a
    new one. The server answers to its address, its own name and the `names`. Programs in
    the files `agents` play in the sandbox.
    """
    if key is None:
        key = "" if is_local(host) else new_key()
    processes = max(3, os.cpu_count() or 3)  # one is reserved for live matches
    used = store if isinstance(store, Store) else Store(store)
    others = hosts_for_others(host, names)
    access = Access.at(host, key, names, *others)
    server = ServerState(
        Catalogue(games), Workers(processes), store=used, access=access, programs=agents
    )
    reached = addresses(host, port, key, others)
    print(welcome(host, reached, key), file=sys.stderr)
    if show:
        threading.Timer(1.0, webbrowser.open, (reached[0],)).start()
    most = limits.CONNECTIONS
    uvicorn.run(make_app(server), host=host, port=port, log_level="warning", limit_concurrency=most)
