"""Warm-ups: agents decide with a minimal budget, so that all they need is compiled.

Compiling is not thinking time: warm up before measuring time or starting a clock.
"""

import copy
from collections.abc import Hashable, Sequence

import numpy as np

from ludex.agents.registry import ADOPTED, Agent, Random
from ludex.core.rules import Rules, State, initial
from ludex.core.time_control import Clocks
from ludex.external.agent import ExternalAgent
from ludex.match.runner import play_match

PLIES = 200  # enough for every seat to have chosen
LEAST = {"depth": 1, "sims": 1, "seconds": 0.0}  # budgets of agents

warm: set[tuple[type, Hashable]] = set()


def frugal_copy(agent: Agent) -> Agent:
    """Return a copy of an agent with a minimal budget.

    External programs and objects of the user have none, and are replaced by random play.
    """
    if isinstance(agent, ExternalAgent) or any(agent is one for one in ADOPTED.values()):
        return Random()
    other = copy.deepcopy(agent)
    for budget, least in LEAST.items():
        if hasattr(other, budget):
            setattr(other, budget, least)
    return other


def warm_up(rules: Rules, agents: Sequence[Agent], once: Hashable = None) -> None:
    """Let frugal copies of agents play a match, at most once per game for each key `once`."""
    key = type(rules), once
    if once is None or key not in warm:
        copies = [frugal_copy(agent) for agent in agents]
        play_match(rules, initial(rules), copies, 0, clocks=Clocks(plies=PLIES))
        warm.add(key)


def warm_up_at(rules: Rules, state: State, seat: int, agent: Agent) -> None:
    """Let a frugal copy of an agent decide at a state."""
    other = frugal_copy(agent)
    for _ in range(2):  # the second decision may use cached results
        other.consider(rules, state, seat, np.random.default_rng(0))
