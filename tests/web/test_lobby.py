"""The lobby: what everybody may know of the matches that are being played."""

import time
from pathlib import Path
from typing import Any

import pytest
from nicegui.testing import User

from ludex.core.play import choices
from ludex.web.parts import running_matches
from ludex.web.rest.matches import match_json
from ludex.web.state import limits, lobby
from ludex.web.state.access import HOST
from ludex.web.state.archive import record_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.lobby import RunningMatch
from ludex.web.state.reader import Reader
from ludex.web.state.server_state import ServerState
from tests.webvisit import in_server, until, visit

pytestmark = pytest.mark.plain
# What it chooses is printed before the other has chosen.
TELLTALE = """
def choose(position, moves, seconds):
    print("I choose", moves[0])
    return moves[0]
"""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "FRESH", 0.0)
    monkeypatch.setattr(running_matches, "EVERY", 0.02)


async def by_link(server: ServerState, game: str = "nuts", **more: Any) -> LiveMatch:
    """Return a match of two people that has begun."""
    rules = server.catalogue.rules(game)
    live = await server.open_match(game, rules, ["human", "human"], {0}, **more)
    await until(lambda: live.pending)
    return live


def test_a_match_is_listed_with_its_players_turn_and_spectators(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await by_link(server)
        live.people.rename(live.guests[1], "Bob")
        live.people.enter("page", "")
        live.choose(live.owner, 0, 0, 0)
        await until(lambda: len(live.match.plies) == 2 and live.pending)
        name, players = "The Game of Nuts", ("a person", "Bob")
        turn = "Bob to move"
        assert server.lobby.running() == [RunningMatch(live.id, name, players, 1, turn, 1)]

    in_server(story, tmp_path)


def test_ended_and_abandoned_matches_are_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        ended = await server.open_match("nuts", rules, ["random", "random"], set())
        await until(lambda: ended.match.over)
        left, kept = [await by_link(server) for _ in range(2)]
        kept.people.enter("page", kept.owner)
        assert [one.id for one in server.lobby.running()] == [kept.id, left.id]
        monkeypatch.setattr(limits, "ABANDONED", -1.0)
        assert [one.id for one in server.lobby.running()] == [kept.id]
        kept.people.leave("page")
        assert server.lobby.running() == []

    in_server(story, tmp_path)


def test_a_player_who_reloads_late_has_not_abandoned_the_match(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await by_link(server)
        live.people.enter("page", live.owner)
        live.touched = time.monotonic() - 2 * limits.ABANDONED  # a long thought
        live.people.leave("page")
        assert not live.is_abandoned()

    in_server(story, tmp_path)


def test_all_pages_share_one_list_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "FRESH", 3600.0)

    async def story(server: ServerState) -> None:
        first = server.lobby.running()
        await by_link(server)
        assert server.lobby.running() is first

    in_server(story, tmp_path)


def test_the_page_lists_the_matches_and_follows_them(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/watch/trap")
        await user.should_see("Nothing is being played now.")
        live = await by_link(server)
        await user.should_see("The Game of Nuts · a person – a person")
        await user.should_see("After 0 moves, Player 1 to move")
        live.choose(live.owner, 0, 0, 0)
        await user.should_see("After 1 move, Player 2 to move")
        user.find("The Game of Nuts · a person – a person").click()
        await user.should_see("Waiting for Player 2")
        assert live.people.spectators == 1
        await user.should_not_see("Resign")
        live.resign(live.owner)
        await user.open("/watch/trap")
        await user.should_see("Nothing is being played now.")

    visit(story, tmp_path)


def test_a_long_list_is_cut_and_keeps_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_matches, "MOST", 2)

    async def story(user: User, server: ServerState) -> None:
        await user.open("/watch")
        with user.client or user:
            shown = running_matches.RunningMatches(server.lobby)

        def rows() -> list[Any]:
            return [one.default_slot.children[0].props["href"][7:] for one in shown.list]

        first, second, third = [await by_link(server) for _ in range(3)]
        shown.refresh()
        assert rows() == [third.id, second.id] and shown.rest.text == "And 1 more."
        third.resign(third.owner)
        shown.refresh()
        assert rows() == [second.id, first.id] and shown.rest.text == ""

    visit(story, tmp_path)


def test_a_spectator_sees_no_choice_before_both_are_made(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await by_link(server, "droids")
        reader = Reader(server.programs, HOST)

        def seen() -> tuple[Any, ...]:
            return server.lobby.running(), match_json(live, "", reader), reader.record(live)

        before = seen()
        assert before[0][0].turn == "both choose"
        live.choose(live.owner, 0, 0, 0)
        assert live.pending[0].done() and seen() == before

    in_server(story, tmp_path)


def test_what_a_program_prints_is_seen_when_both_have_chosen(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        text = server.programs.save("telltale.py", TELLTALE)
        rules = server.catalogue.rules("droids")
        live = await server.open_match("droids", rules, [text, "human"], {1})
        await until(lambda: "I choose" in live.programs.text_of(0))
        assert live.programs.output(0) == ""
        action = choices(rules, live.match.state, 1)[0]
        live.choose(live.owner, 1, action, len(live.match.plies) - 1)
        await until(lambda: live.programs.printed)
        assert live.programs.output(0).startswith("I choose")

    in_server(story, tmp_path)


def test_the_seed_of_a_match_is_secret_until_its_end(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await by_link(server, seed=77)
        assert record_of(live).seed == 0
        live.resign(live.owner)
        assert record_of(live).seed == 77

    in_server(story, tmp_path)
