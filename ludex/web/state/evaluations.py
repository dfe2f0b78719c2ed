"""The values of positions and games, computed by workers once for all visitors."""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength
from ludex.web.state import limits
from ludex.web.state.catalogue import Texts
from ludex.web.state.tasks import (
    PositionQuery,
    evaluate,
    evaluate_chance,
    find_best_line,
    is_solved,
    known_value,
    moves_left,
)
from ludex.web.state.workers import Answer, OnCompile, Workers

CACHED = 4000  # answers of each kind
SECONDS = 60.0  # for a task, before its process is killed

PositionKey = tuple[PositionQuery, bool]
"""A position, and whether its game was solved when it was evaluated."""


class Continuation(NamedTuple):
    """Best play from a position on."""

    evaluation: Evaluation
    length: GameLength
    line: tuple[int, ...]


def key_of(query: PositionQuery) -> PositionKey:
    """Return the key of a position, which changes when its game is solved."""
    return query, is_solved(query.source, query.texts)


class Evaluations:
    """Evaluations that are known or being computed."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.positions: dict[PositionKey, asyncio.Task[list[Evaluation]]] = {}
        self.chances: dict[PositionKey, asyncio.Task[tuple[float, bool]]] = {}
        self.lengths: dict[PositionKey, asyncio.Task[GameLength]] = {}
        self.games: dict[tuple[str, Texts, bool], asyncio.Task[dict[str, Any]]] = {}

    async def of(self, query: PositionQuery) -> list[Evaluation]:
        """Return the values of all actions at a position."""
        return await self.shared(self.positions, key_of(query), evaluate, query)

    async def expected_value(self, query: PositionQuery) -> tuple[float, bool]:
        """Return the value of a chance position for seat 0, and whether it is exact."""
        return await self.shared(self.chances, key_of(query), evaluate_chance, query)

    async def length(self, query: PositionQuery, found: list[Evaluation]) -> GameLength:
        """Return how long perfect play lasts from a position with these values."""
        if not any(one.exact for one in found):
            return UNKNOWN_LENGTH
        try:
            return await self.shared(self.lengths, key_of(query), moves_left, query)
        except ValueError:
            return UNKNOWN_LENGTH

    async def best_line(
        self, query: PositionQuery, found: list[Evaluation], length: GameLength
    ) -> tuple[int, ...]:
        """Return the best moves from a position with these values on, if seats take turns."""
        if len(found) != 1:
            return ()
        try:
            given = query, found[0], length
            return await self.workers.do_in_background(find_best_line, *given, seconds=SECONDS)
        except ValueError:
            return ()

    async def continuation(self, query: PositionQuery) -> Continuation | None:
        """Return how best play goes on from a position where one seat chooses, if that is known."""
        try:
            found = await self.of(query)
        except ValueError:
            return None
        if len(found) != 1:
            return None
        length = await self.length(query, found)
        return Continuation(found[0], length, await self.best_line(query, found, length))

    async def known_value(self, source: str, texts: Texts) -> dict[str, Any]:
        """Return the value of a game in words and as a number."""
        key = source, texts, is_solved(source, texts)
        try:
            return await self.shared(self.games, key, known_value, source, texts, limits.TRUTH)
        except ValueError:
            return {"words": "not known yet", "value": None}

    async def shared(
        self,
        cache: dict[Any, asyncio.Task[Answer]],
        key: Any,
        task: Callable[..., Answer],
        *given: Any,
    ) -> Answer:
        """Return the answer to a task, computed once; what fails is tried again next time."""
        if key not in cache:
            if len(cache) >= CACHED:
                cache.pop(next(iter(cache)))
            work = self.workers.do_in_background(task, *given, seconds=SECONDS)
            cache[key] = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(cache[key])
        except ValueError:
            cache.pop(key, None)
            raise

    async def hint(
        self, query: PositionQuery, tell: OnCompile = lambda game: None
    ) -> list[Evaluation]:
        """Return a known evaluation, or one made within a second.

        `tell` is called with the game's name when it must be compiled first.
        """
        known = self.positions.get(key_of(query))
        if known is not None and known.done() and known.exception() is None:
            return known.result()
        return await self.workers.do(evaluate, query, limits.HINT, tell=tell)
