"""REST: create a match, play it, and download its record."""

import asyncio
import json
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query
from pydantic import BaseModel, Field

from ludex.agents.registry import HUMAN
from ludex.core.play import parse
from ludex.match.record import write
from ludex.web.rest.positions import position_json
from ludex.web.state import limits
from ludex.web.state.access import Refused
from ludex.web.state.archive import public_record, record_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

MatchName = Annotated[str, Path(description="what the answer calls `match` when it is opened")]
KeyText = Annotated[str, Query(max_length=80, description="what opens your seat")]
Waiting = Annotated[float, Query(ge=0, le=20, description="seconds to wait for your turn")]


class NewMatch(BaseModel, extra="forbid"):
    """A match to open; seats of `human` are played through this interface or in a browser."""

    game: str = Field(max_length=60, description="its name, as `/api/games` lists it")
    agents: list[Annotated[str, Field(max_length=limits.TEXT)]] = Field(
        default=[HUMAN], max_length=8, description="one for each seat; the machine fills the rest"
    )
    rules: dict[str, str] = Field(default={}, max_length=500, description="those that differ")
    position: str = Field(
        default="", max_length=limits.TEXT, description="where it begins; the first one if empty"
    )
    seed: int | None = Field(
        default=None, ge=0, lt=2**63, description="of all luck; the same gives the same dice"
    )
    seconds: float | None = Field(default=None, ge=1, le=3600, description="for each move")


class NewMove(BaseModel, extra="forbid"):
    """A move to play."""

    move: str = Field(max_length=limits.TEXT, description="its label, such as `take 2`")
    key: str = Field(max_length=80, description="what opens your seat, as the match told you")
    seat: int | None = Field(default=None, ge=0, le=8, description="if the key opens several")
    wait: float = Field(default=0.0, ge=0, le=20, description="seconds to wait for your next turn")


class Matches:
    """What can be done with matches."""

    def __init__(self, server: ServerState) -> None:
        self.server = server

    def add_to(self, router: APIRouter) -> None:
        """Add the addresses to a router."""
        router.post("/matches", tags=["matches"], status_code=201)(self.open_match)
        router.get("/matches/{name}", tags=["matches"])(self.match)
        router.post("/matches/{name}/moves", tags=["matches"])(self.move)
        router.get("/matches/{name}/record", tags=["matches"])(self.record)

    async def open_match(self, wanted: NewMatch) -> dict[str, Any]:
        """Open a match; the keys are secrets that open the seats of people."""
        rules = self.server.catalogue.rules(wanted.game, wanted.rules)
        people = {seat for seat, text in enumerate(wanted.agents) if text == HUMAN}
        live = await self.server.open_match(
            *(wanted.game, rules, wanted.agents, people and {min(people)}),
            start=self.server.parse_position(rules, wanted.position),
            limit=wanted.seconds,
            seed=wanted.seed,
        )
        key = live.owner if people else ""
        if key:
            await wait_for_turn(live, key, 5.0)
        keys = {seat: key for seat in live.seats_of(key)} | live.guests
        return match_json(live, key) | {"keys": {str(seat): one for seat, one in keys.items()}}

    async def match(
        self, name: MatchName, key: KeyText = "", wait: Waiting = 0.0
    ) -> dict[str, Any]:
        """Say how a match stands, as a seat sees it."""
        live = self.server[name]
        await wait_for_turn(live, key, wait)
        return match_json(live, key)

    async def move(self, name: MatchName, wanted: NewMove) -> dict[str, Any]:
        """Play a move."""
        live = self.server[name]
        if not live.seats_of(wanted.key):
            raise HTTPException(403, "this key opens no seat of this match")
        asked = live.seats_to_move(wanted.key)
        seat = asked[0] if wanted.seat is None and asked else wanted.seat
        if seat is None or seat not in asked:
            raise Refused("the match is over" if live.match.over else "it is not your turn")
        action = parse(live.match.rules, live.match.state, wanted.move, seat)
        live.choose(wanted.key, seat, action, len(live.match.plies) - 1)
        await asyncio.sleep(0)
        await wait_for_turn(live, wanted.key, wanted.wait)
        return match_json(live, wanted.key)

    async def record(self, name: MatchName) -> Any:
        """Give a match as a record; a page under Watch reads it again, and `ludex replay` too."""
        return json.loads(write(public_record(record_of(self.server[name]))))


def match_json(live: LiveMatch, key: str) -> dict[str, Any]:
    """Return a match as whoever holds a key may see it."""
    match, last = live.match, len(live.match.plies) - 1
    return {
        "match": live.id,
        "game": live.game.name,
        "ply": last,
        "yours": sorted(live.seats_of(key)),
        "asked": live.seats_to_move(key),
        **position_json(match.rules, match.state),
        "last": [
            {"seat": seat if seat >= 0 else "chance", "move": words}
            for seat, words in (match.labels_by_seat(last) if last else [])
        ],
        "ending": match.ending or None,
        "words": match.result or None,
        "returns": match.returns if match.over else None,
    }


async def wait_for_turn(live: LiveMatch, key: str, seconds: float) -> None:
    """Wait until a key is asked or the match is over, but no longer than so many seconds."""
    if seconds <= 0 or live.match.over or live.seats_to_move(key):
        return
    happened = asyncio.Event()

    def look() -> None:
        if live.match.over or live.seats_to_move(key):
            happened.set()

    live.listeners.append(look)
    try:
        await asyncio.wait_for(happened.wait(), seconds)
    except TimeoutError:  # then the answer shows that it is not yet their turn
        pass
    finally:
        live.listeners.remove(look)
