"""What tells an outcome waits until the board has shown it."""

from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.web.parts import live_view
from ludex.web.parts.board import Board
from ludex.web.state.server_state import ServerState
from tests.webvisit import until, visit

pytestmark = pytest.mark.plain


def tell(user: User, event: str, *given: int) -> None:
    """Let the browser's board report something."""
    user.find(Board).trigger(event, list(given))


def button(user: User, text: str) -> Any:
    (found,) = user.find(kind=ui.button, content=text).elements
    return found


@pytest.fixture
def moving(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that lets boards move until they report otherwise."""
    return lambda: monkeypatch.setattr(live_view, "SETTLING", 1000.0)


def test_the_heading_names_an_outcome_of_chance_when_the_board_has_shown_it(
    tmp_path: Path, moving: Any
) -> None:
    async def story(user: User, server: ServerState) -> None:
        moving()
        rules = server.catalogue.rules("trap")
        live = await server.open_match("trap", rules, ["human", "human"], {0}, seed=1)
        await until(lambda: live.pending)
        await user.open(f"/match/{live.id}?key={live.owner}")
        live.choose(live.owner, 0, 10, 0)
        await user.should_see("Player 1: step 1,3")
        tell(user, "settled", 1)
        await user.should_see("Your turn, Player 1: throw a trap")
        live.choose(live.owner, 0, 16, 1)
        await until(lambda: len(live.match.plies) == 4)
        await user.should_see("Player 1: throw 2,2")
        tell(user, "shows", 2, 1)
        tell(user, "shows", 3, 0)
        await user.should_not_see("Player 1's luck: land")
        tell(user, "shows", 3, 1)
        await user.should_see("Player 1's luck: land")
        await user.should_not_see("Waiting for Player 2")
        tell(user, "settled", 3)
        await user.should_see("Waiting for Player 2")

    visit(story, tmp_path)


def test_the_buttons_of_a_decided_match_wait_for_the_board(tmp_path: Path, moving: Any) -> None:
    async def story(user: User, server: ServerState) -> None:
        moving()
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        live = await server.open_match("nuts", rules, ["human", "human"], {0, 1}, seed=1)
        for ply in range(3):
            await until(lambda: live.seats_to_move(live.owner))
            live.choose(live.owner, ply % 2, 2, ply)
            await until(lambda: len(live.match.plies) == ply + 2)  # noqa: B023
        await until(lambda: live.pending)
        await user.open(f"/match/{live.id}?key={live.owner}")
        live.choose(live.owner, 1, 0, 3)
        await until(lambda: live.match.over)
        await user.should_see("Player 2: take 1")
        assert button(user, "Resign").enabled and not button(user, "Rematch").enabled
        tell(user, "settled", 4)
        assert button(user, "Rematch").enabled and not button(user, "Resign").enabled

    visit(story, tmp_path)


def test_the_viewer_tells_an_outcome_when_the_board_has_shown_it(
    tmp_path: Path, moving: Any
) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("trap", {"size": "3"})
        live = await server.open_match("trap", rules, ["random", "random"], set(), seed=1)
        await until(lambda: live.match.over)
        last = len(live.match.plies) - 1
        await user.open(f"/watch/match/{live.id}?ply=2")
        await user.should_see(f"2 of {last}")
        moving()
        user.find(Board).trigger("key", "ArrowRight")
        board = next(iter(user.find(Board).elements))
        await until(lambda: any(one.startswith("trap-") for one in board.sent))
        tell(user, "shows", 3, 0)
        await user.should_see("Move 2, Player 1: throw")
        await user.should_see(f"2 of {last}")
        tell(user, "settled", 3)
        await user.should_see("Move 3, Player 1's luck: land")
        await user.should_see(f"3 of {last}")

    visit(story, tmp_path)
