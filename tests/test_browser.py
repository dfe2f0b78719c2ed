"""The web lab in a real browser. Where there is no chromium, only this file is skipped."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: no test in a real browser"),
]
PATIENCE = 60_000  # milliseconds, for a machine that does much else
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    data = tmp_path_factory.mktemp("data")
    process = subprocess.Popen(
        [sys.executable, "-m", "ludex", "serve", "--port", str(port)],
        env=os.environ | {"LUDEX_DATA": str(data)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{address}/health").close()
                break
            except OSError:
                assert process.poll() is None, "the server has ended"
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        _, said = process.communicate(timeout=20)
    assert b"Traceback" not in said, said.decode()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def context(browser: Browser, server: str) -> Iterator[BrowserContext]:
    """Yield a window that notes what leaves the machine and what goes wrong in it."""
    opened = browser.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(PATIENCE)
    asked: list[str] = []
    faults: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("weberror", lambda error: faults.append(str(error.error)))
    yield opened
    opened.close()
    assert asked
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []
    assert faults == []


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def start(page: Page, server: str, game: str, rules: str, against: str = "easy") -> None:
    """Begin a match against an agent."""
    page.goto(f"{server}/play/{game}?rules={rules}&against={against}")
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url("**/match/**")


def ended(page: Page) -> bool:
    text = page.locator(".lx-status").inner_text()
    return " wins" in text or "draw" in text


def ready(page: Page) -> bool:
    """Wait for one's turn; return whether it came before the match was over."""
    page.wait_for_function(
        "() => document.querySelector('.lx-move') ||"
        " / wins|draw/.test(document.querySelector('.lx-status')?.textContent)"
    )
    return page.locator(".lx-move").count() > 0


def click_shape(page: Page, number: int = 0) -> None:
    """Click a shape on the board that means something, in its middle."""
    shapes = page.locator(".lx-svg .lx-on[tabindex]")
    shapes.first.wait_for()
    shape = shapes.nth(number % shapes.count())
    shape.scroll_into_view_if_needed()
    box = shape.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def play_by_clicks(page: Page, most: int = 120) -> None:
    for number in range(most):
        if not ready(page):
            return
        before = page.locator(".lx-log").inner_text()
        click_shape(page, number)
        page.wait_for_function(
            "before => document.querySelector('.lx-log').innerText !== before", arg=before
        )
    raise AssertionError("the match did not end")


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("nuts", "nuts=10"),
        ("arena", ""),
        ("aeroplane", "planes=1"),
        ("trap", "size=3"),
        ("droids", "rounds=6"),
    ],
)
def test_a_whole_match_by_clicks(page: Page, server: str, game: str, rules: str) -> None:
    start(page, server, game, rules)
    play_by_clicks(page)
    assert ended(page)


def test_droids_by_keyboard(page: Page, server: str) -> None:
    start(page, server, "droids", "rounds=4;shots=1")
    for key in ("w", "ArrowDown", " ", "d", "ArrowLeft", "a", "s", "ArrowUp") * 3:
        if not ready(page):
            break
        page.keyboard.press(key)
    assert ended(page)
    assert "R2-D2: up" in page.locator(".lx-log").inner_text()


def test_every_game_is_played_by_keyboard_alone(page: Page, server: str) -> None:
    start(page, server, "trap", "size=3")
    assert ready(page)
    page.keyboard.press("ArrowRight")  # to the first offer
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lx-ring")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".lx-move").first).to_contain_text("throw")
    page.keyboard.press("1")
    expect(page.locator(".lx-log")).to_contain_text("chance")


def test_odds_are_shown_before_a_throw(page: Page, server: str) -> None:
    start(page, server, "trap", "size=5")
    assert ready(page)
    click_shape(page)
    expect(page.locator(".lx-move").first).to_contain_text("throw")
    page.locator(".lx-move").nth(10).hover()
    expect(page.locator(".lx-above")).to_contain_text("%")


