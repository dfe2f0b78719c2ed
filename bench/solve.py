"""Exact solutions: states, seconds, memory; beside twins in C++; matrix games against scipy.

Each case runs in a process of its own, whose peak memory is then its own too.
"""

import json
import os
import resource
import subprocess
import sys
import time
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog

from bench import twins
from ludex.core.rules import BOTH, OVER, Rules, State, apply, initial, moves, pair, turn
from ludex.core.variants import read_rules
from ludex.games import game_rules
from ludex.kernel.bits import members
from ludex.solve.evaluation import Budget
from ludex.solve.evaluator import ProofEvaluator
from ludex.solve.solving import finish, tell_nobody
from ludex.solve.states.state_space import best_folding, list_states
from ludex.solve.states.successors import MATRIX
from ludex.solve.values.induction import AUDIT_BLOCK, Induction
from ludex.solve.values.transitions import NODES

MATRICES_WANTED = 1000.0  # times as many matrix games a second as scipy's linprog
COMPARED = 2000  # states of droids whose matrices linprog solves too
ALLOWED = 1e-9  # by how much their values may differ

# Games by name and changed rules, and a smaller variant that compiles what they need.
LISTED = (
    ("nuts", {}, {}),
    ("examples/tictactoe.py", {}, {}),
    ("examples/pig.py", {}, {"goal": "10"}),
    *(("droids", {"shots": str(shots)}, {"shots": "1", "rounds": "2"}) for shots in range(1, 7)),
    *(("trap", {"size": str(size)}, {"size": "3"}) for size in (3, 4)),
    *(
        ("aeroplane", {"planes": planes, "stacks": stacks}, {"planes": "1"})
        for planes in "12"
        for stacks in ("capture", "block")
    ),
)
PROVEN = ("outcome", "margin")


class TwinRow(NamedTuple):
    """A game that a twin in C++ solves too, given some arguments, and how far values may differ."""

    game: str
    changes: dict[str, str]
    smaller: dict[str, str]
    arguments: tuple[object, ...]
    allowed: float


TWIN_ROWS = (
    TwinRow("droids", {}, {"shots": "1", "rounds": "2"}, (5, 50), 1e-12),
    TwinRow("trap", {"size": "4"}, {"size": "3"}, (4,), 1e-12),
    TwinRow("aeroplane", {"planes": "2"}, {"planes": "1"}, ("capture",), 1e-10),
)


def solved_case(game: str, changes: dict[str, str]) -> tuple[Induction, dict[str, Any]]:
    """Return a game solved by listing, and what that took."""
    rules = game_rules(game, changes)
    first = initial(rules)
    began = time.perf_counter()
    listing = list_states(rules, first, best_folding(rules, first), 1 << 27)
    halfway = time.perf_counter()
    induction = Induction(rules, listing)
    finish(induction, tell_nobody)
    end = time.perf_counter()
    return induction, {
        "states": induction.states,
        "listing": halfway - began,
        "solving": end - halfway,
        "value": float(induction.values[listing.number(rules, first)]),
        "successors": successor_values(rules, first, induction),
        "residual": induction.residual,
        "unproven": induction.unproven,
    }


def successor_values(rules: Rules, state: State, induction: Induction) -> list[float]:
    """Return the values after every pair of actions, if both choose; none otherwise."""
    if turn(rules, state) != BOTH:
        return []
    rows, columns = (members(moves(rules, state, seat)) for seat in (0, 1))
    after = [apply(rules, state, pair(row, column)) for row in rows for column in columns]
    return [float(induction.values[induction.listing.number(rules, one)]) for one in after]


def matrices(induction: Induction) -> dict[str, Any]:
    """Return how fast matrix games are solved, by us and by scipy, and how far these differ."""
    spent = 0.0
    solved = 0
    for start in range(0, induction.states, AUDIT_BLOCK):
        worker = induction.workers[0]
        end = min(start + AUDIT_BLOCK, induction.states)
        worker.part.write(start, end, worker.scratch)
        began = time.perf_counter()
        worker.evaluate_written()
        spent += time.perf_counter() - began
        written = worker.part.transitions
        kinds = written.kinds[: written.work[NODES]]
        solved += int((kinds >= MATRIX).sum())
    rules, listing = induction.rules, induction.listing
    rng = np.random.default_rng(1)
    worst = slow = 0.0
    compared = 0
    while compared < COMPARED:
        number = int(rng.integers(induction.states))
        state = listing.state(number)
        if turn(rules, state) == OVER:
            continue
        rows, columns = (members(moves(rules, state, seat)) for seat in (0, 1))
        after = [[apply(rules, state, pair(row, column)) for column in columns] for row in rows]
        game = [[induction.values[listing.number(rules, one)] for one in row] for row in after]
        began = time.perf_counter()
        value = linear_program(np.array(game))
        slow += time.perf_counter() - began
        worst = max(worst, abs(value - induction.values[number]))
        compared += 1
    return {
        "matrices_a_second": solved / spent,
        "scipy_a_second": compared / slow,
        "difference": worst,
    }


