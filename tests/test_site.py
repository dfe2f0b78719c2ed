"""The site: every page has its place, the reference is complete, and nothing comes from elsewhere.

`make site` builds it and checks what comes out; these tests look at the sources alone.
"""

import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import ludex
from docs import publish, site_check
from ludex.games import GAMES
from ludex.web.pages.manual import SECTIONS
from ludex.web.parts.api_text import public_members

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SETTINGS = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
API = (DOCS / "api.md").read_text(encoding="utf-8")
DOCUMENTED = re.findall(r"^::: (\S+)$", API, re.MULTILINE)


NAV = SETTINGS["nav"]
SECTIONS_OF_SITE = {
    name: pages for one in NAV if isinstance(one, dict) for name, pages in one.items()
}


def nav_pages(entries: Any = NAV) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            for inside in entry.values():
                yield from nav_pages(inside)


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    pages = [page for page in pages if not page.startswith("solutions/")]
    notebooks = [publish.site_path(path) for path in publish.NOTEBOOKS]
    assert sorted(nav_pages()) == sorted([*pages, *notebooks, *publish.OUTSIDE.values()])


def test_tutorials_guides_reference_and_explanation_are_kept_apart() -> None:
    assert list(SECTIONS_OF_SITE) == ["Tutorials", "How-to guides", "Reference", "Explanation"]


def test_the_manual_of_the_lab_is_arranged_as_the_site_is() -> None:
    arranged = {name: [f"{page}.md" for page in pages] for name, pages in SECTIONS.items()}
    for name, entries in SECTIONS_OF_SITE.items():
        pages = [page for page in nav_pages(entries) if "/" not in page]
        assert arranged.pop(name) == [one for one in pages if one not in publish.OUTSIDE.values()]
    assert arranged == {"Pictures": ["gallery.md"]} and "gallery.md" in NAV


def test_the_site_asks_for_no_font_of_others() -> None:
    assert SETTINGS["theme"]["font"] is False
    assert "://" not in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


# The reference of the API. -----------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(ludex.PLACES))
def test_a_public_name_is_on_the_reference_page_once(name: str) -> None:
    assert DOCUMENTED.count(f"ludex.{name}") == 1


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_the_reference_page_names_is_there(name: str) -> None:
    module, _, last = name.rpartition(".")
    found = getattr(__import__(module, fromlist=[last]), last)
    assert inspect.getdoc(found)


def test_the_reference_shows_every_public_member_of_a_class() -> None:
    [plugin] = [one["mkdocstrings"] for one in SETTINGS["plugins"] if "mkdocstrings" in one]
    options = plugin["handlers"]["python"]["options"]
    assert options["filters"] == ["!^_"] and "members" not in options
    assert options["inherited_members"] and options["show_if_no_docstring"]
    assert not re.search(r"^ {4}", API, re.MULTILINE)  # no name has options of its own


def methods() -> list[str]:
    """Return the public functions, and the public methods and properties of public classes."""
    names = []
    for anchor in site_check.public_names():
        _, kind, *member = anchor.split(".")
        if not member or inspect.isroutine(getattr(getattr(ludex, kind), member[0], None)):
            names.append(anchor)
    return names


@pytest.mark.parametrize("name", methods())
def test_a_public_function_or_method_says_what_it_does(name: str) -> None:
    found: Any = ludex
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    assert inspect.getdoc(found)


def test_members_of_base_classes_count_as_members() -> None:
    assert "records" in public_members(ludex.Series)
    assert "ludex.Game.new_match" in methods()
    lacking = site_check.Page('<h3 id="ludex.Game">')
    assert "the API reference lacks ludex.Game.new_match" in [*site_check.missing_names(lacking)]


# Pages from outside, comments and links. ---------------------------------------------------------


class FileOfSite:
    def __init__(self, source: Path, page: str) -> None:
        self.abs_src_path, self.src_uri = str(source), page


class PageOfSite:
    def __init__(self, source: str, page: str) -> None:
        self.file = FileOfSite(ROOT / source, page)


def on_site(source: str, page: str, text: str) -> str:
    return publish.on_page_markdown(text, PageOfSite(source, page), None, None)


