"""Ludex: a laboratory for small games, with rules written once and compiled.

>>> import ludex
>>> nuts = ludex.load("nuts", nuts=10)
>>> match = nuts.new_match(seed=1)
>>> match.push("take 2")
>>> match.legal_moves()
['take 1', 'take 2', 'take 3']
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludex.analysis.decisions import Analysis, analyse
    from ludex.courses.skeleton import write_handout
    from ludex.grading.api import Grades, grade
    from ludex.lab.api import (
        Findings,
        available_experiments,
        experiment,
        past_experiment,
        past_experiments,
    )
    from ludex.library.exploitability import Exploitability, exploitability
    from ludex.library.game import Game, available_games, check, load
    from ludex.library.history import PastEvent, Replay, find_record, history, past_event, replay
    from ludex.library.inspection import Inspection, inspect
    from ludex.library.ladder import Ladder, ladder
    from ludex.library.player import Decision, Player, available_agents
    from ludex.library.results import Series, Tournament
    from ludex.library.series import play, tournament
    from ludex.library.table import Table
    from ludex.library.training import TrainingResult, train
    from ludex.library.tree import SearchTree, tree
    from ludex.library.truth import Truth
    from ludex.match.record import Record
    from ludex.match.session import Match
    from ludex.web.app import serve

__version__ = "0.1.0"

# The public names of each module; `import ludex` itself imports nothing.
MODULES = {
    "analysis.decisions": "Analysis analyse",
    "courses.skeleton": "write_handout",
    "grading.api": "Grades grade",
    "lab.api": "Findings available_experiments experiment past_experiment past_experiments",
    "library.exploitability": "Exploitability exploitability",
    "library.game": "Game available_games check load",
    "library.history": "PastEvent Replay find_record history past_event replay",
    "library.inspection": "Inspection inspect",
    "library.ladder": "Ladder ladder",
    "library.player": "Decision Player available_agents",
    "library.results": "Series Tournament",
    "library.series": "play tournament",
    "library.table": "Table",
    "library.training": "TrainingResult train",
    "library.tree": "SearchTree tree",
    "library.truth": "Truth",
    "match.record": "Record",
    "match.session": "Match",
    "web.app": "serve",
}
PLACES = {name: module for module, names in MODULES.items() for name in names.split()}

__all__ = [
    "Analysis",
    "Decision",
    "Exploitability",
    "Findings",
    "Game",
    "Grades",
    "Inspection",
    "Ladder",
    "Match",
    "PastEvent",
    "Player",
    "Record",
    "Replay",
    "SearchTree",
    "Series",
    "Table",
    "Tournament",
    "TrainingResult",
    "Truth",
    "analyse",
    "available_agents",
    "available_experiments",
    "available_games",
    "check",
    "experiment",
    "exploitability",
    "find_record",
    "grade",
    "history",
    "inspect",
    "ladder",
    "load",
    "past_event",
    "past_experiment",
    "past_experiments",
    "play",
    "replay",
    "serve",
    "tournament",
    "train",
    "tree",
    "write_handout",
]


def __getattr__(name: str) -> Any:
    """Return a public name, whose module is imported when it is first used."""
    if name not in PLACES:
        raise AttributeError(f"module 'ludex' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"ludex.{PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, so that an editor offers them."""
    return [*__all__, "__version__"]
