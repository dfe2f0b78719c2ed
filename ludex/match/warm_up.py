"""Warm-ups: agents decide something with the least budget, so that all they need is compiled.

Compiling is not thinking: whoever measures time or keeps a clock warms up first.
"""

import copy
from collections.abc import Hashable, Sequence

import numpy as np

from ludex.agents.registry import ADOPTED, Agent, Random
from ludex.core.rules import Rules, State, initial
from ludex.core.time_control import Clocks
from ludex.external import Foreign
from ludex.match.runner import play_match

PLIES = 200  # after which every seat of our games has chosen
LEAST = {"depth": 1, "sims": 1, "seconds": 0.0}  # budgets of agents

warm: set[tuple[type, Hashable]] = set()


def frugal(agent: Agent) -> Agent:
    """Return a copy of an agent with the least budget.

    Somebody's program or object has no budget to set and is not asked in vain.
    """
    if isinstance(agent, Foreign) or any(agent is one for one in ADOPTED.values()):
        return Random()
    other = copy.deepcopy(agent)
    for budget, least in LEAST.items():
        if hasattr(other, budget):
            setattr(other, budget, least)
    return other


def warm_up(rules: Rules, agents: Sequence[Agent], once: Hashable = None) -> None:
    """Let frugal copies of agents play a match; a second time by the same `once` does nothing.

    That is for this process and this game.
    """
    key = type(rules), once
    if once is None or key not in warm:
        copies = [frugal(agent) for agent in agents]
        play_match(rules, initial(rules), copies, 0, clocks=Clocks(plies=PLIES))
        warm.add(key)


def warm_up_at(rules: Rules, state: State, seat: int, agent: Agent) -> None:
    """Let a frugal copy of an agent decide at a state."""
    other = frugal(agent)
    for _ in range(2):  # the second time it may look at what it has kept
        other.consider(rules, state, seat, np.random.default_rng(0))
