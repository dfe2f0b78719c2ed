"""A tournament on the server: every two agents meet, from both sides, in the workers."""

import asyncio
import itertools
import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

from ludex.agents import make_agent
from ludex.match import play_match
from ludex.rules import Rules, initial, seats
from ludex.stats import Cell, Rating, cross_table, ratings
from ludex.web import limits
from ludex.web.catalogue import Game, Texts, rules_from, texts_of
from ludex.web.tasks import without_paths
from ludex.web.workers import Workers


class Meeting(NamedTuple):
    """A match of a tournament."""

    agents: tuple[int, ...]
    """Which agent sat at each seat."""
    returns: tuple[float, ...]
    moves: tuple[int, ...]
    ending: str


def duel(source: str, texts: Texts, names: tuple[str, ...], seed: int, table: int) -> Any:
    """Return how a match between agents ended: what it was worth, the moves, the ending."""
    rules = rules_from(source, texts)
    agents = [make_agent(text, rules) for text in names]
    match = play_match(rules, initial(rules), agents, seed, table)
    return tuple(match.returns), tuple(int(move) for move in match.moves), match.ending


def schedule(agents: int, places: int, rounds: int) -> list[tuple[tuple[int, ...], int]]:
    """Return who sits where in every match, with the number of its luck, round by round.

    All who meet do so once for each way around the table, with the same luck.
    """
    groups = list(itertools.combinations(range(agents), places))
    return [
        (group[turned:] + group[:turned], number * len(groups) + index)
        for number in range(rounds)
        for index, group in enumerate(groups)
        for turned in range(places)
    ]


class Contest:
    """A tournament that goes on, with what was played so far."""

    def __init__(
        self, game: Game, rules: Rules, names: list[str], rounds: int, workers: Workers
    ) -> None:
        self.id = secrets.token_urlsafe(9)
        self.game, self.rules, self.names, self.workers = game, rules, names, workers
        self.seed = secrets.randbelow(2**32)
        places = seats(rules)
        if not places <= len(names) <= limits.AGENTS:
            raise ValueError(f"{len(names)} agents: expected {places} to {limits.AGENTS}")
        if len(set(names)) < len(names):
            raise ValueError("every agent takes part once")
        self.todo = schedule(len(names), places, rounds)
        if len(self.todo) > limits.MATCHES:
            raise ValueError(f"{len(self.todo)} matches: expected at most {limits.MATCHES}")
        self.played: list[Meeting] = []
        self.words = ""
        self.listeners: list[Callable[[], None]] = []
        self.task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.task is not None and not self.task.done()

    def start(self, files: list[str]) -> None:
        """Play what is left, in a task of the running loop; `files` are the agents as made here."""
        self.task = asyncio.get_running_loop().create_task(self.play(files))

    def stop(self) -> None:
        """Leave the rest unplayed."""
        if self.task is not None:
            self.task.cancel()

    async def play(self, files: list[str]) -> None:
        """Play all that is left, as many at once as there are workers but one."""
        left = iter(self.todo[len(self.played) :])

        async def go_on() -> None:
            for who, table in left:
                await self.meet(who, table, files)

        # A worker stays free for those who play meanwhile.
        hands = max(1, len(self.workers.workers) - 1)
        try:
            await asyncio.gather(*(go_on() for _ in range(hands)))
        except ValueError as error:
            self.words = without_paths(str(error))

    async def meet(self, who: tuple[int, ...], table: int, files: list[str]) -> None:
        """Play one match."""
        names = tuple(files[agent] for agent in who)
        work = self.workers.do_aside(
            *(duel, self.game.source, texts_of(self.rules), names, self.seed, table), seconds=120.0
        )
        self.played.append(Meeting(who, *await work))

    def table(self) -> list[list[Cell]]:
        """Return the cross table."""
        return cross_table([meeting[:2] for meeting in self.played], len(self.names))

    def ratings(self) -> list[Rating]:
        """Return the ratings with their intervals, best first."""
        return ratings([meeting[:2] for meeting in self.played], len(self.names))
