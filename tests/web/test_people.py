"""Who is at a match: names, presence, spectators."""

from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.web.parts.people_panel import PeoplePanel
from ludex.web.state.people import LONGEST, People
from ludex.web.state.server_state import ServerState
from tests.webvisit import error_response, until, visit

pytestmark = pytest.mark.plain


def test_a_seat_is_here_while_a_page_with_its_key_is_open() -> None:
    told: list[int] = []
    people = People({"a": {0}, "b": {1}}, lambda: told.append(1))
    people.enter("first", "a")
    people.enter("second", "a")
    people.enter("third", "")
    assert (people.is_here(0), people.is_here(1), people.spectators) == (True, False, 1)
    people.leave("first")
    assert people.is_here(0)
    people.leave("second")
    people.leave("second")
    assert (people.is_here(0), people.spectators, len(told)) == (False, 1, 5)


def test_only_the_holder_of_a_key_has_a_name() -> None:
    people = People({"a": {0}}, lambda: None)
    people.rename("a", "  Anna   " + "x" * 99)
    people.rename("wrong", "Eve")
    assert people.names == {0: ("Anna " + "x" * 99)[:LONGEST]}


def test_both_see_each_other_and_the_spectators(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        live = await server.open_match("nuts", rules, ["human", "human"], {0})
        await user.open(f"/match/{live.id}?key={live.owner}")
        shown: list[Any] = [one.content for one in user.find(ui.html).elements]
        text = "".join(shown)
        assert "Player 1 (you) is here" in text and "Player 2 is not here" in text
        guest = live.guests[1]
        live.people.rename(guest, "<b>Bob")
        live.people.enter("guest", guest)
        live.people.enter("spectator", "")
        with user:
            panel = PeoplePanel(live, live.owner)
        assert "Player 2: &lt;b&gt;Bob is here" in panel.list.content
        assert "1 spectator" in panel.list.content

    visit(story, tmp_path)


def test_a_match_alone_has_no_panel(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await server.open_match("nuts", server.catalogue.rules("nuts"), ["human"], {0})
        await user.open(f"/match/{live.id}?key={live.owner}")
        await user.should_not_see("People")
        live.people.enter("spectator", "")
        await user.should_see("People")

    visit(story, tmp_path)


@pytest.mark.parametrize("key", ["owner", ""])
def test_a_match_against_a_friend_is_reviewed_after_its_end(tmp_path: Path, key: str) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        live = await server.open_match("nuts", rules, ["human", "human"], {0})
        await error_response(user, f"/watch/match/{live.id}", "is reviewed after its end", 400)
        await user.open(f"/match/{live.id}?key={live.owner if key else ''}")
        (review,) = [one for one in user.find(ui.button).elements if one.text == "Review"]
        assert not review.enabled
        live.resign(live.owner)
        await until(lambda: review.enabled)

    visit(story, tmp_path)
