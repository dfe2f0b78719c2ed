"""What all pages of a server have in common: its name, the navigation and the footer."""

import functools
import html
from typing import NamedTuple

from ludex import __version__

PAGES = {
    "/": "Games",
    "/watch": "Watch",
    "/understand": "Understand",
    "/train": "Train",
    "/tournament": "Tournament",
    "/rules": "Rules",
    "/lab": "Lab",
    "/agents": "Agents",
}
WITHOUT_GAME = ("/", "/lab")
"""The pages that are about all games."""
FOOTER = f"""<div>Ludex {__version__}</div>
<a href="/manual">Manual</a><a href="/docs">REST API</a><a href="/health">Health</a>
<button type="button" class="lx-keys-button" onclick="lx.showKeys()">Keys (?)</button>"""


class Site(NamedTuple):
    """What all pages of a server have in common."""

    name: str
    home: str
    pages: tuple[tuple[str, str], ...]
    """The addresses in the navigation, with their names."""
    footer: str
    """As HTML."""


LAB = Site("Ludex", "/", tuple(PAGES.items()), FOOTER)


@functools.lru_cache(maxsize=256)
def navigation_html(pages: tuple[tuple[str, str], ...], current: str) -> str:
    """Return the links to all pages, with the current one marked.

    Each element of a page costs every session some KiB: this text is shared by all.
    """
    return "".join(
        f'<a href="{address}"{" data-game" * (address not in WITHOUT_GAME)}'
        f"{' aria-current=page' * (address == current)}>{html.escape(name)}</a>"
        for address, name in pages
    )
