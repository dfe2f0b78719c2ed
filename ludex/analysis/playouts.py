"""Monte Carlo evaluation: the values of actions in matches that fast agents play to the end.

The values hold for players of that skill, not for best play. All actions are tried with the same
random numbers, so that luck favours none of them.
"""

from typing import NamedTuple

import numpy as np

from ludex.batch.devices import open_device
from ludex.batch.policies import policy_of
from ludex.batch.series import play_matches
from ludex.batch.stepping import Series
from ludex.core import rules as ask
from ludex.core.play import choices
from ludex.core.rules import Rules, State
from ludex.core.time_control import PLIES
from ludex.kernel.bits import as_word
from ludex.kernel.tuples import columns_of
from ludex.match.whole_state import draw_many
from ludex.solve.solving import Tell, tell_nobody
from ludex.stats.mean_return import standard_error

LEAST = 2  # matches, of which a standard error can be estimated


class Mean(NamedTuple):
    """The mean return of a seat in some matches."""

    value: float
    error: float
    """Its standard error."""
    plies: int
    """Of all these matches."""


class PlayoutEvaluation(NamedTuple):
    """The mean returns of a seat that is to move, in as many matches after each action."""

    seat: int
    matches: int
    agent: str
    """The agent of all seats."""
    value: float
    """The mean return if the agent also chooses for that seat."""
    error: float
    """The standard error of the value."""
    values: dict[int, float]
    errors: dict[int, float]
    plies: int
    """Of all matches."""


def playout_evaluation(
    rules: Rules,
    state: State,
    seat: int,
    matches: int,
    agent: str,
    seed: int,
    device: str,
    tell: Tell = tell_nobody,
) -> PlayoutEvaluation:
    """Play matches to the end from a state, after each action of a seat that is to move.

    In a game with hidden information, each match starts from a state that the seat cannot tell from
    this one, drawn as if the others had played at random.
    """
    seats = int(ask.seats(rules))
    opened = open_device(device, rules, state, (policy_of(agent, rules),) * seats)
    starts = columns_of(state)
    if ask.imperfect_information(rules):
        starts = draw_many(rules, state, seat, np.random.default_rng(seed), matches)
    legal = choices(rules, state, seat)
    whole = matches * (1 + len(legal))

    def mean_after(action: int, before: int) -> Mean:
        series = Series(as_word(seed), PLIES, seat=seat, action=action)
        found = play_matches(
            opened,
            series,
            matches,
            seats,
            starts,
            lambda done: tell("matches", before + done, whole),
        )
        returns = found.returns[:, seat]
        return Mean(float(returns.mean()), standard_error(returns), found.plies())

    # One action after another: the matches of all of them might not fit into memory.
    free = mean_after(-1, 0)
    after = {action: mean_after(action, matches * one) for one, action in enumerate(legal, start=1)}
    return PlayoutEvaluation(
        seat,
        matches,
        agent,
        free.value,
        free.error,
        {action: mean.value for action, mean in after.items()},
        {action: mean.error for action, mean in after.items()},
        free.plies + sum(mean.plies for mean in after.values()),
    )
