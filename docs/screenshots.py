"""Screenshots of the web lab for our pages: `python docs/screenshots.py`, if there is a chromium.

A server of its own is started, with an empty folder for data.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
PORT = 8743
LAB = f"http://127.0.0.1:{PORT}"
PATIENCE = 120_000  # milliseconds: the first time everything is compiled
WIDE, PHONE = (1280, 860), (390, 844)


@contextmanager
def server() -> Iterator[None]:
    """Run a lab until all pictures are taken."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "ludex", "serve", "--port", str(PORT)]
        lab = subprocess.Popen(command, env={**os.environ, "LUDEX_DATA": folder})
        try:
            for _ in range(100):
                try:
                    urllib.request.urlopen(f"{LAB}/health")
                    break
                except OSError:
                    time.sleep(0.3)
            yield
        finally:
            lab.terminate()
            lab.wait()


def open_page(browser: Browser, address: str, size: tuple[int, int] = WIDE) -> Page:
    """Return a page that shows things at once, without motion."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        color_scheme="dark" if size == PHONE else "light",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{LAB}{address}")
    return page


def keep(page: Page, name: str, whole: bool = False) -> None:
    """Wait until nothing moves, and keep what is seen."""
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # where a click has led away
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)
    page.context.close()


def home(browser: Browser) -> None:
    """Show the games, with what is known of them."""
    page = open_page(browser, "/")
    page.get_by_text("Dr. Wily wins with best play").wait_for()
    keep(page, "web-home")


def play(browser: Browser) -> None:
    """Show a match of Trap before a throw, with its odds."""
    page = open_page(browser, "/play/trap?against=easy")
    page.get_by_text("Start the match").click()
    for step in ("step 1,3", "throw 4,4", "step 2,3"):
        page.get_by_role("button", name=step).first.click(force=True)
        page.wait_for_timeout(2500)
    page.get_by_role("button", name="throw 4,2").first.hover(force=True)
    keep(page, "web-play")


def phone(browser: Browser) -> None:
    """Show a match of droids on a phone, in the dark."""
    page = open_page(browser, "/play/droids?against=medium", PHONE)
    page.get_by_text("Start the match").click()
    page.get_by_text("Your turn").wait_for()
    for key in ("w", "d", " "):
        page.keyboard.press(key)
        page.wait_for_timeout(1500)
    keep(page, "web-phone")


def watch(browser: Browser) -> None:
    """Show a match of the arena that was judged, at its blunder."""
    page = open_page(browser, "/watch/arena?seed=3", (1280, 1180))
    page.get_by_text("Start the match").click()
    page.get_by_text("Judge every move").click()
    page.get_by_text("exact. Every point opens its position").wait_for()
    page.wait_for_timeout(10_000)  # the others are proven too
    page.locator(".lx-log").get_by_text("??", exact=True).last.click()
    keep(page, "web-watch")


def train(browser: Browser) -> None:
    """Show a learner's curve and its table."""
    page = open_page(browser, "/train/nuts")
    page.get_by_text("Start learning").click()
    page.get_by_role("button", name="Train on").wait_for()
    keep(page, "web-train")


def lab(browser: Browser) -> None:
    """Show an experiment that runs."""
    page = open_page(browser, "/lab", (1280, 900))
    page.get_by_text("Start", exact=True).nth(5).click()
    page.wait_for_timeout(8000)
    keep(page, "web-lab")


def analysis(browser: Browser) -> None:
    """Show the page of an analysis: a match of Trap, played and analysed by commands."""
    with tempfile.TemporaryDirectory() as folder:
        records, written = Path(folder) / "matches.jsonl", Path(folder) / "analysis.html"
        play = ["match", "trap", "medium", "easy", "--matches", "2", "--seed", "5", "--no-store"]
        for words in (
            [*play, "--out", str(records)],
            ["analyse", str(records), "--match", "1", "--page", str(written)],
        ):
            subprocess.run([sys.executable, "-m", "ludex", *words], check=True)
        page = browser.new_page(viewport={"width": 738, "height": 1545})
        page.goto(written.as_uri())
        keep(page, "analysis")


def main() -> None:
    """Take all pictures, or those that are named."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("no chromium here, so no pictures")
    shots = (home, play, phone, watch, train, lab, analysis)
    with server(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for shot in shots:
            if not sys.argv[1:] or shot.__name__ in sys.argv[1:]:
                shot(browser)


if __name__ == "__main__":
    main()
