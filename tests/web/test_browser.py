"""The web lab in a real browser; skipped where there is no chromium."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from ludex.external import sandbox
from tests import browsing
from tests.browsing import PATIENCE, arrive, go, ready, start

pytestmark = browsing.MARKS
# Fixtures: this file has a browser of its own.
browser, window, page = browsing.browser, browsing.window, browsing.page
phone = browsing.phone


def ended(page: Page) -> bool:
    text = page.locator(".lx-status").inner_text()
    return any(one in text for one in (" wins", "draw", "You won", "You lost"))


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


def test_moves_have_the_numbers_of_the_console(page: Page, server: str) -> None:
    # Only the second plane can move.
    go(page, f"{server}/understand/aeroplane?rules=planes=2&position=B:home,16 G:h,h 2 0")
    expect(page.locator(".lx-move kbd")).to_have_text(["2"])
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.get_by_label("position")).not_to_have_value("B:home,16 G:h,h 2 0")


def open_throws(page: Page, server: str) -> None:
    """Show a position of trap in which all cells but two can be chosen."""
    board = "/".join(["1......", *["......."] * 5, "......2"])
    go(page, f"{server}/understand/trap?position={board} 0 throw")
    page.locator(".lx-move").first.wait_for()


def test_a_number_of_two_digits_is_typed(page: Page, server: str) -> None:
    open_throws(page, server)
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.get_by_label("position")).to_have_value(re.compile("land:1,4$"))


def test_a_number_that_begins_others_waits_for_enter(page: Page, server: str) -> None:
    open_throws(page, server)
    page.keyboard.press("2")
    expect(page.get_by_label("position")).to_have_value(re.compile("throw$"))
    page.keyboard.press("Enter")
    expect(page.get_by_label("position")).to_have_value(re.compile("land:0,1$"))


def test_droids_by_keyboard(page: Page, server: str) -> None:
    start(page, server, "droids", "rounds=4;shots=1")
    for key in ("w", "ArrowDown", " ", "d", "ArrowLeft", "a", "s", "ArrowUp") * 3:
        if not ready(page):
            break
        page.keyboard.press(key)
    assert ended(page)
    expect(page.locator(".lx-log")).to_contain_text("R2-D2: up")


def test_every_game_is_played_by_keyboard_alone(page: Page, server: str) -> None:
    start(page, server, "trap", "size=3")
    assert ready(page)
    page.keyboard.press("ArrowRight")  # to the first offer
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lx-ring")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".lx-move").first).to_contain_text("throw")
    page.keyboard.press("1")
    expect(page.locator(".lx-log")).to_contain_text("luck")


def test_odds_are_shown_before_a_throw(page: Page, server: str) -> None:
    start(page, server, "trap", "size=5")
    assert ready(page)
    click_shape(page)
    expect(page.locator(".lx-move").first).to_contain_text("throw")
    page.locator(".lx-move").nth(10).hover()
    expect(page.locator(".lx-above")).to_contain_text("%")


def test_a_finger_sees_the_odds_and_throws_by_tapping_again(browser: Browser, server: str) -> None:
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
    expect(page.locator(".lx-again")).to_have_text(f"Tap again: {words}")
    touch(7)
    expect(page.locator(".lx-log")).to_contain_text(f"Player 1: {words}")
    assert ready(page)
    touch(0)
    expect(page.locator(".lx-move").first).to_contain_text("throw")
    page.locator(".lx-move").first.tap()  # the list asks as well
    expect(page.locator(".lx-again")).to_contain_text("Tap again: throw")
    window.close()


def test_a_step_from_the_list_previews_no_throw_but_to_a_keyboard(
    browser: Browser, server: str
) -> None:
    window = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce"
    )
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    start(page, server, "trap", "size=5")
    assert ready(page)
    first, above = page.locator(".lx-move").first, page.locator(".lx-above")
    first.tap()
    expect(first).to_contain_text("throw")
    expect(first).to_be_focused()
    page.wait_for_timeout(1500)  # a preview would take less
    expect(above).to_be_empty()
    for _ in range(2):  # to a target that may be missed
        page.keyboard.press("Tab")
    expect(above).to_contain_text("%")
    window.close()


def box_of(shape: Locator) -> FloatRect:
    box = shape.bounding_box()
    assert box
    return box


def middle(shape: Locator) -> tuple[float, float]:
    box = box_of(shape)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_thumb_beside_small_targets_plays_the_nearest(phone: Page, server: str) -> None:
    start(phone, server, "nuts", "", "random")
    assert ready(phone)
    log = phone.locator(".lx-log")
    (one, y), (two, _) = (middle(phone.locator(f"[data-id=take-{take}]")) for take in (1, 2))
    assert box_of(phone.locator("[data-id=take-1]"))["height"] < 30
    phone.touchscreen.tap(one, y + 40)  # beside all of them
    for share, words in ((0.6, "take 2"), (0.4, "take 1")):
        phone.touchscreen.tap(one + share * (two - one), y + 15)
        expect(log).to_contain_text(f"Player 1: {words}")
        assert ready(phone)
    expect(log.locator("li").last).to_contain_text("take 2")


def test_a_board_on_a_phone_keeps_its_size_until_the_person_changes_it(
    phone: Page, server: str
) -> None:
    start(phone, server, "arena", "", "random")
    targets, board = phone.locator(".lx-svg .lx-on[tabindex]"), phone.locator(".lx-svg")
    expect(targets).to_have_count(9)
    whole = box_of(board)
    assert whole["x"] >= 0 and whole["x"] + whole["width"] <= 390
    targets.first.tap()
    expect(phone.locator(".lx-log")).to_contain_text("Dr. Wily: ")
    assert ready(phone)
    assert box_of(board) == whole
    phone.get_by_role("button", name="Larger").tap()
    phone.reload()  # the browser remembers
    assert ready(phone)
    large = box_of(board)
    assert large["width"] == pytest.approx(2 * whole["width"], abs=1)
    for box in map(box_of, targets.all()):
        assert min(box["width"], box["height"]) > 30 and 0 <= box["x"] < 360
    phone.get_by_role("button", name="Whole board").tap()
    assert box_of(board) == whole


def test_a_larger_board_begins_in_the_middle_where_nothing_can_be_chosen(
    phone: Page, server: str
) -> None:
    start(phone, server, "arena", "", "random")
    assert ready(phone)
    for _ in range(2):
        phone.locator(".lx-resign").tap()
    expect(phone.locator(".lx-status")).to_contain_text("You lost")
    phone.get_by_role("button", name="Larger").tap()
    for _ in range(2):
        box = box_of(phone.locator(".lx-svg"))
        assert box["width"] > 500
        assert box["x"] + box["width"] / 2 == pytest.approx(195, abs=2)
        phone.reload()
        expect(phone.locator(".lx-status")).to_contain_text("You lost")


def test_a_phone_shows_status_and_moves_below_the_board_a_menu_of_one_line_and_no_keys(
    phone: Page, server: str
) -> None:
    start(phone, server, "aeroplane", "", "random")
    assert ready(phone)
    board = box_of(phone.locator(".lx-svg"))
    moves, resign = (box_of(phone.locator(one)) for one in (".lx-moves", ".lx-resign"))
    assert board["y"] + board["height"] < box_of(phone.locator(".lx-status"))["y"] < moves["y"]
    assert moves["y"] + moves["height"] <= resign["y"] < 800
    assert box_of(phone.locator(".lx-head"))["height"] < 64
    assert phone.locator("kbd, .lx-keys").count() > 0
    assert not any(one.is_visible() for one in phone.locator("kbd, .lx-keys").all())
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


def test_the_question_before_resigning_stays_under_the_finger(phone: Page, server: str) -> None:
    start(phone, server, "nuts", "", "random")
    assert ready(phone)
    button = phone.locator(".lx-resign")
    before = box_of(button)
    button.tap()
    expect(button).to_contain_text("Sure?")
    assert box_of(button) == before


def test_on_a_phone_a_friend_is_invited_without_a_keyboard_and_at_the_top(
    browser: Browser, server: str
) -> None:
    window = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    go(page, f"{server}/play/nuts")
    player = page.get_by_label("Player 2")
    player.tap()
    expect(page.get_by_role("option").nth(1)).to_have_text("a friend by link")
    expect(player).to_have_attribute("inputmode", "none")
    player.tap()
    expect(player).to_have_attribute("inputmode", "text")
    page.get_by_role("option", name="a friend by link").tap()
    page.get_by_role("button", name="Start the match").tap()
    link = page.locator(".lx-guest")
    expect(page.get_by_text("on this computer only")).to_have_count(1)
    link.wait_for()
    box, board = link.bounding_box(), page.locator(".lx-svg").bounding_box()
    assert box and board and box["y"] < board["y"] < 844
    address = page.url
    link.tap()
    assert page.url == address and link.evaluate("one => !one.closest('a')")
    window.close()


def test_an_agent_counts_as_it_is_typed(page: Page, server: str) -> None:
    go(page, f"{server}/play/nuts")
    page.get_by_label("Player 2").fill("wibble")
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator(".q-notification")).to_contain_text("no agent 'wibble'")
    page.get_by_label("Player 2").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("alphabeta:depth=4")
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/match/**")
    expect(page.locator(".lx-title")).to_contain_text("Player 2: alphabeta:depth=4")


def test_a_reload_in_the_middle_loses_nothing(page: Page, server: str) -> None:
    start(page, server, "nuts", "nuts=12")
    assert ready(page)
    page.keyboard.press("1")
    log = page.locator(".lx-log")
    expect(log).to_contain_text("Player 1: take 1")
    expect(log).to_contain_text("Player 2: take")  # after the board shows it
    assert ready(page)
    before = log.inner_text()
    page.reload()
    assert ready(page)
    expect(log).to_have_text(before, use_inner_text=True)
    page.keyboard.press("u")
    expect(log).to_contain_text("none yet")


def test_a_hint_says_how_long_it_takes_and_moves_no_button(page: Page, server: str) -> None:
    start(page, server, "nuts", "nuts=12", "random")
    assert ready(page)
    buttons = [page.get_by_role("button", name=name).first for name in ("Hint", "Resign")]
    places = [one.bounding_box() for one in (*buttons, page.locator(".lx-move").first)]
    buttons[0].click()
    expect(page.locator(".lx-message")).to_contain_text("Hint: take 3. It wins in 6 moves (exact).")
    assert [one.bounding_box() for one in (*buttons, page.locator(".lx-move").first)] == places
    expect(page.locator(".lx-log")).to_contain_text("none yet")


@pytest.mark.skipif(not sandbox.is_enabled(), reason="no sandbox here: it runs no programs")
def test_a_program_is_typed_tried_and_played_against(page: Page, server: str) -> None:
    go(page, f"{server}/agents/nuts")
    expect(page.locator(".cm-content")).to_contain_text("def choose")
    page.get_by_label("file name").fill("typed.py")
    page.get_by_role("button", name="Save and try it").click()
    expect(page.locator(".lx-side .lx-status")).to_contain_text("against random in")
    expect(page.get_by_label("Output")).to_contain_text("I may choose from 3 moves")
    start(page, server, "nuts", "nuts=12", "program:typed.py")
    assert ready(page)
    page.keyboard.press("1")
    expect(page.locator(".lx-log")).to_contain_text("Player 2: take")


def test_two_browsers_play_by_link_and_choose_at_once_unseen(
    page: Page, browser: Browser, server: str
) -> None:
    go(page, f"{server}/play/droids?rules=rounds=2")
    page.get_by_label("R2-Q5").click()
    page.get_by_role("option", name="a friend by link").click()
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/match/**")
    link = page.locator(".lx-guest").inner_text()
    other = browser.new_context(reduced_motion="reduce").new_page()
    other.set_default_timeout(PATIENCE)
    assert link and link.startswith(server)
    go(other, link)
    for _ in range(2):
        assert ready(page) and ready(other)
        before = page.locator(".lx-log").inner_text()
        expect(other.locator(".lx-log")).to_have_text(before, use_inner_text=True)
        page.keyboard.press("w")
        expect(page.locator(".lx-status")).to_contain_text("You have chosen")
        expect(other.locator(".lx-log")).to_have_text(before, use_inner_text=True)
        assert page.locator(".lx-move").count() == 0
        other.keyboard.press("ArrowUp")
        page.wait_for_function(
            "before => document.querySelector('.lx-log').innerText !== before", arg=before
        )
    expect(page.locator(".lx-status")).to_contain_text("draw")
    expect(other.locator(".lx-status")).to_contain_text("draw")
    other.context.close()


def test_enter_leaves_the_name_so_that_the_next_key_is_a_move(page: Page, server: str) -> None:
    go(page, f"{server}/play/nuts")
    page.get_by_label("Player 2").click()
    page.get_by_role("option", name="a friend by link").click()
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/match/**")
    assert ready(page)
    page.get_by_label("Your name").fill("Anna")
    page.keyboard.press("Enter")
    expect(page.locator(".lx-people")).to_contain_text("Player 1: Anna (you)")
    page.keyboard.press("3")
    expect(page.locator(".lx-log")).to_contain_text("take 3")
    expect(page.get_by_label("Your name")).to_have_value("Anna")


def test_somebody_without_the_key_can_only_watch(page: Page, browser: Browser, server: str) -> None:
    start(page, server, "nuts", "nuts=10")
    assert ready(page)
    other = browser.new_context().new_page()
    go(other, f"{server}/watch")
    other.locator(f'a[href="{page.url.partition("?")[0].removeprefix(server)}"]').click()
    expect(other.locator(".lx-status")).to_contain_text("Waiting for Player 1")
    assert other.locator(".lx-move").count() == 0
    other.keyboard.press("1")
    other.locator("[data-id=take-1]").click(force=True)
    expect(page.locator(".lx-log")).to_contain_text("none yet")
    other.context.close()


def test_a_match_of_agents_is_watched_back_and_forth(page: Page, server: str) -> None:
    go(page, f"{server}/watch/nuts?rules=nuts=10")
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/watch/match/**")
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
    page.keyboard.press("End")
    expect(page.locator(".lx-status")).to_contain_text("wins")
    page.keyboard.press("Home")
    expect(page.locator(".lx-status")).to_contain_text("The first position")


def test_an_agent_is_typed_right_after_a_rule(page: Page, server: str) -> None:
    go(page, f"{server}/watch/nuts?rules=nuts=12")
    page.get_by_label("nuts", exact=True).fill("11")
    agent = page.get_by_role("combobox", name="Player 1")
    agent.focus()
    arrive(page, "**/watch/nuts?rules=nuts%3D11*")
    expect(agent).to_be_focused()


def test_the_page_of_a_watched_match_does_not_shrink(page: Page, server: str) -> None:
    go(page, f"{server}/watch/nuts?rules=nuts=10")
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/watch/match/**")
    below = page.get_by_role("heading", name="What an agent thinks")
    document, places = "", []
    while document != page.evaluate("documentId"):  # a starved browser may load the page again
        document = page.evaluate("documentId")
        page.get_by_role("button", name="To the start").click()
        expect(page.get_by_text("moves left")).to_be_visible()
        places = [box_of(below)["y"]]
        page.get_by_role("button", name="To the end").click()
        expect(page.get_by_text("There is no move to choose here")).to_be_visible()
        expect(page.locator(".lx-status")).to_contain_text("wins")
        places.append(box_of(below)["y"])
    assert places[0] <= places[1]


def test_values_are_drawn_on_the_board_and_remembered(page: Page, server: str) -> None:
    go(page, f"{server}/understand/nuts?rules=nuts=12")
    expect(page.get_by_text("wins in 6 moves")).to_be_visible()
    expect(page.locator('.lx-worth-best[data-worth="0-2"]')).to_have_count(1)
    expect(page.locator(".lx-badge")).to_have_text(["−2", "−2", "✓"])
    expect(page.locator(".lx-move")).to_have_text(["1take 1−2", "2take 2−2", "3take 3✓"])
    page.keyboard.press("1")
    expect(page.locator('.lx-worth-best[data-worth="1-1"]')).to_have_count(1)
    switch = page.get_by_role("switch", name="Show values")
    switch.click()
    expect(page.locator(".lx-badge")).to_have_count(0)
    page.reload()  # the browser remembers
    expect(switch).not_to_be_checked()
    expect(page.locator(".lx-badge")).to_have_count(0)


def test_a_click_on_a_mark_opens_the_position_before_it(page: Page, server: str) -> None:
    go(page, f"{server}/watch/nuts?rules=nuts=30")
    for seat in ("Player 1", "Player 2"):
        page.get_by_label(seat).fill("random")
    page.get_by_role("button", name="Start the match").click()
    arrive(page, "**/watch/match/**")
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="Judge every move").click()
    # Marks come one after another, so that another one may be the first or the last by now.
    ply = page.locator(".lx-walk .lx-blunder").last.get_attribute("data-ply")
    page.locator(f'.lx-walk .lx-blunder[data-ply="{ply}"]').click()
    expect(page.locator(".lx-verdict")).to_contain_text(
        re.compile(r"\(costs 2\) that turns a win into a loss\..* Best was take")
    )
    assert page.url.endswith(f"?ply={ply}")
    expect(page.locator(f'.lx-walk button[data-ply="{ply}"]')).to_have_attribute(
        "aria-current", "true"
    )


def test_the_browser_that_started_a_training_controls_it_and_its_address_does_not(
    page: Page, browser: Browser, server: str
) -> None:
    go(page, f"{server}/train/nuts")
    page.get_by_label("matches").fill("90000000")
    page.get_by_role("button", name="Start learning").click()
    arrive(page, "**lesson=**")
    expect(page.locator(".lx-status")).to_have_text("Learning")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".lx-status")).to_have_text("Stopped")
    page.wait_for_function("!location.search.includes('key=')")
    page.reload()  # the browser has stored the key
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    other = browser.new_context().new_page()
    go(other, page.url)
    expect(other.get_by_role("button", name="Train on from here")).to_be_visible()
    expect(other.get_by_role("button", name="Resume")).to_be_hidden()
    other.context.close()
    page.get_by_role("button", name="Play against it").click()
    expect(page.get_by_label("Player 2")).to_have_value(re.compile("hats:file=nuts-hats-"))


def test_an_experiment_is_started_and_stopped(page: Page, browser: Browser, server: str) -> None:
    go(page, f"{server}/lab/arena")
    page.get_by_role("button", name="Start: Arena: depth against depth").click()
    expect(page.get_by_role("button", name="Stop")).to_be_enabled()
    assert "key=" not in page.url
    other = browser.new_context().new_page()
    other.set_default_timeout(PATIENCE)
    go(other, f"{server}/lab")
    expect(other.get_by_text("Somebody else started it")).to_be_visible()
    expect(other.get_by_role("button", name="Stop")).to_be_enabled()  # on the server's machine
    other.context.close()
    go(page, f"{server}/lab")  # the browser remembers what it may stop
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
"""
)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_plane_flies_its_way_and_nobody_waits_for_it(
    browser: Browser, server: str, motion: Literal["no-preference", "reduce"]
) -> None:
    window = browser.new_context(reduced_motion=motion)
    page = window.new_page()
    page.set_default_timeout(PATIENCE)
    go(page, f"{server}/understand/aeroplane?rules=planes=1&position=B:16 G:h 2 0")
    page.locator(".lx-move").first.wait_for()
    page.evaluate("() => {" + WATCH + "}")
    page.keyboard.press("1")  # it walks two squares, flies and jumps
    moving = motion == "no-preference"
    if moving:
        page.wait_for_function("() => window.places.length > 1")
    else:
        expect(page.locator(".lx-move").first).to_contain_text("roll 1")
    # While it flies, no button tells where it will be; a key may go on.
    there, offered = page.evaluate(
        f"[{PLANE}.style.transform, document.querySelectorAll('.lx-move').length > 0]"
    )
    assert offered != moving
    page.keyboard.press("6")
    expect(page.get_by_label("position")).to_have_value("B:34 G:h 6 1")
    assert page.evaluate(f"{PLANE}.style.transform") != there or not moving
    window.close()


