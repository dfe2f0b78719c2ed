"""Learning: hats compiled against a plain Python loop of the same rules, and Q-learning's speed."""

import random
import time

import numpy as np

from ludex.games import game_rules
from ludex.learn.hats import HatsLearner
from ludex.learn.qtable import QLearner
from ludex.learn.table import entries

HATS_WANTED = 50.0  # times faster than the plain loop
UPDATES_WANTED = 1e6  # a second
ROUNDS = 3
NUTS, MOST = 21, 3


def plain_matches(matches: int) -> list[dict[int, list[int]]]:
    """Return the hats of two learners, trained as a student would write it.

    It does what the assignment says; the compiled loop also counts how often each ball was drawn.
    """
    hats = [{left: [1] * MOST for left in range(1, NUTS + 1)} for _ in range(2)]
    for match in range(matches):
        left, learner = NUTS, match % 2
        balls: tuple[list[tuple[int, int]], ...] = ([], [])
        while left > 0:
            hat = hats[learner][left]
            take = random.choices(range(MOST), hat)[0]
            balls[learner].append((left, take))
            left -= take + 1
            learner = 1 - learner
        for left, take in balls[learner]:
            hats[learner][left][take] += 1
        for left, take in balls[1 - learner]:
            hats[1 - learner][left][take] = max(1, hats[1 - learner][left][take] - 1)
    return hats


def plain_speed(matches: int = 4000) -> float:
    """Return the matches per second of the plain loop."""
    began = time.perf_counter()
    plain_matches(matches)
    return matches / (time.perf_counter() - began)


def compiled_speed(matches: int = 200_000) -> float:
    """Return the matches per second of the compiled learner, from the first match on."""
    rules = game_rules("nuts")._replace(nuts=NUTS, most=MOST)
    learner = HatsLearner()
    learner.train(rules, learner.begin(rules), np.random.default_rng(0), 0, 1)
    began = time.perf_counter()
    learner.train(rules, learner.begin(rules), np.random.default_rng(0), 0, matches)
    return matches / (time.perf_counter() - began)


def updates_speed(game: str, seconds: float = 2.0) -> float:
    """Return how many values a second a learner of a game changes, playing against itself."""
    rules = game_rules(game)
    learner, rng = QLearner(), np.random.default_rng(1)
    memory, done = learner.train(rules, learner.begin(rules), rng, 0, 1), 1
    before, began = int(entries(memory)[2].sum()), time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        memory = learner.train(rules, memory, rng, done, 100)
        done += 100
    return (int(entries(memory)[2].sum()) - before) / spent


def main() -> bool:
    """Print all of it, and return whether every wish is fulfilled."""
    print(f"Matches of hats per second at {NUTS} nuts: the median of three interleaved rounds")
    pairs = [(compiled_speed(), plain_speed()) for _ in range(ROUNDS)]
    ratio = sorted(one / other for one, other in pairs)[ROUNDS // 2]
    one, other = (sorted(column)[ROUNDS // 2] for column in zip(*pairs, strict=True))
    print(f"compiled {one:>10,.0f}  plain Python {other:>8,.0f} {ratio:>6,.0f}x")
    fine = ratio >= HATS_WANTED
    print("Updates of Q-learning per second against itself")
    for game in ("nuts", "droids", "aeroplane"):
        speed = updates_speed(game)
        print(f"{game:<10} {speed:>12,.0f}")
        fine &= speed >= UPDATES_WANTED or game == "aeroplane"
    print(f"as fast as it should be: {'yes' if fine else 'NO'}")
    return fine
