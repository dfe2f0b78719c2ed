"""Playing in the web lab: the set-up, the match page and what stands beside the board."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction

from ludex.core.play import choices, read_state
from ludex.core.rules import label, scene
from ludex.games import GAMES, game_rules, how_to_play
from ludex.solve.evaluation import Evaluation
from ludex.web.parts.agent_field import AgentField, AgentsField
from ludex.web.parts.board import Board, Offer, shared_offer
from ludex.web.parts.keyboard import keys_line
from ludex.web.parts.manual import Numbers
from ludex.web.parts.move_log import luck_of, result_for
from ludex.web.state import evaluations, limits
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState
from tests.web.test_pages import sent
from tests.webvisit import in_server, until, visit

pytestmark = pytest.mark.plain


async def begun(server: ServerState, game: str = "nuts", people: int = 1, **more: Any) -> LiveMatch:
    """Return a table whose owner is to choose."""
    agents = ["human"] * people + ["random"] * (2 - people)
    table = await server.open_match(
        game, server.catalogue.rules(game), agents, set(range(people)), **more
    )
    await until(lambda: table.seats_to_move(table.owner))
    return table


def opened(table: LiveMatch) -> str:
    return f"/match/{table.id}?key={table.owner}"


def html_of(user: User) -> str:
    return " ".join(one.content for one in user.find(ui.html).elements)


def field(user: User, label: str) -> AgentField:
    (found,) = [one for one in user.find(AgentField).elements if one.props["label"] == label]
    return found


@pytest.mark.unmeasured
def test_what_stands_in_the_field_of_an_agent_plays_or_is_refused(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts")
        field(user, "Player 2").value = "wibble"
        user.find("Start the match").click()
        await user.should_see("no agent 'wibble'")
        assert server.matches == {} and field(user, "Player 2").value == "wibble"
        field(user, "Player 2").value = " easy "
        user.find("Start the match").click()
        await until(lambda: server.matches)
        (table,) = server.matches.values()
        assert table.agents == ["human", "easy"]

    visit(story, tmp_path)


@pytest.mark.parametrize(
    ("page", "label", "text", "said"),
    [
        ("/play/nuts", "Player 2", "hrad", "No agent 'hrad'; did you mean 'hard'?"),
        ("/watch/nuts", "Player 1", "alphabeta:depth=many", "depth"),
        ("/watch/nuts", "Player 1", "human", "people play under Play"),
        ("/tournament/nuts", "Add an agent", "mcts:sims=1e9", "at most 1e+06 here"),
        ("/train/nuts", "learner", "parrot", "parrot"),
        ("/train/nuts", "against", "qtable:file=none", "No training 'none' here"),
    ],
)
def test_a_name_is_refused_as_soon_as_its_field_is_left(
    tmp_path: Path, page: str, label: str, text: str, said: str
) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open(page)
        typed = field(user, label)
        typed.value = text
        assert not typed.props.get("error")
        UserInteraction(user, {typed}, None).trigger("left")
        assert said in typed.props["error"]
        typed.value = "easy"
        assert typed.props["error"] == ""

    visit(story, tmp_path)


def test_an_agent_that_cannot_play_is_not_added(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/tournament/nuts")
        (agents,) = user.find(AgentsField).elements
        agents.more.value = "hrad"
        user.find(AgentField).trigger("taken", "hrad")
        assert "hrad" not in agents.chosen and "did you mean" in agents.more.props["error"]

    visit(story, tmp_path)


def test_an_agent_that_was_typed_and_not_added_takes_part(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/tournament/nuts")
        (agents,) = user.find(AgentsField).elements
        agents.value = ["easy", "medium"]
        agents.more.value = "random"
        assert agents.value == ["easy", "medium", "random"]
        user.find(AgentField).trigger("taken", "random")
        assert agents.chosen == ["easy", "medium", "random"] and agents.more.value == ""
        agents.more.value = "mc"
        agents.drop("easy")
        assert agents.value == ["medium", "random", "mc"]

    visit(story, tmp_path)


@pytest.mark.unmeasured
def test_a_player_is_told_whether_it_is_won_and_where_it_is_kept(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        table = await begun(server, limit=3000.0)
        await user.open(opened(table))
        await user.should_see("s left")
        user.find("Resign").click()
        assert not table.match.over, "one press asks"
        user.find("Sure?").click()
        await user.should_see("You lost: you resigned.")
        await user.should_not_see("s left")
        await user.should_see("Saved as match 1/0, ")
        (link,) = [one for one in user.find(ui.link).elements if "Saved" in one.text]
        assert link.props["href"] == "/watch/record/1/0"
        (board,) = user.find(Board).elements
        assert "lx-asleep" in board.classes
        assert not [name for name in board.sent if name.startswith("halo-")]
        assert "seat-1-name" in board.sent and "seat-1-detail" not in board.sent

    visit(story, tmp_path)


def test_a_watcher_and_one_who_plays_all_seats_are_told_who_wins(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        table = await begun(server, people=2)
        table.resign(table.owner)
        said = [result_for(table, key, table.match.words) for key in (table.owner, "")]
        assert said == 2 * [table.match.result]
        table = await begun(server)
        table.match.forfeit("RESIGNED", [1])
        assert result_for(table, table.owner, "") == "You won."

    visit(story, tmp_path)


def test_two_who_ask_at_once_get_one_rematch(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        live = await server.open_match("nuts", rules, ["human", "random"], {0})
        live.resign(live.owner)
        first, second = await asyncio.gather(server.rematch(live), server.rematch(live))
        assert first is second

    in_server(story, tmp_path)


@pytest.mark.unmeasured
def test_a_rematch_swaps_sides_and_has_the_same_opponent_rules_and_clock(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "12"})
        table = await server.open_match("nuts", rules, ["easy", "human"], {1}, limit=3000.0)
        await until(lambda: table.seats_to_move(table.owner))
        await user.open(opened(table))
        table.resign(table.owner)
        await user.should_see("Rematch")
        user.find("New").click()
        await user.should_see("Start the match")
        assert [field(user, f"Player {seat}").value for seat in (1, 2)] == ["easy", "you"]
        assert "3000" in [one.value for one in user.find(ui.input).elements]
        await user.open(opened(table))
        user.find("Rematch").click()
        await until(lambda: table.successor)
        new = table.successor
        assert new is not None
        assert (new.match.rules, new.agents, new.limit) == (rules, ["human", "easy"], 3000.0)
        assert new.seats_of(new.owner) == {0}

    visit(story, tmp_path)


def test_a_guest_joins_the_next_match_with_a_key_of_its_own(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        table = await server.open_match("nuts", rules, ["human", "human"], {0})
        table.resign(table.owner)
        new = await server.rematch(table)
        assert await server.rematch(table) is new
        await user.open(f"/match/{table.id}?key={table.guests[1]}")
        await user.should_see("You won: Player 1 resigned.")
        user.find("Join the next match").click()
        await user.should_see("Your turn, Player 1")
        await user.should_see("Player 1: you")
        await user.open(f"/match/{table.id}")
        user.find("Watch the next match").click()
        await user.should_see("Waiting for Player 1")
        assert new.people.spectators == 1

    visit(story, tmp_path)


def test_the_page_says_once_that_the_guest_is_here_and_announces_it(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        table = await server.open_match("nuts", rules, ["human", "human"], {0})
        await user.open(opened(table))

        def said() -> list[str]:
            texts = [one.text for one in user.find(ui.label).elements]
            texts += [one.content for one in user.find(ui.html).elements]
            return [one for one in texts if "here" in one or "Waiting" in one]

        assert len(said()) == 1 and "Player 2 is not here" in said()[0]
        table.people.enter("a page", table.guests[1])
        await user.should_see("Your guest is here")
        assert user.notify.messages == ["Your guest is here"]
        assert len(said()) == 1 and "Player 2 is here" in said()[0]

    visit(story, tmp_path)


@pytest.mark.parametrize(("people", "marked"), [(1, [True, False]), (2, [False, False])])
def test_who_plays_one_seat_finds_it_by_its_plate(
    tmp_path: Path, people: int, marked: list[bool]
) -> None:
    async def story(user: User, server: ServerState) -> None:
        table = await begun(server, people=people)
        await user.open(opened(table))
        (board,) = user.find(Board).elements
        names = [str(board.sent[f"seat-{seat}-name"]) for seat in (1, 2)]
        assert ["(you)" in name for name in names] == marked

    visit(story, tmp_path)


@pytest.mark.parametrize(("seat", "joy"), [(0, "false"), (1, "true")])
def test_an_end_is_celebrated_once_with_confetti_for_whoever_won(
    tmp_path: Path, seat: int, joy: str
) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        table = await server.open_match("nuts", rules, ["human", "human"], {0})
        await user.open(opened(table))
        codes = sent(user, "celebrate")
        table.resign([table.owner, table.guests[1]][seat])
        await until(lambda: codes)
        table.notify()
        await user.should_see("Saved as match")
        assert [code.partition(", ")[2] for code in codes] == [f"[{1 - seat}], {joy})"]

    visit(story, tmp_path)


def test_an_invitation_is_a_whole_address_and_says_when_it_is_copied(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        table = await server.open_match("nuts", rules, ["human", "human"], {0})
        await user.open(opened(table))
        assert not [one for one in user.find(ui.link).elements if "key=" in one.props["href"]]
        texts = {
            name: one.text
            for one in user.find(ui.label).elements
            for name in one.classes
            if name in ("lx-guest", "lx-spectator")
        }
        assert texts["lx-guest"].startswith("http://")
        assert texts["lx-guest"].endswith(f"key={table.guests[1]}")
        assert texts["lx-spectator"] == texts["lx-guest"].partition("?")[0]
        user.find("Copy").trigger("click", False)
        await user.should_see("copy it by hand")
        user.find("Copy").trigger("click", True)
        await user.should_see("Copied")
        await user.should_not_see("Show the links again")
        table.people.enter("a page", table.guests[1])
        await user.should_see("Show the links again")
        await user.should_not_see("Invite a friend")
        user.find("Show the links again").click()
        await user.should_see("Invite a friend")

    visit(story, tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_ours_says_how_it_is_played(game: str) -> None:
    said = how_to_play(game_rules(game))
    assert 3 <= len(said) <= 6
    assert all(line.endswith(".") and "{" not in line for line in said)


def test_a_game_without_a_text_has_its_summary() -> None:
    rules = game_rules("examples/pig.py")
    assert len(how_to_play(rules)) == 1
    assert how_to_play(game_rules("nuts", {"most": "4"}))[1] == "A turn takes 1 to 4 nuts."


@pytest.mark.unmeasured
def test_the_set_up_explains_the_game_and_its_rules(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts")
        assert "Whoever takes the last nut loses." in html_of(user)
        (most,) = [
            one for one in user.find(ui.input).elements if one.props["label"] == "most per turn"
        ]
        assert most.props["hint"] == "how many nuts a turn may take at most (1 to 9)"
        most.value = "5"
        user.find(ui.input).trigger("blur")
        assert "A turn takes 1 to 5 nuts." in html_of(user)
        (board,) = user.find(Board).elements
        assert "lx-asleep" in board.classes

    visit(story, tmp_path)


def test_a_position_that_is_over_starts_no_match(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts?position=0 1")
        user.find("Start the match").click()
        (typed,) = [one for one in user.find(ui.input).elements if one.props["label"] == "position"]
        await until(lambda: "In this position the match is over" in (typed.error or ""))
        assert server.matches == {}

    visit(story, tmp_path)


def test_the_blows_of_the_robot_in_question_are_shown(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        table = await begun(server, "arena")
        await user.open(opened(table))
        assert "spark → it" in html_of(user)
        user.find(Board).trigger("preview", [0, 3])
        shown = html_of(user)
        assert "hard → it" in shown and "<th>crash</th><td>7</td><td>2</td>" in shown
        await user.open(opened(await begun(server, "nuts")))
        assert "→ it" not in html_of(user), "a game without tables"

    visit(story, tmp_path)


def test_the_effects_of_a_move_are_told_before_it_is_made(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("arena")
        lives = ",".join(["30"] * 9)
        start = read_state(rules, f"{lives} {lives.removesuffix('30')}99 hard - - 1")
        table = await server.open_match("arena", rules, ["human", "human"], {0, 1}, start)
        await until(lambda: table.pending)
        await user.open(opened(table))
        crash = next(one for one in choices(rules, start, 1) if label(rules, start, one) == "crash")
        user.find(Board).trigger("preview", [1, crash])
        await user.should_see("Hard Man defeats Crash Man and has 20 life points left.")
        assert len(table.match.plies) == 1

    visit(story, tmp_path)


def test_two_people_at_one_keyboard_have_names_and_keys_of_their_own(tmp_path: Path) -> None:
    rules = game_rules("droids")
    state = read_state(rules, "2,0 2,3 5,5 0,0 50")
    assert "W A S D" in keys_line(rules, state, [0]) and "Enter" not in keys_line(rules, state, [0])
    assert "R2-Q5 the arrows and Enter" in keys_line(rules, state, [0, 1])
    nuts = game_rules("nuts")
    assert "numbers choose" in keys_line(nuts, read_state(nuts, "21 0"), [0])
    one, other = (shared_offer(Offer(seat, 0, "up"), f"droid {seat}") for seat in (0, 1))
    assert (one.label, one.keys) == ("droid 0: up", ("w",))
    assert (other.label, other.keys) == ("droid 1: up", ("ArrowUp",))

    async def story(user: User, server: ServerState) -> None:
        table = await begun(server, "droids", people=2)
        await user.open(opened(table))
        (board,) = user.find(Board).elements
        offers = board.props["first"]["offers"]
        assert len({words for _, _, words, _ in offers}) == len(offers)
        keys = [key for *_, own in offers for key in own]
        assert len(set(keys)) == len(keys)

    visit(story, tmp_path)


@pytest.mark.unmeasured
def test_luck_says_whose_it_is(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("aeroplane")
        table = await server.open_match("aeroplane", rules, ["human", "human"], {0, 1}, seed=1)
        await until(lambda: table.seats_to_move(table.owner))
        told = {luck_of(table.match, number) for number in range(1, len(table.match.plies))}
        assert told == {"Blue's luck", "Green's luck"}
        await user.open(opened(table))
        assert "Green&#x27;s luck: roll" in html_of(user)

    visit(story, tmp_path)


def test_planes_carry_the_numbers_of_their_moves() -> None:
    rules = game_rules("aeroplane")
    shapes = scene(rules, read_state(rules, "B:h,5,5,9 G:h,h,h,h 6 0")).shapes
    told = {one.id: one.text for one in shapes if one.id.startswith("tag-B") and one.text}
    assert told == {"tag-B-1-text": "1", "tag-B-3-text": "2·3", "tag-B-4-text": "4"}


def test_a_hint_is_what_is_known_already_or_a_quick_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []

    def look(asked: object, seconds: float = limits.PROVING) -> list[Evaluation]:
        looks.append(seconds)
        return []

    monkeypatch.setattr(evaluations, "evaluate", look)

    async def story(user: User, server: ServerState) -> None:
        table = await begun(server)
        await server.evaluations.hint(table.query())
        await server.evaluations.of(table.query())
        await server.evaluations.hint(table.query())
        assert looks == [limits.HINT, limits.PROVING]

    visit(story, tmp_path)


def test_a_game_that_is_solved_later_is_known_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [{"words": "not solved here", "value": None}, {"words": "a draw", "value": 0.0}]
    on_disk = False
    monkeypatch.setattr(evaluations, "known_value", lambda *given: answers.pop(0))
    monkeypatch.setattr(evaluations, "is_solved", lambda *given: on_disk)

    async def story(server: ServerState) -> None:
        nonlocal on_disk
        ask = server.evaluations.known_value
        assert [(await ask("droids", ()))["value"] for _ in range(2)] == [None, None]
        on_disk = True
        assert [(await ask("droids", ()))["words"] for _ in range(2)] == ["a draw", "a draw"]

    in_server(story, tmp_path)


@pytest.mark.unmeasured
def test_numbers_are_of_names_in_the_tables_alone(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/play/nuts")
        with user:
            numbers = Numbers(server.catalogue.rules("arena"))
        numbers.show("gamma")
        numbers.show("nobody")
        assert numbers.picker.value == "gamma"

    visit(story, tmp_path)


def test_numbers_of_a_robot_that_was_pointed_at_go_with_the_position(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("arena")
        live = await server.open_match("arena", rules, ["human", "human"], {0, 1})
        await until(lambda: live.pending)
        await user.open(f"/match/{live.id}?key={live.owner}")
        picker = next(one for one in user.find(ui.select).elements if "hard" in one.options)
        user.find(Board).trigger("preview", [0, 3])
        await until(lambda: picker.value == "hard")
        live.choose(live.owner, 0, 3, 0)
        await until(lambda: picker.value is None)
        await user.should_see("Point at a choice")
        picker.value = "gamma"
        live.choose(live.owner, 1, 0, 1)
        await user.should_see("30,30,30,14")  # as text
        assert picker.value == "gamma", "what a person selects stays"

    visit(story, tmp_path)
