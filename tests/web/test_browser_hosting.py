"""The lab for guests and on phones, in a real browser: reports, rules, and a lost connection."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from ludex.lab.page import write_report
from ludex.store.notebook import Notebook
from tests import browsing
from tests.browsing import PATIENCE, arrive, go, ready, serving, start
from tests.experiments import ABLATION, outcome_of

pytestmark = browsing.MARKS
# Fixtures: this file has a browser of its own.
browser, window, page = browsing.browser, browsing.window, browsing.page
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    yield page
    page.set_viewport_size(before)


def test_a_report_fits_a_phone_and_shows_that_its_tables_go_on(
    phone: Page, server: str, notebook: Notebook, tmp_path: Path
) -> None:
    report = write_report(outcome_of(ABLATION, notebook), tmp_path / "out")
    go(phone, f"{server}/health")  # the report has no server
    phone.set_content(report.read_text(encoding="utf-8"))
    plot = phone.locator("figure svg:visible")
    box = plot.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    expect(phone.locator(".wide-plot").first).to_be_hidden()
    table = phone.locator(".wide").first
    assert table.evaluate("box => box.scrollWidth > box.clientWidth")
    before = table.locator("td").first.bounding_box()
    table.evaluate("box => { box.scrollLeft = 200 }")
    assert table.locator("td").first.bounding_box() == before, "the names of rows stay"
    phone.set_viewport_size({"width": 1280, "height": 900})
    expect(phone.locator(".wide-plot").first).to_be_visible()


def test_on_a_phone_the_rules_come_first_and_tab_follows_what_is_seen(
    phone: Page, server: str
) -> None:
    go(phone, f"{server}/rules/arena")
    top = "one => one.getBoundingClientRect().top + scrollY"
    fields = phone.locator(".lx-numbers input")
    assert fields.first.evaluate(top) < PHONE["height"] / 2
    fields.last.focus()
    phone.keyboard.press("Tab")
    assert phone.evaluate(f"({top})(document.activeElement)") > fields.last.evaluate(top)


def test_the_navigation_keeps_the_game_and_its_rules(page: Page, server: str) -> None:
    def expect_link(name: str, address: str) -> None:
        link = page.locator(".lx-nav").get_by_text(name, exact=True)
        expect(link).to_have_attribute("href", address)

    go(page, server)
    expect_link("Train", "/train")
    start(page, server, "trap", "size=4", "random")
    expect_link("Train", "/train/trap?rules=size%3D4")
    expect_link("Lab", "/lab")
    page.locator(".lx-nav").get_by_text("Watch").click()
    arrive(page, "**/watch/trap?rules=size%3D4")
    page.get_by_label("size", exact=True).fill("5")
    page.keyboard.press("Tab")
    expect_link("Rules", "/rules/trap?rules=size%3D5")
    go(page, f"{server}/rules/nuts?rules=nuts=12")
    expect_link("Watch", "/watch/nuts?rules=nuts%3D12")
    page.get_by_label("nuts", exact=True).fill("13")
    page.keyboard.press("Tab")
    expect_link("Watch", "/watch/nuts?rules=nuts%3D13")


def test_a_refused_value_is_explained_at_its_field(page: Page, server: str) -> None:
    go(page, f"{server}/rules/nuts")
    field = page.get_by_label("nuts", exact=True)
    field.fill("5")
    field.press("Enter")
    said = page.locator(".q-field", has=field).get_by_role("alert")
    expect(said).to_have_text("'5': expected a whole number from 10 to 100")
    field.fill("12")
    field.press("Enter")
    expect(page.get_by_text("nuts = 12")).to_be_visible()
    expect(said).to_have_count(0)


def test_a_tab_is_led_to_the_key_page_of_a_restarted_server(page: Page, server: str) -> None:
    go(page, f"{server}/lab")
    page.route("**/health", lambda route: route.fulfill(status=200))
    page.evaluate("socket.disconnect(); window.old = true; lx.askForKey()")
    assert page.evaluate("window.old"), "a server without a new key is waited for"
    page.route("**/health", lambda route: route.fulfill(status=401))
    page.evaluate("void lx.askForKey()")
    page.wait_for_function("window.old === undefined")


def test_a_match_goes_on_at_the_next_server(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    with serving(tmp_path, ["serve"], os.environ) as first:
        start(page, first, "nuts", "nuts=12", "random")
        assert ready(page)
        page.keyboard.press("1")
        expect(page.locator(".lx-log")).to_contain_text("Player 2: take")
        assert ready(page)
        moves, there = page.locator(".lx-log").inner_text(), page.url.removeprefix(first)
    with serving(tmp_path, ["serve"], os.environ) as second:
        go(page, second + there)
        assert ready(page)
        expect(page.locator(".lx-log")).to_have_text(moves, use_inner_text=True)
        page.locator(".lx-move").first.click()
        expect(page.locator(".lx-log li")).to_have_count(4)
    page.close()
