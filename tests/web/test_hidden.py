"""What the web lab shows of matches in which something is hidden: to each seat what it sees."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from nicegui import ui
from nicegui.testing import User

from ludex.core.information import SPECTATOR
from ludex.core.play import parse, read_state
from ludex.io.keys import Refused
from ludex.web.parts.board import Board
from ludex.web.parts.hats_panel import HatsPanel
from ludex.web.parts.shared_screen import SharedScreen
from ludex.web.rest import guard, make_router
from ludex.web.state.access import HOST
from ludex.web.state.archive import record_of
from ludex.web.state.catalogue import texts_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.reader import Reader
from ludex.web.state.server_state import ServerState
from tests.webvisit import error_response, in_server, press, until, visit

pytestmark = pytest.mark.plain

KUHN, DICE, GOOFSPIEL = (f"examples/{name}.py" for name in ("kuhn", "liars_dice", "goofspiel"))
DEALT = "K J -"
NO_VALUES = "no equilibrium of liars_dice is known"


async def opened(
    server: ServerState, agents: list[str], yours: set[int], position: str = DEALT
) -> LiveMatch:
    """Return a match in which a king and a jack were dealt, as soon as somebody is to choose."""
    rules = server.catalogue.rules("kuhn")
    live = await server.open_match("kuhn", rules, agents, yours, read_state(rules, position))
    await until(lambda: live.pending or live.match.over)
    return live


async def choose(live: LiveMatch, key: str, seat: int, move: str) -> None:
    """Choose when it is time, and wait until it has been done."""
    await until(lambda: seat in live.seats_to_move(key))
    plies = len(live.match.plies)
    live.choose(key, seat, parse(live.match.rules, live.match.state, move, seat), plies - 1)
    await until(lambda: len(live.match.plies) > plies)


def test_each_key_shows_what_its_seat_sees(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await opened(server, ["human", "human"], {0})
        seen = {key: live.seen_by(live.viewer(key)).position for key in (live.owner, "wrong")}
        assert seen == {live.owner: "K ? -", "wrong": "? ? -"}
        guest = live.accept(live.guests[1])
        assert live.seen_by(live.viewer(guest)).position == "? J -"
        live.resign(guest)
        assert live.seen_by(SPECTATOR).position == DEALT

    in_server(story, tmp_path, (KUHN,))


def test_an_invitation_gives_a_key_once_that_its_sender_does_not_know(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await opened(server, ["human", "human"], {0})
        invitation = live.guests[1]
        assert live.viewer(invitation) == SPECTATOR
        key = live.accept(invitation)
        assert (live.seats_of(key), live.accept(key)) == ({1}, key)
        assert live.seats_of(live.accept(invitation)) == set()
        live.stop()
        server.matches.clear()
        server.resume_matches()
        assert server[live.id].seats_of(key) == {1}

    in_server(story, tmp_path, (KUHN,))


def test_a_guest_comes_to_the_seat_by_the_invitation(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await opened(server, ["human", "human"], {0})
        await user.open(f"/match/{live.id}?key={live.guests[1]}")
        await user.should_see("? J -")
        assert live.people.is_here(1)

    visit(story, tmp_path, (KUHN,))


def test_agents_among_themselves_are_shown_whole(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await opened(server, ["random", "random"], set())
        assert live.seen_by(SPECTATOR) is live.match

    in_server(story, tmp_path, (KUHN,))


def test_nothing_is_taken_back_after_all_was_shown(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await opened(server, ["human", "random"], {0})
        assert live.allows_undo() and live.allows_hints() and not live.allows_review()
        live.resign(live.owner)
        assert not live.allows_undo() and live.allows_review()
        with pytest.raises(Refused, match="would know what was hidden"):
            live.take_back(live.owner)
        shared = await opened(server, ["human", "human"], {0, 1})
        assert not shared.allows_undo() and not shared.allows_hints()

    in_server(story, tmp_path, (KUHN,))


def test_a_running_match_has_no_record_and_no_seed_of_the_visitor(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await opened(server, ["human", "random"], {0})
        with pytest.raises(Refused, match="recorded after its end"):
            record_of(live)
        live.resign(live.owner)
        assert record_of(live).end == DEALT
        rules = server.catalogue.rules("kuhn")
        with pytest.raises(ValueError, match="seed 7: expected none"):
            await server.open_match("kuhn", rules, ["human"], {0}, seed=7)

    in_server(story, tmp_path, (KUHN,))


def test_what_a_program_prints_waits_for_the_end(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await opened(server, ["human", "random"], {0})
        live.match.output = ("", "I have a jack")
        host = Reader(server.programs, HOST)
        assert host.output(live, 1) == ""
        live.resign(live.owner)
        assert host.output(live, 1) == "I have a jack"

    in_server(story, tmp_path, (KUHN,))


def test_values_depend_on_what_the_seat_sees_alone(tmp_path: Path, solutions: Path) -> None:
    async def story(server: ServerState) -> None:
        one = await opened(server, ["human", "random"], {0}, "Q J -")
        other = await opened(server, ["human", "random"], {0}, "Q K -")
        assert one.query() != other.query()
        found = await server.evaluations.hint(one.query())
        assert found == await server.evaluations.hint(other.query())
        assert [two.seat for two in found] == [0]
        known = await server.evaluations.known_value(one.game.source, ())
        assert known["value"] == pytest.approx(-1 / 36, abs=1e-4)

    in_server(story, tmp_path, (KUHN,))


def test_a_rematch_deals_anew(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await opened(server, ["human", "random"], {0})
        live.resign(live.owner)
        assert (await server.rematch(live)).match.plies[0].state == (0, 0, 1)

    in_server(story, tmp_path, (KUHN,))


def test_values_are_refused_in_plain_words(tmp_path: Path, solutions: Path) -> None:
    async def story(server: ServerState) -> None:
        rules = server.catalogue.rules("liars_dice", {"dice": "5"})
        live = await server.open_match("liars_dice", rules, ["human"], {0})
        await until(lambda: live.pending)
        for ask in (server.evaluations.of, server.evaluations.hint):
            with pytest.raises(ValueError, match=NO_VALUES):
                await ask(live.query())
        known = await server.evaluations.known_value(live.game.source, texts_of(rules))
        assert known == {"words": "not solved here", "value": None}

    in_server(story, tmp_path, (DICE,))


def test_rest_answers_hold_what_the_caller_sees(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        app = FastAPI()
        app.include_router(make_router(server))
        guard(app, server)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            live = await opened(server, ["human", "human"], {0}, position="- - -")
            guest = live.accept(live.guests[1])
            await choose(live, live.owner, 0, "pass")
            await until(lambda: live.seats_to_move(guest))
            first, second, _ = live.match.position.split()
            there = f"/api/matches/{live.id}"

            async def told(**query: Any) -> Any:
                return (await client.get(there, params=query)).json()

            assert (await told())["position"] == "? ? p"
            mine, other = await told(key=live.owner), await told(key=guest)
            assert (mine["position"], mine["moves"]) == (f"{first} ? p", {})
            assert (other["position"], other["moves"]) == (f"? {second} p", {"1": ["pass", "bet"]})
            wrong = {"move": "raise", "key": guest}
            refused = (await client.post(f"{there}/moves", json=wrong)).json()
            assert f"? {second} p" in refused["error"] and f"{first} " not in refused["error"]
            record = await client.get(f"{there}/record")
            assert record.status_code == 409 and first not in record.json()["error"].split()
            live.resign(live.owner)
            assert (await told())["position"] == live.match.position

    in_server(story, tmp_path, (KUHN,))


def page_text(user: User) -> str:
    """Return all that the elements of the page tell the browser."""
    assert user.client is not None
    elements = user.client.elements.values()
    return json.dumps([one._to_dict() for one in elements], default=str)


def test_the_page_of_a_spectator_holds_no_card(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await opened(server, ["human", "human"], {0}, position="- - -")
        await user.open(f"/match/{live.id}")
        await user.should_see("? ? -")
        assert "chance: hidden" in page_text(user).replace("</span>", "")
        assert not any(f"has {card}" in page_text(user) for card in "JQK")
        await error_response(user, f"/watch/match/{live.id}", "reviewed after its end", 400)

    visit(story, tmp_path, (KUHN,))


def test_people_who_choose_at_once_at_one_screen_look_in_turn(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("goofspiel")
        live = await server.open_match("goofspiel", rules, ["human", "human"], {0, 1})
        await until(lambda: len(live.pending) == 2)
        screen = SharedScreen(live, live.owner, lambda: None)
        for seat, bid in ((0, "2"), (1, "4")):
            assert (screen.covered, screen.seats_to_move()) == ([seat], [])
            screen.look()
            assert (screen.viewer, screen.seats_to_move()) == (seat, [seat])
            live.choose(live.owner, seat, parse(rules, live.match.state, bid, seat), 0)
        await until(lambda: len(live.match.plies) == 2 and live.pending)
        assert screen.covered == [0] and screen.viewer == SPECTATOR
        assert live.seen_by(screen.viewer).labels == ["hidden hidden"]
        screen.look()
        assert live.seen_by(screen.viewer).labels == ["2 hidden"]

    visit(story, tmp_path, (GOOFSPIEL,))


def test_the_hat_of_a_learner_is_shown_after_the_end(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await opened(server, ["random", "human"], {1})
        live.agents[0] = "hats:file=mine"
        await user.open("/watch")
        assert user.client is not None
        with user.client:
            panel = HatsPanel(server, live)
        assert panel.last_draw() == (-1, -1)
        live.resign(live.owner)
        assert panel.last_draw() == (0, 0)

    visit(story, tmp_path, (KUHN,))


def test_people_at_one_screen_look_in_turn(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await opened(server, ["human", "human"], {0, 1})
        await user.open(f"/match/{live.id}?key={live.owner}")
        await user.should_see("Player 1 is next; the others look away")
        await user.should_see("? ? -")
        (board,) = user.find(Board).elements
        assert board.props["first"]["offers"] == []
        press(user, "Player 1: press to see your side")
        await user.should_see("K ? -")
        await user.should_not_see(kind=ui.button, content="press to see your side")
        await user.should_see("Your turn, Player 1")
        await choose(live, live.owner, 0, "pass")
        await user.should_see("? ? p")
        press(user, "Player 2: press to see your side")
        await user.should_see("? J p")
        await choose(live, live.owner, 1, "pass")
        await user.should_see("K J pp")

    visit(story, tmp_path, (KUHN,))


def test_a_hint_and_an_explored_position_use_what_the_seat_sees(
    tmp_path: Path, solutions: Path
) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await opened(server, ["random", "human"], {1}, position="J K b")
        await user.open(f"/match/{live.id}?key={live.owner}")
        press(user, "Hint")
        await user.should_see("Hint: call. Exact value +1")
        await user.open("/understand/kuhn?position=J+K+b")
        await user.should_see("call")
        assert not [one for one in user.find(ui.label).elements if "search looks" in one.text]

    visit(story, tmp_path, (KUHN,))


def test_the_form_of_a_match_suggests_an_agent_that_can_play(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/kuhn")
        await user.should_see("such as ismcts:sims=2000")

    visit(story, tmp_path, (KUHN,))
