"""Ladders: all levels and learners of a game, rated against each other, with random at 0."""

from contextlib import suppress
from typing import Any

from ludex.agents.registry import make_agent
from ludex.core.rules import Rules, levels_of, name_of, seats
from ludex.io.table import Table
from ludex.library.game import load
from ludex.library.progress import show_progress
from ludex.library.results import Tournament
from ludex.library.series import agent_names, play_event, read_settings
from ludex.match.record import now
from ludex.store import Store
from ludex.tournaments.event import Event
from ludex.tournaments.plan import ROUND_ROBIN, Plan
from ludex.tournaments.version import source

INCLUDED = "qtable:file=reference"


class Ladder(Tournament):
    """The ratings of all levels and learners of a game."""

    def __init__(self, event: Event, plan: Plan) -> None:
        super().__init__(event)
        self.plan, self.anchor = plan, plan.agents.index("random")

    @property
    def ratings(self) -> Table:
        """A row for each agent, as in the store, strongest first."""
        stands = self.standing
        return Table(
            {
                "game": self.plan.game,
                "rules": " ".join(f"{key}={value}" for key, value in self.plan.rules),
                "agent": self.plan.agents[one.agent],
                "elo": one.elo,
                "low": one.low,
                "high": one.high,
                "matches": stands.scores[one.agent].matches,
                "source": source(),
                "day": now()[:10],
                "event": self.event.number,
            }
            for one in stands.ratings
        )

    def keep(self) -> None:
        """Store the ratings, if there is a store and all matches were played."""
        if self.event.store and not self.interrupted:
            self.event.store.rate(self.ratings)


def ladder(
    game: Any,
    *others: Any,
    matches: int = 20,
    seed: int | None = None,
    clock: str = "",
    processes: int = 0,
    dask: str | None = None,
    store: "str | bool | Store | None" = None,
    progress: bool = True,
) -> Ladder:
    """Return a ladder of random, all levels, the learners of the game, and other agents.

    `matches` are those of each pairing; all else is as in `play`.
    """
    chosen = load(game)
    with agent_names(others, chosen.rules) as (texts, names), show_progress(progress) as tell:
        agents = ladder_agents(chosen.rules, texts)
        how = read_settings(chosen, agents, seed, clock, processes, dask, store)
        plan = how.plan(chosen.rules, agents, ROUND_ROBIN, matches)
        found = Ladder(play_event(plan, how, tell, names), plan)
        found.keep()
    return found


def ladder_agents(rules: Rules, others: tuple[str, ...]) -> tuple[str, ...]:
    """Return random, the levels of a game, its trained learners, and others."""
    if seats(rules) != 2:
        raise ValueError(f"a ladder is for 2 seats, not {seats(rules)}; see ludex tournament")
    texts = ["random", *levels_of(rules), *trained_agents(rules), *others]
    agents = tuple(dict.fromkeys(texts))
    if len(agents) == 1:
        raise ValueError(f"{name_of(rules)} has no levels: name agents to rate")
    return agents


def trained_agents(rules: Rules) -> list[str]:
    """Return the included trained learner of a game, if there is one."""
    with suppress(ValueError):  # it is for another game, or other rules
        make_agent(INCLUDED, rules)
        return [INCLUDED]
    return []
