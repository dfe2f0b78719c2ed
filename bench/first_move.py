"""Arena's first move by minimax and alpha-beta at depths 1 to 9, with times and nodes."""

import time

import numpy as np

from ludex.agents.registry import make_agent
from ludex.core.rules import initial, label
from ludex.games import game_rules


def main() -> bool:
    """Print the table, and return whether both always find the same value."""
    rules = game_rules("arena")
    state, rng = initial(rules), np.random.default_rng(0)
    values: dict[tuple[str, int], float] = {}
    print(f"{'algorithm':<10} {'depth':>5} {'seconds':>9} {'nodes':>13} {'value':>9}  first move")
    for name in ("minimax", "alphabeta"):
        make_agent(f"{name}:depth=1", rules).consider(rules, state, 0, rng)  # compiles
        for depth in range(1, 10):
            agent = make_agent(f"{name}:depth={depth}", rules)
            began = time.perf_counter()
            choice = agent.consider(rules, state, 0, rng)
            seconds = time.perf_counter() - began
            values[name, depth] = choice.value
            move = label(rules, state, choice.action)
            print(
                f"{name:<10} {depth:>5} {seconds:>9.4f} {choice.nodes:>13,}"
                f" {choice.value:>+9.4f}  {move}",
                flush=True,
            )
    same = all(
        abs(values["minimax", depth] - values["alphabeta", depth]) < 1e-9 for depth in range(1, 10)
    )
    print(f"the same values at every depth: {'yes' if same else 'NO'}")
    return same
