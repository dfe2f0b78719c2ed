"""The application of a class: a server of its own, which has no page of the lab."""

import logging

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import RedirectResponse
from nicegui import Client, app, ui
from starlette.exceptions import HTTPException

from ludex.classroom.classroom import Classroom
from ludex.web.classroom import final, ladder, match, matches, mine, people, program
from ludex.web.classroom.desk import Desk
from ludex.web.classroom.downloads import make_downloads
from ludex.web.classroom.entry import make_entry
from ludex.web.classroom.gate import POLICY, Gate
from ludex.web.classroom.page_owners import bind_pages
from ludex.web.classroom.rest import make_rest
from ludex.web.classroom.rights import HAND_IN, INSTRUCT, WATCH
from ludex.web.classroom.visit import MakePage, add_page, class_site
from ludex.web.parts import layout
from ludex.web.rest import gate as errors
from ludex.web.rest.security import Security
from ludex.web.state import limits
from ludex.web.state.access import Access

log = logging.getLogger("ludex.web")
RECONNECT = 20.0  # seconds to reconnect before the page is reloaded
PACKED = 4  # of 9: a third of the time, and pages are a sixteenth larger
PAGES: dict[str, tuple[str, MakePage]] = {
    "/class": (WATCH, ladder.show),
    "/class/mine": (HAND_IN, mine.show),
    "/class/program/{program}": (WATCH, program.show),
    "/class/matches": (WATCH, matches.show),
    "/class/match/{job}/{number}": (WATCH, match.show),
    "/class/final": (WATCH, final.show),
    "/class/final/{final}": (WATCH, final.show),
    "/class/people": (INSTRUCT, people.show),
}
"""The right that each page needs, and what builds it, by its address."""


def make_class_app(classroom: Classroom, names: tuple[str, ...] = ()) -> FastAPI:
    """Return the web application of a class, which answers to these host names, too."""
    desk = Desk(classroom)
    outer = make_outer(desk, names)
    register(desk)
    bind_pages()
    ui.run_with(
        outer,
        title=classroom.name,
        favicon=layout.LOGO,
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT,
        show_welcome_message=False,
        gzip_middleware_factory=lambda app: GZipMiddleware(app, compresslevel=PACKED),
    )
    return outer


def make_outer(desk: Desk, names: tuple[str, ...]) -> FastAPI:
    """Return the application without its pages: what stands before them, and the REST API."""
    name = desk.classroom.name
    outer = FastAPI(title=name, docs_url=None, redoc_url=None, openapi_url=None)
    outer.exception_handler(ValueError)(errors.value_error)
    outer.exception_handler(HTTPException)(errors.http_error)
    outer.exception_handler(RequestValidationError)(errors.validation_error)
    outer.exception_handler(Exception)(errors.server_error)

    @outer.get("/health")
    def health() -> dict[str, str]:
        return {"class": name}

    @outer.get("/")
    def home() -> RedirectResponse:
        return RedirectResponse("/class")

    for router in (make_entry(desk), make_rest(desk), make_downloads(desk)):
        outer.include_router(router)
    outer.add_middleware(Gate, desk=desk)
    access = Access.at("localhost", "", names)
    outer.add_middleware(Security, access=access, policy=POLICY)
    return outer


def register(desk: Desk) -> None:
    """Register the pages of a class; a function, because tests clear what is registered."""
    layout.share_files()
    mine.share_script()
    for path, (right, make) in PAGES.items():
        add_page(desk, path, right, make)

    @app.exception_handler(404)
    async def not_found(request: Request, error: Exception) -> Response:
        with Client(ui.page(""), request=request) as client:
            site = class_site(desk, request.state.visitor.person)
            layout.show_error_page("No page has this address.", site=site)
        return client.build_response(request, 404)

    @app.on_page_exception
    def page_failed(error: Exception) -> None:
        log.error("a page failed", exc_info=error)
        words = "Something went wrong here. It was noted; the ladder goes on."
        layout.show_error_page(words, site=class_site(desk, None))


def serve_class(classroom: Classroom, host: str, port: int, names: tuple[str, ...] = ()) -> None:
    """Serve the pages of a class until it is interrupted."""
    made = make_class_app(classroom, (host, *names))
    most = limits.CONNECTIONS
    uvicorn.run(made, host=host, port=port, log_level="warning", limit_concurrency=most)
