"""The values of moves and the best line on the board, and how long perfect play lasts."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.core.play import parse, read_state
from ludex.core.rules import initial, scene
from ludex.games import game_rules
from ludex.library.player import Decision
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength
from ludex.web.pages.page import working_link
from ludex.web.pages.understand import Explorer
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.best_line import LineMark, Picture, line_marks, line_text, move_picture
from ludex.web.parts.board import Board, MoveValue
from ludex.web.parts.evaluation_html import evaluation_table, thought_html
from ludex.web.parts.match_controls import hint_text
from ludex.web.parts.move_values import badge, move_value, move_values
from ludex.web.state import evaluations
from ludex.web.state.server_state import ServerState
from tests.web.test_pages import sent
from tests.webvisit import error_response, field, until, visit

pytestmark = pytest.mark.plain

Drawn = list[list[MoveValue]]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Return what boards are told to draw from now on."""
    told: Drawn = []
    monkeypatch.setattr(Board, "show_values", lambda board, values: told.append(list(values)))
    return told


def shown(drawn: Drawn) -> dict[tuple[int, int], str]:
    """Return the sign of each action that is drawn now, by seat."""
    return {one[:2]: one.sign for one in drawn[-1]} if drawn else {}


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[list[LineMark]]:
    """Return the lines that boards are told to draw from now on."""
    told: list[list[LineMark]] = []
    monkeypatch.setattr(Board, "show_line", lambda board, marks: told.append(list(marks)))
    return told


def switch_values(user: User) -> None:
    """Turn the values on the board on, or off if they are on."""
    user.find(ui.switch).click()


def test_a_badge_says_how_bad_a_move_is_and_whether_that_is_certain() -> None:
    values = {0: 0.5, 1: 0.495, 2: 0.47, 3: 0.19, 4: float("nan")}
    exact, guess = (Evaluation(0, 0.5, values, {}, sure, "") for sure in (True, False))
    found = {one.action: (one.kind, one.sign) for one in move_values([exact])}
    assert found == {
        0: ("best", "✓"),
        1: ("best", "≈"),
        2: ("slip", "−0.03"),
        3: ("blunder", "−0.31"),
    }
    assert move_value(exact, 3).words == "costs 0.31, value +0.19, exact"
    lost = Evaluation(0, -1.0, {0: -1.0, 1: -1.0}, {}, True, "")
    assert [(one.kind, one.sign) for one in move_values([lost])] == [("equal", "=")] * 2
    assert move_value(lost, 0).words == "every move loses, value −1.00, exact"
    assert "lx-worth-guess" not in badge(move_value(exact, 3))
    assert "lx-worth-blunder lx-worth-guess" in badge(move_value(guess, 3))


def text_of(content: str) -> str:
    """Return the text of HTML, with single spaces."""
    return " ".join(re.sub("<[^>]*>", " ", content).split())


@pytest.mark.parametrize(
    ("value", "length", "said"),
    [
        (1.0, GameLength(3, True, {}), "It wins in 3 moves (exact)."),
        (-1.0, GameLength(11.8, False, {}), "It loses, but holds out for about 12 moves."),
        (0.3, GameLength(11.8, False, {}), "Exact value, about 12 moves to the end."),
        (0.3, UNKNOWN_LENGTH, "Exact value."),
    ],
)
def test_a_hint_is_worded_by_value_and_length(value: float, length: GameLength, said: str) -> None:
    assert hint_text(Evaluation(0, value, {0: value}, {}, True, ""), "value", length) == said
    estimate = Evaluation(0, value, {0: value}, {}, False, "3 decisions ahead")
    said = "Estimated value, looking 3 decisions ahead."
    assert hint_text(estimate, "value", length) == said


