"""Mistakes of a watched match: where they are marked, and what is said of them."""

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.analysis.evaluator import quick_evaluation
from ludex.core import rules as ask
from ludex.core.play import choices, parse, read_state
from ludex.core.rules import initial, label, seat_name
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength
from ludex.web.parts import layout, transport
from ludex.web.parts.board import Board
from ludex.web.parts.evaluation_html import evaluation_table
from ludex.web.parts.fault_filter import Side, sides_of
from ludex.web.parts.faults import Fault, best_text, change_text, fault_text, faults_at, reply_text
from ludex.web.parts.review import Review, Wanted
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import ServerState
from tests.web.test_programs import FIRST
from tests.webvisit import field, until, visit

pytestmark = pytest.mark.plain


async def watch(user: User, server: ServerState, ply: int = 0) -> Any:
    """Open a match full of mistakes at a ply, and return it."""
    rules = server.catalogue.rules("nuts", {"nuts": "20"})
    live = await server.open_match("nuts", rules, ["random", "random"], set(), seed=1)
    await until(lambda: live.match.over)
    await user.open(f"/watch/match/{live.id}?ply={ply or len(live.match.plies) - 1}")
    return live


def moves(user: User) -> Any:
    (found,) = [one for one in user.find(ui.html).elements if "lx-walk" in one.classes]
    return found


def at(user: User) -> int:
    """Return the ply that is shown."""
    (slider,) = user.find(ui.slider).elements
    return int(slider.value)


def said(user: User, words: str) -> bool:
    return any(words in one.text for one in user.find(ui.label).elements)


def marks(user: User) -> list[int]:
    """Return the plies that the marks of the list open."""
    found = re.findall(r'class="lx-blunder" data-ply="(\d+)"', moves(user).content)
    return [int(one) for one in found]


def pins(user: User) -> list[dict[str, Any]]:
    (chart,) = user.find(ui.echart).elements
    found: list[dict[str, Any]] = chart.options["series"][0]["markPoint"]["data"]
    return found


