"""Read TOML tables and JSON objects by a schema: which keys there are, and what each may be.

A schema is a dictionary of `Key`s, or a NamedTuple whose fields are the keys:

    class Order(NamedTuple):
        game: str
        matches: Annotated[int, Key(low=1)] = 10

Every ValueError is one line that names the key, what came and what was expected.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from ludex.io.text import nearest

TomlTable = dict[str, Any]
REQUIRED: Any = object()
"""The default of a key that must be given."""


@dataclass(frozen=True)
class Key:
    """The type, range and default of one key of a table."""

    kind: Any = str
    """One of `WORDS`."""
    default: Any = REQUIRED
    text: str = ""
    """Its purpose, in a few words."""
    low: float = -math.inf
    """The smallest number, or the smallest length of a list."""
    high: float = math.inf
    words: tuple[str, ...] = ()
    """The allowed values; empty if there is no such restriction."""


WORDS: dict[Any, str] = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    TomlTable: "a table, such as [rules]",
    dict[str, str]: "a table of texts",
    list[str]: "a list of texts",
    list[float]: "a list of numbers",
    list[str | TomlTable]: "a list of texts or tables",
    list[TomlTable]: "tables in double brackets",
}
"""How messages name each type."""
JSON_WORDS = {**WORDS, str: "a text", tuple: "a list", dict: "a table of names and values"}


def load_toml(path: Path, place: str) -> dict[str, Any]:
    """Read a TOML file; the message of a ValueError begins with the place."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{place}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{place} is not TOML: {error}") from error


@contextmanager
def errors_at(place: str) -> Iterator[None]:
    """Prefix errors with a place; an OSError becomes a ValueError."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    except OSError as error:
        raise ValueError(f"{place}: {error.filename}: {error.strerror}") from error


def declared_keys(shape: type[Any]) -> dict[str, Key]:
    """Return the keys that the fields of a NamedTuple declare by annotation and default.

    Fields of other types than str, int, float and bool are left out: the caller adds their keys.
    """
    keys = {}
    for name, hint in get_type_hints(shape, include_extras=True).items():
        annotated = get_origin(hint) is Annotated
        plain, key = get_args(hint)[:2] if annotated else (hint, Key())
        kinds = [one for one in get_args(plain) or (plain,) if one is not NoneType]
        if len(kinds) == 1 and kinds[0] in (str, int, float, bool):
            default = shape._field_defaults.get(name, REQUIRED)
            keys[name] = replace(key, kind=kinds[0], default=default)
    return keys


def read_table(given: Any, keys: Mapping[str, Key]) -> dict[str, Any]:
    """Return the value of every key, or its default.

    Unknown keys are refused first, then wrong types, missing keys, and values out of range.
    """
    if not isinstance(given, dict):
        raise ValueError(f"{given!r}: expected {WORDS[TomlTable]}")
    for name in given:
        if name not in keys:
            raise ValueError(f"no key {name!r}{nearest(name, keys)} (there are {', '.join(keys)})")
    for name, value in given.items():
        key = keys[name]
        if not fits(value, key.kind):
            raise ValueError(f"{name} {misfit(value, key.kind)}: expected {expectation(key)}")
    for name, key in keys.items():
        if name not in given and key.default is REQUIRED:
            raise ValueError(f"{name} is missing: expected {expectation(key)}")
    for name, value in given.items():
        if not in_range(value, keys[name]):
            raise ValueError(f"{name} is {value!r}: expected {range_words(value, keys[name])}")
    return {
        name: float(value) if key.kind is float else value
        for name, key in keys.items()
        for value in [given.get(name, key.default)]
    }


def fits(value: Any, kind: Any) -> bool:
    """Return whether a value has a type; an int is also a float, a bool is not a number."""
    inner = get_args(kind)
    if kind is Any:
        return True
    if isinstance(kind, UnionType):
        return any(fits(value, one) for one in inner)
    if get_origin(kind) is dict:
        return isinstance(value, dict) and all(fits(one, inner[1]) for one in value.values())
    if get_origin(kind) is not None:
        return isinstance(value, get_origin(kind)) and all(fits(one, inner[0]) for one in value)
    if type(value) is bool:
        return kind is bool
    return isinstance(value, kind) or (kind is float and type(value) is int)


def from_json(table: Mapping[str, Any], shape: type[Any]) -> Any:
    """Return a NamedTuple from a JSON object; only fields with a default may be missing."""
    values = {}
    for name, kind in shape.__annotations__.items():
        if name in table or name not in shape._field_defaults:
            with errors_at(name):
                values[name] = convert(table.get(name), kind)
    return shape(**values)


def convert(value: Any, kind: Any) -> Any:
    """Return a JSON value as a type, a list as a tuple; a ValueError quotes what does not fit."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(value, list):
        return tuple(convert(one, inner[0]) for one in value)
    if origin is dict and isinstance(value, dict):
        return {key: convert(one, inner[1]) for key, one in value.items()}
    if not fits(value, kind):
        raise ValueError(f"{value!r} where {JSON_WORDS[origin or kind]} was expected")
    return float(value) if kind is float else value


def misfit(value: Any, kind: Any) -> str:
    """Quote the value of the wrong type, or the first such entry of a list."""
    if isinstance(value, list) and get_origin(kind) is list:
        wrong = next(one for one in value if not fits(one, *get_args(kind)))
        return f"has {wrong!r}"
    return f"is {value!r}"


def expectation(key: Key) -> str:
    """Return what a key should hold, for messages."""
    if key.words:
        return " or ".join(key.words) if len(key.words) < 3 else f"one of {', '.join(key.words)}"
    return WORDS[key.kind] + (f" ({key.text})" if key.text else "")


def in_range(value: Any, key: Key) -> bool:
    """Return whether a value of the right type is an allowed word, or within the bounds."""
    if key.words:
        return value in key.words
    size = len(value) if isinstance(value, list) else value
    return not isinstance(size, int | float) or key.low <= size <= key.high


def range_words(value: Any, key: Key) -> str:
    """Return what a value that is out of range should be, for messages."""
    if key.words:
        return expectation(key) + nearest(value, key.words)
    if isinstance(value, list):
        return expectation(key)
    if math.isinf(key.high):
        return f"at least {key.low}"
    return f"{WORDS[key.kind]} from {key.low} to {key.high}"
