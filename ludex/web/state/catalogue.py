"""The games that the server offers, by name: nothing else is ever imported."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ludex.agents.registry import AGENTS, LEVELS, refuses
from ludex.core.rules import Rules, State, game_of, kind_of, levels_of, name_of, title
from ludex.core.variants import changed, read_pairs
from ludex.games import all_names, find, game_rules, state_class, summary
from ludex.io.parsing import nearest
from ludex.web.state import limits

Texts = tuple[tuple[str, str], ...]
"""The rules that differ from the standard ones, as text: they travel between processes."""


class Missing(ValueError):
    """What somebody asks for by its name or number is not here."""


class Game(NamedTuple):
    """A game as it is offered."""

    name: str
    source: str
    """What `find` takes, in any folder: a name, or the path that the server was started with."""
    title: str
    summary: str
    kind: str


class Catalogue:
    """All games on offer: ours, those that are installed, and those from files."""

    def __init__(self, files: tuple[str, ...] = ()) -> None:
        self.games: dict[str, Game] = {}
        for source in (*all_names(), *files):
            game = find(source)
            name = name_of(game)
            about = summary(game)
            kind = kind_of(game) or "a game from outside"
            path = "/" in source or source.endswith(".py")
            place = str(Path(source).resolve()) if path else source
            self.games.setdefault(name, Game(name, place, title(game), about, kind))

    def __getitem__(self, name: str) -> Game:
        """Return a game; a ValueError offers the nearest name."""
        if name not in self.games:
            offer = nearest(name, self.games)
            raise Missing(f"no game {name[:80]!r}{offer} (there are {', '.join(self.games)})")
        return self.games[name]

    def game_of_record(self, text: str) -> Game:
        """Return the game that a record names: its name, or a file as one of ours is called."""
        file = text.rpartition("/")[2]
        for game in self.games.values():
            if text == game.name or file == game.source.rpartition("/")[2]:
                return game
        return self[text]

    def rules(self, name: str, texts: Mapping[str, str] | Texts = ()) -> Rules:
        """Return the rules of a game, changed by texts; a ValueError says what is wrong."""
        given = dict(texts)
        for key, text in given.items():
            if len(key) + len(text) > limits.TEXT:
                raise ValueError(f"rule {key[:40]!r}: expected at most {limits.TEXT} letters")
        return rules_from(self[name].source, tuple(given.items()))


@functools.lru_cache(maxsize=256)
def rules_from(source: str, texts: Texts) -> Rules:
    """Return the rules of a game by its source."""
    return game_rules(source, dict(texts))


def texts_of(rules: Rules) -> Texts:
    """Return what differs from the standard rules."""
    return tuple(changed(type(rules)(), rules).items())


def state_from(rules: Rules, numbers: tuple[int, ...]) -> State:
    """Return a state from its numbers."""
    return state_class(game_of(rules))._make(numbers)


def agents_for(rules: Rules) -> dict[str, str]:
    """Return the agents to choose from, with what people read: levels first."""
    levels = levels_of(rules)
    offered = {name: f"{name} ({levels[name]})" for name in LEVELS if name in levels}
    # Those that play from a file are offered where the file is.
    needing_files = ("hats", "qtable", "exact")
    offered |= {
        name: name
        for name, kind in AGENTS.items()
        if not refuses(kind, rules) and name not in needing_files
    }
    return offered


def write_rules(texts: Texts) -> str:
    """Return changed rules as one text for a link, such as `nuts=10;most=4`."""
    return ";".join(f"{key}={text}" for key, text in texts)


def parse_rules(text: str) -> dict[str, str]:
    """Return changed rules from the text of a link."""
    return read_pairs(part for part in text.split(";") if part.strip())
