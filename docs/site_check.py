"""Check the built site: it loads nothing from elsewhere, no link is dead, the API is all there.

`make site` runs it: `python docs/site_check.py build/site`.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import ludex
from ludex.web.parts.api_text import public_members

LOADED = {"src", "srcset", "poster", "data"}
"""Attributes whose file a browser loads; of `<link>` it is href."""
ELSEWHERE = re.compile(r"\s*(?:[a-z]+:)?//", re.IGNORECASE)
IN_STYLE = re.compile(r"@import\s+[\"']?([^\"';]+)|url\(\s*[\"']?([^\"')]+)", re.IGNORECASE)
IN_SCRIPT = re.compile(r"(?<=[\"'`])https?://[^\s\"'`]+")
"""An address in a string of a script; those in comments are not loaded."""
NOT_LOADED = ("https://api.github.com/", "https://${e}/api/v4/")
"""What the theme asks about the repository that mkdocs.yml names; ours names none."""


class Page(HTMLParser):
    """What a page of the site loads, where its links lead, and the anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.style = ""
        self.in_style = False
        self.feed(text)
        self.loaded += style_addresses(self.style)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note the addresses and the anchor of a tag."""
        self.in_style = tag == "style"
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value or "")
            elif name == "style":
                self.style += f"{value}\n"
            elif tag == "a" and name == "href":
                self.links.append(value or "")
            elif name in LOADED or (tag in ("link", "image", "use") and name.endswith("href")):
                self.loaded.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        """Note that a style sheet has ended."""
        self.in_style = False

    def handle_data(self, data: str) -> None:
        """Note what a style sheet says."""
        self.style += data if self.in_style else ""


def style_addresses(style: str) -> list[str]:
    """Return the addresses that a style sheet loads."""
    return [one or other for one, other in IN_STYLE.findall(style)]


def loads_elsewhere(address: str) -> bool:
    """Return whether an address is on another host; what is in the page itself is not."""
    return bool(ELSEWHERE.match(address))


def foreign_loads(folder: Path, pages: dict[Path, Page]) -> Iterator[str]:
    """Yield what pages, style sheets and scripts load from other hosts."""
    for file, page in pages.items():
        yield from (f"{file}: loads {one}" for one in page.loaded if loads_elsewhere(one))
    for file in sorted(folder.rglob("*.css")):
        for one in style_addresses(file.read_text(encoding="utf-8")):
            if loads_elsewhere(one):
                yield f"{file}: loads {one}"
    for file in sorted(folder.rglob("*.js")):
        for one in IN_SCRIPT.findall(file.read_text(encoding="utf-8")):
            if not one.startswith(NOT_LOADED):
                yield f"{file}: may load {one}"


def dead_links(pages: dict[Path, Page]) -> Iterator[str]:
    """Yield the links between pages that lead nowhere, and pictures that are not there."""
    for file, page in pages.items():
        if file.name == "404.html":  # shown at any address; its own are absolute
            continue
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            if not target.exists():
                yield f"{file}: nothing at {link}"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{file}: no anchor {link}"


def public_names() -> Iterator[str]:
    """Yield the anchors of the API: functions, classes, and the public members of classes."""
    for name in sorted(ludex.PLACES):
        yield f"ludex.{name}"
        kind = getattr(ludex, name)
        if inspect.isclass(kind):
            yield from (f"ludex.{name}.{one}" for one in public_members(kind))


def missing_names(page: Page) -> Iterator[str]:
    """Yield the public names that the reference lacks."""
    yield from (
        f"the API reference lacks {one}" for one in public_names() if one not in page.anchors
    )


def main(folder: Path) -> int:
    """Print every fault, and return whether there is one."""
    files = sorted(folder.resolve().rglob("*.html"))
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in files}
    faults = [*foreign_loads(folder.resolve(), pages), *dead_links(pages)]
    faults += missing_names(pages[folder.resolve() / "api.html"])
    for fault in faults:
        print(fault, file=sys.stderr)
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages, {links} links, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
