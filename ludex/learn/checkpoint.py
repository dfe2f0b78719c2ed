"""Checkpoints: files with a learned table, its game and learner, and the facts of its training."""

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludex.core.rules import OVER, Rules, apply, game_of, initial, patterns, seats, turn, version_of
from ludex.core.sampling import pick_move
from ludex.core.variants import rule_changes
from ludex.io import array_file
from ludex.io.array_file import Unusable
from ludex.io.text import ParameterError
from ludex.kernel.hashing import mix
from ludex.kernel.jit import compiled, short_name
from ludex.learn.table import Memory, choosers, key_of, memory_from
from ludex.learn.weights import as_arrays, scratch

LEARNED_FORMAT = 1
LEARNED_ARRAYS = ("keys", "rows", "visits")
SHIPPED_FILES = Path(__file__).parent / "files"
REFERENCE, LEARNED = "reference", "learned"  # kinds of the files included
LINES, LINE_PLIES = 5, 200  # random lines of play whose observations are hashed


class Checkpoint(NamedTuple):
    """A table, in which the keys of weights are their indices, and the facts of its training."""

    memory: Memory
    facts: dict[str, Any]


def save(path: Path, learner: str, rules: Rules, memory: Any, facts: dict[str, Any]) -> None:
    """Write a checkpoint atomically."""
    keys, rows, visits = as_arrays(memory)
    small = keys.astype(np.uint32) if np.all(keys >> 32 == 0) else keys
    arrays = {"keys": small, "rows": rows, "visits": visits}
    array_file.write(path, owner(learner, rules), arrays, facts)


def read_arrays(path: Path) -> tuple[array_file.Arrays, dict[str, Any]]:
    """Return the arrays and metadata of any learner's file; raise Unusable if it is not one."""
    try:
        return array_file.contents(path, LEARNED_ARRAYS, "ludex train")
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error


def load(path: Path, learner: str, rules: Rules) -> Checkpoint:
    """Return a checkpoint; raise Unusable if it does not fit this learner and these rules."""
    arrays, meta = read_arrays(path)
    for claim in (identity, owner):  # observations are compiled only for the right game
        for name, wanted in claim(learner, rules).items():
            found = meta["owner"].get(name)
            if found != wanted:
                label = OWNER_LABELS[name]
                raise Unusable(f"{path} is for {label} {fact_text(found)}, not {fact_text(wanted)}")
    return Checkpoint(memory_from(*(arrays[name] for name in LEARNED_ARRAYS)), dict(meta["facts"]))


# Names of the owner's fields in messages, in the order in which they are compared.
OWNER_LABELS = {
    "format": "Ludex's files of version",
    "learner": "the agent",
    "game": "the game",
    "version": "its game's version",
    "rules": "the rules",
    "features": "a learner who sees",
}


def fact_text(value: Any) -> str:
    """Return a fact as text."""
    if isinstance(value, dict):
        return ",".join(f"{name}={one}" for name, one in value.items()) or "by default"
    return str(value)


def identity(learner: str, rules: Rules) -> dict[str, Any]:
    """Return the learner, game and rules of a checkpoint."""
    game = game_of(rules)
    return {
        "format": LEARNED_FORMAT,
        "learner": learner,
        "game": short_name(game.__name__),
        "version": version_of(game),
        "rules": rule_changes(type(rules)(), rules),
    }


def owner(learner: str, rules: Rules) -> dict[str, Any]:
    """Return the identity of a checkpoint, with a hash of its observations."""
    return identity(learner, rules) | {"features": f"{observation_hash(rules, learner == 'td'):x}"}


@functools.lru_cache(maxsize=None, typed=True)  # rules of two games may be equal as tuples
def observation_hash(rules: Rules, by_patterns: bool) -> int:
    """Return a hash of the observations along a few random lines of play."""
    rng = np.random.default_rng(0)
    return int(hash_observations(rules, rng, scratch() if by_patterns else None))


@compiled
def hash_observations(rules, rng, places):
    """Return a hash of all features, or of all patterns if there are places for them."""
    total = 0
    for _ in range(LINES):
        state = initial(rules)
        for _ in range(LINE_PLIES):
            mover = turn(rules, state)
            if mover == OVER:
                break
            low, high = choosers(mover) if places is None else (0, seats(rules) - 1)
            for seat in range(low, high + 1):
                if places is None:
                    total = mix(total, key_of(rules, state, seat))
                else:
                    for index in range(patterns(rules, state, seat, places)):
                        total = mix(total, int(places[index]))
            state = apply(rules, state, pick_move(rules, state, mover, rng))
    return total


def games_with_file(kind: str) -> list[str]:
    """Return the games with an included file of a kind: `reference` or `learned`."""
    return sorted(one.name.partition("-")[0] for one in SHIPPED_FILES.glob(f"*-{kind}.npz"))


def shipped_file(kind: str, game: str | None) -> Path:
    """Return the included file of a kind for a game; the game may be None if there is only one."""
    games = games_with_file(kind)
    if game is None and len(games) != 1:
        raise ParameterError("{}: expected {game}, one of {}", kind, ", ".join(games))
    if game is not None and game not in games:
        raise ValueError(f"no {kind} for this game (there are some for {', '.join(games)})")
    return SHIPPED_FILES / f"{game or games[0]}-{kind}.npz"


def named_file(agent: str, text: str, rules: Rules) -> Path:
    """Return the file that an agent's option names: a path, or `reference` for the included one."""
    if not text:
        raise ValueError(f"{agent} plays from a file: {agent}:file=FILE (ludex train writes one)")
    if text != REFERENCE:
        return Path(text)
    return shipped_file(REFERENCE, short_name(game_of(rules).__name__))
