"""Lines of play by labels or at random, and answers of compiled and interpreted code."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import config

from ludex.core.play import parse, states
from ludex.core.rules import Rules, State, apply, initial, turn
from ludex.core.sampling import draw_moves
from ludex.games import game_rules


def variant(game: str, **texts: Any) -> Rules:
    """Return the rules of a game with some of them changed; `_` stands for `-`."""
    values = {
        key: ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for key, value in texts.items()
    }
    return game_rules(game, {key.replace("_", "-"): value for key, value in values.items()})


def replay(rules: Rules, *labels: str, start: State | None = None) -> State:
    """Return the state after moves given by their labels."""
    state = initial(rules) if start is None else start
    for text in labels:
        state = apply(rules, state, parse(rules, state, text))
    return state


def random_line(rules: Rules, seed: int, plies: int = 2000) -> list[int]:
    """Return the moves of a random line of play."""
    line = np.zeros(plies, np.int64)
    length = draw_moves(rules, initial(rules), np.random.default_rng(seed), line)
    moves: list[int] = line[:length].tolist()
    return moves


def random_states(rules: Rules, seed: int, plies: int = 2000) -> Iterator[State]:
    """Yield the states along a random line of play."""
    return states(rules, initial(rules), random_line(rules, seed, plies))


def decisions(rules: Rules, seed: int, plies: int = 80) -> list[State]:
    """Return some states of a random line in which a seat is to act."""
    found = [state for state in random_states(rules, seed, plies) if turn(rules, state) >= 0]
    return found[:: max(1, len(found) // 4)]


def luck(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def both_ways(function: str, *arguments: Any) -> list[Any]:
    """Return what a function, as MODULE.NAME, returns here, compiled, and without the compiler.

    Arguments and answers travel as JSON, which has every digit. Here it finds what other tests of
    the same game have compiled.
    """
    assert not config.DISABLE_JIT
    module, _, name = function.rpartition(".")
    call = f"{name}(*json.loads({json.dumps(arguments)!r}))"
    interpreted = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import json; from {module} import {name}; print(json.dumps({call}))",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent.parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    ).stdout
    compiled = json.dumps(getattr(importlib.import_module(module), name)(*arguments))
    return [json.loads(compiled), json.loads(interpreted)]
