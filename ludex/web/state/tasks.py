"""The tasks of the workers, with arguments and results that can be pickled."""

import copy
import functools
import re
from typing import Any, NamedTuple

import numpy as np

from ludex.agents.registry import Agent, make_agent
from ludex.analysis.evaluator import evaluations
from ludex.core.choice import Choice
from ludex.core.play import choosers
from ludex.core.rules import OVER, Rules, State, game_of, initial, label, position, turn
from ludex.kernel.jit import thinking_time
from ludex.learn.hats import Hats
from ludex.match.warm_up import warm_up_at
from ludex.render.tree import picture
from ludex.render.tree.folding import fold_tree
from ludex.search.explicit_tree import GROWN, grow, size
from ludex.solve.evaluator import Evaluation
from ludex.web.state import limits
from ludex.web.state.catalogue import Texts, rules_from, state_from, texts_of
from ludex.web.state.evaluation import budget_of, known_value, warn

Generator = np.random.Generator
PATH = re.compile(r"(?:/[\w.@+-]+){2,}")


class PositionQuery(NamedTuple):
    """A position as plain values."""

    source: str
    texts: Texts
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, source: str, rules: Rules, state: State) -> "PositionQuery":
        """Encode a state of a game from a source."""
        return cls(source, texts_of(rules), tuple(int(one) for one in state))

    def decode(self) -> tuple[Rules, State]:
        """Return the rules and the state."""
        rules = rules_from(self.source, self.texts)
        return rules, state_from(rules, self.numbers)


def without_paths(text: str) -> str:
    """Return a message on one line, without the server's paths."""
    return PATH.sub(base_name, " ".join(text.split()))[:300]


def base_name(found: re.Match[str]) -> str:
    """Return the last part of a matched path."""
    return found[0].rpartition("/")[2]


def public_agent(text: str) -> str:
    """Return an agent's text as visitors write it, with the names of trainings for paths."""
    return without_paths(text).replace(".npz", "")


@functools.lru_cache(maxsize=8)  # each may hold a table of many MiB
def agent_for(source: str, texts: Texts, text: str, stamp: float) -> Agent:
    """Return an agent; the stamp, its file's modification time or 0, invalidates the cache."""
    try:
        return make_agent(text, rules_from(source, texts))
    except OSError as error:
        raise ValueError(f"{text.partition(':')[0]}: {error.strerror}") from error


def warm_up(source: str, texts: Texts, text: str, stamp: float = 0.0) -> None:
    """Compile what an agent needs; raise a ValueError if there is no such agent."""
    rules = rules_from(source, texts)
    agent = agent_for(source, texts, text, stamp)
    state = initial(rules)
    for seat in choosers(rules, state):
        warm_up_at(rules, state, seat, agent)


def consider(query: PositionQuery, text: str, seat: int, luck: Generator, stamp: float) -> Choice:
    """Return an agent's choice at a position."""
    rules, state = query.decode()
    agent = agent_for(query.source, query.texts, text, stamp)
    choice = agent.consider(rules, state, seat, luck)
    return choice._replace(
        action=int(choice.action),
        values={int(action): float(value) for action, value in choice.values.items()},
        mixture={int(action): float(share) for action, share in choice.mixture.items()},
        line=tuple(int(move) for move in choice.line),
    )


def timed_choice(
    query: PositionQuery, text: str, seat: int, luck: Generator, stamp: float
) -> tuple[Choice, float, Generator]:
    """Return an agent's choice, its thinking time in seconds, and the generator afterwards."""
    left = copy.deepcopy(luck)  # keeps the caller's unchanged, also in a thread
    began = thinking_time()
    return consider(query, text, seat, left, stamp), thinking_time() - began, left


def evaluate(query: PositionQuery, seconds: float = limits.PROVING) -> list[Evaluation]:
    """Return the values of all actions at a position, for each seat that chooses."""
    rules, state = query.decode()
    return evaluations(rules, state, budget_of(seconds), warn=warn)


def hint(query: PositionQuery) -> list[Evaluation]:
    """Return a quick evaluation, for a player who waits."""
    return evaluate(query, limits.HINT)


def known_value_of(source: str, texts: Texts, limit: float) -> dict[str, Any]:
    """Return the value of a game from its starting position, if it is found within `limit`."""
    return known_value(rules_from(source, texts), limit)


def tree_of(query: PositionQuery, text: str, depth: int, stamp: float = 0.0) -> dict[str, Any]:
    """Return a drawing of an agent's search tree, and its number of nodes."""
    rules, state = query.decode()
    agent = agent_for(query.source, query.texts, text, stamp)
    if type(agent) not in GROWN:
        raise ValueError(f"{text!r} has no tree that could be drawn")
    if turn(rules, state) == OVER:
        raise ValueError("the match is over: there is nothing to search")
    grown = grow(agent, rules, state, depth, limits.TREE)
    heading = f"{text}, {depth} decision{'' if depth == 1 else 's'} ahead"
    return {"svg": picture(grown, heading, fold_tree(grown.root, 150)), "nodes": size(grown.root)}


def explain_choice(query: PositionQuery, text: str, seat: int, stamp: float) -> dict[str, Any]:
    """Return an agent's choice with the labels, values and shares of all actions."""
    choice = consider(query, text, seat, np.random.default_rng((0,)), stamp)
    rules, state = query.decode()
    actions = sorted({*choice.values, *choice.mixture, choice.action})
    agent = agent_for(query.source, query.texts, text, stamp)
    balls = agent.balls(rules, state, seat) if isinstance(agent, Hats) else {}
    return {
        "game": game_of(rules).__name__,
        "position": position(rules, state),
        "move": label(rules, state, choice.action),
        "actions": [
            {
                "action": label(rules, state, action),
                "value": choice.values.get(action),
                "share": choice.mixture.get(action, 0.0),
            }
            for action in actions
        ],
        "balls": {label(rules, state, action): count for action, count in balls.items()},
    }
