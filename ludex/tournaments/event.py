"""An event: a plan in progress, stored, and resumed where it stopped."""

import time
from collections.abc import Callable
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
