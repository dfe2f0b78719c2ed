"""A program's clock on an idle and on a busy machine: the same program and seed, the same results.

Its turns take some 2 s of CPU time, and Trap's clock of 5 s counts that alone.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ludex.agents.registry import Random
from ludex.core.rules import initial
from ludex.core.time_control import Clocks
from ludex.external import sandbox
from ludex.external.agent import make_external
from ludex.games import game_rules
from ludex.match.runner import play_match
from ludex.match.session import Match

# Steps where random walks on the board come back to most often; the work is the same every time.
PLAYER = """
import random
from BaseAI import BaseAI

WALKS, STEPS = 80_000, 40

class PlayerAI(BaseAI):
    def getMove(self, grid):
        cells = grid.get_neighbors(self.pos, only_available=True)
        return max(cells, key=lambda cell: self.returns(grid.map.shape[0], cell, len(cells)))

    def returns(self, size, cell, share):
        found = 0
        for _ in range(WALKS // share):
            row, column = cell
            for _ in range(STEPS):
                row = min(max(row + int(3 * random.random()) - 1, 0), size - 1)
                column = min(max(column + int(3 * random.random()) - 1, 0), size - 1)
            found += (row, column) == cell
        return found

    def getTrap(self, grid):
        return grid.getAvailableCells()[0]
"""
MATCHES, TIMES, LOOPS = 2, 3, 6
PLIES = 12  # of a match: two turns of each seat, with a step, a throw and a landing


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Let some processes compute beside this one.

    Each has a session of its own, as the program has: a system that divides its time among
    sessions would else give them together no more than the program.
    """
    loop = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(loop, start_new_session=True) for _ in range(loops)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def played(path: str, loops: int) -> list[Match]:
    """Return the matches of the program, with so many processes beside it."""
    rules = game_rules("trap", {"size": "5"})
    agent = make_external(path, rules)
    with busy(loops):
        return [
            play_match(rules, initial(rules), [agent, Random()], 1, table, Clocks(plies=PLIES))
            for table in range(MATCHES)
        ]


def main() -> bool:
    """Print what a run takes each time, and return whether all have the same results."""
    results = set()
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        file = Path(name) / "PlayerAI.py"
        file.write_text(PLAYER, encoding="utf-8")
        file.chmod(0o644)
        confined = "in the sandbox" if not sandbox.fault() else "without a sandbox"
        print(f"trap, {MATCHES} matches of a program against random, {confined}")
        print(f"{'busy loops':>10} {'CPU s a turn':>13} {'wall s a turn':>14}  endings")
        for loops in (0, LOOPS) * TIMES:
            began = time.perf_counter()
            matches = played(str(file), loops)
            took = time.perf_counter() - began
            turns = sum(match.decisions[0] for match in matches) / 2
            thought = sum(match.seconds[0] for match in matches)
            results.add(tuple((one.moves, one.ending, one.words) for one in matches))
            endings = " ".join(one.ending for one in matches)
            print(f"{loops:10} {thought / turns:13.2f} {took / turns:14.2f}  {endings}")
    print(f"the same results every time: {'yes' if len(results) == 1 else 'NO'}")
    return len(results) == 1
