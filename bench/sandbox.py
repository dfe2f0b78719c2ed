"""The sandbox: what it adds to a match of somebody's agent, to its start and to a decision."""

import os
import tempfile
import time
from pathlib import Path

from ludex.agents.registry import Random
from ludex.core.rules import initial
from ludex.external import sandbox
from ludex.external.agent import make_external
from ludex.games import game_rules
from ludex.match.runner import play_match

AGENT = "def choose(position, moves, seconds):\n    return moves[0]\n"
MATCHES = 20
FLOOR = 0.25  # seconds that a match in the sandbox may take longer


def measured(path: str, confined: bool) -> tuple[float, float]:
    """Return seconds for a match, and for a decision of the agent."""
    os.environ[sandbox.UNSAFE] = "" if confined else "1"
    rules = game_rules("nuts")
    agent = make_external(path, rules)
    play_match(rules, initial(rules), [agent, Random()], 0)
    began, thought, decisions = time.perf_counter(), 0.0, 0
    for table in range(MATCHES):
        match = play_match(rules, initial(rules), [agent, Random()], 1, table)
        thought += match.seconds[0]
        decisions += match.decisions[0]
    return (time.perf_counter() - began) / MATCHES, thought / decisions


def main() -> bool:
    """Print the table, and return whether a match in the sandbox takes little longer."""
    before = os.environ.get(sandbox.UNSAFE)
    ways = [("without", False)] + [("sandbox", True)] * (not sandbox.fault())
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        file = folder / "agent.py"
        file.write_text(AGENT, encoding="utf-8")
        file.chmod(0o644)
        print(f"nuts against random, a process for each of {MATCHES} matches")
        print(f"{'':10} {'ms a match':>12} {'ms a decision':>14}")
        for way, confined in ways:
            found[way], decision = measured(str(file), confined)
            print(f"{way:10} {1000 * found[way]:12.1f} {1000 * decision:14.3f}")
    os.environ[sandbox.UNSAFE] = before or ""
    if "sandbox" not in found:
        print(f"no sandbox here: {sandbox.fault()}")
        return True
    more = found["sandbox"] - found["without"]
    print(f"the sandbox adds {1000 * more:.0f} ms to a match; under {1000 * FLOOR:.0f}: ", end="")
    print("yes" if more < FLOOR else "NO")
    return more < FLOOR
