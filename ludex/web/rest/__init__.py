"""The REST interface: the same things for programs in any language, as JSON."""

from fastapi import APIRouter

from ludex.web.hall import Hall
from ludex.web.rest.gate import guard
from ludex.web.rest.matches import Matches
from ludex.web.rest.positions import Positions

__all__ = ["guard", "make_router"]


def make_router(hall: Hall) -> APIRouter:
    """Return the interface over a hall."""
    router = APIRouter(prefix="/api")
    Positions(hall).add_to(router)
    Matches(hall).add_to(router)
    return router