def test_moves_left_are_said_for_every_move_and_a_lost_position_is_called_so() -> None:
    rules = game_rules("nuts", {"nuts": "12"})
    won = Evaluation(0, 1.0, {0: -1.0, 1: -1.0, 2: 1.0}, {}, True, "")
    length = GameLength(6.0, True, {2: 6.0}, {0: 7.0, 1: 9.0})
    said = text_of(evaluation_table(rules, initial(rules), won, length, None))
    assert "wins in 6 moves" in said and "Every move loses" not in said
    assert said.endswith(
        "move value moves left cost take 3 +1.000 6 ✓ take 2 −1.000 9 −2 take 1 −1.000 7 −2"
    )
    lost = Evaluation(0, -1.0, {0: -1.0, 1: -1.0, 2: -1.0}, {}, True, "")
    said = text_of(evaluation_table(rules, initial(rules), lost, UNKNOWN_LENGTH, None))
    assert "Every move loses." in said and said.endswith("take 2 −1.000 = take 3 −1.000 =")


def decision(values: dict[str, float], mixture: dict[str, float]) -> Decision:
    return Decision("take 3", 2, None, values, mixture, (), 0, 0, 0.0)


def test_an_agent_is_shown_with_the_values_and_shares_that_it_has() -> None:
    program = decision({}, {})
    assert text_of(thought_html(program, {})) == "It would choose take 3 ."
    assert text_of(thought_html(program, {}, {"take 3": 1.0})).endswith("exact take 3 +1.000")
    table = decision({"take 1": 0.1, "take 3": 0.9}, {"take 3": 1.0})
    assert text_of(thought_html(table, {}, {"take 1": -1.0, "take 3": 1.0})).endswith(
        "move value exact share take 3 +0.900 +1.000 100 % take 1 +0.100 −1.000 0 %"
    )


CELLS = ".1./.../.2. 0"  # of trap


@pytest.mark.parametrize(
    ("game", "texts", "place", "seat", "move", "ids"),
    [
        ("nuts", {"nuts": "12"}, "12 0", 0, "take 2", ("nut10",)),
        ("trap", {"size": "3"}, f"{CELLS} step", 0, "step 1,1", ("person-1", "cell-1,1")),
        ("trap", {"size": "3"}, f"{CELLS} throw", 0, "throw 1,2", ("cell-1,2",)),
        ("aeroplane", {"planes": "2"}, "B:16,h G:h,h 6 0", 0, "plane 2", ("plane-B-2", "launch-B")),
        ("droids", {}, "", 1, "left", ("droid-2", "cell-2,2")),
        ("droids", {}, "", 0, "shoot", ("droid-1",)),
        ("examples/pig.py", {}, "0 0 0 0 0", 0, "roll", ()),
    ],
)
def test_a_move_is_an_arrow_or_a_dot_wherever_a_scene_shows_it(
    game: str, texts: dict[str, str], place: str, seat: int, move: str, ids: tuple[str, ...]
) -> None:
    rules = game_rules(game, texts)
    state = read_state(rules, place) if place else initial(rules)
    where = {one.id: (one.x, one.y) for one in scene(rules, state).shapes}
    found = move_picture(rules, state, seat, parse(rules, state, move, seat))
    if not ids:
        assert found is None
    elif len(ids) == 1:
        assert found == Picture(where[ids[0]])
    else:
        assert found is not None and found.start == where[ids[0]]
        assert found.end == where.get(ids[1], found.end) != found.start


def test_a_robot_that_leaves_its_row_crosses_no_name() -> None:
    rules = game_rules("arena")
    state = initial(rules)
    (row,) = (one for one in scene(rules, state).shapes if one.id == "row-snake")
    found = move_picture(rules, state, 0, parse(rules, state, "snake", 0))
    assert found is not None and found.start == (row.x + row.width / 2, row.y + row.height / 2)
    assert found.end[0] > found.start[0] and found.end[1] > found.start[1]


