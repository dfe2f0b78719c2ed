"""The viewer of a match: playback, who is thinking, and what it says of moves and results."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.core.termination import CRASHED, ILLEGAL
from ludex.io.text import signed
from ludex.match.session import Match
from ludex.web.pages import viewer
from ludex.web.parts import transport
from ludex.web.parts.board import Board
from ludex.web.parts.move_log import ply_words, result_text
from ludex.web.parts.numbers import interval_text
from ludex.web.state.evaluations import Evaluations
from ludex.web.state.server_state import ServerState
from tests.lines import variant
from tests.webvisit import until, visit

pytestmark = pytest.mark.plain


def play_icon(user: User) -> str:
    buttons = user.find(ui.button).elements
    (found,) = [one for one in buttons if one.props.get("aria-label") == "Play or pause"]
    return str(found.props["icon"])


def at(user: User) -> int:
    (slider,) = user.find(ui.slider).elements
    return int(slider.value)


async def finished(server: ServerState) -> Any:
    """Return a match of nuts without mistakes that is over."""
    rules = server.catalogue.rules("nuts", {"nuts": "10"})
    live = await server.open_match("nuts", rules, ["minimax:depth=10"] * 2, set(), seed=1)
    await until(lambda: live.match.over)
    return live


def test_looking_for_a_mistake_pauses_and_the_icon_says_so(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await finished(server)
        await user.open(f"/watch/match/{live.id}")
        assert play_icon(user) == "pause"
        owners = [getattr(one, "__self__", None) for one in live.listeners]
        (page,) = [one for one in owners if isinstance(one, viewer.Viewer)]
        await until(lambda: not page.stale)  # a refresh shows the icon, too
        user.find("Previous mistake").click()
        await user.should_see("No mistake in this match")
        assert play_icon(user) == "play_arrow"

    visit(story, tmp_path)


def test_playback_does_not_wait_for_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(evaluations: Evaluations, query: Any) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr(Evaluations, "of", never)
    monkeypatch.setitem(transport.SPEEDS, "normal", 0.02)

    async def story(user: User, server: ServerState) -> None:
        live = await finished(server)
        assert len(live.match.plies) > 3
        await user.open(f"/watch/match/{live.id}")
        await until(lambda: at(user) == len(live.match.plies) - 1)

    visit(story, tmp_path)


def test_the_viewer_says_who_is_waited_for(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        live = await server.open_match("nuts", rules, ["human", "random"], {0}, seed=1)
        await user.open(f"/watch/match/{live.id}?key={live.owner}")
        await user.should_see("Waiting for Player 1")
        live.agents[0] = "slow"
        user.find(Board).trigger("key", "End")
        await user.should_see("Player 1 is thinking …")

    visit(story, tmp_path)


@pytest.mark.parametrize(
    ("ending", "words", "wanted"),
    [
        (CRASHED, "KeyError: 3", "Player 1 wins: Player 2's program failed: KeyError: 3"),
        (CRASHED, "Player 2: KeyError: 3", "Player 1 wins: Player 2's program failed: KeyError: 3"),
        (CRASHED, "Player 2 (mcts) failed: no", "Player 1 wins: Player 2 (mcts) failed: no"),
        (ILLEGAL, "'take 9'", "Player 1 wins: Player 2 made an illegal move: 'take 9'"),
    ],
)
def test_a_result_names_whose_fault_it_was(ending: str, words: str, wanted: str) -> None:
    match = Match(variant("nuts"), seed=0)
    match.forfeit(ending, (1,), words)
    assert result_text(match, words) == wanted


def test_an_outcome_of_chance_is_told_once() -> None:
    match = Match(variant("trap", size=3), seed=0, chance="manual")
    for move in ("step 1,1", "throw 1,2", "land 1,2"):
        match.push(move)
    assert ply_words(match, 3).count("1,2") == 1
    silent: Any = SimpleNamespace(
        rules=match.rules,
        plies=match.plies,
        labels_by_seat=match.labels_by_seat,
        events=lambda number: [],
    )
    assert "land 1,2" in ply_words(silent, 3)


def test_numbers_have_a_minus_and_no_negative_zero() -> None:
    given = (-1.0, -0.0001, 0.5, float("-inf"), None)
    assert [signed(one) for one in given] == ["−1.000", "+0.000", "+0.500", "−∞", ""]
    assert signed(-12.4, 0) == "−12"
    assert interval_text(-12.4, 3.0) == "−12 to +3"
    assert interval_text(float("-inf"), float("inf")) == "not known yet"
