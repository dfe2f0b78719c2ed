"""Solving that is killed again and again: the solution has the same bytes as one that was not.

`python -m bench.kills` kills a process with SIGKILL ten times at random moments, and lets the last
one finish. What is solved is kept several times a second here, and not once a minute.
"""

import argparse
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from ludex.core.rules import initial
from ludex.core.variants import read_pairs
from ludex.games import game_rules
from ludex.solve import solving
from ludex.solve.solution_file import SOLUTION_ARRAYS

KILLS = 10
CASES = (("trap", "size=4"), ("droids", ""), ("aeroplane", "planes=2"))


def solve(game: str, changes: str) -> None:
    """Solve a game in this process, and keep what is solved often."""
    solving.KEEP_SECONDS, solving.KEEP_FACTOR = 0.1, 1.0
    rules = game_rules(game, read_pairs(changes.split()))
    solving.solve(rules, initial(rules))


def start(game: str, changes: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start to solve a game in a process whose solutions are in a folder."""
    command = [sys.executable, "-m", "bench.kills", "--solve", game, changes]
    return subprocess.Popen(command, env=os.environ | {"LUDEX_SOLUTIONS": str(folder)})


def complete(game: str, changes: str, folder: Path) -> None:
    """Solve a game in a process that nobody kills."""
    check(game, start(game, changes, folder).wait())


def check(game: str, code: int) -> None:
    """End the benchmark with one line unless a process has succeeded."""
    if code:
        sys.exit(f"solving {game} failed with code {code}")


def digest(folder: Path) -> str:
    """Return a hash of all arrays of the only solution in a folder."""
    # Checkpoints end otherwise, and so do temporary files that a kill has left.
    (file,) = (one for one in folder.glob("*.npz") if not one.name.endswith(".part.npz"))
    found = hashlib.sha256()
    with np.load(file) as arrays:
        for name in SOLUTION_ARRAYS:
            found.update(arrays[name].tobytes())
    return found.hexdigest()[:16]


def killed(game: str, changes: str, kills: int, rng: random.Random) -> bool:
    """Print how a game was solved with and without kills; return whether the bytes are the same."""
    with tempfile.TemporaryDirectory() as name:
        first, calm, wild = Path(name, "first"), Path(name, "calm"), Path(name, "wild")
        complete(game, changes, first)  # compiles
        began = time.perf_counter()
        complete(game, changes, calm)
        seconds = time.perf_counter() - began
        hits = resumed = 0
        while hits < kills:
            resumed += any(wild.glob("*.part.npz"))
            process = start(game, changes, wild)
            try:
                check(game, process.wait(rng.uniform(0.1, 0.5) * seconds))
                shutil.rmtree(wild)  # it was faster, and begins again
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                hits += 1
        complete(game, changes, wild)
        same = digest(first) == digest(calm) == digest(wild)
    print(
        f"{game} {changes}: {seconds:.1f} s undisturbed; killed {hits} times, resumed {resumed}"
        f" times in between: {'the same bytes' if same else 'OTHER BYTES'}",
        flush=True,
    )
    return same and resumed > 0


def main() -> bool:
    """Solve all cases, and return whether kills changed nothing."""
    parser = argparse.ArgumentParser(prog="python -m bench.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--solve", nargs=2, metavar=("GAME", "RULES"), help="do what is killed")
    asked = parser.parse_args()
    if asked.solve:
        solve(*asked.solve)
        return True
    rng = random.Random(asked.seed)
    return all([killed(*case, asked.kills, rng) for case in CASES])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
