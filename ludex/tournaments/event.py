"""An event: a plan in progress, stored, and resumed where it stopped."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

from ludex.core.time_control import write_clocks
from ludex.match.record import Record
from ludex.match.session import Match
from ludex.store import Played, Store, summary
from ludex.tournaments.job import compile_job, make_jobs, play_job
from ludex.tournaments.plan import Plan, pairings, plan_key
from ludex.tournaments.series import StopRule
from ludex.tournaments.version import source
from ludex.workers.pool import Pool

PAUSE = 0.5  # seconds between writes to the store
Tell = Callable[[list[Played]], bool]
"""Called with the matches played since the last call; returns whether to stop."""


class Event:
    """The matches of a plan as they are played, or past ones from a store."""

    def __init__(
        self, agents: Sequence[str], format: str, store: Store | None, number: int
    ) -> None:
        self.agents, self.format = tuple(agents), format
        self.store, self.number = store, number
        """Where the matches are stored; None and 0 if they are not."""
        self.played: list[Played] = []  # as they come; in order at the end
        self.before = 0
        """The number of matches that the store had before."""
        self.records: dict[int, str] = {}
        """Records that are not in a store, by number."""
        self.interrupted = False  # whether these are only some of the matches

    @property
    def lines(self) -> list[str]:
        """The records of all matches, in the order of their numbers."""
        if self.store:
            return self.store.records(self.number)
        return [line for _, line in sorted(self.records.items())]

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the records instead of the store."""
        return {**vars(self), "store": None, "records": dict(enumerate(self.lines))}

    def play(
        self, plan: Plan, pool: Pool, tell: Tell, keep: bool = True, rule: StopRule | None = None
    ) -> None:
        """Play the rest of a plan, or until a stop rule decides, and finish the event.

        Without a store, `keep` holds the records in memory.
        """
        first = True

        def add(some: list[Played]) -> bool:
            nonlocal first
            if first:  # the matches in the store come first
                self.before, first = len(some), False
            self.played += [one._replace(record="") for one in some]
            if keep and not self.store:
                self.records.update((one.number, one.record) for one in some)
            stop = tell(some)
            return (rule is not None and rule.add(some)) or stop

        self.played = play(plan, pool, add, self.store, self.number)
        if rule is not None and rule.stopped is not None:
            self.cut(rule.stopped)
        if self.store:
            self.store.finish(self.number)

    def cut(self, length: int) -> None:
        """Drop all but the first `length` matches."""
        self.played = self.played[:length]
        self.records = {number: line for number, line in self.records.items() if number < length}
        if self.store:
            self.store.cut(self.number, length)


def begin_event(plan: Plan, store: Store | None) -> Event:
    """Return the event of a plan, some of whose matches the store may have."""
    return Event(plan.agents, plan.format, store, register(store, plan) if store else 0)


def register(store: Store, plan: Plan) -> int:
    """Return the number of the event of a plan, which is created if it is new."""
    return store.enter(
        plan_key(plan),
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
    plan: Plan, pool: Pool, tell: Tell, store: Store | None = None, number: int = 0
) -> list[Played]:
    """Play the matches of a plan that the store lacks, and return all of them in order.

    Matches are stored as they come, so that little is lost if this process ends.
    """
    done = {one.number: one for one in store.matches_of(number)} if store else {}
    unwritten: list[Played] = []
    written = time.monotonic()
    stop = tell(list(done.values()))
    try:
        while not stop:
            known = pairings(plan, {one: match.returns for one, match in done.items()})
            todo = [pairing for pairing in known if pairing.number not in done]
            if not todo:
                break
            jobs = make_jobs(plan, todo, done)
            with closing(pool.run(play_job, jobs, compile_job)) as answers:
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


# A single match, from the console or the web lab, is an event of its own. -------------------------


def entry_of(
    match: Match, record: Record, form: str, number: int = 0
) -> tuple[dict[str, Any], Played]:
    """Return the facts of the event of a finished match, and the match as the store has it."""
    facts = {
        "game": record.game,
        "rules": record.rules,
        "format": form,
        "agents": list(record.agents),
        "seed": record.seed,
        "plan": {},
    }
    return facts, summary(match, record, number, tuple(range(len(record.agents))))


def store_match(store: Store, key: str, facts: dict[str, Any], match: Played) -> str:
    """Store a match in the event of a key, and return its identity, such as 12/0."""
    event = store.enter(key, {**facts, "source": source()})
    store.keep(event, [match])
    store.finish(event)
    return f"{event}/{match.number}"
