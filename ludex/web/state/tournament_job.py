"""A tournament on the server: the plan of `ludex tournament`, played by workers and stored."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Row

from ludex.core.rules import Rules, seats
from ludex.io.text import many
from ludex.match.luck import chosen_seed
from ludex.store import Played
from ludex.tournaments.job import MatchJob, play_job
from ludex.tournaments.plan import ROUND_ROBIN, Pairing, Plan, match_count, pairings
from ludex.tournaments.standing import Standing, standing
from ludex.web.state import limits
from ludex.web.state.archive import Archive
from ludex.web.state.catalogue import OfferedGame, texts_of
from ludex.web.state.job import JobProgress, ServerJob
from ludex.web.state.public_text import without_paths
from ludex.web.state.workers import Workers

ErrorCounts = dict[int, tuple[int, str]]
"""How many matches an agent forfeited, and what one of its errors said, by its number."""
Quote = Callable[[int, str, str], str]
"""Returns why an agent forfeited a match, by its number, the ending and the words there."""


def tournament_plan(
    game: OfferedGame, rules: Rules, names: list[str], rounds: int, seed: int | None
) -> Plan:
    """Return the plan of a round robin; raise a ValueError beyond the limits.

    In each round, a group of agents plays once per rotation of the seats, with the same seed.
    """
    places = seats(rules)
    if not places <= len(names) <= limits.AGENTS:
        raise ValueError(f"{many(len(names), 'agent')}: expected {places} to {limits.AGENTS}")
    if len(set(names)) < len(names):
        raise ValueError("every agent takes part once")
    rest = (places, ROUND_ROBIN, rounds * places, 0, chosen_seed(seed))
    plan = Plan(game.source, texts_of(rules), tuple(names), *rest)
    if match_count(plan) > limits.MATCHES:
        raise ValueError(f"{match_count(plan)} matches: expected at most {limits.MATCHES}")
    return plan


class TournamentJob(ServerJob):
    """A tournament and its results so far."""

    def __init__(self, plan: Plan, names: list[str], workers: Workers, archive: Archive) -> None:
        """Prepare a plan; `names` are its agents without the server's paths."""
        super().__init__()
        self.id = secrets.token_urlsafe(9)
        self.plan, self.names, self.workers, self.archive = plan, names, workers, archive
        self.total = match_count(plan)
        self.event, self.began = 0, ""
        self.played: list[Played] = []
        """In order of completion, without records."""
        self.latest_standing: Standing | None = None
        self.first_result = 0, 0.0
        """The matches played when the first result of this run came, and when that was."""
        self.words = ""
        self.task: asyncio.Task[None] | None = None

    async def register(self) -> None:
        """Enter the plan into the store, and find its matches played so far."""
        self.event, self.began, self.played = await self.archive.enter(self.plan)

    @property
    def running(self) -> bool:
        """Whether it is running."""
        return self.task is not None and not self.task.done()

    @property
    def left(self) -> int:
        """The number of matches left."""
        return self.total - len(self.played)

    def start(self) -> None:
        """Play the remaining matches in a task of the running loop."""
        self.words, self.stopped_by_host, self.first_result = "", False, (0, 0.0)
        self.task = asyncio.get_running_loop().create_task(self.play())

    def halt(self) -> None:
        """Stop the tournament."""
        if self.task is not None:
            self.task.cancel()

    async def play(self) -> None:
        """Play all matches that are not stored, with all workers but one."""
        # One worker stays free for live matches.
        hands = max(1, len(self.workers.workers) - 1)
        try:
            if not self.event:
                await self.register()
            known = {one.number for one in self.played}
            left = iter([one for one in pairings(self.plan, {}) if one.number not in known])
            async with asyncio.TaskGroup() as group:
                for _ in range(hands):
                    group.create_task(self.play_pairings(left))
            await self.archive.ask(self.archive.store.finish, self.event)
        except* ValueError as errors:
            self.words = without_paths(str(first_of(errors)))

    async def play_pairings(self, left: Iterator[Pairing]) -> None:
        """Play one match after another until none is left."""
        for pairing in left:
            job, most = MatchJob(self.plan, (pairing,)), limits.TOURNAMENT_MATCH
            played = await self.workers.do_in_background(play_job, job, seconds=most)
            await self.archive.ask(self.archive.store.keep, self.event, played)
            self.played += [one._replace(record="") for one in played]
            if not self.first_result[0]:
                self.first_result = len(self.played), time.monotonic()

    @property
    def progress(self) -> JobProgress:
        """The progress since the first result, before which agents were compiled."""
        first, when = self.first_result
        first, seconds = (first, time.monotonic() - when) if first else (len(self.played), 0.0)
        return JobProgress(len(self.played), self.total, first, seconds, over=not self.running)

    async def standing(self) -> Standing:
        """Return the current standing, computed once per result, in a thread."""
        played = list(self.played)
        if self.latest_standing is None or self.latest_standing.matches != len(played):
            self.latest_standing = await asyncio.to_thread(standing, played, len(self.names))
        return self.latest_standing


def stored_tournament(
    row: Row[Any], played: list[Played], names: list[str], workers: Workers, archive: Archive
) -> TournamentJob:
    """Return a past tournament from the store; `names` are its agents without paths."""
    given = {**row.plan, "rules": tuple(row.rules.items()), "agents": tuple(row.agents)}
    plan = Plan(**{key: given[key] for key in Plan._fields if key != "clocks"})
    job = TournamentJob(plan, names, workers, archive)
    job.event, job.began, job.played = row.id, row.began, played
    return job


def error_counts(stands: Standing, quote: Quote) -> ErrorCounts:
    """Return the errors of each agent that has forfeited, with one of its most frequent kind."""
    found: ErrorCounts = {}
    for fault in stands.faults:
        if fault.agent >= 0:
            if fault.agent not in found:
                found[fault.agent] = 0, quote(fault.agent, fault.ending, fault.words)
            count, words = found[fault.agent]
            found[fault.agent] = count + fault.matches, words
    return found


def first_of(errors: BaseException) -> BaseException:
    """Return the first leaf of nested exception groups."""
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return errors
