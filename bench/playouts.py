"""Random playouts per second, compiled and interpreted, in the same run."""

import os
import subprocess
import sys
import time

import numpy as np

from ludex.core.rules import initial
from ludex.core.sampling import playout
from ludex.games import GAMES, game_rules
from ludex.kernel.jit import compiled

WANTED = 100.0  # compiled code is to be this many times faster
SECONDS = 1.0
ROUNDS = 3
PLIES = 100_000


@compiled
def playouts(rules, state, rng, matches):  # type: ignore[no-untyped-def]
    """Play this many random matches."""
    for _ in range(matches):
        playout(rules, state, rng, PLIES)


def speed(game: str) -> float:
    """Return the playouts per second of the game, as this process runs them."""
    rules = game_rules(game)
    state, rng = initial(rules), np.random.default_rng(1)
    playouts(rules, state, rng, 1)
    matches, played, began = 1, 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        playouts(rules, state, rng, matches)
        played += matches
        matches = min(2 * matches, 10_000)
    return played / spent


def interpreted_speed(game: str) -> float:
    """Return the same of a process without the compiler."""
    run = subprocess.run(
        [sys.executable, "-c", f"from bench.playouts import speed; print(speed({game!r}))"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(run.stdout)


def main() -> bool:
    """Print a table, and return whether compiling pays as it should in every game."""
    print("Random playouts per second: the median of three interleaved rounds")
    print(f"{'game':<10} {'compiled':>12} {'interpreted':>12} {'ratio':>8}")
    fine = True
    for game in GAMES:
        pairs = [(speed(game), interpreted_speed(game)) for _ in range(ROUNDS)]
        fast, slow = (sorted(column)[ROUNDS // 2] for column in zip(*pairs, strict=True))
        ratio = sorted(fast / slow for fast, slow in pairs)[ROUNDS // 2]
        fine &= ratio >= WANTED
        print(f"{game:<10} {fast:>12,.0f} {slow:>12,.1f} {ratio:>7,.0f}x", flush=True)
    print(f"at least {WANTED:.0f} times everywhere: {'yes' if fine else 'NO'}")
    return fine
