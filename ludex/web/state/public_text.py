"""Texts for visitors: without the server's paths."""

import re

PATH = re.compile(r"(?:/[\w.@+-]+){2,}")


def hide_paths(text: str) -> str:
    """Return a text with the last part of each path alone."""
    return PATH.sub(lambda found: found[0].rpartition("/")[2], text)


def without_paths(text: str) -> str:
    """Return a message on one line, without the server's paths."""
    return hide_paths(" ".join(text.split()))[:300]


def public_agent(text: str) -> str:
    """Return an agent's text as visitors write it, with the names of trainings for paths."""
    return without_paths(text).replace(".npz", "")
