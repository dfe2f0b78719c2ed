"""The REST API: JSON for programs in any language."""

from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.routing import Match

from ludex.web.rest.gate import guard
from ludex.web.rest.matches import Matches
from ludex.web.rest.positions import Positions
from ludex.web.state.server_state import ServerState

__all__ = ["guard", "make_router"]

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def make_router(server: ServerState) -> APIRouter:
    """Return the API of a server state."""
    router = APIRouter(prefix="/api")
    Positions(server).add_to(router)
    Matches(server).add_to(router)
    known = list(router.routes)

    async def not_found(request: Request) -> Any:
        """Answer 404 for an unknown address, 405 for a wrong method."""
        near = [one for one in known if one.matches(request.scope)[0] == Match.PARTIAL]
        if not near:
            raise HTTPException(404, f"nothing is at {request.url.path}; /docs lists what there is")
        allowed = sorted({way for one in near for way in getattr(one, "methods", None) or ()})
        words = f"{request.method} is not for this address: expected {' or '.join(allowed)}"
        raise HTTPException(405, words, {"Allow": ", ".join(allowed)})

    # Last, so that unknown addresses under the prefix are answered as JSON, too.
    router.api_route("/{rest:path}", methods=METHODS, include_in_schema=False)(not_found)
    return router
