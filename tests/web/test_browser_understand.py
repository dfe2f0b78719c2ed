"""Understand in a real browser: the history of positions, and the best line on the board."""

import pytest
from playwright.sync_api import Page, expect

from tests import browsing
from tests.browsing import arrive, go

pytestmark = browsing.MARKS
# Fixtures: this file has a browser of its own.
browser, window, page = browsing.browser, browsing.window, browsing.page


def open_nuts(page: Page, server: str) -> None:
    go(page, f"{server}/understand/nuts?rules=nuts=12")
    expect(page.locator(".lx-move")).to_have_count(3)


def expect_position(page: Page, position: str) -> None:
    """Expect a position on the board, in its field and in the address."""
    left, seat = position.split()
    expect(page.get_by_label("position")).to_have_value(position)
    expect(page.locator("[data-id=count]")).to_have_text(left)
    expect(page.locator(".lx-status")).to_have_text(f"Player {int(seat) + 1} to choose")
    shown = "" if position == "12 0" else position
    page.wait_for_function(
        "shown => (new URLSearchParams(location.search).get('position') ?? '') === shown", arg=shown
    )


def test_back_and_forward_of_the_browser_go_from_position_to_position(
    page: Page, server: str
) -> None:
    go(page, f"{server}/rules/nuts")
    open_nuts(page, server)
    for key, position in (("1", "11 1"), ("2", "9 0"), ("3", "6 1")):
        page.keyboard.press(key)
        expect_position(page, position)
    page.go_back()
    expect_position(page, "9 0")
    page.go_back()
    expect_position(page, "11 1")
    page.go_forward()
    expect_position(page, "9 0")
    page.keyboard.press("1")  # another way
    expect_position(page, "8 1")
    page.go_back()
    page.go_back()
    page.go_back()
    expect_position(page, "12 0")
    page.go_back()
    arrive(page, "**/rules/nuts")


def test_the_button_back_takes_the_browser_along(page: Page, server: str) -> None:
    open_nuts(page, server)
    for key, position in (("1", "11 1"), ("1", "10 0"), ("1", "9 1")):
        page.keyboard.press(key)
        expect_position(page, position)
    page.evaluate("location.hash = 'part'")  # an entry of its own
    back = page.get_by_role("button", name="Back")
    back.click()
    back.click()
    expect_position(page, "11 1")
    page.go_back()
    expect_position(page, "12 0")
    expect(back).to_be_disabled()
    page.go_forward()
    expect_position(page, "11 1")
    expect(page.locator(".lx-keys")).to_contain_text("U goes back.")
    page.keyboard.press("u")
    expect_position(page, "12 0")


def test_back_goes_to_the_position_before_a_jump_and_also_after_a_reload(
    page: Page, server: str
) -> None:
    open_nuts(page, server)
    page.keyboard.press("1")
    expect_position(page, "11 1")
    page.get_by_label("position").fill("5 0")
    page.get_by_role("button", name="Show", exact=True).click()
    expect_position(page, "5 0")
    page.reload()
    expect_position(page, "5 0")
    page.go_back()
    expect_position(page, "11 1")
    page.keyboard.press("1")
    expect_position(page, "10 0")
    page.get_by_role("button", name="Back").click()
    expect_position(page, "11 1")
    page.go_back()
    expect_position(page, "12 0")


def test_the_best_line_is_numbered_on_the_board_and_goes_with_the_position(
    page: Page, server: str
) -> None:
    open_nuts(page, server)
    expect(page.locator(".lx-line-text")).to_have_text("Best line: take 3, take 1, take 3")
    expect(page.locator(".lx-mark")).to_have_text(["3rd", "2nd", "1st"])  # the first is on top
    expect(page.locator(".lx-mark-reply")).to_have_text("2nd")
    expect(page.locator(".lx-mark-ring")).to_have_count(0)
    first, nut = (
        page.locator(one).bounding_box() for one in (".lx-mark >> nth=2", "[data-id=nut9]")
    )
    assert first and nut
    assert abs(first["x"] + first["width"] / 2 - nut["x"] - nut["width"] / 2) < 4
    page.keyboard.press("3")
    expect(page.locator(".lx-line-text")).to_have_text("Best line: take 1, take 3, take 1")
    expect(page.locator(".lx-mark-reply")).to_have_text("2nd")
    page.get_by_role("switch").click()
    expect(page.locator(".lx-mark")).to_have_count(0)


def test_keys_are_listed_before_the_page_is_connected(page: Page, server: str) -> None:
    page.route_web_socket("**/socket.io/**", lambda socket: None)  # it never answers
    page.goto(f"{server}/understand/nuts")
    page.locator(".lx-svg").wait_for()
    page.keyboard.press("?")
    expect(page.locator(".lx-help")).to_contain_text("U goes back")


def test_a_phone_opens_at_the_top_though_values_are_on_and_a_wrong_position_stays_in_place(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_nuts(page, server)
    expect(page.locator(".lx-mark")).to_have_count(3)
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".lx-moves")).to_be_in_viewport()  # below the board
    page.get_by_label("position").fill("none")
    page.get_by_role("button", name="Show", exact=True).click()
    wrong = page.locator(".q-field--error")
    expect(wrong).to_contain_text("expected 2 parts (LEFT SEAT)")
    assert page.locator(".q-notification").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_label("position").fill("5 0")
    expect(wrong).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "place", ["B:h G:h", "B:h,h G:h,4", "B:h,h,h,h G:h,h,h,h", "B:5,5,l,h G:h,h,h,h"]
)
def test_values_and_arrows_leave_planes_visible(
    page: Page, server: str, place: str, width: int
) -> None:
    planes = place.split(" ")[0].count(",") + 1
    page.set_viewport_size({"width": width, "height": 900})
    go(page, f"{server}/understand/aeroplane?rules=planes={planes}&position={place} 6 0")
    expect(page.locator(".lx-move")).to_have_count(planes)
    hidden = page.evaluate(
        """(planes) => {
          const board = getElement(Number(document.querySelector(".lx-board").id.slice(1)));
          const middle = (id) => [board.parts.get(id).x, board.parts.get(id).y];
          const worth = (one) => [0, one, "blunder", "−0.85", true, ""];
          const [start, end] = [middle(`plane-B-${planes}`), middle("launch-B")];
          board.values([...Array(planes).keys()].map(worth));
          board.line([{ start, end, text: "", exact: true, own: true }]);
          const all = (chosen) => [...document.querySelectorAll(chosen)];
          const [badges, pieces] = [".lx-badge", "[data-id^=plane-]"].map((chosen) =>
            all(chosen).map((one) => one.getBoundingClientRect()));
          const common = (one, other, low, high) =>
            Math.min(one[high], other[high]) - Math.max(one[low], other[low]);
          const meet = (one) => (other) => one !== other
            && common(one, other, "left", "right") > 1 && common(one, other, "top", "bottom") > 1;
          const holes = all("mask rect:not([fill])").map((one) => one.getBBox());
          const behind = ({ x, y }) => holes.some((box) =>
            Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 1);
          return [
            badges.length,
            badges.filter((one) => [...badges, ...pieces].some(meet(one))).length,
            all(".lx-line [mask] path").length,
            all("[data-id^=plane-]").filter((one) => !behind(board.part(one))).length,
          ];
        }""",
        planes,
    )
    assert hidden == [planes, 0, 4, 0]