def test_a_finger_sees_the_odds_and_throws_by_touching_again(browser: Browser, server: str) -> None:
    window = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
    )
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    start(page, server, "trap", "size=5")

    def touch(number: int) -> None:
        shapes = page.locator(".lx-svg .lx-on[tabindex]")
        shapes.first.wait_for()
        box = shapes.nth(number).bounding_box()
        assert box
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    touch(0)
    expect(page.locator(".lx-move").first).to_contain_text("throw")
    words = page.locator(".lx-move").nth(7).inner_text().removeprefix("8")
    for target in (6, 7):  # another cell shows its odds, and nothing is thrown
        touch(target)
        expect(page.locator(".lx-above")).to_contain_text("%")
    expect(page.locator(".lx-again")).to_have_text(f"Touch again: {words}")
    touch(7)
    expect(page.locator(".lx-log")).to_contain_text(f"Player 1: {words}")
    assert ready(page)
    touch(0)
    expect(page.locator(".lx-move").first).to_contain_text("throw")
    page.locator(".lx-move").first.tap()  # the list asks as well
    expect(page.locator(".lx-again")).to_contain_text("Touch again: throw")
    window.close()


def test_an_agent_counts_as_it_is_typed(page: Page, server: str) -> None:
    page.goto(f"{server}/play/nuts")
    page.get_by_label("Player 2").fill("wibble")
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator(".q-notification")).to_contain_text("no agent 'wibble'")
    page.get_by_label("Player 2").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("alphabeta:depth=4")
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url("**/match/**")
    expect(page.locator(".lx-title")).to_contain_text("Player 2: alphabeta:depth=4")


def test_a_reload_in_the_middle_loses_nothing(page: Page, server: str) -> None:
    start(page, server, "nuts", "nuts=12")
    assert ready(page)
    page.keyboard.press("1")
    expect(page.locator(".lx-log")).to_contain_text("Player 1: take 1")
    assert ready(page)
    before = page.locator(".lx-log").inner_text()
    page.reload()
    assert ready(page)
    assert page.locator(".lx-log").inner_text() == before
    page.keyboard.press("u")
    expect(page.locator(".lx-log")).to_contain_text("none yet")


def test_two_browsers_play_by_link_and_choose_at_once_unseen(
    page: Page, browser: Browser, server: str
) -> None:
    page.goto(f"{server}/play/droids?rules=rounds=2")
    page.get_by_label("R2-Q5").click()
    page.get_by_role("option", name="a person by link").click()
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url("**/match/**")
    link = page.locator(".lx-guest").get_attribute("href")
    other = browser.new_context(reduced_motion="reduce").new_page()
    other.set_default_timeout(PATIENCE)
    assert link and link.startswith(server)
    other.goto(link)
    for _ in range(2):
        assert ready(page) and ready(other)
        before = other.locator(".lx-log").inner_text()
        page.keyboard.press("w")
        expect(page.locator(".lx-status")).to_contain_text("You have chosen")
        assert other.locator(".lx-log").inner_text() == before
        assert page.locator(".lx-move").count() == 0
        other.keyboard.press("ArrowUp")
        page.wait_for_function(
            "before => document.querySelector('.lx-log').innerText !== before", arg=before
        )
    expect(page.locator(".lx-status")).to_contain_text("draw")
    expect(other.locator(".lx-status")).to_contain_text("draw")
    other.context.close()


def test_somebody_without_the_key_can_only_watch(page: Page, browser: Browser, server: str) -> None:
    start(page, server, "nuts", "nuts=10")
    assert ready(page)
    other = browser.new_context().new_page()
    other.goto(page.url.partition("?")[0])
    expect(other.locator(".lx-status")).to_contain_text("Waiting for Player 1")
    assert other.locator(".lx-move").count() == 0
    other.keyboard.press("1")
    other.locator("[data-id=take-1]").click(force=True)
    expect(page.locator(".lx-log")).to_contain_text("none yet")
    other.context.close()


def test_a_match_of_agents_is_watched_back_and_forth(page: Page, server: str) -> None:
    page.goto(f"{server}/watch/nuts?rules=nuts=10")
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url("**/watch/match/**")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".lx-status")).to_contain_text("wins")
    page.get_by_role("button", name="To the start").click()
    expect(page.locator(".lx-status")).to_contain_text("The first position")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lx-status")).to_contain_text("Player 1: take")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator(".lx-status")).to_contain_text("Player 2: take")
    expect(page.get_by_text("exact").first).to_be_visible()


