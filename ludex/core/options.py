"""Options of agents: their ranges, and parsing texts such as `depth=4,seconds=1`."""

import dataclasses
from typing import Any

from ludex.io.schema import Key
from ludex.io.text import nearest, number_or_nan, read_int, read_word


def option(
    default: Any,
    text: str,
    low: float = 0,
    high: float = 0,
    words: str = "",
    kind: type[Any] | None = None,
) -> Any:
    """Return a dataclass field that is an option of an agent; `words` are separated by spaces.

    It is a number from low to high, or above low if it is a float.
    """
    known = Key(kind or type(default), default, text, low, high, tuple(words.split()))
    return dataclasses.field(default=default, metadata={"option": known})


def options_of(kind: type[Any]) -> dict[str, Key]:
    """Return the options of an agent's class by name."""
    return {
        field.name: field.metadata["option"]
        for field in dataclasses.fields(kind)
        if "option" in field.metadata
    }


def read_options(text: str) -> dict[str, str]:
    """Return names and values from a text of the form NAME=VALUE,NAME=VALUE."""
    found = {}
    for part in text.split(",") if text else []:
        name, equals, value = part.partition("=")
        if not equals or not name or not value:
            raise ValueError(f"option {part!r}: expected NAME=VALUE")
        if name.strip() in found:
            raise ValueError(f"option {name.strip()!r} is given twice")
        found[name.strip()] = value.strip()
    return found


def read_option(name: str, known: Key, text: str) -> Any:
    """Return the value of one option from its text."""
    if known.words:
        read_word(text, f"option {name}:", known.words)
        return text
    if known.kind is str:
        return text
    if known.kind is int:
        return read_int(text, f"option {name}:", int(known.low), int(known.high))
    number = number_or_nan(text)
    if not known.low < number <= known.high:
        raise ValueError(
            f"option {name}: {text!r}: expected a number above {known.low:g} up to {known.high:g}"
        )
    return number


def range_text(known: Key) -> str:
    """Return the allowed values of an option, in words."""
    if known.words:
        return " or ".join(known.words)
    if known.kind is str:
        return "text"
    above = "above " if known.kind is float else ""
    return f"{above}{known.low:.10g} to {known.high:.10g}"


def default_text(known: Key) -> str:
    """Return the default of an option; empty if the option is then unused."""
    default = known.default
    unused = default is None or (known.kind is float and not known.low < default <= known.high)
    return "" if unused else str(default)


def unknown_option(name: str, owner: str, names: list[str]) -> ValueError:
    """Return the error for an option that an agent does not have."""
    there = f"there are {', '.join(names)}" if names else "it has none"
    return ValueError(f"{owner} has no option {name!r}{nearest(name, names)} ({there})")
