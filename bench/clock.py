"""How far a search with a clock thinks beyond its time."""

import time

import numpy as np

from ludex.agents.registry import make_agent
from ludex.core.rules import initial
from ludex.games import game_rules

# Seconds that are allowed, and how often.
BUDGETS = ((0.05, 100), (1.0, 10), (5.0, 3))
WANTED = 0.020


def main() -> bool:
    """Print the overrun for each budget, and return whether it stays small."""
    print("Overrun of the clock: trap, expectiminimax, from the first position")
    rules = game_rules("trap")
    rng = np.random.default_rng(0)
    fine = True
    for seconds, times in BUDGETS:
        agent = make_agent(f"expectiminimax:seconds={seconds}", rules)
        agent.consider(rules, initial(rules), 0, rng)
        over = []
        for _ in range(times):
            began = time.perf_counter()
            agent.consider(rules, initial(rules), 0, rng)
            over.append(time.perf_counter() - began - seconds)
        worst = float(np.percentile(over, 99))
        fine &= worst < WANTED
        print(f"{seconds:>5.2f} s, {times:>3} times: 99th percentile {1000 * worst:6.2f} ms over")
    return fine
