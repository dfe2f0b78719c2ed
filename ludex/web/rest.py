"""The REST interface: the same things for programs in any language, as JSON."""

import asyncio
import math
import time
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from ludex import __version__
from ludex.agents import HUMAN, default_agent, levels_of
from ludex.picture import svg
from ludex.play import choices, choosers, parse
from ludex.rules import (
    OVER,
    Rules,
    State,
    game_of,
    initial,
    label,
    position,
    returns,
    scene,
    seat_name,
    seats,
    turn,
)
from ludex.variant import range_text, rule_table, rule_values, write_value
from ludex.web import limits
from ludex.web.catalogue import Texts, parsed, texts_of
from ludex.web.hall import Hall
from ludex.web.table import Table
from ludex.web.tasks import Asked, consider, without_paths

RulesText = Annotated[
    str, Query(max_length=limits.TEXT, description="changed rules, such as `nuts=10;most=4`")
]
PositionText = Annotated[
    str, Query(max_length=limits.TEXT, description="one line of text; the first one if empty")
]
AgentText = Annotated[
    str, Query(max_length=limits.TEXT, description="such as `hard` or `alphabeta:depth=6`")
]
KeyText = Annotated[str, Query(max_length=80, description="what opens your seat")]
Waiting = Annotated[float, Query(ge=0, le=20, description="seconds to wait for your turn")]


class NewMatch(BaseModel):
    """A match to open; seats of `human` are played through this interface or in a browser."""

    game: str = Field(max_length=60)
    agents: list[Annotated[str, Field(max_length=limits.TEXT)]] = Field(
        default=[HUMAN], max_length=8, description="one for each seat; the machine fills the rest"
    )
    rules: dict[str, str] = Field(default={}, max_length=500, description="those that differ")
    position: str = Field(default="", max_length=limits.TEXT)
    seed: int | None = Field(default=None, ge=0, lt=2**63)
    seconds: float | None = Field(default=None, ge=1, le=3600, description="for each move")


class NewMove(BaseModel):
    """A move to play."""

    move: str = Field(max_length=limits.TEXT, description="its label, such as `take 2`")
    key: str = Field(max_length=80)
    seat: int | None = Field(default=None, ge=0, le=8, description="if the key opens several")
    wait: float = Field(default=0.0, ge=0, le=20, description="seconds to wait for your next turn")


