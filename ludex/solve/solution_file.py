"""Files of solutions: where they are kept, and to which game, rules and position they belong.

The name of a file is a hash of everything its values depend on: the sources of the game, its
rules, the initial state and the file format.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from ludex.core import rules as ask
from ludex.core.rules import Rules, State
from ludex.io.files import user_folder
from ludex.kernel.jit import game_hash, short_name

SOLUTION_FORMAT = 2
# The names on disk; "hopes" are the tie values.
SOLUTION_ARRAYS = ("fields", "keys", "values", "hopes", "progress")


def path_of(rules: Rules, state: State) -> Path:
    """Return the file of a solution, in $LUDEX_SOLUTIONS or the user's cache."""
    folder = user_folder("LUDEX_SOLUTIONS", "cache", "solutions")
    known = identity(rules, state)
    digest = hashlib.sha256(json.dumps(known).encode()).hexdigest()
    return folder / f"{known['game']}-{digest[:16]}.npz"


def identity(rules: Rules, state: State) -> dict[str, Any]:
    """Return everything on which the values of a game depend, from a first state on."""
    game = ask.game_of(rules)
    return {
        "format": SOLUTION_FORMAT,
        "game": short_name(game.__name__),
        "version": ask.version_of(game),
        "sources": game_hash(type(rules)),
        "rules": repr(tuple(rules)),
        "start": ask.position(rules, state),
    }
