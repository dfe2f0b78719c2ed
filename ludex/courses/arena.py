"""The arena course programs: first moves, full games, and a person against an agent.

A depth limit of d searches d + 1 plies, as in the original searches.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ludex.agents.registry import make_agent
from ludex.core.rules import initial, label, returns, seat_name, turn
from ludex.games.arena import Arena, ArenaRules
from ludex.games.arena.drawing import lives
from ludex.games.arena.robots import LIGHT, NAMES, full_name
from ludex.match.runner import play_match

SEARCHERS = {"Minimax": "minimax", "AlphaBeta": "alphabeta"}


class FirstMove(NamedTuple):
    """The result of a search at the initial state; without a move if it ran out of time."""

    algorithm: str
    limit: int
    seconds: float
    nodes: int = 0
    value: float = 0.0
    move: str = ""


def first_moves(rules: ArenaRules, limits: range) -> Iterator[FirstMove]:
    """Yield the results of both searches at each depth limit; compile time is not counted.

    Ties go to the first in the order of the play list.
    """
    state, rng = initial(rules), np.random.default_rng(0)
    seat = turn(rules, state)
    for algorithm, name in SEARCHERS.items():
        make_agent(f"{name}:depth=1", rules).consider(rules, state, seat, rng)
        for limit in limits:
            agent = make_agent(f"{name}:depth={limit + 1}", rules)
            began = time.perf_counter()
            choice = agent.consider(rules, state, seat, rng)
            seconds = time.perf_counter() - began
            best = min(choice.mixture)  # the agent breaks ties at random
            move = full_name(label(rules, state, best))
            value = choice.values[best] if seat == LIGHT else -choice.values[best]
            yield FirstMove(algorithm, limit, seconds, choice.nodes, value, move)


def depth_agent(limit: int) -> str:
    """Return the text of the agent with a depth limit."""
    return f"alphabeta:depth={limit + 1}"


def full_game(rules: ArenaRules, light: int, wily: int, seed: int) -> Iterator[str]:
    """Yield the moves of a game between two depth limits, then the winner."""
    agents = [make_agent(depth_agent(limit), rules) for limit in (light, wily)]
    match = play_match(rules, initial(rules), agents, seed)
    for number in range(1, len(match.plies)):
        [(seat, name)] = match.labels_by_seat(number)
        told = "\n     ".join([full_name(name), *match.events(number)])
        yield f"{seat_name(rules, seat)}: {told}"
    yield congratulation(rules, match.state)


def congratulation(rules: ArenaRules, state: Arena) -> str:
    """Return the winner, and its surviving robots with their lives."""
    winner = 0 if returns(rules, state, 0) > 0 else 1
    living = [
        f"{full_name(name)} {life}"
        for name, life in zip(NAMES[winner], lives(state)[winner], strict=True)
        if life > 0
    ]
    return f"{seat_name(rules, winner)} wins with {', '.join(living)}."
