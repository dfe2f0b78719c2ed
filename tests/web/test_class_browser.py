"""A class in a real browser; skipped where there is no chromium."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from ludex.classroom.people import renew_token, set_active
from tests import browsing
from tests.browsing import PATIENCE, go, serving
from tests.classrooms import FIRST
from tests.classvisit import Class, make_played, open_people
from tests.web.test_browser_readable import faults_of

pytestmark = browsing.MARKS
browser = browsing.browser
PAGES = (
    "/class",
    "/class/mine",
    "/class/program/2",
    "/class/matches",
    "/class/final",
    "/class/people",
    "/class/nowhere",
)


class Served(NamedTuple):
    """A class and the address of its server."""

    own: Class
    address: str

    def link(self, person: int) -> str:
        token = renew_token(self.own.classroom, person)
        return f"{self.address}/class/enter#{token}"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = make_played(tmp_path_factory.mktemp("played"))
    own = open_people(folder)
    words = ["class", "serve", str(folder), "--processes", "1"]
    env = {**os.environ, "LUDEX_UNSAFE": "1"}
    with serving(folder.parent / "data", words, env) as address:
        yield Served(own, address)
    own.classroom.close()


@pytest.fixture
def window(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(
        color_scheme="light", reduced_motion="reduce", viewport={"width": 390, "height": 844}
    )
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


@pytest.fixture
def page(window: BrowserContext) -> Iterator[Page]:
    """Yield a page on which nothing may go wrong, and no script of a student may run."""
    faults: list[str] = []
    opened = window.new_page()
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("dialog", lambda dialog: faults.append(dialog.message))
    yield opened
    assert faults == []


def enter(page: Page, link: str) -> None:
    """Come in by a link."""
    page.goto(link)
    page.wait_for_url("**/class")
    page.wait_for_function(browsing.CONNECTED)


def test_a_link_lets_its_owner_in_and_leaves_no_token_behind(page: Page, served: Served) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    link = served.link(served.own.ann.id)
    token = link.partition("#")[2]
    enter(page, link)
    expect(page.get_by_text("You are Ann (student).")).to_be_visible()
    assert not any(token in url for url in asked[1:])
    page.go_back()
    assert page.url == "about:blank"  # nothing of the link is in the history
    page.goto(f"{served.address}/class")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/class/enter")
    page.goto(f"{served.address}/class/mine")
    assert page.url.endswith("/class/enter")


def test_a_link_is_taken_where_the_entry_is_open_already(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/class")
    expect(page.get_by_role("button", name="Enter")).to_be_visible()
    enter(page, served.link(served.own.ann.id))
    expect(page.get_by_text("You are Ann (student).")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("link or token").fill(served.link(served.own.ann.id))
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("You are Ann (student).")).to_be_visible()


def test_a_file_and_a_folder_are_handed_in_and_checked(
    page: Page, served: Served, tmp_path: Path
) -> None:
    enter(page, served.link(served.own.ann.id))
    go(page, f"{served.address}/class/mine")
    file = tmp_path / "mine.py"
    file.write_text(FIRST)
    folder = tmp_path / "folder"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "agent.py").write_text(FIRST)
    (folder / "__pycache__" / "agent.pyc").write_bytes(b"\0")
    for button, path, name in (("A file", file, "Ann #3"), ("A folder", folder, "Ann #4")):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=button).click()
        chooser.value.set_files(path)
        expect(page.get_by_text(f"{name} has arrived")).to_be_visible()
        section = page.locator("section", has=page.get_by_role("heading", name=name))
        expect(section).to_contain_text("valid, and plays")


def test_pages_are_readable_by_everybody_and_fit_a_phone(page: Page, served: Served) -> None:
    enter(page, served.link(served.own.ada.id))
    faults: list[str] = []
    go(page, f"{served.address}/class/matches")
    match = page.locator("a[href*='/class/match/']").first.get_attribute("href") or ""
    for path in (*PAGES, match):
        go(page, f"{served.address}{path}")
        page.locator("h1").wait_for()
        width = page.evaluate("document.documentElement.scrollWidth")
        faults += [f"{path} is {width} wide"] if width > 390 else []
        for look in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if look == "dark" else "light")
            page.locator(f"body.body--{look}").wait_for()
            faults += [f"{path}, {look}: {one}" for one in faults_of(page, look)]
    assert faults == []


def test_the_log_in_is_readable_by_everybody(page: Page, served: Served) -> None:
    page.goto(f"{served.address}/class/enter")
    assert faults_of(page, "light") == []
    page.get_by_label("token").fill("guessed")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_role("alert")).to_contain_text("this token is nobody's")


def test_whoever_is_locked_out_leaves_an_open_page(page: Page, served: Served) -> None:
    enter(page, served.link(served.own.gus.id))
    set_active(served.own.classroom, served.own.gus.id, False)
    page.wait_for_url("**/class/enter")
