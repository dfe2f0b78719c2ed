"""A small class on nuts: its assignment, submissions good and poor, and its results."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from ludex.cli import cli
from tests.gradescope import faults

NUTS = """
course = "nuts"
title = "Nuts"
clock = "decision=5"

[rules]
nuts = 11

[[tests]]
name = "Random"
opponent = "random"
matches = 4
points = 10

[[tests]]
name = "Meeting"
kind = "tournament"
matches = 2
points = 6
"""
SHORT = """
course = "droids"
title = "Droids"

[[tests]]
name = "The droid"
kind = "examples"
points = 2
examples = '''
>>> R2Droid(4, 4, (0, 0), 5).shots
5
'''

[[tests]]
name = "QAgent"
kind = "session"
agent = "QAgent"
points = 20
"""
GOOD = """
def choose(position, moves, seconds):
    wanted = f"take {(int(position.split()[0]) - 1) % 4}"
    return wanted if wanted in moves else moves[0]
"""
POOR = "def choose(position, moves, seconds):\n    return moves[-1]\n"


def submitted(folder: Path, name: str, source: str | bytes) -> Path:
    place = folder / name
    place.mkdir(parents=True)
    (place / "agent.py").write_bytes(source.encode() if isinstance(source, str) else source)
    return place


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(cli, ["grade", *map(str, arguments)])


def results_of(out: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "students" / name / "results.json").read_text())
    assert faults(found) == []
    return found
