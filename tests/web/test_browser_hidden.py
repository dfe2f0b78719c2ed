"""Liar's dice in real browsers: nothing that reaches one of them tells the dice of others."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, WebSocket, expect

from ludex.games import game_rules
from ludex.match.session import Match
from tests import browsing
from tests.browsing import PATIENCE, QUICK, arrive, go, ready, serving

pytestmark = browsing.MARKS
browser = browsing.browser
GAME = "examples/liars_dice.py"
RULES = {"dice": "5"}
TEXTS = ("text/", "application/json", "image/svg")


class Visitor:
    """A browser of its own, and every text that it gets."""

    def __init__(self, browser: Browser, server: str) -> None:
        self.server = server
        self.context = browser.new_context(reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.frames: list[str] = []
        self.responses: list[Response] = []
        self.page.on("response", lambda one: self.responses.append(one))
        self.page.on("websocket", self.listen)

    def listen(self, socket: WebSocket) -> None:
        """Keep all that comes through a web socket."""
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def ask(self, path: str) -> str:
        """Return what the server answers to a request of a program in this browser."""
        return self.page.request.get(f"{self.server}{path}").text()

    def texts(self) -> str:
        """Return all texts so far, and the page as it is now."""
        bodies = [one.text() for one in self.responses if one.ok and is_text(one)]
        return "\n".join([*bodies, *self.frames, self.page.content(), self.page.title()])


def is_text(response: Response) -> bool:
    """Return whether a response is neither a font nor a picture of points."""
    return response.headers.get("content-type", "").startswith(TEXTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hidden")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """Yield the address of a server that offers liar's dice."""
    with serving(folder, ["serve", "--game", GAME], os.environ, ("-c", QUICK)) as address:
        yield address


def dealt(folder: Path, name: str) -> Match:
    """Return a running match as its journal on the server has it."""
    match = Match(game_rules(GAME, RULES), chance="manual")
    journal = (folder / "live" / f"{name}.jsonl").read_text()
    for move in re.findall(r'"move": (\d+)', journal):
        match.push(int(move))
    return match


def betrayals(text: str, match: Match, seat: int) -> list[str]:
    """Return what in a text tells the dice of a seat."""
    (first, second, bids), shown = match.state, match.position.split()
    if seat == 0:
        position, state = rf"{shown[0]} [1-6?]{{5}}", rf"\b{first}, ?\d+, ?{bids}\b"
    else:
        position, state = rf"[1-6?]{{5}} {shown[1]}", rf"\b\d+, ?{second}, ?{bids}\b"
    return re.findall(rf"{position}|{state}|\bdie-{seat + 1}-\d", text)


def faces_told(text: str) -> set[str]:
    """Return the faces of the dice whose rolls a text names."""
    return set(re.findall(r"\bdie ([1-6])\b", text))


def invited(browser: Browser, server: str) -> tuple[str, str, str]:
    """Start a match, and return the addresses for both players and for spectators."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    go(page, f"{server}/play/liars_dice?rules=dice=5")
    page.get_by_label("Player 2").click()
    page.get_by_role("option", name="a friend by link").click()
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/match/**")
    guest, spectator = (page.locator(one).inner_text() for one in (".lx-guest", ".lx-spectator"))
    address = page.url
    go(page, guest)
    page.wait_for_url(lambda there: there != guest)  # by a key that only this browser knows
    arrive(page, "**/match/**")
    own = page.url
    page.close()
    return address, own, spectator


def choose(page: Page, move: str) -> None:
    """Choose a move when it is time."""
    assert ready(page)
    page.locator(".lx-svg").get_by_role("button", name=move, exact=True).click()


def test_no_text_that_reaches_a_browser_tells_the_dice_of_another(
    browser: Browser, server: str, folder: Path
) -> None:
    first, second, third = (Visitor(browser, server) for _ in range(3))
    for visitor, address in zip((first, second, third), invited(browser, server), strict=True):
        go(visitor.page, address)
    name = first.page.url.rpartition("/match/")[2].partition("?")[0]
    choose(first.page, "1 one")
    choose(second.page, "1 two")
    choose(first.page, "2 threes")
    expect(third.page.locator(".lx-log")).to_contain_text("2 threes")
    assert ready(second.page)

    match = dealt(folder, name)
    own = [set(match.position.split()[seat]) for seat in (0, 1)]
    seats = {first: {0}, second: {1}, third: set[int]()}
    for visitor, mine in seats.items():
        key = visitor.page.url.partition("key=")[2].partition("&")[0]
        there = f"/api/matches/{name}"
        asked = [visitor.ask(f"{there}?key={key}"), visitor.ask(f"{there}/record?key={key}")]
        asked += [visitor.ask(path) for path in (f"/watch/match/{name}?key={key}", "/watch", "/")]
        text = "\n".join([visitor.texts(), *asked])
        for seat in (0, 1):
            assert bool(betrayals(text, match, seat)) == (seat in mine)
        assert faces_told(text) == set().union(*(own[seat] for seat in mine))

    choose(second.page, "liar")
    for visitor in seats:
        expect(visitor.page.locator(".lx-status")).to_contain_text(re.compile("won|lost|wins"))
        assert all(betrayals(visitor.texts(), match, seat) for seat in (0, 1))
        visitor.context.close()
