"""What pages need is compiled in the background, from the start of the server."""

import asyncio
import logging

from numba import config

from ludex.library.warming import Part, is_prepared, parts_of
from ludex.web.state import limits
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.tasks import prepare_politely
from ludex.web.state.workers import OnCompile, Workers

log = logging.getLogger("ludex.web")
DELAY = 3.0  # seconds after the start, in which the first page is made


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
        """Return all parts by the names of games, the most wanted ones first."""
        names = {game.source: name for name, game in self.catalogue.games.items()}
        return [Part(names[one.game], one.what) for one in parts_of(names)]

    def missing_parts(self) -> list[Part]:
        """Return the parts that have not been compiled before."""
        return [one for one in self.parts() if not is_prepared(self.on_disk(one))]

    def on_disk(self, part: Part) -> Part:
        """Return a part by the source of its game instead of its name."""
        return part._replace(game=self.catalogue[part.game].source)

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
            try:
                source = self.on_disk(self.current)
                await self.worker.do(prepare_politely, source, seconds=limits.PREPARING)
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

    async def wait(self, game: str, what: str, tell: OnCompile = lambda game: None) -> None:
        """Wait for a part that is being compiled, or leave it to the caller to do so.

        Two processes would compile it twice. `tell` is called with the game if there is a wait.
        """
        if (game, what) in self.left:
            self.left.remove(Part(game, what))
        while self.current == (game, what):
            tell(game)
            await self.compiled.wait()

    def words(self) -> str:
        """Return how far it is; empty when nothing is left."""
        if self.current is None:
            return ""
        game, what = self.current
        return f"One-time setup: {what} for {game} ({self.total - len(self.left)} of {self.total})"
