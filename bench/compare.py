"""`python -m bench.compare REVISION`: whether this tree is as fast as another revision.

Both take turns, each measured by its own benchmarks in a process of its own, and the best rates
are compared: what else the machine does can only lower a rate.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludex.games import GAMES

HERE = Path(__file__).resolve().parent.parent
WANTED = 0.97  # of the other revision's figure
ROUNDS = 5

SEARCHES = (
    ("minimax:depth=6", "arena"),
    ("alphabeta:depth=9", "arena"),
    ("expectiminimax:depth=4", "trap"),
    ("simultaneous:depth=3", "droids"),
)
SOLVED: tuple[tuple[str, dict[str, str]], ...] = (
    ("droids", {"shots": "3"}),
    ("trap", {"size": "3"}),
    ("aeroplane", {"planes": "1"}),
    ("examples/tictactoe.py", {}),
)
COMPILED = (
    ("alphabeta:depth=1", "trap"),
    ("simultaneous:depth=1", "droids"),
    ("mcts:sims=9", "arena"),
)
# The expression that gives a figure, a rate of which more is better, after its imports.
FIGURES = {
    **{f"playouts {game}": f"playouts.speed({game!r})" for game in GAMES},
    **{f"{text} {game}": f"search.speed({text!r}, {game!r})" for text, game in SEARCHES},
    **{f"mcts {game}": f"mcts.pairing({game!r})[0]" for game in GAMES},
    **{
        " ".join(["solve an hour", game, *changes.values()]): f"solved({game!r}, {changes!r})"
        for game, changes in SOLVED
    },
    "hats nuts": "learn.compiled_speed()",
    **{f"qlearning {game}": f"learn.updates_speed({game!r})" for game in ("nuts", "droids")},
    **{f"matches {game}": f"matches.measured({game!r}, 'random', 4000, 1)[0]" for game in GAMES},
    **{
        f"compile an hour {text} {game}": f"first_choices({text!r}, {game!r})"
        for text, game in COMPILED
    },
}
CODE = """
import time

import numpy as np

from bench import learn, matches, mcts, playouts, search, solve
from ludex.agents.registry import make_agent
from ludex.core.rules import initial
from ludex.games import game_rules

def first_choices(text, game):
    rules, rng = game_rules(game), np.random.default_rng(1)
    began = time.process_time()
    make_agent(text, rules).consider(rules, initial(rules), 0, rng)
    return 3600.0 / (time.process_time() - began)

def solved(game, changes):
    solve.solved_case(game, changes)
    figures = [solve.solved_case(game, changes)[1] for _ in range(3)]
    # Games and not states: symmetry may leave fewer of these.
    return max(3600.0 / (one["listing"] + one["solving"]) for one in figures)

print({expression})
"""


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Keep the tree of a revision in a folder of its own, as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), revision], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def figure(tree: Path, expression: str) -> float:
    """Return a figure of the tree in this folder, measured by its own benchmarks."""
    with tempfile.TemporaryDirectory() as empty:
        cache = {"LUDEX_CACHE": empty} if expression.startswith("first_choices") else {}
        run = subprocess.run(
            [sys.executable, "-c", CODE.replace("{expression}", expression)],
            cwd=tree,
            env=os.environ | {"PYTHONPATH": str(tree), **cache},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return float(run.stdout.split()[-1])


def compare(there: Path, names: list[str], rounds: int) -> bool:
    """Print each figure of both trees, and return whether none has become too small."""
    print(f"{'the best, a second':<34} {'before':>14} {'now':>14} {'ratio':>7}")
    fine = True
    for name in names:
        expression = FIGURES[name]
        pairs = [(figure(there, expression), figure(HERE, expression)) for _ in range(rounds)]
        before, now = (max(column) for column in zip(*pairs, strict=True))
        fine &= now >= WANTED * before
        print(f"{name:<34} {before:>14,.0f} {now:>14,.0f} {now / before:>7.3f}", flush=True)
    print(f"at least {WANTED} of before everywhere: {'yes' if fine else 'NO'}")
    return fine


def main() -> bool:
    """Compare this tree with the revision that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=__doc__)
    parser.add_argument("revision", help="what to compare with, for example HEAD~20")
    parser.add_argument("figures", nargs="*", help="beginnings of names, for example 'mcts trap'")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_intermixed_args()
    names = [name for name in FIGURES if not asked.figures or name.startswith(tuple(asked.figures))]
    if not names:
        parser.error(f"no figure begins so; there are: {', '.join(FIGURES)}")
    with checkout(asked.revision) as there:
        return compare(there, names, asked.rounds)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