def test_text_that_was_not_saved_comes_back(page: Page, server: str) -> None:
    go(page, f"{server}/agents/nuts")
    code = page.locator(".cm-content")
    code.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# my draft")
    expect(code).to_contain_text("# my draft")
    go(page, f"{server}/agents/trap")
    expect(code).to_contain_text("Trap!")
    expect(code).not_to_contain_text("# my draft")
    page.go_back()
    expect(code).to_contain_text("# my draft")
    page.get_by_role("button", name="Discard the draft").click()
    expect(code).not_to_contain_text("# my draft")
    code.click()
    page.keyboard.press("Control+s")
    arrive(page, "**program=mine-nuts.py")
    page.reload()
    expect(page.get_by_label("file name")).to_have_value("mine-nuts.py")
    expect(page.get_by_role("button", name="Discard the draft")).to_be_hidden()


def test_a_rejected_agent_is_replaced_by_typing(page: Page, server: str) -> None:
    go(page, f"{server}/tournament/nuts?agents=random|greedy")
    field = page.get_by_label("Add an agent")
    field.fill("nobody")
    field.press("Enter")
    expect(page.get_by_text("No agent 'nobody'")).to_be_visible()
    page.wait_for_function("() => getSelection().toString() === 'nobody'")
    page.keyboard.type("expectiminimax")
    expect(field).to_have_value("expectiminimax")
    field.press("Enter")
    expect(page.get_by_role("button", name="Remove expectiminimax")).to_be_visible()
    expect(page.get_by_role("listbox")).to_have_count(0)
    expect(field).to_have_value("")