def test_a_training_is_started_and_stopped(page: Page, server: str) -> None:
    page.goto(f"{server}/train/nuts")
    page.get_by_label("matches").fill("90000000")
    page.get_by_role("button", name="Start learning").click()
    page.wait_for_url("**lesson=**")
    expect(page.locator(".lx-status")).to_have_text("Learning")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".lx-status")).to_have_text("Stopped")
    page.get_by_role("button", name="Play against it").click()
    expect(page.get_by_label("Player 2")).to_have_value(re.compile("hats:file=nuts-hats-"))


def test_an_experiment_is_started_and_stopped(page: Page, browser: Browser, server: str) -> None:
    page.goto(f"{server}/lab/arena")
    page.get_by_role("button", name="Start: Arena: depth against depth").click()
    page.wait_for_url("**key=**")
    other = browser.new_context().new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(f"{server}/lab")
    expect(other.get_by_text("Somebody else has started it")).to_be_visible()
    expect(other.get_by_role("button", name="Stop")).to_be_disabled()
    other.context.close()
    page.goto(f"{server}/lab")  # the browser remembers what it may stop
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".lx-status")).to_contain_text("Stopped")


# Motion. ------------------------------------------------------------------------------------------

PLANE = "document.querySelector('[data-id=plane-B-1]')"
WATCH = (
    f"const plane = {PLANE};"
    + """
  window.places = [];
  new MutationObserver(() => {
    if (window.places.at(-1) !== plane.style.transform) window.places.push(plane.style.transform);
  }).observe(plane, { attributes: true });
  const list = document.querySelector(".lx-moves");
  new MutationObserver(() => {
    if (list.textContent.includes("roll 1")) window.there ??= plane.style.transform;
  }).observe(list, { childList: true });
"""
)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_plane_flies_its_way_and_nobody_waits_for_it(
    browser: Browser, server: str, motion: Literal["no-preference", "reduce"]
) -> None:
    window = browser.new_context(reduced_motion=motion)
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server}/understand/aeroplane?rules=planes=1&position=B:16 G:h 2 0")
    page.locator(".lx-move").first.wait_for()
    page.evaluate("() => {" + WATCH + "}")
    page.keyboard.press("1")  # it walks two squares, flies and jumps
    expect(page.locator(".lx-move").first).to_contain_text("roll 1")
    if motion == "no-preference":
        page.wait_for_function("() => window.places.length > 2")
    page.keyboard.press("6")  # while it flies
    expect(page.get_by_label("position")).to_have_value("B:34 G:h 6 1")
    # What comes next was offered before the plane was there, or else there was no motion.
    at_once = page.evaluate(f"window.there === {PLANE}.style.transform")
    assert at_once == (motion == "reduce")
    window.close()


# Readable by everybody: our own check, and axe-core where `make` could bring it. -----------------

CHECK = (Path(__file__).parent / "readable.js").read_text(encoding="utf-8")
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
    "/nowhere",
)


def faults_of(page: Page, look: str) -> list[str]:
    """Return what is wrong with a page for people who see badly, use a keyboard or hear it."""
    faults = [str(fault) for fault in page.evaluate(CHECK)]
    if AXE.exists():
        page.evaluate(AXE.read_text(encoding="utf-8"))
        faults += [f"axe: {fault}" for fault in page.evaluate(ASK, look == "dark")]
    return faults


def test_axe_core_looks_at_the_pages_too() -> None:
    if not AXE.exists():
        pytest.skip("npm did not bring axe-core: tests/readable.js alone looks at the pages")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_pages_are_readable_by_everybody(browser: Browser, server: str, look: str) -> None:
    window = browser.new_context(
        color_scheme="dark" if look == "dark" else "light", reduced_motion="reduce"
    )
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    faults = []
    for path in PAGES:
        page.goto(f"{server}{path}")
        page.locator("h1").wait_for()
        faults += [f"{path}: {fault}" for fault in faults_of(page, look)]
    start(page, server, "nuts", "nuts=10")
    assert ready(page)
    faults += [f"match: {fault}" for fault in faults_of(page, look)]
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    window.close()
    assert faults == []


def test_a_phone_has_no_sideways_scrolling(browser: Browser, server: str) -> None:
    window = browser.new_context(viewport={"width": 375, "height": 740}, has_touch=True)
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    for path in PAGES:
        page.goto(f"{server}{path}")
        page.locator("h1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, path
    window.close()


def test_the_server_stops_when_asked(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        command = [sys.executable, "-m", "ludex", "serve", "--port", str(port)]
        refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"ludex: cannot listen at 127.0.0.1:{port}: ")
