"""The tournament of a class: ratings, and points for outranking others."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ludex.core.termination import BY_RULES
from ludex.external.log import last_part
from ludex.grading.assignment import Assignment, Test
from ludex.grading.results import round_off
from ludex.grading.score import PRINTED, Failure, Mark, reasons
from ludex.library.series import match_counter
from ludex.match.record import read_output
from ludex.store import Played, Store
from ludex.tournaments.event import begin_event
from ludex.tournaments.plan import ROUND_ROBIN, SWISS
from ludex.tournaments.standing import Standing, standing
from ludex.workers.pool import Pool


class Outcome(NamedTuple):
    """The outcome of a tournament."""

    agents: tuple[str, ...]
    """By their paths."""
    standing: Standing
    whole: tuple[int, ...]
    """How many matches of each agent ended by the rules."""
    printed: tuple[str, ...] = ()
    """Each agent's output in the first match that it failed."""

    def rating(self, agent: str) -> float:
        """Return the rating of an agent in Elo; the mean is 0."""
        number = self.agents.index(agent)
        return next(one.elo for one in self.standing.ratings if one.agent == number)

    def failures(self, number: int) -> tuple[Failure, ...]:
        """Return the failures of an agent."""
        faults = [one for one in self.standing.faults if one.agent == number]
        return tuple(Failure(one.ending, one.words, one.matches) for one in faults)

    def fails(self, number: int) -> bool:
        """Return whether an agent failed, and none of its matches ended by the rules."""
        return not self.whole[number] and bool(self.failures(number))

    def mark(self, test: Test, agent: str, able: bool = False) -> Mark:
        """Return the mark of an agent: the share of the others that it outranks.

        An agent that always fails gets nothing, even if others failed first, and ranks behind all
        that do not. `able` says that it has played in other tests, in case all others failed.
        """
        number = self.agents.index(agent)
        rated = {one.agent: round(one.elo, 3) for one in self.standing.ratings}
        mine, won = rated.pop(number), self.standing.scores[number]
        output = (
            f"{won.wins} won, {won.draws} drawn, {won.losses} lost; rating {round_off(mine):+.0f}"
        )
        if self.fails(number) or not (self.whole[number] or able):
            score = 0.0
            output += "\nno points: none of its matches was played to its end by the rules"
        else:
            others = [rating for one, rating in rated.items() if not self.fails(one)]
            # Ties count half.
            behind: float = len(rated) - len(others)
            behind += sum((other < mine) + (other == mine) / 2 for other in others)
            place = 1 + sum(other > mine for other in others)
            output = f"place {place} of {len(self.agents)}: {output}"
            score = test.points * behind / max(len(rated), 1)
        failed = self.failures(number)
        return Mark.of(
            test,
            score,
            "\n".join([output, *reasons(failed)]),
            matches=won.matches,
            by_rules=self.whole[number],
            failures=failed,
            printed=self.printed[number] if self.printed else "",
        )


def play_tournament(
    given: Assignment,
    test: Test,
    agents: tuple[str, ...],
    workspace: Path,
    pool: Pool,
    tell: Callable[[str, int, int], None],
) -> Outcome:
    """Play a tournament, or resume it; `tell` is called as by `match_counter`."""
    how = SWISS if test.rounds else ROUND_ROBIN
    plan = given.plan(agents, how, test.matches, min(test.rounds, len(agents) - 1))
    with closing(Store(f"sqlite:///{workspace / 'tournament.sqlite'}")) as store:
        event = begin_event(plan, store)
        event.play(plan, pool, match_counter(plan, tell))
        played, number = event.played, event.number
        printed = tuple(first_output(store, number, played, agent) for agent in range(len(agents)))
    ended = [one.agents for one in played if one.ending == BY_RULES]
    whole = tuple(sum(number in one for one in ended) for number in range(len(agents)))
    return Outcome(agents, standing(played, len(agents)), whole, printed)


def first_output(store: Store, event: int, played: list[Played], agent: int) -> str:
    """Return the end of an agent's output in the first match that it failed."""
    for one in played:
        if one.seat >= 0 and one.agents[one.seat] == agent:
            [line] = store.records(event, one.number)
            return last_part(read_output(line, one.seat), PRINTED)
    return ""