def test_a_question_mark_lists_the_keys_of_a_page(page: Page, server: str) -> None:
    start(page, server, "nuts", "nuts=10")
    assert ready(page)
    button = page.get_by_role("button", name="Hint")
    button.focus()
    page.keyboard.press("?")
    help_box = page.get_by_role("dialog", name="Keys")
    expect(help_box.get_by_role("listitem")).to_contain_text(
        ["numbers choose, arrows and Enter too", "U takes back", "H gives a hint", "Tab and Enter"]
    )
    page.keyboard.press("1")  # no move: the dialog has the keys
    page.keyboard.press("Escape")
    expect(help_box).to_have_count(0)
    expect(button).to_be_focused()
    assert page.locator(".lx-log").inner_text() == "none yet"
    go(page, f"{server}/rules/nuts")
    field = page.get_by_label("nuts", exact=True)
    field.press("?")
    assert (field.input_value(), help_box.count()) == ("?21", 0)
    field.evaluate("one => one.blur()")
    page.keyboard.press("?")
    expect(help_box).to_contain_text("This page has no keys of its own")
    page.keyboard.press("?")
    expect(help_box).to_have_count(0)


def test_tab_goes_from_button_to_button_past_the_pictures_of_the_games(
    page: Page, server: str
) -> None:
    go(page, server)
    expect(page.locator(".lx-card-picture .lx-shape").first).to_be_attached()
    button = page.get_by_role("button", name="Guide The Game of Nuts")
    button.focus()
    for name in ("Lab The Game of Nuts", "Play Mega Man Battle Arena"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=name)).to_be_focused(timeout=5000)


