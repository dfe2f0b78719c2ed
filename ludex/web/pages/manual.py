"""The manual: all pages of the documentation, and a list of them."""

import html
import re

from nicegui import ui

from ludex.io.text import nearest
from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.documents import MANUAL, TITLE, add_markdown, document, page_title
from ludex.web.state.catalogue import Missing, OfferedGame
from ludex.web.state.server_state import ServerState

SECTIONS = {
    "Tutorials": ("tutorial", "add-a-game"),
    "How-to guides": (
        "start",
        "web",
        "deploy",
        "library",
        "matches",
        "batch",
        "learning",
        "lab",
        "external",
        "adapters",
        "courses",
        "grading",
        "class",
        "class-security",
    ),
    "Reference": ("examples", "agents", "commands", "api", "glossary"),
    "Explanation": ("explanation", "solving", "measuring", "architecture"),
    "Pictures": ("gallery",),
}
"""The pages of the manual, arranged as in mkdocs.yml; the guides of the games are pages too."""
PAGES = [page for pages in SECTIONS.values() for page in pages]
FIRST_LINE = re.compile(r"\A(?!```)[^\n|#!<].*$", re.MULTILINE)
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)|`")


def show_list(server: ServerState, query: Query) -> None:
    """Show the list of all pages."""
    with layout.frame("Manual"):
        layout.heading("Manual")
        layout.lead("How to use Ludex, and how it works: the pages of its documentation.")
        with layout.sheet().style("margin-top: 1.2rem"):
            games = [(f"/guide/{one.name}", one.title, one.summary) for one in offered(server)]
            add_links("Games", games)
            for name, pages in SECTIONS.items():
                links = [(f"{MANUAL}/{page}", page_title(page), summary(page)) for page in pages]
                add_links(name, [one for one in links if one[1]])


def offered(server: ServerState) -> list[OfferedGame]:
    """Return the games with a guide."""
    return [one for one in server.catalogue.games.values() if document(f"games/{one.source}")]


def add_links(name: str, links: list[tuple[str, str, str]]) -> None:
    """Add a heading and a list of links, each with what it is about."""
    items = "".join(
        f'<li><a href="{address}">{html.escape(title)}</a>'
        f'<div class="lx-soft lx-small">{html.escape(layout.capitalize(words))}</div></li>'
        for address, title, words in links
    )
    layout.heading(name, 2)
    ui.html(f'<ul class="lx-pages">{items}</ul>', sanitize=False)


def summary(page: str) -> str:
    """Return the first line of a page's text, without marks."""
    found = FIRST_LINE.match(TITLE.sub("", document(page)))
    return re.sub(":$", ".", LINK.sub(r"\1", found[0])) if found else ""


def show_page(server: ServerState, query: Query) -> None:
    """Show one page; Missing suggests the nearest one."""
    name = query["page"]
    text = document(name) if name in PAGES else ""
    if not text:
        raise Missing(f"no page {name[:80]!r}{nearest(name, PAGES)} in the manual")
    title = page_title(name)
    with layout.frame(title):
        ui.link("All pages of the manual", MANUAL).classes("lx-small")
        layout.heading(title)
        with layout.sheet().style("margin-top: 1.2rem"):
            add_markdown(TITLE.sub("", text))
        ui.run_javascript("lx.goToAnchor()")
