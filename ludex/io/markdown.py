"""Markdown: changes to the prose of a page that leave its blocks of code alone."""

import re
from collections.abc import Callable

FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"^<!--.*?-->\n?", re.MULTILINE | re.DOTALL)
"""A comment that begins a line; one in the middle of a line is quoted as code."""
LINK = re.compile(
    r"(?P<picture>!?)\[(?P<text>[^]]*)\]\((?P<target>[^)\s#]*)(?P<anchor>#[^)\s]*)?\)"
)


def is_local(found: re.Match[str]) -> bool:
    """Return whether a link leads to a file, and not to another host or within its page."""
    return bool(found["target"]) and not re.match("[a-z]+:|/", found["target"])


def in_prose(text: str, change: Callable[[str], str]) -> str:
    """Return a text in which everything but the blocks of code is changed."""
    return "".join(part if part.startswith("```") else change(part) for part in FENCE.split(text))


def without_comments(text: str) -> str:
    """Return a text without the comments in its prose."""
    return in_prose(text, lambda prose: COMMENT.sub("", prose))


def with_links(text: str, change: Callable[[re.Match[str]], str]) -> str:
    """Return a text in whose prose every link and picture is replaced."""
    return in_prose(text, lambda prose: LINK.sub(change, prose))
