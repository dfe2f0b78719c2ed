"""An order for a tournament in a TOML file."""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from ludex.reading import nearest
from ludex.tournament.plan import FORMATS, ROUND_ROBIN

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
    """Return the order in a file; a ValueError names the place that is wrong."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"tournament file {str(path)!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"tournament file {str(path)!r} is not TOML: {error}") from error
    for name, value in given.items():
        place = f"tournament file {str(path)!r}: {name}"
        if name not in KEYS:
            raise ValueError(f"{place}: no such key{nearest(name, KEYS)} ({', '.join(KEYS)})")
        if type(value) is not KEYS[name]:
            raise ValueError(f"{place} is {value!r}: expected {KEYS[name].__name__}")
        if type(value) is int and value < 0:
            raise ValueError(f"{place} is {value}: expected at least 0")
    for number, text in enumerate(given.get("agents", []), start=1):
        if not isinstance(text, str):
            raise ValueError(
                f"tournament file {str(path)!r}: agent {number} is {text!r}: expected a text"
            )
    rules = given.pop("rules", {})
    for key, value in rules.items():
        if type(value) not in (int, str, list):
            raise ValueError(
                f"tournament file {str(path)!r}: rules.{key} is {value!r}:"
                " expected a whole number, a word or a list"
            )
    texts = {
        key: ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in rules.items()
    }
    agents = tuple(given.pop("agents", ()))
    if given.get("format", ROUND_ROBIN) not in FORMATS:
        raise ValueError(
            f"tournament file {str(path)!r}: format is {given['format']!r}:"
            f" expected {', '.join(FORMATS)}"
        )
    return Order(agents=agents, rules=tuple(texts.items()), **given)
