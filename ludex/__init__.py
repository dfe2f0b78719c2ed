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
    from ludex.library.exploitability import Exploitability, exploitability
    from ludex.library.game import Game, available_games, load
    from ludex.library.player import Decision, Player
    from ludex.library.series import Series, Tournament, play, tournament
    from ludex.library.table import Table
    from ludex.library.training import Trained, train
    from ludex.library.truth import Truth
    from ludex.match.record import Record
    from ludex.match.session import Match

__version__ = "0.1.0"

# Where each public name is; `import ludex` itself imports nothing.
PLACES = {
    "Analysis": "analysis.decisions",
    "Decision": "library.player",
    "Exploitability": "library.exploitability",
    "Game": "library.game",
    "Match": "match.session",
    "Player": "library.player",
    "Record": "match.record",
    "Series": "library.series",
    "Table": "library.table",
    "Tournament": "library.series",
    "Trained": "library.training",
    "Truth": "library.truth",
    "analyse": "analysis.decisions",
    "available_games": "library.game",
    "exploitability": "library.exploitability",
    "load": "library.game",
    "play": "library.series",
    "tournament": "library.series",
    "train": "library.training",
}

__all__ = [
    "Analysis",
    "Decision",
    "Exploitability",
    "Game",
    "Match",
    "Player",
    "Record",
    "Series",
    "Table",
    "Tournament",
    "Trained",
    "Truth",
    "analyse",
    "available_games",
    "exploitability",
    "load",
    "play",
    "tournament",
    "train",
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
