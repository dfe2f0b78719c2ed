"""Training specifications as text: the learner with its options, and its opponent."""

import copy
from typing import Any

from ludex.agents.registry import make_agent
from ludex.core.options import options_of, read_option, read_options, unknown_option
from ludex.core.rules import Rules
from ludex.io.text import ParameterError, nearest
from ludex.learn.accuracy import Accuracy
from ludex.learn.evaluation import GREEDY
from ludex.learn.qtable import COPY, ITSELF, RANDOM, QLearner, QTable
from ludex.learn.td import TdLearner
from ludex.learn.training import LEARNERS, Training

OPPONENTS = (ITSELF, COPY, RANDOM)
"""Opponents that are not agents."""


def read_learner(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the options of a learner, or raise a ValueError."""
    name, colon, options = text.partition(":")
    if name not in LEARNERS:
        offer = nearest(name, LEARNERS)
        raise ValueError(f"no learner {name!r}{offer} (there are {', '.join(LEARNERS)})")
    if colon and not options:
        raise ValueError(f"{text!r}: expected NAME=VALUE after the colon")
    known = options_of(LEARNERS[name])
    values = {}
    for key, value in read_options(options).items():
        if key not in known:
            raise unknown_option(key, name, list(known))
        values[key] = read_option(key, known[key], value)
    return name, values


def evaluation_opponent(learner: str, against: str) -> str:
    """Return whom a learner is evaluated against: its opponent, or `random` after self-play.

    A learned estimate is compared with that of the game.
    """
    if learner == TdLearner.name:
        return GREEDY
    return RANDOM if against in OPPONENTS else against


def share_sentence(share: float, interval: tuple[float, float], opponent: str, seats: int) -> str:
    """Return the share of points of a learner, in words."""
    low, high = (100 * end for end in interval)
    even = "" if seats == 2 else f"; {100 / seats:.1f} % would be even"
    return (
        f"{100 * share:.1f} % of the points against {opponent}, with 95 % confidence"
        f" {low:.1f} to {high:.1f} %{even}"
    )


def accuracy_text(accuracy: Accuracy) -> str:
    """Return the share of best moves and the loss of a learner, in words."""
    return f"{100 * accuracy.best:.1f} % best moves, {accuracy.loss:.4f} lost per decision"


def make_training(rules: Rules, text: str, against: str | None, seed: int) -> Training:
    """Return a training of the learner of a text, before its first match."""
    name, values = read_learner(text)
    if name != QLearner.name:
        if against not in (None, ITSELF):
            learn = (
                "hats learn from one another" if name == "hats" else f"{name} learns from itself"
            )
            raise ParameterError("{}: {against} is for {}", learn, QLearner.name)
        return Training(rules, LEARNERS[name](**values), seed, ITSELF)
    against = against or ITSELF
    opponent: Any = against
    if against not in OPPONENTS:
        agent = make_agent(against, rules)

        def opponent() -> Any:
            # No state may carry over between matches. A Q-table has none.
            return agent if isinstance(agent, QTable) else copy.deepcopy(agent)

    tested_against = RANDOM if isinstance(opponent, str) else opponent
    learner = LEARNERS[name](**values, against=opponent, seed=seed)
    return Training(rules, learner, seed, against, tested_against)