def test_marks_and_pins_open_the_position_before_the_mistake(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await watch(user, server)
        user.find("Judge every move").click()
        await user.should_see("Every point opens its position")
        assert marks(user) and marks(user) == [one["coord"][0] for one in pins(user)]
        first = marks(user)[0]
        (listener,) = moves(user)._event_listeners.values()
        moves(user)._handle_event({"listener_id": listener.id, "args": first})
        await until(lambda: said(user, "Best was take"))
        ((seat, words),) = live.match.labels_by_seat(first + 1)
        assert at(user) == first
        bad = f"Next, Player {seat + 1} plays {words}: a blunder (costs 2) that turns a win into a"
        assert said(user, f"{bad} loss.")
        reply = f"loss. After it, best play is Player {2 - seat}: take "
        await until(lambda: said(user, reply) and said(user, f", and Player {2 - seat} wins in "))

    visit(story, tmp_path)


def test_a_mistake_is_shown_on_the_board_beside_the_best_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[list[tuple[int, str]]] = []
    monkeypatch.setattr(
        Board, "show_values", lambda _, told: drawn.append([(one.action, one.sign) for one in told])
    )

    async def story(user: User, server: ServerState) -> None:
        live = await watch(user, server)
        user.find(Board).trigger("key", "b")
        await until(lambda: any(drawn))
        (played,) = live.match.actions_at(at(user)).values()
        assert len(drawn[-1]) == 2 and (played, "??") in drawn[-1]
        assert {sign for _, sign in drawn[-1]} == {"??", "✓"}
        user.find(Board).trigger("key", "ArrowRight")
        await until(lambda: not drawn[-1])

    visit(story, tmp_path)


def test_n_and_b_go_from_mistake_to_mistake(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await watch(user, server)
        assert said(user, "N and B go to mistakes")
        user.find(Board).trigger("key", "b")  # judges the moves first
        await until(lambda: marks(user) and at(user) == marks(user)[-1], 60)
        user.find(Board).trigger("key", "b")
        await until(lambda: at(user) == marks(user)[-2])
        user.find("Next mistake").click()
        await until(lambda: at(user) == marks(user)[-1])
        user.find("Next mistake").click()
        await user.should_see("On from the beginning: no more mistakes")
        await until(lambda: at(user) == marks(user)[0])
        user.find("Previous mistake").click()
        await user.should_see("On from the end: no more mistakes")
        await until(lambda: at(user) == marks(user)[-1])

    visit(story, tmp_path)


def test_n_begins_with_a_mistake_of_the_first_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(transport.SPEEDS, "normal", 60.0)

    async def story(user: User, server: ServerState) -> None:
        live = await play_alone(server)
        await user.open(f"/watch/match/{live.id}")
        user.find(Board).trigger("key", "n")
        await until(lambda: marks(user))
        assert at(user) == marks(user)[0] == 0
        user.find(Board).trigger("key", "n")
        await until(lambda: at(user) == marks(user)[1])

    visit(story, tmp_path)


def test_n_leaves_the_mistake_at_which_a_page_is_loaded_again(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await watch(user, server, 2)
        user.find(Board).trigger("key", "n")
        await until(lambda: marks(user) and at(user) == marks(user)[1])
        assert marks(user)[0] == 2

    visit(story, tmp_path)


def test_a_review_goes_to_ones_own_mistakes_first(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await play_alone(server)
        live.keys["guest"] = {0}
        await user.open(f"/watch/match/{live.id}?ply=4&key=guest")
        whose = field(user, "mistakes of", ui.select)
        assert (whose.value, whose.options) == ("me", ["me", "Player 2", "both"])
        user.find("Previous mistake").click()
        await until(lambda: at(user) == 0)
        assert marks(user) == [0, 1]
        user.find("Next mistake").click()
        await user.should_see("No other mistake of yours")
        whose.value = "both"
        user.find("Next mistake").click()
        await until(lambda: at(user) == 1)

    visit(story, tmp_path)


def test_whose_mistakes_are_wanted_is_everyones_unless_one_has_some_of_the_seats() -> None:
    nuts, four = Catalogue().rules("nuts"), Catalogue().rules("aeroplane", {"seats": "4"})
    assert [one.name for one in sides_of(nuts, {0, 1})] == ["Player 1", "Player 2", "both"]
    assert [one.name for one in sides_of(nuts, ())] == ["Player 1", "Player 2", "both"]
    names = [seat_name(four, seat) for seat in range(4)]
    assert [one.name for one in sides_of(four, {0, 2})] == ["me", *names, "everyone"]
    assert sides_of(four, {0, 2})[0].seats == {0, 2}


def test_the_mistakes_of_the_only_program_are_wanted_at_first(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        text = server.programs.save("mine.py", FIRST)
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        for agents, whose in ([text, "random"], "Player 1"), (["random", text], "Player 2"):
            live = await server.open_match("nuts", rules, agents, set(), seed=1)
            await until(lambda: live.match.over)  # noqa: B023
            await user.open(f"/watch/match/{live.id}?ply=1")
            assert field(user, "mistakes of", ui.select).value == whose
        live = await server.open_match("nuts", rules, [text, text], set(), seed=1)
        await user.open(f"/watch/match/{live.id}?ply=1")
        assert field(user, "mistakes of", ui.select).value == "both"

    visit(story, tmp_path)


async def play_alone(server: ServerState) -> Any:
    """Return a running match of one person at both seats, which begins with a mistake."""
    rules = server.catalogue.rules("nuts", {"nuts": "20"})
    live = await server.open_match("nuts", rules, ["human", "human"], {0, 1}, seed=1)
    for ply, action in enumerate((0, 0, 0, 2)):
        await until(lambda: live.seats_to_move(live.owner))
        live.choose(live.owner, ply % 2, action, ply)
        await until(lambda: len(live.match.plies) == ply + 2)  # noqa: B023
    return live


def test_mistakes_of_a_running_match_are_found(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        live = await play_alone(server)
        await user.open(f"/watch/match/{live.id}?ply=4")
        user.find("Previous mistake").click()
        await until(lambda: marks(user) and at(user) == marks(user)[-1], 60)
        user.find("Next mistake").click()
        await user.should_see("On from the beginning: no more mistakes")

    visit(story, tmp_path)


def test_a_click_on_a_pin_goes_where_it_points() -> None:
    went: list[int] = []

    async def go(at: int) -> None:
        went.append(at)

    panel = Review.__new__(Review)
    panel.go = go
    for data in ({"coord": [4, 0.5], "value": "??"}, [7, 1.0], "?"):
        asyncio.run(panel.on_click(SimpleNamespace(data=data)))
    assert went == [4, 7]


def test_the_last_mistake_is_known_once_all_decisions_before_are_judged() -> None:
    went: list[int] = []

    async def go(at: int) -> None:
        went.append(at)

    panel, both = Review.__new__(Review), Side("both", frozenset({0, 1}))
    panel.go, panel.wanted, panel.judged = go, Wanted(4, -1, both), 2
    panel.faults = {(1, 0): Fault(1, 0, 0.5, "blunder")}
    panel.decisions = lambda: [0, 1, 2]  # type: ignore[method-assign]
    asyncio.run(panel.go_to_wanted())
    assert went == []  # ply 2 may be a mistake, too
    panel.judged = 3  # ply 3 is chance
    asyncio.run(panel.go_to_wanted())
    assert went == [1]


def test_who_looks_for_a_mistake_that_is_not_known_yet_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(layout, "notify", told.append)

    async def go(at: int) -> None:
        panel.wanted = None

    panel, both = Review.__new__(Review), Side("both", frozenset({0, 1}))
    panel.go, panel.started, panel.judged = go, True, 2
    panel.faults = {(1, 0): Fault(1, 0, 0.5, "blunder")}
    panel.decisions = lambda: [0, 1, 2]  # type: ignore[method-assign]
    asyncio.run(panel.seek(Wanted(0, 1, both)))
    assert told == []
    asyncio.run(panel.seek(Wanted(1, 1, both)))
    assert told == ["Looking for mistakes …"]


def test_worse_moves_have_larger_pins() -> None:
    panel = Review.__new__(Review)
    panel.match = SimpleNamespace(rules=Catalogue().rules("nuts", {}))  # type: ignore[assignment]
    kinds = ("slip", "mistake", "blunder")
    panel.faults = {(ply, 0): Fault(ply, 0, 0.1, kind) for ply, kind in enumerate(kinds)}
    sizes = [one["symbolSize"] for one in panel.pins([[0, 0.0]])]
    assert sizes == sorted(set(sizes))


def test_every_fault_has_a_pin_even_several_at_one_ply() -> None:
    panel = Review.__new__(Review)
    rules = Catalogue().rules("aeroplane", {"seats": "3"})
    panel.match = SimpleNamespace(rules=rules)  # type: ignore[assignment]
    fault = faults_at(3, [evaluation(0), evaluation(2)], {0: 1, 2: 1})
    panel.faults = {(one.ply, one.seat): one for one in fault}
    found = panel.pins([[0, 0.5], [2, 0.25], [4, 1.0]])
    assert [one["coord"] for one in found] == [[3, 0.25]] * 2
    assert len({tuple(one["symbolOffset"]) for one in found}) == 2
    assert found[1]["name"].endswith(": blunder, costs 0.50")


def evaluation(seat: int) -> Evaluation:
    return Evaluation(seat, 0.5, {0: 0.5, 1: 0.0}, {}, False, "")


def test_the_best_move_is_told_with_its_effect() -> None:
    rules = Catalogue().rules("aeroplane", {"planes": "2"})
    state = read_state(rules, "B:16,h G:h,h 6 0")
    judged = Evaluation(0, 0.5, {0: 0.5, 1: 0.25}, {}, False, "")
    words = fault_text(rules, state, judged, UNKNOWN_LENGTH, 1)
    assert "a blunder (costs 0.25). Best was " in words and words.endswith(".")
    assert "plane 1 " in words.partition("Best was")[2].partition(": ")[2]


def test_a_quicker_win_and_a_mixture_are_told() -> None:
    nuts, droids = Catalogue().rules("nuts", {"nuts": "12"}), Catalogue().rules("droids")
    won = Evaluation(0, 1.0, {2: 1.0, 0: -1.0}, {2: 1.0}, True, "")
    words = best_text(nuts, initial(nuts), won, GameLength(6.0, True, {2: 6.0}))
    assert words == "take 3, which wins in 6 moves."
    mixed = Evaluation(0, 0.0, {0: 0.0, 1: 0.0}, {0: 0.25, 1: 0.75}, True, "")
    first, second = (label(droids, initial(droids), one) for one in (0, 1))
    words = best_text(droids, initial(droids), mixed, UNKNOWN_LENGTH)
    assert words == f"to mix {second} 75\u00a0%, {first} 25\u00a0%."


def test_equally_good_moves_are_named_up_to_three() -> None:
    nuts, arena = Catalogue().rules("nuts", {"nuts": "12"}), Catalogue().rules("arena")
    both = Evaluation(0, 1.0, {0: 1.0, 1: -1.0, 2: 1.0}, {2: 1.0}, True, "")
    words = best_text(nuts, initial(nuts), both, UNKNOWN_LENGTH)
    assert words == "take 3 or take 1."
    lasting = GameLength(6.0, True, {0: 6.0, 1: 8.0, 2: 6.0})
    words = best_text(nuts, initial(nuts), both, lasting)
    assert words == "take 1 or take 3, which wins in 6 moves."
    state = ask.apply(arena, initial(arena), choices(arena, initial(arena), 0)[0])
    actions = choices(arena, state, 1)
    names = [label(arena, state, one) for one in actions]
    drawn = Evaluation(1, 0.0, dict.fromkeys(actions, 0.0), {}, True, "")
    words = best_text(arena, state, drawn, UNKNOWN_LENGTH)
    others = f"As good: {', '.join(names[1:4])} and {len(names) - 4} others."
    assert words.startswith(f"{names[0]}: ") and words.endswith(f" left. {others}")


def test_a_blunder_is_told_with_what_it_turns_into_what_and_the_reply() -> None:
    rules = Catalogue().rules("arena")
    state = initial(rules)
    first, second = choices(rules, state, 0)[:2]
    lost = Evaluation(0, 1.0, {first: 1.0, second: -1.0}, {}, True, "")
    after = ask.apply(rules, state, second)
    answer = choices(rules, after, 1)[0]
    won = Evaluation(1, 1.0, {answer: 1.0}, {}, True, "", (answer,))
    reply = reply_text(rules, after, won, UNKNOWN_LENGTH, (answer,))
    made, name = label(rules, state, second), label(rules, after, answer)
    assert reply == f"After it, best play is {ask.seat_name(rules, 1)}: {name}."
    guess = reply_text(rules, after, won._replace(exact=False), UNKNOWN_LENGTH, (answer,))
    assert guess == f"After it, a search expects {ask.seat_name(rules, 1)}: {name}."
    words = fault_text(rules, state, lost, UNKNOWN_LENGTH, second, reply)
    assert words.startswith(
        f"Next, {ask.seat_name(rules, 0)} plays {made}: a blunder (costs 2) that turns a win into a"
        f" loss. {reply} Best was {label(rules, state, first)}"
    )


def test_a_reply_that_ends_the_match_says_who_wins() -> None:
    rules = Catalogue().rules("nuts", {"nuts": "12"})
    state = read_state(rules, "4 0")
    line = tuple(parse(rules, state, one) for one in ("take 3", "take 1"))
    won = Evaluation(0, 1.0, {line[0]: 1.0}, {}, True, "", line)
    words = reply_text(rules, state, won, UNKNOWN_LENGTH, line)
    moves = "Player 1: take 3, Player 2: take 1"
    assert words == f"After it, best play is {moves}, and Player 1 wins."


@pytest.mark.parametrize(
    ("game", "values", "exact", "words"),
    [
        ("arena", (0.0, -1.0), True, " that turns a draw into a loss"),
        ("arena", (0.0, -1.0), False, " that turns a value of +0.00 into a loss"),
        ("arena", (0.5, 0.25), False, ""),
        ("trap", (1.0, 0.0), True, " that turns a win into a value of +0.00"),
    ],
)
def test_a_value_is_called_a_result_only_if_it_is_certain(
    game: str, values: tuple[float, float], exact: bool, words: str
) -> None:
    judged = Evaluation(0, values[0], dict(enumerate(values)), {}, exact, "")
    assert change_text(Catalogue().rules(game), judged, 1) == words


def test_a_blunder_that_no_search_would_consider_is_a_fault() -> None:
    rules = Catalogue().rules("trap", {"size": "4"})
    state = read_state(rules, "..../xxx./x1xx/x..2 0 throw")  # a trap on 3,2 wins at once
    played = parse(rules, state, "throw 2,2")
    found = [quick_evaluation(rules, state, 0, 2)]
    (fault,) = faults_at(31, found, {0: played})
    assert (fault.kind, fault.ply) == ("blunder", 31)
    assert len(found[0].values) == len(choices(rules, state, 0))


def test_the_table_says_how_many_moves_it_leaves_out() -> None:
    rules = Catalogue().rules("nuts")
    some = Evaluation(0, 1.0, {2: 1.0}, {}, False, "")
    every = Evaluation(0, 1.0, {0: -1.0, 1: -1.0, 2: 1.0}, {}, False, "")
    tables = (
        evaluation_table(rules, initial(rules), one, UNKNOWN_LENGTH, 2) for one in (some, every)
    )
    assert ["2 more moves were not evaluated" in one for one in tables] == [True, False]
