"""An experiment: its kind, game, rules, seed, and the keys of its kind."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ludex.core.rules import Rules
from ludex.core.variants import version_of
from ludex.games import find, game_rules
from ludex.io.plural import many
from ludex.lab.spec import game_file
from ludex.lab.spec.openings import AUTOMATIC, opening_of


class Key(NamedTuple):
    """What a kind of experiment may be told, under one name."""

    kind: str
    """One of `KINDS_OF_VALUES`."""
    default: Any = None
    """None if it must be said."""
    text: str = ""
    scaled: bool = False
    """Whether it grows and shrinks with --scale."""
    low: int = 1
    words: tuple[str, ...] = ()
    usual: Callable[[Rules, dict[str, Any]], Any] | None = None
    """Returns what stands for `AUTOMATIC` or nothing, given the rules and what else is told."""


OPENING = Key(
    "number",
    AUTOMATIC,
    "random moves before a match; -1 as needed",
    low=-1,
    usual=lambda rules, given: opening_of(rules),
)


class Experiment(NamedTuple):
    """An order to find something out, complete and checked."""

    name: str
    kind: str
    title: str
    about: str
    game: str
    rules: dict[str, str]
    seed: int
    given: dict[str, Any]
    """What its kind was told, with all defaults."""

    def variant(self) -> Rules:
        """Return the rules by which it plays."""
        return game_rules(self.game, self.rules)

    def key(self) -> str:
        """Return a hash of all that its results depend on."""
        game = find(self.game)
        name = game.__name__ if game_file.is_file(self.game) else self.game
        told = [self.kind, name, version_of(game), self.rules, self.seed, self.given]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

    def toml(self) -> str:
        """Return the order as a file that says all of it; a copy of its game lies beside it."""
        words = {"kind": self.kind, "title": self.title, "about": self.about}
        words["game"] = game_file.beside(self.game)
        lines = [f"{key} = {toml_value(text)}" for key, text in words.items() if text]
        lines += [f"seed = {self.seed}"]
        told = {key: value for key, value in self.given.items() if value not in ("", [], {})}
        tables = {key: value for key, value in told.items() if isinstance(value, dict)}
        lines += [f"{key} = {toml_value(told[key])}" for key in told if key not in tables]
        for name, table in (*tables.items(), *([("rules", self.rules)] if self.rules else [])):
            lines += ["", f"[{name}]"]
            lines += [f"{json.dumps(key)} = {toml_value(value)}" for key, value in table.items()]
        return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, dict):
        inside = ", ".join(f"{json.dumps(key)} = {toml_value(one)}" for key, one in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def is_list(value: Any, *kinds: type[Any]) -> bool:
    """Return whether a value is a list of at least one of these and nothing else."""
    return isinstance(value, list) and bool(value) and all(type(one) in kinds for one in value)


KINDS_OF_VALUES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "number": ("a whole number", lambda value: type(value) is int),
    "text": ("a text", lambda value: type(value) is str),
    "texts": ("a list of texts", lambda value: is_list(value, str)),
    "numbers": ("a list of numbers", lambda value: is_list(value, int, float)),
    "contenders": ("a list of agents", lambda value: is_list(value, str, dict)),
    "values": (
        "a table of texts",
        lambda value: isinstance(value, dict) and all(type(one) is str for one in value.values()),
    ),
}


@contextmanager
def under(key: str) -> Iterator[None]:
    """Let a ValueError, or a file that is not there, say which key, or what else, it is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from error
    except OSError as error:
        raise ValueError(f"{key}: {error.filename}: {error.strerror}") from error


def opening_words(experiment: Experiment) -> str:
    """Return in words how matches begin."""
    opening = opening_of(experiment.variant(), experiment.given["opening"])
    if not opening:
        return ""
    return (
        f"Each match begins with {many(opening, 'move')} at random, the same for all pairs, because"
        " nothing else in this game is left to chance; intervals allow for matches with the same"
        " beginning being alike."
    )
