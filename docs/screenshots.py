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

from ludex.classroom.classroom import new_class
from ludex.classroom.facts import program_facts
from ludex.classroom.ladder import ladder_rows
from ludex.classroom.people import NewPerson, add_people
from ludex.classroom.programs import hand_in
from ludex.classroom.worker import work

PICTURES = Path(__file__).parent / "pictures"
PORT = 8743
LAB, CLASS = f"http://127.0.0.1:{PORT}", f"http://127.0.0.1:{PORT + 1}"
PATIENCE = 120_000  # milliseconds: the first time everything is compiled
WIDE, PHONE = (1280, 860), (390, 844)


@contextmanager
def server() -> Iterator[None]:
    """Run a lab until all pictures are taken."""
    with tempfile.TemporaryDirectory() as folder:
        with running(["serve", "--port", str(PORT)], LAB, folder):
            yield


@contextmanager
def served(folder: str) -> Iterator[None]:
    """Run the server of a class, without workers."""
    words = ["class", "serve", folder, "--port", str(PORT + 1), "--processes", "0"]
    with running(words, CLASS, f"{folder}-data"):
        yield


@contextmanager
def running(words: list[str], address: str, data: str) -> Iterator[None]:
    """Run a server that a command starts, until its pictures are taken."""
    command = [sys.executable, "-m", "ludex", *words]
    started = subprocess.Popen(command, env={**os.environ, "LUDEX_DATA": data})
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{address}/health")
                break
            except OSError:
                time.sleep(0.3)
        yield
    finally:
        started.terminate()
        started.wait()


def open_page(
    browser: Browser, address: str, size: tuple[int, int] = WIDE, site: str = LAB
) -> Page:
    """Return a page that shows things at once, without motion."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        color_scheme="dark" if size == PHONE else "light",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site}{address}")
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


PROGRAM = """import random
def choose(position, moves, seconds):
    wanted = f"take {{(int(position.split()[0]) - 1) % 4}}"
    return wanted if wanted in moves and random.random() < {skill} else random.choice(moves)
"""
STUDENTS = ("Ann", "Bob", "Chloe", "Daria", "Emil", "Farid")


def ladder(browser: Browser) -> None:
    """Show the ladder of a class, and a match with a mistake."""
    with tempfile.TemporaryDirectory() as folder:
        rules, house = {"nuts": "21"}, ["random", "medium"]
        classroom = new_class(Path(folder) / "ai", "nuts", rules, house=house, matches=16, seed=1)
        made = add_people(classroom, [NewPerson(name) for name in STUDENTS])
        for number, (person, _) in enumerate(made):
            source = PROGRAM.format(skill=number / len(made))
            hand_in(classroom, person, "mine.py", source.encode())
        work(classroom, lambda: False, until_idle=True)
        (own,) = [row.program.id for row in ladder_rows(classroom) if row.program.person == 1]
        worst = max(program_facts(classroom, own).worst, key=lambda one: one.ply)
        classroom.close()
        with served(f"{folder}/ai"):
            match = f"/class/match/{worst.job}/{worst.number}?ply={worst.ply - 1}"
            for address, name in (("/class", "class-ladder"), (match, "class-match")):
                page = open_page(browser, f"/class/enter#{made[0][1]}", (1280, 1000), CLASS)
                page.wait_for_url("**/class")
                page.goto(f"{CLASS}{address}")
                keep(page, name)


def main() -> None:
    """Take all pictures, or those that are named."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("no chromium here, so no pictures")
    shots = (home, play, phone, watch, train, lab, analysis, ladder)
    with server(), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for shot in shots:
            if not sys.argv[1:] or shot.__name__ in sys.argv[1:]:
                shot(browser)


if __name__ == "__main__":
    main()
