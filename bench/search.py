"""Search: beside a twin in C++, compiled against interpreted, and what pruning saves."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bench import twins
from ludex.agents.registry import make_agent
from ludex.core.perft import lines
from ludex.core.rules import CHANCE, OVER, Rules, State, initial, turn
from ludex.core.sampling import playout
from ludex.games import game_rules
from ludex.search.minimax import WORST, candidate_values
from ludex.search.transposition import make_table

COMPILED_WANTED = 150.0  # times faster than the same code interpreted
ALPHABETA_WANTED = 0.01  # of the nodes of minimax, at depth 9 from arena's start
STAR_WANTED = 0.5  # of the nodes of plain expectiminimax
ROUNDS = 3
TABLE = 64  # MiB of transposition table beside the twin


class Found(NamedTuple):
    """What a search found, and how much work that was."""

    value: float
    nodes: int


def count_lines(rules: Rules, state: State, depth: int) -> Found:
    """Count lines of play, which have no value."""
    return Found(0.0, int(lines(rules, state, depth)))


def search_plainly(rules: Rules, state: State, depth: int) -> Found:
    """Search without pruning."""
    values, nodes = candidate_values(rules, state, 0, depth, WORST, 0)
    return Found(max(values.values()), nodes)


def search_with_table(rules: Rules, state: State, depth: int) -> Found:
    """Search by alpha-beta, from an empty table."""
    agent = make_agent(f"alphabeta:depth={depth},table={TABLE}", rules)
    choice = agent.consider(rules, state, 0, np.random.default_rng(1))
    return Found(max(choice.values.values()), choice.nodes)


class TwinRow(NamedTuple):
    """Work that the twin of arena does too, and how many times as fast ours is to be."""

    name: str
    depth: int
    ours: Callable[[Rules, State, int], Found]
    wanted: float


TWIN_ROWS = (
    TwinRow("count", 10, count_lines, 0.8),
    TwinRow("minimax", 8, search_plainly, 0.8),
    TwinRow("alphabeta", 12, search_with_table, 0.6),
)


def speed(text: str, game: str) -> float:
    """Return the nodes per second of an agent on the first position, as this process runs it."""
    rules = game_rules(game)
    state, rng = initial(rules), np.random.default_rng(1)
    make_agent(text, rules).consider(rules, state, 0, rng)
    agent = make_agent(text, rules)
    nodes, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < 1.0:
        nodes += agent.consider(rules, state, 0, rng).nodes
    return nodes / spent


def interpreted_speed(text: str, game: str) -> float:
    """Return the same of a process without the compiler."""
    code = f"from bench.search import speed; print(speed({text!r}, {game!r}))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(run.stdout)


def compare(row: TwinRow, rules: Rules) -> tuple[float, float]:
    """Return our nodes a second and those of the twin; a ValueError if they find different things.

    The twin knows only the first position.
    """
    state = initial(rules)
    twin = twins.run("arena", row.name, row.depth, len(make_table(state, TABLE).rows))
    began = time.perf_counter()
    ours, theirs = row.ours(rules, state, row.depth), Found(twin["value"], twin["nodes"])
    spent = time.perf_counter() - began
    if ours != theirs:
        raise ValueError(f"{row.name} to depth {row.depth}: we find {ours}, the twin {theirs}")
    return ours.nodes / spent, theirs.nodes / twin["seconds"]


def beside_twin() -> bool:
    """Print our speed beside that of a twin in C++, with equal nodes and values."""
    print("Nodes per second on arena beside a twin in C++: the median of three interleaved rounds")
    fine, rules = True, game_rules("arena")
    try:
        twins.build("arena")
    except ImportError as error:
        print(f"left out: {error}")
        return True
    for row in TWIN_ROWS:
        row.ours(rules, initial(rules), 2)  # compiles
        pairs = [compare(row, rules) for _ in range(ROUNDS)]
        ratio = sorted(one / other for one, other in pairs)[ROUNDS // 2]
        one, other = (sorted(column)[ROUNDS // 2] for column in zip(*pairs, strict=True))
        enough = ratio >= row.wanted
        print(
            f"{row.name:<10} depth {row.depth:>2} Ludex {one:>13,.0f} twin {other:>13,.0f}"
            f" {ratio:>5.2f}x (wanted: {row.wanted}{'' if enough else ', NO'})",
            flush=True,
        )
        fine &= enough
    return fine


def compiling() -> bool:
    """Print what compiling gains in nodes per second on arena."""
    print("Nodes per second on arena: the median of three interleaved rounds")
    fine = True
    for fast, slow in (
        ("minimax:depth=6", "minimax:depth=3"),
        ("alphabeta:depth=9", "alphabeta:depth=5"),
    ):
        pairs = [(speed(fast, "arena"), interpreted_speed(slow, "arena")) for _ in range(ROUNDS)]
        ratio = sorted(one / other for one, other in pairs)[ROUNDS // 2]
        one, other = (sorted(column)[ROUNDS // 2] for column in zip(*pairs, strict=True))
        name = fast.partition(":")[0]
        print(f"{name:<10} compiled {one:>12,.0f} interpreted {other:>9,.0f} {ratio:>6,.0f}x")
        fine &= ratio >= COMPILED_WANTED
    return fine


def decisions(rules: Rules, count: int) -> list[State]:
    """Return states in the middle of random matches in which a seat is to act."""
    found: list[State] = []
    seed = 0
    while len(found) < count:
        seed += 1
        rng = np.random.default_rng(seed)
        state = playout(rules, initial(rules), rng, 20 + 7 * seed % 150)
        while turn(rules, state) == CHANCE:
            state = playout(rules, state, rng, 1)
        if turn(rules, state) != OVER:
            found.append(state)
    return found


def pruning() -> bool:
    """Print what star1 and star2 save on games with chance."""
    print("Nodes of expectiminimax at 20 random states, against the plain search")
    fine = True
    for game, depth in (("trap", 4), ("aeroplane", 5)):
        rules = game_rules(game)
        totals = dict.fromkeys(("none", "star1", "star2"), 0)
        for state in decisions(rules, 20):
            seat = turn(rules, state)
            for name in totals:
                if name == "none":
                    totals[name] += candidate_values(rules, state, seat, depth, WORST, 0)[1]
                else:
                    agent = make_agent(f"expectiminimax:depth={depth},pruning={name}", rules)
                    rng = np.random.default_rng(0)
                    totals[name] += agent.consider(rules, state, seat, rng).nodes
        shares = {name: nodes / totals["none"] for name, nodes in totals.items()}
        text = "  ".join(f"{name} {totals[name]:,} ({shares[name]:.0%})" for name in totals)
        print(f"{game} depth {depth}: {text}")
        fine &= shares["star2"] < STAR_WANTED
    return fine


def main() -> bool:
    """Print all of it, and return whether every wish is fulfilled."""
    fine = beside_twin() & compiling() & pruning()
    rules = game_rules("arena")
    rng = np.random.default_rng(0)
    agent = make_agent("alphabeta:depth=9", rules)
    pruned = agent.consider(rules, initial(rules), 0, rng).nodes
    plain = candidate_values(rules, initial(rules), 0, 9, WORST, 0)[1]
    share = pruned / plain
    print(f"arena depth 9: alphabeta {pruned:,} of minimax's {plain:,} nodes ({share:.3%})")
    fine &= share < ALPHABETA_WANTED
    print(f"as fast and as sparing as it should be: {'yes' if fine else 'NO'}")
    return fine
