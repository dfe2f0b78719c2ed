"""REST: games and positions, their legal moves and values."""

import math
from collections.abc import Collection
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response

from ludex.agents.registry import default_agent
from ludex.core import rules as ask
from ludex.core.play import choices, choosers
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.core.variants import range_text, rule_table, write_value
from ludex.render.svg import svg
from ludex.web.state import limits, tasks
from ludex.web.state.access import Visitor
from ludex.web.state.catalogue import parse_rules, texts_of
from ludex.web.state.reader import Reader
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery

GameName = Annotated[str, Path(description="a name from `/api/games`")]
RulesText = Annotated[
    str, Query(max_length=limits.TEXT, description="changed rules, such as `nuts=10;most=4`")
]
PositionText = Annotated[
    str, Query(max_length=limits.TEXT, description="one line of text; the first one if empty")
]
AgentText = Annotated[
    str, Query(max_length=limits.TEXT, description="such as `hard` or `alphabeta:depth=6`")
]
SeatNumber = Annotated[
    int, Query(ge=-1, le=8, description="whose move, if both choose; -1 for the first to choose")
]
Seed = Annotated[int, Query(ge=0, lt=2**63, description="the same seed gives the same move")]


class Positions:
    """The endpoints for games and positions."""

    def __init__(self, server: ServerState) -> None:
        self.server = server

    def add_to(self, router: APIRouter) -> None:
        """Add the endpoints to a router."""
        router.get("/games", tags=["games"])(self.games)
        router.get("/games/{game}", tags=["games"])(self.game)
        about = "/games/{game}"
        router.get(f"{about}/state", tags=["positions"])(self.state)
        router.get(f"{about}/picture", tags=["positions"], response_class=Response)(self.picture)
        router.get(f"{about}/best", tags=["positions"])(self.best)
        router.get(f"{about}/values", tags=["positions"])(self.values)

    async def games(self) -> list[dict[str, Any]]:
        """List the games."""
        return [
            {"game": one.name, "title": one.title, "kind": one.kind, "summary": one.summary}
            for one in self.server.catalogue.games.values()
        ]

    async def game(self, game: GameName) -> dict[str, Any]:
        """Describe a game: its rules, seats and agents."""
        rules = self.server.catalogue.rules(game)
        values = ask.rule_values(rules)
        return {
            "game": game,
            "title": self.server.catalogue[game].title,
            "seats": [ask.seat_name(rules, seat) for seat in range(ask.seats(rules))],
            "rules": {
                key: {
                    "default": write_value(rule, values[key]),
                    "range": range_text(rule, values[key]),
                    "text": rule.text,
                }
                for key, rule in rule_table(rules).items()
            },
            "levels": ask.levels_of(rules),
            "clock": ask.clock(rules),
        }

    async def state(
        self, game: GameName, rules: RulesText = "", position: PositionText = ""
    ) -> dict[str, Any]:
        """Describe a position: whose turn it is, and the legal moves."""
        return position_json(*self.parse(game, rules, position))

    async def picture(
        self, game: GameName, rules: RulesText = "", position: PositionText = ""
    ) -> Response:
        """Draw a position as SVG."""
        made = self.parse(game, rules, position)
        return Response(svg(ask.scene(*made), position), media_type="image/svg+xml")

    async def best(
        self,
        game: GameName,
        request: Request,
        rules: RulesText = "",
        position: PositionText = "",
        agent: AgentText = "",
        seat: SeatNumber = -1,
        seed: Seed = 0,
    ) -> dict[str, Any]:
        """Return an agent's choice; values are from the view of the seat that chooses."""
        made, where = self.parse(game, rules, position)
        acting = choosers(made, where)
        if not acting or (seat >= 0 and seat not in acting):
            raise ValueError("nobody is to choose here" if seat < 0 else f"seat {seat} waits here")
        seat = acting[0] if seat < 0 else seat
        text, stamp = await self.server.prepare_agent(game, made, agent or default_agent(made))
        query = PositionQuery.of(self.server.catalogue[game].source, made, where)
        luck = np.random.default_rng((seed,))
        try:
            work = self.server.workers.do(tasks.choose, query, text, seat, luck, stamp)
            decision, _ = await work
        except ValueError as error:
            raise ValueError(reader_of(self.server, request).refusal(agent, error)) from error
        names = ("move", "value", "nodes", "depth", "values", "mixture", "seconds")
        return {"seat": seat} | {name: getattr(decision, name) for name in names}

    async def values(
        self, game: GameName, rules: RulesText = "", position: PositionText = ""
    ) -> dict[str, Any]:
        """Return the value of every move: exact where that is quick, else estimated."""
        made, where = self.parse(game, rules, position)
        query = PositionQuery.of(self.server.catalogue[game].source, made, where)
        seats = [
            {
                "seat": one.seat,
                "value": finite(one.value),
                "exact": one.exact,
                "how": one.how,
                "values": by_label(made, where, one.values),
                "mixture": by_label(made, where, one.policy),
            }
            for one in await self.server.evaluations.of(query)
        ]
        return {"position": ask.position(made, where), "seats": seats}

    def parse(self, game: str, rules: str, where: str) -> tuple[Rules, State]:
        """Return the rules and the state of a request."""
        made = self.server.catalogue.rules(game, parse_rules(rules))
        return made, self.server.parse_position(made, where)


def reader_of(server: ServerState, request: Request) -> Reader:
    """Return who reads an answer: the host, or somebody whose own programs are not known."""
    return Reader(server.programs, Visitor.of(request))


def position_json(
    rules: Rules, state: State, shown: Collection[int] | None = None
) -> dict[str, Any]:
    """Describe a position, with the moves of all seats, or of those `shown`."""
    mover = ask.turn(rules, state)
    names = {CHANCE: "chance", BOTH: "both", OVER: "over"}
    moves = {
        str(seat): [ask.label(rules, state, action) for action in choices(rules, state, seat)]
        for seat in choosers(rules, state)
        if shown is None or seat in shown
    }
    ended = range(ask.seats(rules)) if mover == OVER else ()
    return {
        "position": ask.position(rules, state),
        "rules": dict(texts_of(rules)),
        "turn": names.get(mover, mover),
        "moves": moves,
        "returns": [ask.returns(rules, state, seat) for seat in ended] or None,
    }


def by_label(rules: Rules, state: State, numbers: Any) -> dict[str, float | None]:
    """Key numbers by the labels of their actions."""
    return {ask.label(rules, state, action): finite(value) for action, value in numbers.items()}


def finite(value: float) -> float | None:
    """Return a number for JSON, which has no NaN."""
    return None if math.isnan(value) else float(value) + 0.0
