"""What all sessions share, so that an idle one holds little memory."""

from pathlib import Path
from typing import Any

import pytest
from nicegui.testing import User

from ludex.web.parts.board import Board
from ludex.web.parts.layout import STYLE
from ludex.web.state.server_state import ServerState
from tests.webvisit import visit

pytestmark = pytest.mark.plain


def test_pages_have_the_style_sheet_and_no_copy_of_it(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        for path, status in (("/watch", 200), ("/nowhere", 404)):
            answer = await user.http_client.get(path)
            assert answer.status_code == status
            assert answer.text.count(".lx-board {") == STYLE.count(".lx-board {")
        await user.open("/watch")
        assert user.client is not None and user.client._head_html == ""

    visit(story, tmp_path)


def test_boards_share_their_shapes(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        shapes: list[Any] = []
        for _ in range(2):
            await user.open("/play/nuts")
            (board,) = user.find(Board).elements
            shapes.append(board.props["first"]["shapes"])
        first, second = shapes
        assert first and all(one is other for one, other in zip(first, second, strict=True))

    visit(story, tmp_path)


def test_the_current_page_is_marked_in_the_navigation(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        text = (await user.http_client.get("/watch")).text
        assert text.count("aria-current=page") == 1
        assert "aria-current=page" not in (await user.http_client.get("/docs")).text
        await user.open("/watch")
        await user.should_see('<a href="/watch" data-game aria-current=page>Watch</a>')

    visit(story, tmp_path)