@pytest.mark.parametrize(
    ("source", "page", "link", "shown"),
    [
        ("README.md", "index.md", "docs/start.md", "start.md"),
        ("README.md", "index.md", "CHANGELOG.md", "changelog.md"),
        ("README.md", "index.md", "LICENSE", "source/LICENSE.md"),
        ("README.md", "index.md", "examples", "source/examples/index.md"),
        ("CONTRIBUTING.md", "contributing.md", "docs/architecture.md", "architecture.md"),
        ("docs/games/trap.md", "games/trap.md", "../external.md#output", "../external.md#output"),
        ("docs/gallery.md", "gallery.md", "pictures.py", "source/docs/pictures.py.md"),
        ("docs/web.md", "web.md", "../ludex/cli/play.py", "source/ludex/cli/play.py.md"),
        ("docs/web.md", "web.md", "#agents", "#agents"),
        ("docs/web.md", "web.md", "https://example.org/a", "https://example.org/a"),
    ],
)
def test_a_link_leads_to_a_page_of_the_site(source: str, page: str, link: str, shown: str) -> None:
    assert on_site(source, page, f"see [it]({link}).") == f"see [it]({shown})."


def test_comments_are_left_out_but_not_from_code() -> None:
    block = "```html\n<!-- kept -->\n```\n"
    text = f"a\n<!-- lab: [b](/c) -->\n<!-- [[[cog\nd\n]]] -->\n{block}`<!-- e -->`\n"
    assert on_site("docs/web.md", "web.md", text) == f"a\n{block}`<!-- e -->`\n"


def test_code_that_pages_link_to_is_a_page() -> None:
    linked = publish.linked_code([DOCS / "gallery.md", ROOT / "README.md"])
    assert {DOCS / "pictures.py", DOCS / "screenshots.py", ROOT / "examples" / "pig.py"} <= linked
    assert "def banner(" in publish.code_page(DOCS / "pictures.py")
    assert "[pig.py](pig.py.md)" in publish.code_page(ROOT / "examples")


def test_the_gallery_has_every_picture() -> None:
    shown = re.findall(r"\(pictures/([^)]+)\)", (DOCS / "gallery.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(one.name for one in (DOCS / "pictures").iterdir())


# The check of what was built. --------------------------------------------------------------------


@pytest.mark.parametrize(
    "loaded",
    [
        '<script src="https://cdn.example.org/a.js"></script>',
        '<link rel="stylesheet" href="//fonts.example.org/css">',
        '<img srcset="http://example.org/a.png 2x">',
        '<style>@import "https://example.org/a.css";</style>',
        '<p style="background: url(https://example.org/a.png)">',
    ],
)
def test_what_a_page_loads_from_elsewhere_is_a_fault(loaded: str, tmp_path: Path) -> None:
    page = site_check.Page(loaded)
    assert len([*site_check.foreign_loads(tmp_path, {tmp_path / "a.html": page})]) == 1


def test_styles_and_scripts_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@font-face { src: url(https://example.org/a.woff2) }")
    (tmp_path / "a.js").write_text('/* https://example.org */ load("https://example.org/a.js")')
    assert len([*site_check.foreign_loads(tmp_path, {})]) == 2


def test_links_to_elsewhere_and_files_of_the_site_are_no_fault(tmp_path: Path) -> None:
    page = site_check.Page('<a href="https://example.org"><img src="a.png"><img src="data:,">')
    assert [*site_check.foreign_loads(tmp_path, {tmp_path / "a.html": page})] == []


def test_dead_links_and_anchors_are_faults(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text('<h1 id="here"><a href="#here"><a href="#there"><a href="b.html">')
    page = site_check.Page(file.read_text())
    faults = [*site_check.dead_links({file: page})]
    assert [fault.partition(": ")[2] for fault in faults] == [
        "no anchor #there",
        "nothing at b.html",
    ]


# The wheel. --------------------------------------------------------------------------------------


def test_the_wheel_has_every_page_and_picture() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    brought = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    pages = [*DOCS.glob("*.md"), *(DOCS / "games" / f"{game}.md" for game in GAMES)]
    wanted = [page.relative_to(ROOT).as_posix() for page in [*pages, DOCS / "pictures"]]
    assert brought == {one: one.replace("docs", "ludex_guides", 1) for one in wanted}