def make_router(hall: Hall) -> APIRouter:
    """Return the interface over a hall."""
    router = APIRouter(prefix="/api")

    def chosen(game: str, rules: str, where: str) -> tuple[Rules, State]:
        made = hall.catalogue.rules(game, parsed(rules))
        state = hall.start_of(made, where)
        return made, initial(made) if state is None else state

    @router.get("/games", tags=["games"])
    async def games() -> list[dict[str, Any]]:
        """List the games."""
        return [
            {"game": one.name, "title": one.title, "kind": one.kind, "summary": one.summary}
            for one in hall.catalogue.games.values()
        ]

    @router.get("/games/{game}", tags=["games"])
    async def game(game: str) -> dict[str, Any]:
        """Say what a game is: its rules, seats and agents."""
        rules = hall.catalogue.rules(game)
        values = rule_values(rules)
        return {
            "game": game,
            "title": hall.catalogue[game].title,
            "seats": [seat_name(rules, seat) for seat in range(seats(rules))],
            "rules": {
                key: {
                    "default": write_value(rule, values[key]),
                    "range": range_text(rule, values[key]),
                    "text": rule.text,
                }
                for key, rule in rule_table(rules).items()
            },
            "levels": levels_of(game_of(rules)),
        }

    @router.get("/games/{game}/state", tags=["positions"])
    async def state(
        game: str, rules: RulesText = "", position: PositionText = ""
    ) -> dict[str, Any]:
        """Say what a position is: whose turn, and which moves are legal."""
        return told(*chosen(game, rules, position))

    @router.get("/games/{game}/picture", tags=["positions"], response_class=Response)
    async def picture(game: str, rules: RulesText = "", position: PositionText = "") -> Response:
        """Draw a position as SVG."""
        made = chosen(game, rules, position)
        return Response(svg(scene(*made), position), media_type="image/svg+xml")

    @router.get("/games/{game}/best", tags=["positions"])
    async def best(
        game: str,
        rules: RulesText = "",
        position: PositionText = "",
        agent: AgentText = "",
        seat: Annotated[int, Query(ge=-1, le=8)] = -1,
        seed: Annotated[int, Query(ge=0, lt=2**63)] = 0,
    ) -> dict[str, Any]:
        """Say what an agent would do; values are worth to the seat that chooses."""
        made, where = chosen(game, rules, position)
        acting = choosers(made, where)
        if not acting or (seat >= 0 and seat not in acting):
            raise ValueError("nobody is to choose here" if seat < 0 else f"seat {seat} waits here")
        seat = acting[0] if seat < 0 else seat
        text, stamp = await hall.agent(game, made, agent or default_agent(made))
        began = time.perf_counter()
        asked = asked_about(hall, game, made, where)
        choice = await hall.workers.do(consider, asked, text, seat, (seed,), stamp)
        return {
            "seat": seat,
            "move": label(made, where, choice.action),
            "value": finite(choice.value),
            "nodes": choice.nodes,
            "depth": choice.depth,
            "values": named(made, where, choice.values),
            "mixture": named(made, where, choice.mixture),
            "seconds": time.perf_counter() - began,
        }

    @router.get("/games/{game}/values", tags=["positions"])
    async def values(
        game: str, rules: RulesText = "", position: PositionText = ""
    ) -> dict[str, Any]:
        """Say what every move is worth, exactly where that can be known in a moment."""
        made, where = chosen(game, rules, position)
        found = await hall.opinions(asked_about(hall, game, made, where))
        return {
            "position": told(made, where)["position"],
            "seats": [
                {
                    "seat": one.seat,
                    "value": finite(one.value),
                    "exact": one.exact,
                    "how": one.how,
                    "values": named(made, where, one.values),
                    "mixture": named(made, where, one.policy),
                }
                for one in found
            ],
        }

    @router.post("/matches", tags=["matches"], status_code=201)
    async def open_match(wanted: NewMatch) -> dict[str, Any]:
        """Open a match; the keys are secrets that open the seats of people."""
        rules = hall.catalogue.rules(wanted.game, wanted.rules)
        people = {seat for seat, text in enumerate(wanted.agents) if text == HUMAN}
        table = await hall.open(
            *(wanted.game, rules, wanted.agents, people and {min(people)}),
            start=hall.start_of(rules, wanted.position),
            limit=wanted.seconds,
            seed=wanted.seed,
        )
        key = table.owner if people else ""
        if key:
            await until_turn(table, key, 5.0)
        keys = {seat: key for seat in table.seats_of(key)} | table.guests
        return seen(table, key) | {"keys": {str(seat): one for seat, one in keys.items()}}

    @router.get("/matches/{name}", tags=["matches"])
    async def match(name: str, key: KeyText = "", wait: Waiting = 0.0) -> dict[str, Any]:
        """Say how a match stands, as a seat sees it."""
        table = hall[name]
        await until_turn(table, key, wait)
        return seen(table, key)

    @router.post("/matches/{name}/moves", tags=["matches"])
    async def move(name: str, wanted: NewMove) -> dict[str, Any]:
        """Play a move."""
        table = hall[name]
        asked = table.asks(wanted.key)
        seat = asked[0] if wanted.seat is None and asked else wanted.seat
        if seat is None or seat not in asked:
            raise ValueError("the match is over" if table.over else "it is not your turn")
        action = parse(table.rules, table.state, wanted.move, seat)
        table.choose(wanted.key, seat, action, len(table.plies) - 1)
        await asyncio.sleep(0)
        await until_turn(table, wanted.key, wanted.wait)
        return seen(table, wanted.key)

    @router.get("/matches/{name}/record", tags=["matches"])
    async def record(name: str) -> dict[str, Any]:
        """Give a match as a record; a page under Watch reads it again."""
        table = hall[name]
        return table.record() | {"agents": [without_paths(text) for text in table.agents]}

    return router


