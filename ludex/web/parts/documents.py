"""The documentation in the lab: its pages, as Markdown whose links lead to pages of the lab."""

import functools
import posixpath
import re
from pathlib import Path

from nicegui import app, ui

import ludex
from ludex.io.markdown import in_prose, is_local, with_links, without_comments
from ludex.web.parts.api_text import api_text

PACKAGE = Path(ludex.__file__).parent
FOLDERS = (PACKAGE.parent / "ludex_guides", PACKAGE.parent / "docs")
"""Where the documentation is: in an installed package, and in a checkout."""
NAME = re.compile(r"(?:games/)?[a-z][a-z-]*")
TITLE = re.compile(r"\A# (.*)\n+")
IN_LAB = re.compile(r"<!-- lab: (.*?) -->")  # said here in place of commands
DIRECTIVE = re.compile(r"^::: (ludex[\w.]*)$", re.MULTILINE)  # a name of the API
EXTRAS = ["tables", "fenced-code-blocks", "header-ids"]
"""The extensions of Markdown that pages use."""
WIDE = re.compile("<(table|pre)>")
MANUAL, PICTURES = "/manual", "/manual/pictures"


def folder() -> Path | None:
    """Return the folder of the documentation, if it was installed."""
    return next((one for one in FOLDERS if one.is_dir()), None)


def share_pictures() -> None:
    """Serve the pictures of the documentation, and nothing else of its folder."""
    where = folder()
    if where is not None and (where / "pictures").is_dir():
        app.add_static_files(PICTURES, where / "pictures")


@functools.cache
def document(name: str) -> str:
    """Return a page such as start or games/nuts as Markdown for the lab; empty if there is none."""
    where = folder()
    if where is None or not NAME.fullmatch(name) or not (where / f"{name}.md").is_file():
        return ""
    text = IN_LAB.sub(r"\1", (where / f"{name}.md").read_text(encoding="utf-8"))
    text = in_prose(without_comments(text), lambda prose: DIRECTIVE.sub(api_text, prose))
    return with_links(text, lambda found: lab_link(found, name))


def page_title(name: str) -> str:
    """Return the heading of a page; empty if there is none."""
    found = TITLE.match(document(name))
    return found[1] if found else ""


def lab_link(found: re.Match[str], page: str) -> str:
    """Return a link of a page as one of the lab; what the lab does not show is plain text."""
    picture, text, target, anchor = (
        found["picture"],
        found["text"],
        found["target"],
        found["anchor"],
    )
    if not is_local(found):
        return found[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    where, end = path.removesuffix(".md"), anchor or ""
    if picture:
        return f"![{text}]({PICTURES}/{posixpath.basename(path)})"
    if path == where or not NAME.fullmatch(where):
        return text
    games = where.removeprefix("games/")
    return f"[{text}]({f'/guide/{games}' if games != where else f'{MANUAL}/{where}'}{end})"


def add_markdown(text: str) -> None:
    """Add a part of the documentation, which is ours and needs no sanitizing, with anchors.

    Whatever may be too wide can be scrolled by the keyboard.
    """
    part = ui.markdown(text, extras=EXTRAS, sanitize=False).classes("lx-guide")
    part._props["innerHTML"] = WIDE.sub(r"<\1 tabindex=0>", part._props["innerHTML"])
