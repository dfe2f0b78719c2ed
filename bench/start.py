"""How long the program takes to start, against a bare Python."""

import os
import subprocess
import sys
import tempfile
import time

ROUNDS = 7
WANTED = 1.5  # seconds for a match whose rules have been compiled
MATCH = ["-m", "ludex", "play", "trap", "random", "random", "--seed", "1"]
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "ludex --help": ["-m", "ludex", "--help"],
    "ludex games": ["-m", "ludex", "games"],
    "ludex play trap random random": MATCH,
}


def seconds(command: list[str], **environment: str) -> float:
    """Return how long a command takes."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
        env=os.environ | environment,
    )
    return time.perf_counter() - began


def main() -> bool:
    """Print a table of start times."""
    with tempfile.TemporaryDirectory() as empty:
        cold = seconds(MATCH, LUDEX_CACHE=empty)
        warm = sorted(seconds(MATCH, LUDEX_CACHE=empty) for _ in range(ROUNDS))[ROUNDS // 2]
    for command in COMMANDS.values():
        seconds(command)
    rounds = [{name: seconds(one) for name, one in COMMANDS.items()} for _ in range(ROUNDS)]
    print(f"Start to end of a command: the median of {ROUNDS} interleaved rounds")
    for name in COMMANDS:
        times = sorted(one[name] for one in rounds)
        ratio = sorted(one[name] / one["python -c pass"] for one in rounds)[ROUNDS // 2]
        print(f"{name:<31} {times[ROUNDS // 2]:>8.3f} s {ratio:>8.1f}x")
    print(f"{'a first match, nothing compiled':<31} {cold:>8.3f} s")
    print(f"{'the same match again':<31} {warm:>8.3f} s {cold / warm:>7.1f}x faster")
    return warm < WANTED
