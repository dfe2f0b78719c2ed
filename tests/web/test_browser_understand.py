"""Understand in a real browser."""

from playwright.sync_api import Page, expect

from tests import browsing

pytestmark = browsing.MARKS
# Fixtures: this file has a browser of its own.
browser, window, page = browsing.browser, browsing.window, browsing.page


def open_nuts(page: Page, server: str) -> None:
    page.goto(f"{server}/understand/nuts?rules=nuts=12")
    expect(page.locator(".lx-move")).to_have_count(3)


def test_the_best_line_is_numbered_on_the_board_and_goes_with_the_position(
    page: Page, server: str
) -> None:
    open_nuts(page, server)
    expect(page.locator(".lx-line-text")).to_have_text("Best line: take 3, take 1, take 3")
    assert page.locator(".lx-mark").count() == 0
    page.get_by_role("switch").click()
    expect(page.locator(".lx-mark")).to_have_text(["3", "2", "1"])  # the first is on top
    expect(page.locator(".lx-mark-reply")).to_have_text("2")
    expect(page.locator(".lx-mark-ring")).to_have_count(0)
    first, nut = (
        page.locator(one).bounding_box() for one in (".lx-mark >> nth=2", "[data-id=nut9]")
    )
    assert first and nut
    assert abs(first["x"] + first["width"] / 2 - nut["x"] - nut["width"] / 2) < 4
    page.keyboard.press("3")
    expect(page.locator(".lx-line-text")).to_have_text("Best line: take 1, take 3, take 1")
    expect(page.locator(".lx-mark-reply")).to_have_text("2")
    page.get_by_role("switch").click()
    expect(page.locator(".lx-mark")).to_have_count(0)
