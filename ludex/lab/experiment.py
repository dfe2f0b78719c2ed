"""Experiments: what a TOML file orders, checked to the last word before any work starts."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ludex.games import find, game_rules
from ludex.lab.contender import check as check_contender
from ludex.reading import nearest
from ludex.rules import Rules
from ludex.toml import table_in
from ludex.variant import rule_texts, version_of

FOLDER = Path(__file__).parent / "experiments"
COMMON = ("kind", "title", "about", "game", "rules", "seed")
SEED = 1  # of experiments that do not say


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
        version = version_of(find(self.game))
        told = [self.kind, self.game, version, self.rules, self.seed, self.given]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

    def toml(self) -> str:
        """Return the order as a file that says all of it."""
        lines = [f"kind = {json.dumps(self.kind)}", f"title = {json.dumps(self.title)}"]
        lines += [f"game = {json.dumps(self.game)}", f"seed = {self.seed}"]
        told = {key: value for key, value in self.given.items() if value not in ("", [], {})}
        tables = {key: value for key, value in told.items() if isinstance(value, dict)}
        lines += [f"{key} = {toml_value(told[key])}" for key in told if key not in tables]
        for name, table in (*tables.items(), *([("rules", self.rules)] if self.rules else [])):
            lines += ["", f"[{name}]"]
            lines += [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in table.items()]
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


def shipped() -> dict[str, Path]:
    """Return the files of the experiments that come with Ludex, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def read_experiment(named: str, scale: float = 1.0, seed: int | None = None) -> Experiment:
    """Return the experiment of a name or a file; a ValueError names the place that is wrong."""
    ours = shipped()
    path = ours.get(named, Path(named))
    if named not in ours and not (named.endswith(".toml") or path.exists()):
        offer = nearest(named, ours)
        raise ValueError(f"no experiment {named!r}{offer} (there are {', '.join(ours)}, or a file)")
    where = f"experiment {named!r}"
    told = table_in(path, where)
    with under(where):
        return make_experiment(path.stem, told, scale, seed)


def make_experiment(
    name: str, told: dict[str, Any], scale: float = 1.0, seed: int | None = None
) -> Experiment:
    """Return an experiment as it is told; a ValueError names the key that is wrong."""
    from ludex.lab.kinds import KINDS

    if told.get("kind") not in KINDS:
        offer = nearest(str(told.get("kind")), KINDS)
        raise ValueError(f"kind is {told.get('kind')!r}{offer} (there are {', '.join(KINDS)})")
    kind = KINDS[told["kind"]]
    names = [*COMMON, *kind.KEYS]
    for key in told:
        if key not in names:
            raise ValueError(f"{key}: no such key{nearest(key, names)} ({', '.join(names)})")
    for key in ("title", "about", "game"):
        if type(told.get(key, "")) is not str:
            raise ValueError(f"{key} is {told[key]!r}: expected a text")
    if type(told.get("seed", 0)) is not int or not 0 <= told.get("seed", 0) < 2**63:
        raise ValueError(f"seed is {told['seed']!r}: expected a whole number, at least 0")
    if "game" not in told:
        raise ValueError("game: which one?")
    rules = told.get("rules", {})
    if not isinstance(rules, dict):
        raise ValueError(f"rules is {rules!r}: expected a table")
    given = {key: read_value(key, one, told, scale) for key, one in kind.KEYS.items()}
    experiment = Experiment(
        name,
        told["kind"],
        told.get("title", name),
        told.get("about", ""),
        told["game"],
        rule_texts(rules, "rules."),
        told.get("seed", SEED) if seed is None else seed,
        given,
    )
    check(experiment, kind.KEYS)
    kind.check(experiment)
    return experiment


def read_value(key: str, known: Key, told: dict[str, Any], scale: float) -> Any:
    """Return what an experiment is told under a key, or the default."""
    value = told.get(key, known.default)
    if value is None:
        raise ValueError(f"{key}: expected {KINDS_OF_VALUES[known.kind][0]} ({known.text})")
    if key not in told and known.kind != "number":
        return value
    expected, fits = KINDS_OF_VALUES[known.kind]
    if not fits(value):
        raise ValueError(f"{key} is {value!r}: expected {expected} ({known.text})")
    if known.words and value not in known.words:
        raise ValueError(f"{key} is {value!r}: expected {' or '.join(known.words)}")
    if known.kind == "number":
        if value < known.low:
            raise ValueError(f"{key} is {value}: expected at least {known.low}")
        return max(known.low, round(value * scale)) if known.scaled and value > 0 else value
    if known.kind == "numbers" and min(value) <= 0:
        raise ValueError(f"{key} has {min(value)}: expected numbers above 0")
    return value


def check(experiment: Experiment, keys: dict[str, Key]) -> None:
    """Raise a ValueError if the rules are none, or if somebody cannot play by them."""
    rules = experiment.variant()
    for key, known in keys.items():
        if known.kind == "contenders":
            for one in experiment.given[key]:
                with under(key):
                    check_contender(one, rules)


@contextmanager
def under(key: str) -> Iterator[None]:
    """Let a ValueError say which key, or what else, it is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{key}: {error}") from error
