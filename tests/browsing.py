"""A server of our own and a real browser that visits it, for tests."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from ludex.web.state.access import PARAMETER

# The first has no windows, and needs less of the CPU.
CHROMIUMS = "chromium-headless-shell", "chromium", "chromium-browser"
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUMS)), None)
# What every file of tests in a browser is marked with.
MARKS = [
    pytest.mark.plain,
    pytest.mark.unmeasured,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: no test in a real browser"),
]
# A process for the next page, and the list below a field for addresses that nobody sees: Chromium
# would prepare them for every page, which takes longer than showing one of ours.
UNUSED = ["SpareRendererForSitePerProcess", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"]
PATIENCE = 60_000  # milliseconds, for a machine that does much else
expect.set_options(timeout=PATIENCE)


# A server that neither solves the games of the start page nor evaluates positions of larger games
# than nuts: without the compiler that takes minutes, of which the tests that follow would get less.
# What pages say of solved games and of values is tested without a browser.
QUICK = """
import ludex.cli
from ludex.web.state.evaluations import Evaluations

evaluate = Evaluations.of

async def known_value(evaluations, source, texts):
    return {"words": "not known yet", "value": None}

async def of(evaluations, query):
    if query.source != "nuts":
        raise ValueError("not evaluated here")
    return await evaluate(evaluations, query)

Evaluations.known_value, Evaluations.of = known_value, of
ludex.cli.main()
"""


@contextmanager
def serving(
    data: Path,
    words: Sequence[str],
    env: Mapping[str, str],
    program: Sequence[str] = ("-m", "ludex"),
    key: str = "",
) -> Iterator[str]:
    """Yield the address of a server that a command starts, with its data in a folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, *program, *words, "--port", str(port)],
        env={**env, "LUDEX_DATA": str(data)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(1800):
            try:
                urllib.request.urlopen(f"{address}/health?{urlencode({PARAMETER: key})}").close()
                break
            except OSError:
                assert process.poll() is None, "the server has ended"
                time.sleep(0.1)
        else:
            pytest.fail("the server did not start")
        yield address
    finally:
        process.terminate()
        _, said = process.communicate(timeout=20)
    assert b"Traceback" not in said, said.decode()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server that all files of tests share."""
    data = tmp_path_factory.mktemp("data")
    with serving(data, ["serve"], os.environ, ("-c", QUICK)) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-software-rasterizer",
                # One process draws all pages of a window, and none is started for later ones.
                "--process-per-site",
                f"--disable-features={','.join(UNUSED)}",
            ],
        )
        yield found
        found.close()


@pytest.fixture(scope="module")
def window(browser: Browser, server: str) -> Iterator[BrowserContext]:
    """Yield a window for all tests of a file: the pages' scripts are read and compiled once."""
    opened = browser.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(PATIENCE)
    opened.new_page().goto(f"{server}/health")  # stays open, and with it the process that draws
    yield opened
    opened.close()


@pytest.fixture
def page(window: BrowserContext, server: str) -> Iterator[Page]:
    """Yield a page that remembers nothing of others; its requests stay here, without errors."""
    asked: list[str] = []
    faults: list[str] = []
    opened = window.new_page()
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    opened.evaluate("localStorage.clear()")
    opened.close()
    window.clear_cookies()
    assert asked
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []
    assert faults == []


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """Yield a page on a touch screen, which remembers nothing of others."""
    window = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    window.close()


# Scripts of NiceGUI may swap two events, as of a text typed and its field left, before this is so.
CONNECTED = "() => window.did_handshake || !document.getElementById('popup')"


def go(page: Page, address: str) -> None:
    """Open a page, and wait until it is connected: a person is not as quick as a program."""
    page.goto(address)
    page.wait_for_function(CONNECTED)


def arrive(page: Page, pattern: str) -> None:
    """Wait until a page has come to an address, and is connected."""
    page.wait_for_url(pattern)
    page.wait_for_function(CONNECTED)


def start(page: Page, server: str, game: str, rules: str, against: str = "easy") -> None:
    """Begin a match against an agent."""
    go(page, f"{server}/play/{game}?rules={rules}&against={against}")
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/match/**")


def ready(page: Page) -> bool:
    """Wait for one's turn; return whether it came before the match was over."""
    page.wait_for_function(
        "() => document.querySelector('.lx-move') ||"
        " / wins|draw|You (won|lost)/.test(document.querySelector('.lx-status')?.textContent)"
    )
    return page.locator(".lx-move").count() > 0
