"""Simulations of Monte Carlo tree search per second, against bare random playouts."""

import time
from collections.abc import Callable

import numpy as np

from bench.playouts import playouts
from ludex.core.rules import CHANCE, Rules, State, apply, initial, turn
from ludex.core.sampling import draw_outcome
from ludex.games import GAMES, game_rules
from ludex.search.mcts import Mcts

WANTED = 0.25  # simulations are to be this fast at least, measured in playouts
SECONDS = 0.5
ROUNDS = 3
SIMS = 10_000  # for one decision


def first_decision(rules: Rules) -> State:
    """Return a first state in which somebody is to choose, since nobody is asked before."""
    state, rng = initial(rules), np.random.default_rng(1)
    while turn(rules, state) == CHANCE:
        state = apply(rules, state, int(draw_outcome(rules, state, rng)))
    return state


def speed(play: Callable[[], int]) -> float:
    """Return how many matches per second a function plays that returns how many it played."""
    play()
    played, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        played += play()
    return played / spent


def pairing(game: str) -> tuple[float, float]:
    """Return simulations and playouts per second from the same state of a game."""
    rules = game_rules(game)
    state, rng, agent = first_decision(rules), np.random.default_rng(1), Mcts(sims=SIMS)
    seat = max(turn(rules, state), 0)

    def play() -> int:
        playouts(rules, state, rng, 1000)
        return 1000

    return speed(lambda: agent.consider(rules, state, seat, rng).nodes), speed(play)


def main() -> bool:
    """Print a table, and return whether the tree costs no more than it may in every game."""
    print(f"Matches per second, {SIMS:,} simulations a decision: the median of three rounds")
    print(f"{'game':<10} {'mcts':>12} {'playouts':>12} {'ratio':>8}")
    fine = True
    for game in GAMES:
        pairs = [pairing(game) for _ in range(ROUNDS)]
        sims, bare = (sorted(column)[ROUNDS // 2] for column in zip(*pairs, strict=True))
        ratio = sorted(one / other for one, other in pairs)[ROUNDS // 2]
        fine &= ratio >= WANTED
        print(f"{game:<10} {sims:>12,.0f} {bare:>12,.0f} {ratio:>7,.2f}x", flush=True)
    print(f"at least {WANTED:.2f} of the playouts everywhere: {'yes' if fine else 'NO'}")
    return fine