def test_the_moves_of_a_line_are_numbered_and_tell_seats_and_estimates_apart() -> None:
    rules = game_rules("nuts", {"nuts": "12"})
    for exact in (True, False):
        won = Evaluation(0, 1.0, {2: 1.0}, {}, exact, "")
        marks = line_marks(rules, initial(rules), [won], (2, 0, 2))
        assert [one[2:] for one in marks] == [
            ("1", exact, True),
            ("2", exact, False),
            ("3", exact, True),
        ]
    (alone,) = line_marks(rules, initial(rules), [won], (2,))
    assert alone.text == ""
    assert line_text(rules, initial(rules), (2, 0)) == "take 3, take 1"


def test_a_mixture_is_drawn_with_its_shares() -> None:
    rules = game_rules("droids", {})
    mixed = Evaluation(0, 0.0, {0: 0.0, 1: 0.0}, {0: 0.25, 1: 0.74, 3: 0.01}, True, "")
    pure = Evaluation(1, 0.0, {4: 0.0}, {4: 1.0}, True, "")
    marks = line_marks(rules, initial(rules), [mixed, pure], ())
    assert [(one.text, one.own) for one in marks] == [("25%", True), ("74%", True), ("", False)]


def test_understand_draws_the_best_line_and_says_it(
    tmp_path: Path, lines: list[list[LineMark]]
) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/nuts?rules=nuts=12")
        await user.should_see("Best line: take 3, take 1, take 3")
        await until(lambda: lines[-1:] and [one.text for one in lines[-1]] == ["1", "2", "3"])
        switch_values(user)
        await until(lambda: lines[-1] == [])

    visit(story, tmp_path)


def test_an_agent_that_cannot_be_asked_takes_the_place_of_the_former_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = asyncio.Event()

    async def prepare(server: ServerState, *given: Any) -> None:
        await slow.wait()
        raise ValueError("it took too long")

    async def story(user: User, server: ServerState) -> None:
        server.programs.folder.mkdir()
        (server.programs.folder / "mine.py").write_text("")
        await user.open("/understand/nuts?rules=nuts=12")
        (agent,) = user.find(AgentField).elements
        assert ["program:mine.py", "program:mine.py"] in agent.props["options"]
        agent.value = "random"
        user.find("Ask").click()
        await user.should_see("It would choose")
        monkeypatch.setattr(ServerState, "prepare_agent", prepare)
        agent.value = "program:mine.py"
        user.find("Ask").click()
        await user.should_see("program:mine.py is thinking …")
        await user.should_not_see("It would choose")
        slow.set()
        await user.should_see("it took too long")
        await user.should_not_see("is thinking")

    visit(story, tmp_path)


def play_button(user: User) -> ui.button:
    (found,) = user.find(kind=ui.button, content="Play from here").elements
    return found


def test_where_nobody_chooses_understand_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluations, "evaluate_chance", lambda query: (0.25, False))

    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/trap?rules=size=3&position=.1./.../.2. 0 land:1,1")
        said = "<p>Chance decides here. Expected value +0.250 for Player 1"
        await user.should_see(said)
        assert play_button(user).enabled
        await user.open("/understand/nuts?position=0 0")
        await user.should_see("There is no move to choose here.")
        assert not play_button(user).enabled

    visit(story, tmp_path)


def test_a_wrong_position_is_explained_at_its_field_until_it_is_right(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/nuts?rules=nuts=12")
        where, changes = field(user, "position"), field(user, "rules")
        assert where.props["hint"] == "LEFT SEAT, for example 12 0. SEAT 0 is Player 1"
        where.value = "5"
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: where.error)
        assert where.error == "Not a position: '5': expected 2 parts (LEFT SEAT), not 1"
        changes.value = "nuts=5"
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: changes.error)
        assert where.error is None
        changes.value, where.value = "nuts=12", "5 0"
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: changes.error is None)
        assert where.error is changes.error is None and user.notify.messages == []

    visit(story, tmp_path)


