"""Pages in a real browser, readable by everybody; skipped where there is no chromium."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests import browsing
from tests.browsing import PATIENCE, go, ready, start

pytestmark = browsing.MARKS
# Fixture: this file has a browser of its own.
browser = browsing.browser

# Our own check, and axe-core where `make` could bring it.
CHECK = (Path(__file__).parents[1] / "readable.js").read_text(encoding="utf-8")
AXE = Path(".cache/axe/node_modules/axe-core/axe.min.js")
ASK = """async (dark) => {
  // In the dark only the colours are others.
  const some = dark ? { runOnly: ["color-contrast"] } : {};
  const found = await axe.run(document, { resultTypes: ["violations"], ...some });
  return found.violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
}"""
PAGES = (
    "/",
    "/play/trap",
    "/watch",
    "/understand/nuts",
    "/train",
    "/tournament",
    "/rules/arena",
    "/lab",
    "/docs",
    "/guide/nuts",
    "/manual",
    "/manual/agents",
    "/nowhere",
)


def faults_of(page: Page, look: str) -> list[str]:
    """Return what is wrong with a page for people who see badly, use a keyboard or hear it."""
    faults = [str(fault) for fault in page.evaluate(CHECK)]
    if AXE.exists():
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(AXE.read_text(encoding="utf-8"))
        faults += [f"axe: {fault}" for fault in page.evaluate(ASK, look == "dark")]
    return faults


@pytest.mark.skipif(not AXE.exists(), reason="npm did not bring axe-core")
def test_axe_core_looks_at_the_pages_too(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang=en><title>A picture</title><main><h1>A picture</h1><img src=x>")
    assert any(fault.startswith("axe: image-alt: ") for fault in faults_of(page, "light"))
    page.close()


def test_pages_are_readable_by_everybody_in_either_look(browser: Browser, server: str) -> None:
    window = browser.new_context(color_scheme="light", reduced_motion="reduce")
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    faults: list[str] = []

    def look_at(name: str) -> None:
        for look, shown in (("light", "body--light"), ("dark", "body--dark")):
            page.emulate_media(color_scheme="dark" if look == "dark" else "light")
            page.locator(f"body.{shown}").wait_for()
            faults.extend(f"{name}, {look}: {fault}" for fault in faults_of(page, look))

    for path in PAGES:
        go(page, f"{server}{path}")
        page.locator("h1").wait_for()
        look_at(path)
    start(page, server, "nuts", "nuts=10")
    assert ready(page)
    look_at("match")
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    window.close()
    assert faults == []


def test_a_phone_has_no_sideways_scrolling(browser: Browser, server: str) -> None:
    window = browser.new_context(viewport={"width": 375, "height": 740}, has_touch=True)
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    for path in PAGES:
        go(page, f"{server}{path}")
        page.locator("h1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, path
    window.close()
