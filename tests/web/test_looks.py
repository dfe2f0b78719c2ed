"""What pages look like: the palette in the dark, dates and durations, guides and plots."""

import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.games import GAMES
from ludex.games.trap.patterns import ALL, kind_text
from ludex.lab import page as report
from ludex.lab.report import plots
from ludex.render.svg import PALETTE
from ludex.stats import Rating
from ludex.web.pages.guide import guide_sections, guide_text
from ludex.web.pages.tournament_view import rating_table
from ludex.web.parts import layout
from ludex.web.state.experiment_job import Laboratory
from ludex.web.state.experiments import SECONDS
from ludex.web.state.server_state import ServerState
from tests.webvisit import visit

pytestmark = pytest.mark.plain
DARK = dict(
    re.findall(r"--lx-(\w+): (#\w{6})", " ".join(re.findall(r"\.body--dark {[^}]*}", layout.STYLE)))
)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, as WCAG defines it."""
    light = []
    for colour in (one, other):
        parts = (part / 255 for part in bytes.fromhex(colour[1:]))
        red, green, blue = (
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        light.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(light) + 0.05) / (min(light) + 0.05)


def test_the_dark_style_names_colours_of_the_palette_alone() -> None:
    named = set(re.findall(r'\[(?:fill|stroke)="(#\w{6})"\]', layout.STYLE))
    assert len(named) > 8 and named <= set(PALETTE.values())


@pytest.mark.parametrize(
    "ground", ["white", "paper", "mist", "sand", "sky", "wood", "dusk", "night"]
)
def test_writing_is_read_on_every_dark_ground(ground: str) -> None:
    assert contrast(DARK["ink"], DARK[ground]) >= 7.0
    if ground not in ("sand", "wood"):  # no game writes in slate on these
        assert contrast(DARK["soft"], DARK[ground]) >= 4.5


def test_good_news_can_be_read() -> None:
    (ground,) = re.findall(r"--q-positive: (#\w{6})", layout.STYLE)
    assert contrast("#ffffff", ground) >= 4.5


def test_dark_boards_are_dark() -> None:
    assert all(contrast(DARK[one], "#000000") < 3.0 for one in ("white", "paper", "mist", "sky"))


def test_the_least_writing_in_a_plot_has_eleven_pixels() -> None:
    page = report.TEMPLATE.read_text("utf-8")
    (most,) = re.findall(r"max-width: (\d+)rem\) {\n  body { padding: 1rem; } figure", page)
    paddings = 2 * 16 * (1.5 + 0.6), 2 * 16 * (1.0 + 0.3)  # of the page and the figure
    sizes = ((16 * int(most), plots.WIDTH), (390, plots.NARROW))  # screens, and plots in inches
    for (screen, width), padding in zip(sizes, paddings, strict=True):
        assert plots.SMALL * (screen - padding) / (72 * width) >= 11.0


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("2026-03-09T11:59:40+00:00", "just now"),
        ("2026-03-09T11:59:00", "1 minute ago"),
        ("2026-03-09T11:00:30+00:00", "59 minutes ago"),
        ("2026-03-09T09:30:00+00:00", "2 hours ago"),
        ("2026-03-08T11:00:00+00:00", "1 day ago"),
        ("2026-03-01T12:00:00+00:00", "1 March 2026"),
        ("yesterday", ""),
    ],
)
def test_lists_say_when(when: str, words: str) -> None:
    assert layout.ago(when, datetime(2026, 3, 9, 12, tzinfo=UTC)) == words


def test_a_rating_of_nothing_has_no_minus() -> None:
    table = rating_table(["easy"], [Rating(0, -0.3, -0.49, 0.2, 0, 0.5)], {})
    assert "<td>+0</td><td>+0 to +0</td>" in table


def test_a_report_says_when_it_was_made_and_how_long_that_took(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path, "")
    path = laboratory.page("tiny")
    path.parent.mkdir(parents=True)
    path.write_text("")
    os.utime(path, (1000.0, 1000.0))
    assert laboratory.made("tiny") == (1000.0, None, None, 0.0)
    path.with_name(SECONDS).write_text("12.5")
    assert laboratory.made("tiny") == (1000.0, 12.5, None, 0.0)
    path.with_name(SECONDS).write_text("12.5 120.0 7.5")
    assert laboratory.made("tiny") == (1000.0, 12.5, 120.0, 7.5)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_ours_has_a_guide_without_dead_links(game: str) -> None:
    text = guide_text(game)
    assert text.startswith("## ") and "<!--" not in text and ".md)" not in text


@pytest.mark.parametrize("game", GAMES)
def test_a_guide_keeps_commands_apart_and_links_to_pages(game: str) -> None:
    sections = guide_sections(guide_text(game))
    for one in sections:
        assert not re.search(r"ludex \w|--\w", one.text), one.text
        assert one.text.startswith("## ") and not one.text.endswith(":")
    commands = "\n".join(one.commands for one in sections)
    assert "`" in commands and commands.count("```") % 2 == 0
    assert f"](/rules/{game})" in " ".join(one.text for one in sections)


def test_the_links_of_guides_lead_to_pages(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        found = [re.findall(r"\]\((/[^)]+)\)", guide_text(game)) for game in GAMES]
        assert all(found)
        for address in {one for links in found for one in links}:
            assert (await user.http_client.get(address)).status_code == 200, address

    visit(story, tmp_path)


def test_only_our_games_have_a_guide() -> None:
    assert guide_text("../games/nuts") == guide_text("pig") == ""


def test_the_guide_is_reached_from_the_set_up(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/trap")
        links = {one.props["href"] for one in user.find(ui.link).elements}
        assert "/guide/trap" in links
        await user.open("/play/trap?rules=size=4")
        links = {one.props["href"] for one in user.find(ui.link).elements}
        assert "/guide/trap?rules=size%3D4" in links
        await user.open("/guide/trap")
        await user.should_see("How to play")
        guide = " ".join(one.content for one in user.find(ui.markdown).elements)
        assert "Manhattan distance" in guide
        await user.should_see("At the command line")

    visit(story, tmp_path)


def test_one_cell_is_not_called_cells() -> None:
    texts = {kind_text(place) for place in range(ALL)}
    assert any("1 cell within" in text for text in texts)
    assert not [text for text in texts if re.search(r"\b1 (?:free )?cells", text)]
