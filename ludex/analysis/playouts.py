"""Monte Carlo evaluation: what actions are worth in matches that are played on by fast agents.

Such values compare actions between players of that skill; they are not those of best play. All
actions are tried with the same random numbers, so that luck favours none of them.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.batch.batch import policy_of
from ludex.batch.devices import open_device
from ludex.batch.series import Matches, play_matches
from ludex.batch.stepping import Series
from ludex.core import rules as ask
from ludex.core.play import choices
from ludex.core.rules import Rules, State
from ludex.core.time_control import PLIES
from ludex.kernel.bits import as_word
from ludex.kernel.tuples import columns_of
from ludex.match.whole_state import draw_many
from ludex.solve.evaluation import Evaluation
from ludex.stats.mean_return import standard_error

Tell = Callable[[str, int, int], None]
"""Called with the name of the work, the amount done, and the total."""
LEAST = 2  # matches, of which a standard error can be estimated


class PlayoutEvaluation(NamedTuple):
    """The mean returns of a seat that is to move, in as many matches after each action."""

    seat: int
    matches: int
    agent: str
    """The agent of all seats."""
    value: float
    """If that seat, too, leaves its action to the agent."""
    error: float
    """The standard error of the value."""
    values: dict[int, float]
    errors: dict[int, float]
    plies: int
    """Of all matches."""

    @property
    def evaluation(self) -> Evaluation:
        """The same as an estimate; the value of the state is that of the best action."""
        how = f"{self.matches:,} matches by {self.agent}"
        return Evaluation(self.seat, max(self.values.values()), self.values, {}, False, how)


def playout_evaluation(
    rules: Rules,
    state: State,
    seat: int,
    matches: int,
    agent: str,
    seed: int,
    device: str,
    tell: Tell = lambda what, done, total: None,
) -> PlayoutEvaluation:
    """Play matches on from a state, after each action of a seat that is to move.

    In a game that hides something, each begins at a state that the seat cannot tell from this one,
    drawn as if the others had played at random.
    """
    seats = int(ask.seats(rules))
    opened = open_device(device, rules, state, (policy_of(agent, rules),) * seats)
    starts = columns_of(state)
    if ask.imperfect_information(rules):
        starts = draw_many(rules, state, seat, np.random.default_rng(seed), matches)
    legal = choices(rules, state, seat)
    whole, done = matches * (1 + len(legal)), 0
    found: list[Matches] = []
    for action in (-1, *legal):
        series = Series(as_word(seed), PLIES, seat=seat, action=action)
        found.append(play_matches(opened, series, matches, seats, starts))
        done += matches
        tell("matches", done, whole)
    means = [float(one.returns[:, seat].mean()) for one in found]
    errors = [standard_error(one.returns[:, seat]) for one in found]
    return PlayoutEvaluation(
        seat,
        matches,
        agent,
        means[0],
        errors[0],
        dict(zip(legal, means[1:], strict=True)),
        dict(zip(legal, errors[1:], strict=True)),
        sum(one.plies() for one in found),
    )
