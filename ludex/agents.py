"""Agents by text: the table of all, and making one from a text such as `random`."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from ludex.draw import draw_action
from ludex.reading import nearest
from ludex.rules import Rules, State


class Agent(Protocol):
    """A program that chooses actions."""

    def choose(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> int:
        """Return a legal action of the seat, which is to act."""


class Random:
    """Chooses among the legal actions, each as likely."""

    def choose(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> int:
        """Return a legal action of the seat, which is to act."""
        return int(draw_action(rules, state, seat, rng))


class Entry(NamedTuple):
    """An agent in the table: what it does in a sentence, and how to make it."""

    text: str
    make: Callable[[], Agent]


AGENTS = {"random": Entry("chooses among the legal actions, each as likely", Random)}

# The agent that the table seats where nobody else is named.
DEFAULT = "random"
# Not in the table: a person is asked by the console or by a page.
HUMAN = "human"


def make_agent(text: str) -> Agent:
    """Return the agent that a text names; a ValueError offers the nearest."""
    name, colon, _ = text.partition(":")
    if name not in AGENTS:
        names = [HUMAN, *AGENTS]
        raise ValueError(f"no agent {name!r}{nearest(name, names)} (there are {', '.join(names)})")
    if colon:
        raise ValueError(f"agent {text!r}: {name} has no options, so nothing follows its name")
    return AGENTS[name].make()
