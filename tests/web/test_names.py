"""People are called by their names: on the page of a match, in results, lists and records."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.core.rules import prompt
from ludex.core.scene import Shape
from ludex.games import game_rules
from ludex.web.pages.watch import match_line
from ludex.web.parts import live_view
from ludex.web.parts.board import Board
from ludex.web.parts.move_log import result_for
from ludex.web.parts.name_plates import plate_text, with_name
from ludex.web.state.archive import record_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.public_text import person_text, player_name
from ludex.web.state.server_state import ServerState
from tests.webvisit import in_server, until, visit

pytestmark = pytest.mark.plain


async def ann_and_bob(server: ServerState, game: str = "nuts") -> LiveMatch:
    """Return a match of Ann, who opened it, and her guest Bob."""
    rules = server.catalogue.rules(game)
    live = await server.open_match(game, rules, ["human", "human"], {0})
    live.people.rename(live.owner, "Ann")
    live.people.rename(live.guests[1], "Bob")
    await until(lambda: live.pending)
    return live


def test_the_page_calls_people_by_their_names(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await ann_and_bob(server)
        await user.open(f"/match/{live.id}?key={live.owner}")
        await user.should_see("Player 1: Ann (you), Player 2: Bob")
        await user.should_see("Your turn, Ann")
        (board,) = user.find(Board).elements
        assert "Player 1 (you)" in str(board.sent["seat-1-name"])
        assert "Player 2 (Bob)" in str(board.sent["seat-2-name"])
        live.people.rename(live.guests[1], "Robert")
        await user.should_see("Player 2: Robert")
        assert "(Robert)" in str(board.sent["seat-2-name"]), "the board is drawn again"
        live.choose(live.owner, 0, 0, 0)
        await user.should_see("Waiting for Robert")

    visit(story, tmp_path)


def test_a_result_is_one_sentence_with_names(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await ann_and_bob(server)
        guest = live.guests[1]
        live.resign(guest)
        said = [result_for(live, key, live.match.words) for key in (live.owner, guest, "")]
        assert said == [
            "You won: Bob resigned.",
            "You lost: you resigned.",
            "Ann wins: Bob resigned.",
        ]
        live.people.rename(guest, "Ann")
        words = live.match.words
        assert result_for(live, "", words) == "Ann (Player 1) wins: Ann (Player 2) resigned."
        assert live.match.result == "Player 1 wins: Player 2 resigned.", "as records have it"

    in_server(story, tmp_path)


def test_a_review_says_you_as_the_match_did(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await ann_and_bob(server)
        live.resign(live.guests[1])
        for key, plate, result in (
            (live.owner, "Player 1 (you)", "You won: Bob resigned."),
            ("", "Player 1 (Ann)", "Ann wins: Bob resigned."),
        ):
            await user.open(f"/watch/match/{live.id}?ply=0&key={key}")
            await user.should_see(result)
            (board,) = user.find(Board).elements
            assert plate in str(board.sent["seat-1-name"])

    visit(story, tmp_path)


def test_a_stored_match_has_the_names_and_its_event_the_kind_of_player(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        live = await ann_and_bob(server)
        live.resign(live.owner)
        await until(lambda: live.stored_as)
        ((_, record),) = await server.archive.latest(None, 9)
        assert record == record_of(live) and record.agents == ("human (Ann)", "human (Bob)")
        assert match_line(record).startswith("Ann – Bob: Bob won, ")
        (event,) = server.archive.store.history(None, "human", 9)
        assert event.agents == ["human", "human"]

    in_server(story, tmp_path)


@pytest.mark.parametrize("name", ["", "Ann", "B (2)", ")("])
def test_a_name_is_read_from_a_record_as_it_was_written(name: str) -> None:
    assert player_name(person_text(name)) == (name or "a person")


def test_names_fit_on_plates() -> None:
    assert plate_text("Player 1", "Bob") == "Player 1 (Bob)"
    assert plate_text("Player 1", "Bartholomew") == "Player 1 (Barthol…)"
    assert plate_text("Player 1", "mcts:sims=2000") == "Player 1 (mcts)"
    assert plate_text("Player 1", "alphabeta:depth=4") == "Player 1 (alphabe…)"
    assert plate_text("A seat with a name", "Bob") == "A seat with a name (Bob)"
    assert plate_text("A seat with a name", "Robert") == "A seat with a name"
    plate = Shape("seat-1-name", "bold", 0, 0, 0, 18, text="Player 1")
    short, long = (with_name(plate, name) for name in ("Bob", "Bartholomew"))
    assert 18 > short.height > long.height > 12
    assert len(long.text) * long.height == pytest.approx(len(short.text) * short.height)
    assert with_name(plate._replace(text="R2-D2"), "Bob").height == 18


def test_every_game_marks_the_plate_of_the_one_who_plays_here(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        for game in ("aeroplane", "arena", "droids", "trap"):
            live = await ann_and_bob(server, game)
            await user.open(f"/match/{live.id}?key={live.guests[1]}")
            (board,) = user.find(Board).elements
            plates = [str(one) for name, one in board.sent.items() if name.endswith("-name")]
            assert sum("(you)" in one for one in plates) == 1, game
            assert sum("(Ann)" in one for one in plates) == 1, game

    visit(story, tmp_path)


def test_an_agent_is_named_on_its_plate_and_while_it_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought = asyncio.Event()

    async def choice(live: LiveMatch, seat: int) -> tuple[int, float]:
        await thought.wait()
        return 0, 0.0

    async def story(user: User, server: ServerState) -> None:
        monkeypatch.setattr(LiveMatch, "choice", choice)
        for game, plate in (("nuts", "Player 1 (random)"), ("aeroplane", "Blue (random)")):
            rules = server.catalogue.rules(game)
            live = await server.open_match(game, rules, ["random", "human"], {1}, seed=1)
            for address in (f"/match/{live.id}?key={live.owner}", f"/watch/match/{live.id}"):
                await user.open(address)
                (board,) = user.find(Board).elements
                assert plate in str(board.sent.values())
            if game == "nuts":
                await user.open(f"/match/{live.id}?key={live.owner}")
                await user.should_see("Player 1 (random) is thinking …")

    visit(story, tmp_path)


def test_the_status_says_whether_to_step_or_to_throw(tmp_path: Path) -> None:
    assert prompt(game_rules("nuts"), None) == ""

    async def story(user: User, server: ServerState) -> None:
        live = await ann_and_bob(server, "trap")
        await user.open(f"/match/{live.id}?key={live.owner}")
        await user.should_see("Your turn, Ann: step")
        live.choose(live.owner, 0, 10, 0)
        await user.should_see("Your turn, Ann: throw a trap")

    visit(story, tmp_path)


def test_it_is_not_your_turn_while_the_board_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(user: User, server: ServerState) -> None:
        monkeypatch.setattr(live_view, "SETTLING", 1000.0)  # the board says when it has settled
        rules = server.catalogue.rules("nuts")
        live = await server.open_match("nuts", rules, ["human", "random"], {0}, seed=1)
        await until(lambda: live.pending)
        await user.open(f"/match/{live.id}?key={live.owner}")
        await user.should_see("Your turn, Player 1")
        live.choose(live.owner, 0, 0, 0)
        await user.should_see("Player 1: take 1")
        await until(lambda: len(live.match.plies) == 3)
        user.find(Board).trigger("shows", [2, 1])
        await user.should_see("Player 2 (random): take ")
        await until(lambda: live.seats_to_move(live.owner))
        live.people.enter("spectator", "")
        await user.should_see("1 spectator")
        await user.should_not_see("Your turn")
        user.find(Board).trigger("settled", [1])  # before it was told of the reply
        await user.should_not_see("Your turn")
        user.find(Board).trigger("settled", [2])
        await user.should_see("Your turn, Player 1")

    visit(story, tmp_path)


def test_only_own_moves_can_be_taken_back_and_hints_are_for_those_alone(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("aeroplane")
        live = await server.open_match("aeroplane", rules, ["human", "random"], {0}, seed=3)
        await until(lambda: live.pending)
        assert len(live.match.plies) > 1, "dice were rolled"
        assert not live.can_take_back(live.owner)
        await user.open(f"/match/{live.id}?key={live.owner}")
        assert [one.enabled for one in user.find(kind=ui.button, content="Undo").elements] == [
            False
        ]
        user.find(Board).trigger("key", "u")
        assert user.notify.messages == []
        await user.should_see("U takes back; H gives a hint.")
        live = await ann_and_bob(server)
        await user.open(f"/match/{live.id}?key={live.owner}")
        await user.should_see("Resign")
        for words in ("Undo", "Hint", "U takes back", "H gives a hint"):
            await user.should_not_see(words)

    visit(story, tmp_path)


def test_rules_are_chosen_for_watching_and_errors_stand_at_their_field(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/watch/nuts?who=easy|random&seed=7")
        (nuts,) = [one for one in user.find(ui.input).elements if one.props["label"] == "nuts"]
        nuts.value = "5"
        user.find("Start the match").click()
        await until(lambda: nuts.error == "'5': expected a whole number from 10 to 100")
        assert server.matches == {} and user.notify.messages == []
        nuts.value = "12"
        user.find("Start the match").click()
        await until(lambda: server.matches)
        (live,) = server.matches.values()
        assert (live.match.rules.nuts, live.match.seed) == (12, 7)
        assert live.requested_agents == ["easy", "random"]

    visit(story, tmp_path)


def test_all_stored_matches_can_be_reached(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("ludex.web.pages.watch.SOME", 1)

    async def story(user: User, server: ServerState) -> None:
        for live in [await ann_and_bob(server) for _ in range(2)]:
            live.resign(live.owner)
            await server.archive.drain()
        await user.open("/watch/trap")
        await user.should_see("Nothing yet for this game.")
        (shown,) = [one for one in user.find(ui.select).elements if one.props["label"] == "show"]
        shown.value = ""
        await user.should_see("The Game of Nuts · Ann – Bob: Bob won")
        await user.should_not_see("Match 1/0")
        user.find("More").click()
        await user.should_see("Match 1/0")
        await user.should_not_see("More")

    visit(story, tmp_path)


def test_the_list_is_that_of_the_last_filter_however_late_others_come(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await ann_and_bob(server)
        live.resign(live.owner)
        await server.archive.drain()
        await user.open("/watch/trap")
        await user.should_see("Nothing yet for this game.")
        (shown,) = [one for one in user.find(ui.select).elements if one.props["label"] == "show"]
        late, read = asyncio.Event(), server.archive.latest

        async def latest(source: str | None, most: int) -> Any:
            if source == "trap":
                await late.wait()
            return await read(source, most)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server.archive, "latest", latest)
            for game in ("nuts", "trap", "nuts"):
                shown.value = game
                await asyncio.sleep(0)
            await user.should_see("Ann – Bob: Bob won")
            late.set()
            await asyncio.sleep(0.1)
        await user.should_see("Ann – Bob: Bob won")

    visit(story, tmp_path)