def test_who_left_a_match_finds_the_way_back_to_the_seat(
    page: Page, browser: Browser, server: str
) -> None:
    start(page, server, "nuts", "", "random")
    assert ready(page)
    page.wait_for_function("lx.seats().length")  # the browser knows the key
    seat, match = page.url, page.url.partition("?")[0]
    for other in (f"{server}/watch", f"{server}/play/nuts", match):
        go(page, other)
        page.locator(f'.lx-seat[href^="/match/{match.rpartition("/")[2]}?"]').click()
        arrive(page, seat)
        assert ready(page)
    go(page, f"{server}/play/arena")
    expect(page.locator(".lx-seat")).to_have_count(0)
    stranger = browser.new_page()
    go(stranger, match)
    expect(stranger.locator(".lx-status")).to_have_text("Waiting for Player 1")
    expect(stranger.locator(".lx-seat")).to_have_count(0)
    stranger.close()


def test_a_browser_keeps_the_seats_of_its_last_matches(page: Page, server: str) -> None:
    go(page, server)
    kept = page.evaluate(
        "() => { for (let one = 0; one < 30; one++) lx.rememberSeat(`m${one % 25}`, `k${one}`);"
        " return lx.seats() }"
    )
    assert len(kept) == 20 and kept[0] == ["m4", "k29"] and kept[-1] == ["m10", "k10"]
