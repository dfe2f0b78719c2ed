"""The tournament among all groups: ratings, and points for those whom a group has defeated."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludex.grade.assignment import Assignment, Test
from ludex.grade.mark import Mark
from ludex.store import Played, Store
from ludex.tournament.event import Place, enter, play
from ludex.tournament.plan import ROUND_ROBIN, SWISS
from ludex.tournament.standing import Standing, standing


class Outcome(NamedTuple):
    """What a tournament has shown."""

    agents: tuple[str, ...]
    """By their paths."""
    standing: Standing

    def rating(self, agent: str) -> float:
        """Return the rating of an agent in Elo; the mean is 0."""
        number = self.agents.index(agent)
        return next(one.elo for one in self.standing.ratings if one.agent == number)

    def mark(self, test: Test, agent: str) -> Mark:
        """Return the mark of an agent: the share of the others that it has left behind."""
        rated = {one.agent: round(one.elo, 3) for one in self.standing.ratings}
        number = self.agents.index(agent)
        mine, won = rated.pop(number), self.standing.scores[number]
        # Equals share what they would have got.
        behind = sum((other < mine) + (other == mine) / 2 for other in rated.values())
        place = 1 + sum(other > mine for other in rated.values())
        output = (
            f"place {place} of {len(self.agents)}: {won.wins} won, {won.draws} drawn,"
            f" {won.losses} lost; rating {mine:+.0f}"
        )
        score = round(test.points * behind / max(len(rated), 1), 2)
        return Mark(test.name, score, test.points, output, test.visibility)


def meet(
    given: Assignment,
    test: Test,
    agents: tuple[str, ...],
    desk: Path,
    processes: int,
    tell: Callable[[list[Played]], bool],
) -> Outcome:
    """Return the tournament of some agents; matches that were played are not played again."""
    how = SWISS if test.rounds else ROUND_ROBIN
    plan = given.plan(agents, how, test.matches, min(test.rounds, len(agents) - 1))
    store = Store(f"sqlite:///{desk / 'tournament.sqlite'}")
    try:
        number = enter(store, plan)
        played = play(plan, Place(processes), tell, store, number)
        store.finish(number)
    finally:
        store.close()
    return Outcome(agents, standing(played, len(agents)))
