"""Texts for visitors: without the server's paths and settings."""

import re

from ludex.agents.registry import HUMAN

PERSON = re.compile(rf"{HUMAN} \((.+)\)")
PART = r"[\w.@+-]+"
# Absolute paths, those from a folder such as `./` or `~/`, and relative ones of a file; a position
# may have slashes, too.
PATH = re.compile(
    rf"(?<![\w.@+-])(?:~|\.\.?)?(?:/{PART}){{2,}}"
    rf"|{PART}(?:/{PART})+/[\w@+-]+\.(?:db|html|jsonl?|npz|py|svg|toml|txt)\b"
)
# What only whoever runs the server can do about a missing module.
PACKAGES_HINT = re.compile(r" \(LUDEX_PACKAGES=\S+ in the environment would bring it\)")


def hide_paths(text: str) -> str:
    """Return a text with the last part of each path alone, and with whole positions."""
    return PATH.sub(lambda found: found[0].rpartition("/")[2], text)


def without_paths(text: str) -> str:
    """Return a message on one line, without the server's paths and settings."""
    return hide_paths(PACKAGES_HINT.sub("", " ".join(text.split())))[:300]


def person_text(name: str) -> str:
    """Return the agent's text in a record of a person, whose name may be empty."""
    return f"{HUMAN} ({name})" if name else HUMAN


def player_name(text: str) -> str:
    """Return the name of a player of a record: of a person, or an agent's text."""
    if text == HUMAN:
        return "a person"
    if found := PERSON.fullmatch(text):
        return found[1]
    return public_agent(text)


def public_agent(text: str) -> str:
    """Return an agent's text as visitors write it, with the names of trainings for paths."""
    return without_paths(text).replace(".npz", "")