def test_a_wrong_position_in_the_address_leads_to_the_page_of_its_game(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        address = "/understand/nuts?rules=nuts=12&position=x"
        said = "expected 2 parts (LEFT SEAT), not 1; for example '12 0'"
        for words in (said, "Understand: The Game of Nuts"):
            await error_response(user, address, words, 400)
        query = {"game": "nuts", "position": "x"}
        link = "Understand: The Game of Nuts", "/understand/nuts"
        assert working_link(server, Explorer, query) == link
        assert working_link(server, Explorer, {"game": "nuts"}) is None
        assert working_link(server, Explorer, {"game": "none", "position": "x"}) is None

    visit(story, tmp_path)


def test_understand_shows_values_until_they_are_unwanted(tmp_path: Path, drawn: Drawn) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/nuts?rules=nuts=12")
        await user.should_see("wins in 6 moves")
        await until(lambda: shown(drawn) == {(0, 0): "−2", (0, 1): "−2", (0, 2): "✓"})
        user.find(Board).trigger("choose", [0, 0, 0])
        await until(lambda: (1, 1) in shown(drawn))
        await user.should_see("wins in 6 moves")
        switch_values(user)
        await until(lambda: shown(drawn) == {})

    visit(story, tmp_path)


def test_both_halves_of_a_choice_at_once_have_values(tmp_path: Path, drawn: Drawn) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/droids?rules=rounds=1;rows=2;columns=2;shots=1")
        await until(lambda: {seat for seat, _ in shown(drawn)} == {0, 1}, 60)
        before = len(drawn)
        user.find(Board).trigger("choose", [0, 4, 0])
        await until(lambda: len(drawn) > before)
        assert {seat for seat, _ in shown(drawn)} == {0, 1}

    visit(story, tmp_path)


def test_a_watched_position_has_values(tmp_path: Path, drawn: Drawn) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "12"})
        live = await server.open_match("nuts", rules, ["random", "random"], set(), seed=1)
        await until(lambda: live.match.over)
        await user.open(f"/watch/match/{live.id}?ply=1")
        switch_values(user)
        await until(lambda: {seat for seat, _ in shown(drawn)} == {1}, 60)
        user.find(Board).trigger("key", " ")
        await until(lambda: {seat for seat, _ in shown(drawn)} == {0})

    visit(story, tmp_path)


async def play(user: User, server: ServerState, agents: list[str], yours: set[int]) -> Any:
    rules = server.catalogue.rules("nuts", {"nuts": "12"})
    live = await server.open_match("nuts", rules, agents, yours, seed=1)
    await until(lambda: live.seats_to_move(live.owner))
    await user.open(f"/match/{live.id}?key={live.owner}")
    return live


def test_who_plays_alone_may_see_the_values_and_the_best_line(
    tmp_path: Path, drawn: Drawn, lines: list[list[LineMark]]
) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await play(user, server, ["human", "human"], {0, 1})
        kept = sent(user, "lx-values")
        switch_values(user)
        await until(lambda: shown(drawn) == {(0, 0): "−2", (0, 1): "−2", (0, 2): "✓"}, 60)
        assert [one.text for one in lines[-1]] == ["1", "2", "3"]
        live.choose(live.owner, 0, 0, 0)
        await until(lambda: (1, 1) in shown(drawn), 60)
        assert kept == [], "two people at one screen want none at the start of their match"
        await user.open("/understand/nuts")
        kept = sent(user, "lx-values")
        switch_values(user)
        await until(lambda: kept)

    visit(story, tmp_path)


@pytest.mark.parametrize("other", ["random", "human"])
def test_who_plays_against_somebody_sees_no_values(tmp_path: Path, other: str) -> None:
    async def story(user: User, server: ServerState) -> None:
        await play(user, server, ["human", other], {0})
        await user.should_see("Resign")
        await user.should_not_see(ui.switch)

    visit(story, tmp_path)


def test_a_hint_says_how_long_it_takes(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await play(user, server, ["human", "random"], {0})
        user.find("Hint").click()
        await user.should_see("Hint: take 3. It wins in 6 moves (exact).")

    visit(story, tmp_path)
