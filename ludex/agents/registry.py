"""The registry of agents, created from texts such as `alphabeta:depth=6`."""

import itertools
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.random import Generator

from ludex.agents.information_set_mcts import InformationSetMcts
from ludex.agents.net import Net
from ludex.core.choice import Choice, uniform_over
from ludex.core.options import options_of, read_option, read_options, unknown_option
from ludex.core.rules import (
    Rules,
    State,
    candidates,
    imperfect_information,
    levels_of,
    name_of,
    styles_of,
)
from ludex.core.search_profile import STYLE_BITS, SearchProfile
from ludex.external.agent import make_external, names_file
from ludex.io.text import nearest, read_word
from ludex.kernel.bits import members
from ludex.learn.cfr import Cfr
from ludex.learn.checkpoint import LEARNED
from ludex.learn.estimate import ESTIMATE, learned_profile, no_estimates, words_with_learned
from ludex.learn.hats import Hats
from ludex.learn.qtable import QTable
from ludex.search.alphabeta import AlphaBeta
from ludex.search.maxn import MaxN
from ludex.search.mcts import Mcts
from ludex.search.minimax import Expectimax, Greedy, Minimax, legal_actions
from ludex.search.simultaneous import Simultaneous
from ludex.solve.perfect_agent import Exact


class Agent(Protocol):
    """A program that chooses actions."""

    @property
    def policy_known(self) -> bool:
        """Whether the mixture of a choice is exact, and depends only on the state."""

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return a choice for the seat, which is to move, in a state as that seat sees it."""


@dataclass
class Random:
    """Chooses uniformly at random among the legal actions."""

    policy_known = True
    imperfect_information = True

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return a choice for the seat, which is to move."""
        return Choice.draw(uniform_over(members(legal_actions(rules, state, seat))), rng)


@dataclass
class Casual:
    """Chooses uniformly at random among the actions that a search considers."""

    profile: SearchProfile = 0
    policy_known = True
    imperfect_information = True

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return a choice for the seat, which is to move."""
        return Choice.draw(uniform_over(members(candidates(rules, state, seat, self.profile))), rng)


AGENTS: dict[str, type[Any]] = {
    "random": Random,
    "casual": Casual,
    "greedy": Greedy,
    "minimax": Minimax,
    "expectimax": Expectimax,
    "maxn": MaxN,
    "alphabeta": AlphaBeta,
    "expectiminimax": AlphaBeta,
    "simultaneous": Simultaneous,
    "mcts": Mcts,
    "ismcts": InformationSetMcts,
    "exact": Exact,
    "hats": Hats,
    "qtable": QTable,
    "cfr": Cfr,
    "net": Net,
}
LEVELS = ("easy", "medium", "hard", "best")

# Not in the table: the console or the web lab asks the person.
HUMAN = "human"


ADOPTED: dict[str, Agent] = {}
"""Python objects that play in this process, by name."""


def adopt(name: str, agent: Agent) -> str:
    """Register a Python object as an agent of this process, and return its name.

    A name that is taken gets a number. The caller removes it from `ADOPTED` after use.
    """
    text = unused(name, [*ADOPTED, *AGENTS, *LEVELS, HUMAN])
    ADOPTED[text] = agent
    return text


def unused(name: str, taken: Collection[str]) -> str:
    """Return a name, with a number if it is taken."""
    numbered = (f"{name} {number}" for number in itertools.count(2))
    return next(text for text in itertools.chain([name], numbered) if text not in taken)


def make_agent(text: str, rules: Rules) -> Agent:
    """Return the agent of a text, ready to play by these rules.

    The text may also be the path of an external program. A ValueError offers the nearest name, or
    lists the agents that can play this game.
    """
    if text in ADOPTED:
        return ADOPTED[text]
    if names_file(text):
        return make_external(text, rules)
    levels = levels_of(rules)
    level = text.partition(":")[0]
    if level in levels and level != text:
        raise ValueError(f"the level {level!r} has no options; it is {levels[level]!r}")
    name, colon, options = levels.get(text, text).partition(":")
    if name == HUMAN and name != text:
        raise ValueError(f"{text!r}: human has no options")
    if name == HUMAN:
        raise ValueError("a human plays only at the console: ludex play GAME human")
    if name not in AGENTS:
        names = [HUMAN, *levels, *AGENTS]
        known = f"there are {', '.join(names)}, or a path ./FILE"
        if name in LEVELS:
            raise ValueError(f"{name_of(rules)} has no level {name!r} ({known})")
        raise ValueError(f"no agent {name!r}{nearest(name, names)} ({known})")
    if colon and not options:
        raise ValueError(f"{text!r}: expected NAME=VALUE after the colon")
    kind = AGENTS[name]
    refusal = refuses(kind, rules)
    if refusal:
        able = ", ".join(one for one, other in AGENTS.items() if not refuses(other, rules))
        raise ValueError(f"{name} cannot play this game: {refusal} (those that can: {able})")
    return make_from_options(kind, name, read_options(options), rules)


def make_from_options(kind: type[Any], name: str, texts: dict[str, str], rules: Rules) -> Agent:
    """Return an agent of a class, with options parsed from their texts."""
    known = options_of(kind)
    searches = "profile" in getattr(kind, "__dataclass_fields__", {})
    styles = words_with_learned(rules, styles_of(rules)) if searches else {}
    values: dict[str, Any] = {}
    profile = 0
    learned = ""
    for key, value in texts.items():
        if key in known:
            values[key] = read_option(key, known[key], value)
        elif key in styles:
            word = read_word(value.partition(":")[0], f"option {key}:", styles[key])
            if key == ESTIMATE and styles[key][word] == LEARNED:
                learned = value
            else:
                read_word(value, f"option {key}:", styles[key])
                profile |= word << STYLE_BITS * list(styles).index(key)
        elif key == ESTIMATE and searches:
            raise no_estimates()
        else:
            raise unknown_option(key, name, [*known, *styles])
    if styles:
        values["profile"] = learned_profile(profile, learned, rules) if learned else profile
    made: Agent = kind(**values)
    if hasattr(made, "prepare"):
        made.prepare(rules)
    return made


def refuses(kind: type[Any], rules: Rules) -> str:
    """Return why agents of a class cannot play by these rules, or an empty text.

    In a game that hides something, a class must say that it plays with `imperfect_information`.
    """
    if imperfect_information(rules) and not getattr(kind, "imperfect_information", False):
        return "it needs to see the whole state, and this game hides some of it"
    reason = getattr(kind, "refuses", None)
    return str(reason(rules)) if reason else ""


def default_agent(rules: Rules) -> str:
    """Return the agent for seats without a named one."""
    return "medium" if "medium" in levels_of(rules) else "random"
