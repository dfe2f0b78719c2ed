"""Middleware: limits of requests, and one-line errors that reveal nothing of the server."""

import time
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from nicegui import Client
from starlette.exceptions import HTTPException
from starlette.middleware.base import RequestResponseEndpoint

from ludex import __version__
from ludex.io.keys import Refused
from ludex.web.rest.notice import notice
from ludex.web.rest.security import FOR_PROGRAMS
from ludex.web.state import limits
from ludex.web.state.catalogue import Missing
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState

NO_PAGES = ("/_nicegui", *FOR_PROGRAMS)  # not pages
AGAIN = 30  # seconds before a retry
FULL = f"""<p>{limits.PAGES} pages are open, which is as many as this server allows.
Running matches are not lost. Try again in a moment, or close a tab that you do not need.</p>
<p><a href="">Try again</a></p>"""


def guard(app: FastAPI, server: ServerState) -> None:
    """Add the health endpoint, request limits and error handlers to an application."""
    app.exception_handler(ValueError)(value_error)
    app.exception_handler(HTTPException)(http_error)
    app.exception_handler(RequestValidationError)(validation_error)
    app.exception_handler(Exception)(server_error)
    app.middleware("http")(limit_request)

    @app.get("/health", tags=["server"])
    async def health() -> dict[str, Any]:
        """Report that the server is up, its load, and whether all it needs is compiled."""
        return {
            "status": "ok",
            "prepared": server.preparation.done,
            "version": __version__,
            "matches": len(server.matches),
            "pages": len(Client.instances),
            "waiting": server.workers.waiting,
            "seconds": round(time.monotonic() - server.began, 1),
        }


async def value_error(request: Request, error: Exception) -> JSONResponse:
    """Answer a ValueError: 404 for Missing, 409 for Refused, else 400."""
    status = 404 if isinstance(error, Missing) else 409 if isinstance(error, Refused) else 400
    return JSONResponse({"error": without_paths(str(error))}, status)


async def http_error(request: Request, error: Exception) -> JSONResponse:
    """Answer an HTTPException with its status."""
    assert isinstance(error, HTTPException)
    # The detail may quote the requested address, which is no path of the server.
    return JSONResponse({"error": str(error.detail)[:300]}, error.status_code, error.headers)


async def validation_error(request: Request, error: Exception) -> JSONResponse:
    """Answer a request that fails validation."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(one) for one in first["loc"][1:]) or "body"
    words = f"{where}: {first['msg']}"
    if first["type"] == "json_invalid":
        reason = str(first.get("ctx", {}).get("error", "it cannot be read"))
        words = f"the body is not JSON: {reason} at letter {first['loc'][-1]}"
    elif first["type"] == "extra_forbidden":
        words = f"{where}: there is no such field; /docs lists what there is"
    return JSONResponse({"error": without_paths(words)}, 422)


async def server_error(request: Request, error: Exception) -> JSONResponse:
    """Answer an unexpected error without details."""
    return JSONResponse({"error": "something went wrong here; it was noted"}, 500)


async def limit_request(request: Request, go_on: RequestResponseEndpoint) -> Response:
    """Refuse a request that is too large, or a page beyond the limit."""
    length = request.headers.get("content-length", "0")
    chunked = "chunked" in request.headers.get("transfer-encoding", "")
    if chunked or not length.isdigit() or int(length) > limits.BODY + 10_000:
        words = f"expected a body of at most {limits.BODY} bytes, with its length"
        return JSONResponse({"error": words}, 413)
    full = len(Client.instances) >= limits.PAGES
    if full and not request.url.path.startswith(NO_PAGES):
        return notice("The lab is full", FULL, 503, Retry_After=str(AGAIN))
    return await go_on(request)