def asked_about(hall: Hall, game: str, rules: Rules, state: State) -> Asked:
    """Return a position as workers take it."""
    numbers = tuple(int(one) for one in state)
    return Asked(hall.catalogue[game].source, texts_of(rules), numbers)


def told(rules: Rules, state: State) -> dict[str, Any]:
    """Return what a position is."""
    mover = turn(rules, state)
    names = {-1: "chance", -2: "both", OVER: "over"}
    moves = {
        str(seat): [label(rules, state, action) for action in choices(rules, state, seat)]
        for seat in choosers(rules, state)
    }
    over = mover == OVER
    texts: Texts = texts_of(rules)
    return {
        "position": position(rules, state),
        "rules": dict(texts),
        "turn": names.get(mover, mover),
        "moves": moves,
        "returns": [returns(rules, state, seat) for seat in range(seats(rules))] if over else None,
    }


def seen(table: Table, key: str) -> dict[str, Any]:
    """Return a match as whoever holds a key may see it."""
    return {
        "match": table.id,
        "game": table.game.name,
        "ply": len(table.plies) - 1,
        "yours": sorted(table.seats_of(key)),
        "asked": table.asks(key),
        **told(table.rules, table.state),
        "last": [
            {"seat": seat if seat >= 0 else "chance", "move": words}
            for seat, words in (table.told(len(table.plies) - 1) if len(table.plies) > 1 else [])
        ],
        "ending": table.ending or None,
        "words": table.result() if table.over else None,
        "returns": table.worth() if table.over else None,
    }


async def until_turn(table: Table, key: str, seconds: float) -> None:
    """Wait until a key is asked or the match is over, but no longer than so many seconds."""
    if seconds <= 0 or table.over or table.asks(key):
        return
    happened = asyncio.Event()

    def look() -> None:
        if table.over or table.asks(key):
            happened.set()

    table.listeners.append(look)
    try:
        await asyncio.wait_for(happened.wait(), seconds)
    except TimeoutError:
        pass
    finally:
        table.listeners.remove(look)


def named(rules: Rules, state: State, numbers: Any) -> dict[str, float | None]:
    """Return numbers of actions by their labels."""
    return {label(rules, state, action): finite(value) for action, value in numbers.items()}


def finite(value: float) -> float | None:
    """Return a number as JSON has it."""
    return None if math.isnan(value) else float(value) + 0.0


# Errors are one line; nothing of the server is in them. ------------------------------------------


def guard(app: FastAPI, hall: Hall) -> None:
    """Give an application its health page, its limits and its errors."""

    @app.get("/health", tags=["server"])
    async def health() -> dict[str, Any]:
        """Say that the server lives, and how busy it is."""
        return {
            "status": "ok",
            "version": __version__,
            "matches": len(hall.tables),
            "waiting": hall.workers.waiting,
            "seconds": round(time.monotonic() - hall.began, 1),
        }

    @app.exception_handler(ValueError)
    async def refuse(request: Request, error: ValueError) -> JSONResponse:
        return JSONResponse({"error": without_paths(str(error))}, 400)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(one) for one in first["loc"][1:]) or "body"
        return JSONResponse({"error": without_paths(f"{where}: {first['msg']}")}, 422)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": "something went wrong here; it was noted"}, 500)

    @app.middleware("http")
    async def limit(request: Request, go_on: Any) -> Response:
        length = request.headers.get("content-length", "0")
        chunked = "chunked" in request.headers.get("transfer-encoding", "")
        if chunked or not length.isdigit() or int(length) > limits.BODY + 10_000:
            said = f"expected a body of at most {limits.BODY} bytes, with its length"
            return JSONResponse({"error": said}, 413)
        answer: Response = await go_on(request)
        return answer
