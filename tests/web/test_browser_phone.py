"""Boards on a phone, in a real browser; skipped where there is no chromium."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import browsing
from tests.browsing import go, ready, start

pytestmark = browsing.MARKS
# Fixtures: this file has a browser of its own.
browser, phone = browsing.browser, browsing.phone


def test_a_board_held_sideways_fits_the_height_with_its_moves_beside_it(
    phone: Page, server: str
) -> None:
    phone.set_viewport_size({"width": 844, "height": 390})
    start(phone, server, "droids", "", "random")
    assert ready(phone)
    board, move = (phone.locator(one).bounding_box() for one in (".lx-svg", ".lx-move >> nth=0"))
    assert board and board["y"] + board["height"] <= 390 and board["height"] > 250
    assert move and move["x"] > board["x"] + board["width"] and move["y"] + move["height"] <= 390


def test_the_buttons_below_the_moves_of_a_board_held_sideways_stay_in_place(
    phone: Page, server: str
) -> None:
    phone.set_viewport_size({"width": 844, "height": 390})
    start(phone, server, "arena", "", "random")
    assert ready(phone)
    button, moves = phone.get_by_role("button", name="Resign"), phone.locator(".lx-moves")
    before = button.bounding_box()
    moves.evaluate("list => list.replaceChildren()")  # as during the reply
    assert button.bounding_box() == before
    phone.set_viewport_size({"width": 390, "height": 844})


@pytest.mark.parametrize("place", [".lx-move >> nth=0", ".lx-svg .lx-on[tabindex] >> nth=0"])
def test_a_long_press_shows_a_move_and_does_not_play_it(
    phone: Page, server: str, place: str
) -> None:
    start(phone, server, "nuts", "", "random")
    assert ready(phone)
    # Whether a click follows a long press depends on the browser: here it does.
    phone.locator(place).evaluate(
        """(one, held) => new Promise((done) => {
          const sent = { bubbles: true, pointerType: "touch", detail: 1 };
          one.dispatchEvent(new PointerEvent("pointerdown", sent));
          setTimeout(() => {
            one.dispatchEvent(new PointerEvent("pointerup", sent));
            one.dispatchEvent(new PointerEvent("click", sent));
            done();
          }, held);
        })""",
        450,
    )
    expect(phone.locator(".lx-move")).to_have_count(3)
    expect(phone.locator(".lx-log")).to_contain_text("none yet")
    phone.locator(place).tap()
    expect(phone.locator(".lx-log")).to_contain_text("Player 1: take")


def test_a_forced_move_that_waits_is_played_when_the_box_is_ticked(
    phone: Page, server: str
) -> None:
    start(phone, server, "nuts", "nuts=10;most=1", "random")
    assert ready(phone)
    expect(phone.locator(".lx-log")).to_contain_text("none yet")
    phone.get_by_label("Play forced moves automatically").check()
    expect(phone.locator(".lx-log")).to_contain_text("Player 1: take 1")


def test_a_page_without_the_box_plays_no_forced_move(phone: Page, server: str) -> None:
    go(phone, f"{server}/understand/nuts?rules=nuts=10;most=1")
    expect(phone.locator(".lx-move")).to_have_count(1)
    phone.evaluate("localStorage.setItem('lx-forced', '1')")
    agent = phone.get_by_role("combobox", name="agent")
    agent.fill("nobody")
    agent.blur()
    expect(phone.locator(".lx-agent")).to_contain_text("No agent 'nobody'")
    phone.wait_for_timeout(500)  # longer than a forced move waits
    expect(phone.get_by_label("position")).to_have_value("10 0")
    phone.locator(".lx-move").tap()
    expect(phone.get_by_label("position")).to_have_value("9 1")
    phone.wait_for_timeout(500)
    expect(phone.get_by_label("position")).to_have_value("9 1")


@pytest.mark.parametrize(
    ("path", "hint"),
    [("/agents/nuts", "Ctrl+S or Ctrl+Enter"), ("/tournament/nuts", "Press Enter to add it")],
)
def test_a_touch_screen_shows_no_hints_for_a_keyboard(
    phone: Page, browser: Browser, server: str, path: str, hint: str
) -> None:
    go(phone, server + path)
    expect(phone.get_by_text(hint)).to_be_attached()
    expect(phone.get_by_text(hint)).to_be_hidden()
    page = browser.new_page()
    go(page, server + path)
    expect(page.get_by_text(hint)).to_be_visible()
    page.close()


def test_the_end_of_a_match_leaves_no_gap_where_the_moves_were(phone: Page, server: str) -> None:
    start(phone, server, "trap", "", "random")
    assert ready(phone)
    for _ in range(2):  # the second press is sure
        phone.get_by_role("button", name="resign").tap()
    expect(phone.locator(".lx-status")).to_have_text("You lost: you resigned.")
    expect(phone.locator(".lx-moves")).to_be_hidden()
    rematch = phone.get_by_role("button", name="Rematch").bounding_box()
    assert rematch and rematch["y"] + rematch["height"] < 844


@pytest.mark.parametrize(
    ("system", "chosen", "ground"),
    [
        ("dark", None, "rgb(16, 21, 31)"),
        ("dark", "0", "rgb(244, 242, 236)"),
        ("light", "1", "rgb(16, 21, 31)"),
    ],
)
def test_a_page_has_its_ground_before_its_scripts_are_there_and_keeps_it(
    phone: Page, server: str, system: Literal["dark", "light"], chosen: str | None, ground: str
) -> None:
    phone.emulate_media(color_scheme=system)
    phone.goto(f"{server}/health")
    if chosen is not None:
        phone.evaluate("chosen => localStorage.setItem('lx-dark', chosen)", chosen)
    scripts = "**/nicegui.js"
    phone.route(scripts, lambda route: route.abort())
    phone.goto(server, wait_until="commit")
    expect(phone.locator("body")).to_have_css("background-color", ground)
    phone.unroute(scripts)
    go(phone, server)
    expect(phone.locator("body")).to_have_css("background-color", ground)
