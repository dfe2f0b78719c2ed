"""What pages need is compiled in the background, from the start of the server."""

import asyncio
import logging
from typing import NamedTuple

from numba import config

from ludex.agents.registry import LEVELS, default_agent
from ludex.core.rules import levels_of
from ludex.web.state import limits
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.tasks import EXACT, HINTS, is_prepared, prepare
from ludex.web.state.workers import Workers

log = logging.getLogger("ludex.web")
DELAY = 3.0  # seconds after the start, in which the first page is made


class Part(NamedTuple):
    """Something to compile for a game: an agent, HINTS or EXACT."""

    game: str
    what: str


class Preparation:
    """Compiles one part after the other, in a process that gives way to all others.

    What was compiled once is on disk: the next server finds it.
    """

    def __init__(self, catalogue: Catalogue, workers: Workers) -> None:
        self.catalogue = catalogue
        self.worker = Workers(min(1, len(workers.workers)))  # tests have none
        self.left: list[Part] = []
        self.total = 0
        self.done = bool(config.DISABLE_JIT)
        self.current: Part | None = None
        self.compiled = asyncio.Event()
        """Set whenever the current part is done."""

    def parts(self) -> list[Part]:
        """Return all parts, the most wanted ones first."""
        rules = {name: self.catalogue.rules(name) for name in self.catalogue.games}
        usual = [Part(name, what) for name in rules for what in (default_agent(rules[name]), HINTS)]
        levels = [
            Part(name, level)
            for level in LEVELS
            for name in rules
            if level in levels_of(rules[name])
        ]
        return list(dict.fromkeys([*usual, *levels, *(Part(name, EXACT) for name in rules)]))

    def missing_parts(self) -> list[Part]:
        """Return the parts that have not been compiled before."""
        games = self.catalogue
        return [one for one in self.parts() if not is_prepared(games[one.game].source, one.what)]

    async def run(self) -> None:
        """Compile what has not been compiled before."""
        if self.done:
            return
        await asyncio.sleep(DELAY)
        self.left = await asyncio.to_thread(self.missing_parts)
        self.total = len(self.left)
        while self.left:
            self.current = self.left.pop(0)
            game, what = self.current
            source = self.catalogue[game].source
            try:
                await self.worker.do(prepare, source, what, seconds=limits.PREPARING)
            except ValueError as error:
                log.warning("%s of %s cannot be prepared: %s", what, game, error)
            finally:
                self.current = None
                self.compiled.set()
                self.compiled.clear()
        self.done = True
        self.worker.stop()

    def prefer(self, game: str) -> None:
        """Compile what a game needs before the others."""
        self.left.sort(key=lambda part: part.game != game)

    async def wait(self, game: str, what: str) -> None:
        """Wait for a part that is being compiled, or leave it to the caller to do so.

        Two processes would compile it twice.
        """
        if (game, what) in self.left:
            self.left.remove(Part(game, what))
        while self.current == (game, what):
            await self.compiled.wait()

    def words(self) -> str:
        """Return how far it is; empty when nothing is left."""
        if self.current is None:
            return ""
        game, what = self.current
        return f"One-time setup: {what} for {game} ({self.total - len(self.left)} of {self.total})"
