"""The guide of a game: how to play it, all its rules, and what is known about it."""

import re
from typing import NamedTuple

from nicegui import ui

from ludex.core import rules as ask
from ludex.core.scene import without_offers
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board
from ludex.web.parts.documents import TITLE, add_markdown, document
from ludex.web.parts.manual import Numbers, manual
from ludex.web.state.server_state import ServerState

PICTURE = re.compile(r"!\[[^]]*\]\([^)]*\)")
COMMAND = re.compile(r" \(`ludex [^`]*`\)")  # by which a fact is found
COMMANDS = re.compile(
    r"^```(?:console|text)\n(?:\$ )?ludex .*?^```\n?|^[^\n]*`(?:ludex |--)[^\n]*\n?", re.M | re.S
)
"""The lines and blocks about commands."""


class GuideSection(NamedTuple):
    """A section of a guide in Markdown, and what it says of the command line."""

    text: str
    commands: str


class GuidePage(GamePage):
    """The page of one game."""

    path = "/guide"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        game, rules = server.catalogue[self.game], self.rules
        with layout.frame(f"Guide to {game.title}"):
            layout.heading(game.title)
            layout.lead(layout.capitalize(game.summary))
            with layout.row().style("margin: 1.1rem 0"):
                self.game_picker()
                layout.primary("Play", self.address("/play"), "play_arrow")
                for name in ("Watch", "Understand", "Train", "Rules"):
                    layout.secondary(name, self.address(f"/{name.lower()}"))
            with layout.div("lx-play"):
                with layout.div():
                    manual(rules)
                    self.add_sections(guide_sections(guide_text(game.source)))
                with layout.div("lx-side"):
                    first = without_offers(ask.scene(rules, ask.initial(rules)))
                    Board(first, "The first position").set_inactive(True)
                    layout.div().style("height: 1rem")
                    Numbers(rules).add_tables()
            ui.run_javascript("lx.goToAnchor()")

    def add_sections(self, sections: list[GuideSection]) -> None:
        """Add the sections of the guide, if there is one; commands are folded."""
        if sections:
            with layout.sheet():
                for one in sections:
                    add_markdown(one.text)
                    if one.commands:
                        with ui.element("details").classes("lx-folder"):
                            ui.html("At the command line", sanitize=False, tag="summary")
                            add_markdown(one.commands)


def guide_sections(text: str) -> list[GuideSection]:
    """Return the sections of a guide, with the lines and blocks about commands apart."""
    parts = re.split(r"^(?=## )", COMMAND.sub("", text), flags=re.M)
    return [
        GuideSection(COMMANDS.sub("", part).strip(), "\n".join(COMMANDS.findall(part)).strip())
        for part in parts
        if part.strip()
    ]


def guide_text(source: str) -> str:
    """Return the guide of a game that comes with Ludex as Markdown; of others, nothing.

    Its title and its picture are left out, because the page has them already.
    """
    return PICTURE.sub("", TITLE.sub("", document(f"games/{source}"))).strip()
