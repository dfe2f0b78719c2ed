"""The games the server offers, by name; nothing else is ever imported."""

import functools
import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ludex.agents.registry import AGENTS, LEVELS, refuses
from ludex.core.rules import Rules, kind_of, levels_of, name_of, seats, title
from ludex.core.variants import read_pairs, rule_changes
from ludex.games import all_names, broken_games, find, game_rules, summary
from ludex.io.text import nearest
from ludex.web.state import limits

log = logging.getLogger("ludex.web")
NEEDING_FILES = ("hats", "qtable", "cfr", "net", "exact")  # offered where the file is
Texts = tuple[tuple[str, str], ...]
"""The rules that differ from the defaults, as text, which can be pickled."""


class Missing(ValueError):
    """There is nothing with the given name or number."""


class OfferedGame(NamedTuple):
    """A game on offer."""

    name: str
    source: str
    """A name or an absolute path, for `find`."""
    title: str
    summary: str
    kind: str


class Catalogue:
    """The games on offer: built in, installed unless they are broken, or from files."""

    def __init__(self, files: tuple[str, ...] = ()) -> None:
        self.games: dict[str, OfferedGame] = {}
        broken = broken_games()
        for words in broken.values():
            log.warning("%s", words)
        for source in (*(name for name in all_names() if name not in broken), *files):
            game = find(source)
            name = name_of(game)
            about = summary(game)
            kind = kind_of(game) or "a game from outside"
            path = "/" in source or source.endswith(".py")
            place = str(Path(source).resolve()) if path else source
            self.games.setdefault(name, OfferedGame(name, place, title(game), about, kind))

    def __getitem__(self, name: str) -> OfferedGame:
        """Return a game, or raise Missing with the nearest name."""
        if name not in self.games:
            offer = nearest(name, self.games)
            raise Missing(f"no game {name[:80]!r}{offer} (there are {', '.join(self.games)})")
        return self.games[name]

    def game_of_record(self, text: str) -> OfferedGame:
        """Return the game a record names, by its name or file name."""
        file = text.rpartition("/")[2]
        for game in self.games.values():
            if text == game.name or file == game.source.rpartition("/")[2]:
                return game
        return self[text]

    def rules(self, name: str, texts: Mapping[str, str] | Texts = ()) -> Rules:
        """Return the rules of a game with changes; raise a ValueError for invalid ones."""
        given = dict(texts)
        for key, text in given.items():
            if len(key) + len(text) > limits.TEXT:
                raise ValueError(f"rule {key[:40]!r}: expected at most {limits.TEXT} letters")
        return rules_from(self[name].source, tuple(given.items()))


@functools.lru_cache(maxsize=256)
def rules_from(source: str, texts: Texts) -> Rules:
    """Return the rules of a game from its source, with changes."""
    return game_rules(source, dict(texts))


def texts_of(rules: Rules) -> Texts:
    """Return the rules that differ from the defaults."""
    return tuple(rule_changes(type(rules)(), rules).items())


def agents_for(rules: Rules) -> dict[str, str]:
    """Return the agents to choose from with their captions, levels first."""
    levels = levels_of(rules)
    offered = {name: f"{name} ({levels[name]})" for name in LEVELS if name in levels}
    others = {name: kind for name, kind in AGENTS.items() if name not in NEEDING_FILES}
    return offered | {name: name for name, kind in others.items() if not refuses(kind, rules)}


def tournament_agents(rules: Rules, agent: str) -> str:
    """Return the agents of a tournament that shows how good one is, as a text for links."""
    return "|".join([agent, *list(agents_for(rules))[: max(3, seats(rules))]])


def rules_line(texts: Iterable[tuple[str, str]]) -> str:
    """Return changed rules in one line for people, such as `nuts = 10, most = 4`."""
    return ", ".join(f"{key} = {text}" for key, text in texts)


def write_rules(texts: Texts) -> str:
    """Return changed rules as a text for links, such as `nuts=10;most=4`."""
    return ";".join(f"{key}={text}" for key, text in texts)


def rules_text(rules: Rules) -> str:
    """Return the rules that differ from the defaults as a text for links."""
    return write_rules(texts_of(rules))


def parse_rules(text: str) -> dict[str, str]:
    """Parse the text of a link into changed rules."""
    return read_pairs(part for part in text.split(";") if part.strip())
