"""A tournament described by a TOML file."""

from pathlib import Path
from typing import Any, NamedTuple

from ludex.core.variants import rule_texts
from ludex.external.paths import beside
from ludex.io.parsing import nearest
from ludex.io.toml import WORDS, table_in
from ludex.tournaments.plan import FORMATS, ROUND_ROBIN

KEYS: dict[str, type[Any]] = {
    "game": str,
    "agents": list,
    "format": str,
    "matches": int,
    "rounds": int,
    "seed": int,
    "clock": str,
    "rules": dict,
}
LEAST = {"matches": 1, "rounds": 1, "seed": 0}


class Order(NamedTuple):
    """What a tournament file says; None where it says nothing."""

    game: str | None = None
    agents: tuple[str, ...] = ()
    format: str | None = None
    matches: int | None = None
    rounds: int | None = None
    seed: int | None = None
    clock: str | None = None
    rules: tuple[tuple[str, str], ...] = ()


def read_order(path: Path) -> Order:
    """Return the order in a file; a ValueError names the place that is wrong.

    An agent's path that lies beside the file is taken before one from here.
    """
    place = f"tournament file {str(path)!r}"
    given = table_in(path, place)
    for name, value in given.items():
        if name not in KEYS:
            known = ", ".join(KEYS)
            raise ValueError(f"{place}: {name}: no such key{nearest(name, KEYS)} ({known})")
        if type(value) is not KEYS[name]:
            raise ValueError(f"{place}: {name} is {value!r}: expected {WORDS[KEYS[name]]}")
        if name in LEAST and value < LEAST[name]:
            raise ValueError(f"{place}: {name} is {value}: expected at least {LEAST[name]}")
    if given.get("format", ROUND_ROBIN) not in FORMATS:
        said = f"format is {given['format']!r}"
        raise ValueError(f"{place}: {said}: expected {', '.join(FORMATS)}")
    agents = tuple(given.pop("agents", ()))
    for number, text in enumerate(agents, start=1):
        if not isinstance(text, str):
            raise ValueError(f"{place}: agent {number} is {text!r}: expected {WORDS[str]}")
    rules = rule_texts(given.pop("rules", {}), f"{place}: rules.")
    if path.parent != Path():
        agents = tuple(beside(text, path.parent) for text in agents)
    return Order(agents=agents, rules=tuple(rules.items()), **given)
