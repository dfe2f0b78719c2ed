"""The manual in the lab: the pages of the documentation, their links, anchors and pictures."""

import re
from pathlib import Path

import pytest
from nicegui import ui
from nicegui.elements.markdown import prepare_content
from nicegui.testing import User

import ludex
from ludex.games import GAMES
from ludex.web.pages.guide import guide_sections, guide_text
from ludex.web.pages.manual import PAGES
from ludex.web.parts.documents import EXTRAS, document, folder
from ludex.web.parts.site import FOOTER
from ludex.web.state.server_state import ServerState
from tests.webvisit import error_response, visit

pytestmark = pytest.mark.plain
LINKS = re.compile(r"(?<!!)\[[^]]*\]\(([^)]*)\)")
PICTURES = re.compile(r"!\[[^]]*\]\(([^)]*)\)")


def anchors(address: str) -> set[str]:
    """Return the anchors of a page of the manual or of a guide."""
    _, kind, name = address.split("/")
    texts = [document(name)]
    if kind == "guide":
        texts = [one.text for one in guide_sections(guide_text(name))]
    shown = "".join(prepare_content(text, " ".join(EXTRAS)) for text in texts)
    return set(re.findall(r'id="([^"]*)"', shown))


def test_every_page_of_the_documentation_is_in_the_manual() -> None:
    where = folder()
    assert where is not None
    assert sorted(PAGES) == sorted(page.stem for page in where.glob("*.md"))


@pytest.mark.parametrize("page", [*PAGES, *(f"games/{game}" for game in GAMES)])
def test_links_between_pages_lead_to_pages_and_anchors_of_the_lab(page: str) -> None:
    text = document(page)
    known = {f"/manual/{one}" for one in PAGES} | {f"/guide/{game}" for game in GAMES}
    assert text.startswith("# ") and "<!-- [[[" not in text and "\n:::" not in text
    here = f"/guide/{page[6:]}" if "/" in page else f"/manual/{page}"
    for link in LINKS.findall(re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        address, _, anchor = link.partition("#")
        if not address.startswith(("https://", "http://")) and not lab_page(address):
            assert not address or address in known, link
            assert not anchor or anchor in anchors(address or here), link


def lab_page(address: str) -> bool:
    """Return whether an address is that of a page about a game, which test_looks.py opens."""
    return address.startswith(("/understand", "/train", "/rules", "/play", "/watch"))


def test_a_page_shows_its_text_and_its_pictures(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/manual/gallery")
        await user.should_see("Gallery")
        (shown,) = user.find(ui.markdown).elements
        pictures = PICTURES.findall(shown.content)
        assert len(pictures) > 10
        for address in pictures:
            answer = await user.http_client.get(address)
            assert answer.status_code == 200 and answer.headers["content-type"].startswith("image/")

    visit(story, tmp_path)


def test_the_list_leads_to_every_page(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/manual")
        shown = " ".join(one.content for one in user.find(ui.html).elements)
        for address in [f"/manual/{page}" for page in PAGES] + [f"/guide/{one}" for one in GAMES]:
            assert f'href="{address}"' in shown
        assert "One command grades a class." in shown and "Import ludex gives scripts" in shown

    visit(story, tmp_path)


def test_the_manual_is_reached_from_every_page() -> None:
    assert '<a href="/manual">Manual</a>' in FOOTER


@pytest.mark.parametrize("name", ["nowhere", "pictures", "games", "README", "..%2Fgames%2Fnuts"])
def test_a_page_that_the_manual_lacks_is_not_found(name: str, tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        said = "No page has this address" if "%2F" in name else f"No page '{name}'"
        await error_response(user, f"/manual/{name}", said)

    visit(story, tmp_path)


def test_a_misspelt_page_is_suggested(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await error_response(user, "/manual/gradin", "did you mean 'grading'?")

    visit(story, tmp_path)


@pytest.mark.parametrize("path", ["..%2Fpictures.py", "%2e%2e/start.md", "../../pyproject.toml"])
def test_nothing_but_pictures_is_served(path: str, tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        assert (await user.http_client.get(f"/manual/pictures/{path}")).status_code == 404

    visit(story, tmp_path)


def test_names_of_other_files_are_no_pages() -> None:
    for name in ("../README", "games/../start", "/etc/passwd", "pictures.py", "start.md", ""):
        assert document(name) == ""


def test_the_reference_in_the_lab_has_every_public_name_and_its_members() -> None:
    text = document("api")
    for name in ludex.PLACES:
        assert f"\n### {name}\n" in text
    assert "- `new_match(position: str | None = None" in text
    assert "chance: str = 'auto') -> Match`: Return a match before its first move" in text
    assert "- `wins`: How many the first agent won." in text
