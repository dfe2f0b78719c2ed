"""An event: a plan in progress, stored, and resumed where it stopped."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing

from ludex.core.time_control import write_clocks
from ludex.store import Played, Store
from ludex.tournaments.job import jobs_of, play_job, prepare
from ludex.tournaments.plan import Plan, key, pairings
from ludex.tournaments.source import source
from ludex.workers.pool import Pool

PAUSE = 0.5  # seconds between two writings: a database should not be what takes the time
Tell = Callable[[list[Played]], bool]
"""Told which matches were played; it returns whether to stop."""


class Event:
    """Matches of some agents: those of a plan as they are played, or of the past, from a store."""

    def __init__(
        self, agents: Sequence[str], format: str, store: Store | None, number: int
    ) -> None:
        self.agents, self.format = tuple(agents), format
        self.store, self.number = store, number
        """Where the matches are kept, and under which number; None and 0 if they are not."""
        self.played: list[Played] = []
        self.before = 0
        """How many the store had before."""
        self.unkept: dict[int, str] = {}
        """Records that no store has."""

    @property
    def lines(self) -> list[str]:
        """The records of all matches, in the order of their numbers."""
        if self.store:
            return self.store.records(self.number)
        return [line for _, line in sorted(self.unkept.items())]

    def play(self, plan: Plan, pool: Pool, tell: Tell, keep: bool = True) -> None:
        """Play what is left of a plan; keep records in memory that no store has, or forget them."""
        told_before = False

        def told(some: list[Played]) -> bool:
            nonlocal told_before
            if not told_before:  # first comes what the store has
                self.before, told_before = len(some), True
            if keep and not self.store:
                self.unkept.update((one.number, one.record) for one in some)
            return tell(some)

        self.played = play(plan, pool, told, self.store, self.number)

    def cut(self, length: int) -> None:
        """Forget all matches but so many."""
        self.played = self.played[:length]
        self.unkept = {number: line for number, line in self.unkept.items() if number < length}
        if self.store:
            self.store.cut(self.number, length)

    def finish(self) -> None:
        """Say that all matches are played."""
        if self.store:
            self.store.finish(self.number)


def begin_event(plan: Plan, store: Store | None) -> Event:
    """Return the event in which a plan is played; the store may have some of its matches."""
    return Event(plan.agents, plan.format, store, enter(store, plan) if store else 0)


def enter(store: Store, plan: Plan) -> int:
    """Return the number of the event in which a plan is played."""
    return store.enter(
        key(plan),
        {
            "game": plan.game,
            "rules": dict(plan.rules),
            "format": plan.format,
            "agents": list(plan.agents),
            "seed": plan.seed,
            "plan": {**plan._asdict(), "clocks": write_clocks(plan.clocks)},
            "source": source(),
        },
    )


def play(
    plan: Plan,
    pool: Pool,
    tell: Tell,
    store: Store | None = None,
    number: int = 0,
) -> list[Played]:
    """Return all matches of a plan in their order; those that the store has are not played again.

    Matches go into the store as they come, so that whatever ends this process, little is lost.
    """
    done = {one.number: one for one in store.played(number)} if store else {}
    unwritten: list[Played] = []
    written = time.monotonic()
    stop = tell(list(done.values()))
    try:
        while not stop:
            known = pairings(plan, {one: match.returns for one, match in done.items()})
            todo = [pairing for pairing in known if pairing.number not in done]
            if not todo:
                break
            jobs = jobs_of(plan, todo, done)
            with closing(pool.run(play_job, jobs, prepare)) as answers:
                for played in answers:
                    done.update((one.number, one._replace(record="")) for one in played)
                    unwritten += played if store else []
                    stop = tell(played)
                    if store and time.monotonic() > written + PAUSE:
                        store.keep(number, unwritten)
                        unwritten, written = [], time.monotonic()
                    if stop:
                        break
    finally:
        if store and unwritten:
            store.keep(number, unwritten)
        pool.close()
    return [done[one] for one in sorted(done)]
