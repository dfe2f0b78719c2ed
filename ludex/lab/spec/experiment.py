"""An experiment: its kind, game, rules, seed, and the keys of its kind."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludex.core.rules import Rules, seat_name, version_of
from ludex.games import find, game_rules, is_path
from ludex.io import schema
from ludex.io.text import many, toml_value
from ludex.lab.spec.openings import AUTOMATIC, opening_plies
from ludex.lab.spec.task import Task, make_task


@dataclass(frozen=True)
class Setting(schema.Key):
    """A setting of a kind of experiment; its lists are never empty."""

    low: float = 1
    scaled: bool = False
    """Whether --scale applies."""
    automatic: Callable[[Rules, dict[str, Any]], Any] | None = None
    """Computes the value from the rules and the other keys, if it is `AUTOMATIC` or empty."""


OPENING = Setting(
    int,
    AUTOMATIC,
    "random moves before a match; -1 as needed",
    low=-1,
    automatic=lambda rules, given: opening_plies(rules),
)


class Experiment(NamedTuple):
    """The complete, validated specification of an experiment."""

    name: str
    kind: str
    title: str
    about: str
    game: str
    rules: dict[str, str]
    seed: int
    given: dict[str, Any]
    """The keys of its kind, with all defaults."""

    def variant(self) -> Rules:
        """Return the rules of its game."""
        return game_rules(self.game, self.rules)

    @property
    def seat_names(self) -> tuple[str, str]:
        """The names of the two seats."""
        rules = self.variant()
        return seat_name(rules, 0), seat_name(rules, 1)

    def with_rules(self, rules: dict[str, str]) -> "Experiment":
        """Return the experiment with some rules changed."""
        return self._replace(rules=self.rules | rules)

    def task(self, work: str, **facts: Any) -> Task:
        """Return a task by its game and rules."""
        return make_task(work, game=self.game, rules=self.rules, **facts)

    def key(self) -> str:
        """Return a hash of all that its results depend on; what is off is left out."""
        game = find(self.game)
        name = game.__name__ if is_path(self.game) else self.game
        given = {key: value for key, value in self.given.items() if value is not False}
        parts = [self.kind, name, version_of(game), self.rules, self.seed, given]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def toml(self) -> str:
        """Return the experiment as TOML; the file of its game is expected beside it."""
        words = {"kind": self.kind, "title": self.title, "about": self.about}
        words["game"] = f"./{Path(self.game).name}" if is_path(self.game) else self.game
        lines = [f"{key} = {toml_value(text)}" for key, text in words.items() if text]
        lines += [f"seed = {self.seed}"]
        given = {key: value for key, value in self.given.items() if value not in ("", [], {})}
        tables = {key: value for key, value in given.items() if isinstance(value, dict)}
        lines += [f"{key} = {toml_value(given[key])}" for key in given if key not in tables]
        for name, table in (*tables.items(), *([("rules", self.rules)] if self.rules else [])):
            lines += ["", f"[{name}]"]
            lines += [f"{json.dumps(key)} = {toml_value(value)}" for key, value in table.items()]
        return "\n".join(lines) + "\n"


def opening_text(experiment: Experiment) -> str:
    """Describe the random openings, if there are any."""
    opening = experiment.given["opening"]
    if not opening:
        return ""
    return (
        f"Each match begins with {many(opening, 'move')} at random, the same for all"
        " pairs, because nothing else in this game is left to chance; intervals allow for matches"
        " with the same beginning being alike."
    )
