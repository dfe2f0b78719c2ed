"""Agents as other people write them, and matches with them."""

from pathlib import Path

from ludex.agents.registry import Random, make_agent
from ludex.core.rules import initial
from ludex.core.time_control import Clocks
from ludex.external.agent import ExternalAgent
from ludex.match.runner import UNLIMITED, play_match
from ludex.match.session import Match
from tests.lines import variant

PLAYER = """
import random, sys
def begin(game, rules, seat):
    print("begin", game, sorted(rules.items()), seat)
def choose(position, moves, seconds):
    print(position, len(moves), seconds)
    print("error", file=sys.stderr)
    return random.choice(moves)
"""


def written(folder: Path, source: str, name: str = "player.py") -> str:
    """Return the path of an agent with this source; one that is no Python file is executable."""
    file = folder / name
    file.write_text(source, encoding="utf-8")
    file.chmod(0o755 if source.startswith("#!") else 0o644)
    return str(file)


def agent_of(path: str, game: str = "nuts") -> ExternalAgent:
    made = make_agent(path, variant(game))
    assert isinstance(made, ExternalAgent)
    return made


def play(path: str, game: str = "nuts", clocks: Clocks = UNLIMITED) -> tuple[Match, str]:
    """Return a match of an agent against a random one, and what it printed."""
    rules, agent = variant(game), agent_of(path, game)
    match = play_match(rules, initial(rules), [agent, Random()], 3, clocks=clocks)
    return match, agent.log


def choosing(body: str) -> str:
    """Return a file whose `choose` has this body."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"import os, sys, time\ndef choose(position, moves, seconds):\n{lines}"
