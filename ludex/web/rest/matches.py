"""REST: create a match, play it, and download its record."""

import asyncio
import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request
from pydantic import BaseModel, Field

from ludex.agents.registry import HUMAN
from ludex.core.play import parse
from ludex.io.keys import Refused
from ludex.match.record import write
from ludex.web.rest.positions import position_json, reader_of
from ludex.web.state import limits
from ludex.web.state.access import Visitor
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.reader import Reader
from ludex.web.state.server_state import ServerState

MatchName = Annotated[str, Path(description="the `match` of the answer that opened it")]
KeyText = Annotated[str, Query(max_length=80, description="the key of your seat")]
Waiting = Annotated[float, Query(ge=0, le=20, description="seconds to wait for your turn")]

MADE = 2.0  # seconds to wait at most until a move is made; an agent may choose at the same time


class NewMatch(BaseModel, extra="forbid"):
    """A match to open; `human` seats are played through this API or in a browser."""

    game: str = Field(max_length=60, description="a name from `/api/games`")
    agents: list[Annotated[str, Field(max_length=limits.TEXT)]] = Field(
        default=[HUMAN], max_length=8, description="one per seat; the default agent fills the rest"
    )
    rules: dict[str, str] = Field(default={}, max_length=500, description="changed rules")
    position: str = Field(default="", max_length=limits.TEXT, description="the usual one if empty")
    seed: int | None = Field(
        default=None, ge=0, lt=2**63, description="the same seed gives the same dice"
    )
    seconds: float | None = Field(default=None, ge=1, le=3600, description="per move")


class NewMove(BaseModel, extra="forbid"):
    """A move to play."""

    move: str = Field(max_length=limits.TEXT, description="its label, such as `take 2`")
    key: str = Field(max_length=80, description="the key of your seat")
    seat: int | None = Field(default=None, ge=0, le=8, description="if the key has several")
    wait: float = Field(default=0.0, ge=0, le=20, description="seconds to wait for your next turn")


class Matches:
    """The endpoints for matches."""

    def __init__(self, server: ServerState) -> None:
        self.server = server

    def add_to(self, router: APIRouter) -> None:
        """Add the endpoints to a router."""
        router.post("/matches", tags=["matches"], status_code=201)(self.open_match)
        router.get("/matches/{name}", tags=["matches"])(self.match)
        router.post("/matches/{name}/moves", tags=["matches"])(self.move)
        router.get("/matches/{name}/record", tags=["matches"])(self.record)

    async def open_match(self, wanted: NewMatch, request: Request) -> dict[str, Any]:
        """Open a match; the keys are secrets that control the human seats."""
        rules = self.server.catalogue.rules(wanted.game, wanted.rules)
        people = {seat for seat, text in enumerate(wanted.agents) if text == HUMAN}
        live = await self.server.open_match(
            *(wanted.game, rules, wanted.agents, people and {min(people)}),
            start=self.server.parse_position(rules, wanted.position),
            limit=wanted.seconds,
            seed=wanted.seed,
            opener=Visitor.of(request).name,
        )
        key = live.owner if people else ""
        if key:
            await wait_for_turn(live, key, 5.0)
        guests = {seat: live.accept(own) for seat, own in live.guests.items()}
        keys = {seat: key for seat in live.seats_of(key)} | guests
        shown = match_json(live, key, reader_of(self.server, request))
        return shown | {"keys": {str(seat): one for seat, one in keys.items()}}

    async def match(
        self, name: MatchName, request: Request, key: KeyText = "", wait: Waiting = 0.0
    ) -> dict[str, Any]:
        """Return the state of a match, as the holder of a key sees it."""
        live = self.server[name]
        await wait_for_turn(live, key, wait)
        return match_json(live, key, reader_of(self.server, request))

    async def move(self, name: MatchName, wanted: NewMove, request: Request) -> dict[str, Any]:
        """Play a move.

        The answer shows it, unless others still choose at the same time.
        """
        live = self.server[name]
        if not live.seats_of(wanted.key):
            raise HTTPException(403, "this key opens no seat of this match")
        asked = live.seats_to_move(wanted.key)
        seat = asked[0] if wanted.seat is None and asked else wanted.seat
        if seat is None or seat not in asked:
            raise Refused("the match is over" if live.match.over else "it is not your turn")
        action = parse(live.match.rules, live.seen_by(seat).state, wanted.move, seat)
        before = len(live.match.plies)
        live.choose(wanted.key, seat, action, before - 1)
        await wait_until(live, lambda: len(live.match.plies) > before or is_awaited(live), MADE)
        await wait_for_turn(live, wanted.key, wanted.wait)
        return match_json(live, wanted.key, reader_of(self.server, request))

    async def record(self, name: MatchName, request: Request) -> Any:
        """Return a match as a record, which the Watch page and `ludex replay` can open."""
        return json.loads(write(reader_of(self.server, request).record(self.server[name])))


def match_json(live: LiveMatch, key: str, reader: Reader) -> dict[str, Any]:
    """Return the state of a match for the holder of a key, who reads what programs say."""
    viewer = live.viewer(key)
    match, last = live.seen_by(viewer), len(live.match.plies) - 1
    return {
        "match": live.id,
        "game": live.game.name,
        "ply": last,
        "yours": sorted(live.seats_of(key)),
        "asked": live.seats_to_move(key),
        **position_json(match.rules, match.state, {viewer} if match is not live.match else None),
        "last": [
            {"seat": seat if seat >= 0 else "chance", "move": words}
            for seat, words in (match.labels_by_seat(last) if last else [])
        ],
        "ending": match.ending or None,
        "words": reader.result(live) or None,
        "returns": match.returns if match.over else None,
    }


def is_awaited(live: LiveMatch) -> bool:
    """Return whether a person is to choose now, such as the other of two who choose at once."""
    return any(not future.done() for future in live.pending.values())


async def wait_for_turn(live: LiveMatch, key: str, seconds: float) -> None:
    """Wait until a seat of the key is to move or the match is over, at most for some seconds."""
    await wait_until(live, lambda: bool(live.seats_to_move(key)), seconds)


async def wait_until(live: LiveMatch, claim: Callable[[], bool], seconds: float) -> None:
    """Wait until something is so or the match is over, at most for some seconds."""
    if seconds <= 0 or live.match.over or claim():
        return
    happened = asyncio.Event()

    def look() -> None:
        if live.match.over or claim():
            happened.set()

    live.listeners.append(look)
    try:
        await asyncio.wait_for(happened.wait(), seconds)
    except TimeoutError:  # the answer shows whose turn it is
        pass
    finally:
        live.listeners.remove(look)