def linear_program(game: np.ndarray) -> float:
    """Return the value of a matrix game to who chooses the row, by scipy."""
    rows, columns = game.shape
    # The mixture, then the value, which is to be as large as any column allows.
    found = linprog(
        [0.0] * rows + [-1.0],
        A_ub=np.hstack([-game.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(found.fun)


def run(case: list[Any]) -> dict[str, Any]:
    """Run one case, after a smaller one that compiles, in this process."""
    kind, *rest = case
    if kind == "prove":
        rules = game_rules("arena")
        small = read_rules(rules, {"gamma": "1"})
        for one, budget in ((small, Budget(table=1)), (rules, Budget(table=512))):
            proof = ProofEvaluator(one, initial(one), budget, rest[0]).prove(initial(one))
        found = {"value": proof.value, "nodes": proof.nodes, "seconds": proof.seconds}
    else:
        game, changes, smaller = rest
        solved_case(game, smaller)
        induction, found = solved_case(game, changes)
        if kind == "matrices":
            found |= matrices(induction)
    return found | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def isolated(*case: Any, threads: int = 1) -> dict[str, Any]:
    """Return what a case finds in a process of its own, on some cores."""
    command = [sys.executable, "-m", "bench.solve", json.dumps(case)]
    limited = os.environ | {"NUMBA_NUM_THREADS": str(threads)}
    output = subprocess.run(command, capture_output=True, text=True, check=True, env=limited).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> float:
    """Return by how much our values and those of a twin differ at most."""
    one, other = ([found["value"], *found.get("successors", [])] for found in (ours, theirs))
    return float(max(abs(a - b) for a, b in zip(one, other, strict=True)))


def beside_twins() -> bool:
    """Print our seconds and memory beside those of twins in C++; return whether values agree.

    A twin runs on one core, as we do in the first column; in the second, two cores solve what the
    first has listed.
    """
    print(
        f"{'beside a twin in C++':<22} {'rules':<12} {'ours s':>8} {'2 cores':>8} {'faster':>7}"
        f" {'twin s':>8} {'ratio':>7} {'ours MiB':>9} {'twin MiB':>9} {'difference':>11}"
    )
    fine = True
    for row in TWIN_ROWS:
        text = " ".join(f"{key}={value}" for key, value in row.changes.items())
        try:
            theirs = twins.run(row.game, *row.arguments)
        except ImportError as error:
            print(f"{row.game:<22} {text:<12} left out: {error}")
            continue
        ours, both = (
            isolated("list", row.game, row.changes, row.smaller, threads=threads)
            for threads in (1, 2)
        )
        seconds, apart = ours["listing"] + ours["solving"], difference(ours, theirs)
        agrees = apart <= row.allowed and both["value"] == ours["value"]
        print(
            f"{row.game:<22} {text:<12} {seconds:>8.2f} {both['listing'] + both['solving']:>8.2f}"
            f" {ours['solving'] / both['solving']:>6.2f}x {theirs['seconds']:>8.3f}"
            f" {seconds / theirs['seconds']:>6.1f}x {ours['memory']:>9,.0f}"
            f" {theirs['memory']:>9,.0f} {apart:>11.1e}{'' if agrees else ' NO'}",
            flush=True,
        )
        fine &= agrees
    return fine


def main() -> bool:
    """Print all of it, and return whether all is as fast and as exact as it should be."""
    print(
        f"{'game':<22} {'rules':<26} {'states':>9} {'list s':>7} {'solve s':>8}"
        f" {'MiB':>6} {'residual':>9} {'value':>14}"
    )
    for game, changes, smaller in LISTED:
        found = isolated("list", game, changes, smaller)
        text = " ".join(f"{key}={value}" for key, value in changes.items())
        print(
            f"{game:<22} {text:<26} {found['states']:>9,} {found['listing']:>7.2f}"
            f" {found['solving']:>8.2f} {found['memory']:>6,.0f} {found['residual']:>9.1e}"
            f" {found['value']:>+14.10f}",
            flush=True,
        )
    agree = beside_twins()
    for objective in PROVEN:
        found = isolated("prove", objective)
        print(
            f"arena proven ({objective}): value {found['value']:+.0f}, {found['nodes']:,} nodes,"
            f" {found['seconds']:.2f} s, {found['memory']:,.0f} MiB",
            flush=True,
        )
    found = isolated("matrices", "droids", {}, {"shots": "1", "rounds": "2"})
    ratio = found["matrices_a_second"] / found["scipy_a_second"]
    print(
        f"droids: {found['matrices_a_second']:,.0f} matrix games a second,"
        f" {found['scipy_a_second']:,.0f} by scipy's linprog, {ratio:,.0f}x;"
        f" {COMPARED:,} of them differ by at most {found['difference']:.1e}"
    )
    fine = bool(agree and ratio >= MATRICES_WANTED and found["difference"] <= ALLOWED)
    print(f"as fast and as exact as they should be: {'yes' if fine else 'NO'}")
    return fine


if __name__ == "__main__":
    print(json.dumps(run(json.loads(sys.argv[1]))))
