"""What students hand in, played without a sandbox."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from ludex.agents.registry import Random, make_agent
from ludex.core.rules import initial
from ludex.core.time_control import Clocks
from ludex.match.runner import play_match
from ludex.match.session import Match
from tests.lines import variant

ROOT = Path(__file__).parent.parent
PROVIDED = ROOT / "ludex" / "external" / "provided"
SOLUTIONS = ROOT / "docs" / "solutions"


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"solution_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def played(path: str, game: str, clocks: Clocks = Clocks(), seat: int = 0) -> tuple[Match, str]:  # noqa: B008
    rules = variant(game)
    agent: Any = make_agent(path, rules)
    agents = [agent, Random()] if seat == 0 else [Random(), agent]
    return play_match(rules, initial(rules), agents, 1, clocks=clocks), agent.log
