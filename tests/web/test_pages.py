"""Pages other than those of a match: what they show while somebody uses them."""

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from nicegui import ui
from nicegui.elements.upload_files import SmallFileUpload
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction

from ludex.match.record import write
from ludex.web.pages.watch import winner_text
from ludex.web.parts import layout, move_list
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.board import Board
from ludex.web.state import experiment_job
from ludex.web.state.archive import public_record, record_of
from ludex.web.state.experiments import SECONDS
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import known_value
from ludex.web.state.tournament_job import TournamentJob, tournament_plan
from tests.webvisit import field, until, visit

pytestmark = pytest.mark.plain


def cell(user: User, name: str) -> Any:
    """Return the field of a table that has a name."""
    inputs = [one for one in user.find(ui.element).elements if one.tag == "input"]
    (found,) = [one for one in inputs if one.props.get("aria-label") == name]
    return found


def sent(user: User, wanted: str) -> list[str]:
    """Return the code that browsers are sent from now on, as far as a word is in it."""
    codes: list[str] = []
    emit = user._client.outbox.enqueue_message

    def note(kind: Any, data: Any, target: str) -> None:
        if kind == "run_javascript" and wanted in data["code"]:
            codes.append(data["code"])
        emit(kind, data, target)

    user._client.outbox.enqueue_message = note  # type: ignore[assignment, method-assign]
    return codes


def addresses(user: User) -> list[str]:
    """Return the addresses that the page of a visitor will get."""
    return sent(user, "history.replaceState")


async def give(user: User, name: str, content: bytes) -> None:
    """Upload a file."""
    (upload,) = user.find(ui.upload).elements
    await upload.handle_uploads([SmallFileUpload(name, "", content)])


# Rules. -----------------------------------------------------------------------------------------


def test_a_number_of_a_table_shows_what_was_typed(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/rules/arena")
        codes = addresses(user)
        spark = cell(user, "spark-metal")
        assert (spark.props["value"], "lx-changed" in spark.classes) == ("2", False)
        (listener,) = spark._event_listeners.values()
        for typed, shown, marked in (("9", "9", True), ("x", "x", True), ("2", "2", False)):
            spark._handle_event({"listener_id": listener.id, "args": typed})
            assert (spark.props["value"], "lx-changed" in spark.classes) == (shown, marked)
        await until(lambda: len(codes) == 2)
        assert [code.split('"')[-2] for code in codes] == [
            "/rules/arena?rules=spark-metal%3D9",
            "/rules/arena",
        ]

    visit(story, tmp_path)


def test_a_wrong_number_of_a_table_stays_with_its_error_until_it_is_mended(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/rules/arena")
        spark, (save,) = (
            cell(user, "spark-metal"),
            user.find(kind=ui.button, content="Save as TOML").elements,
        )
        mega = field(user, "mega")
        (listener,) = spark._event_listeners.values()
        assert spark.props["title"] == "1 to 127"
        spark._handle_event({"listener_id": listener.id, "args": "x"})
        await user.should_see("'x': expected a whole number from 1 to 127")
        await user.should_see("Not a valid value yet: spark-metal.")
        await user.should_not_see("These are the usual rules.")
        mega.value = "31"
        user.find(ui.input).trigger("change")  # another rule leaves it as it is
        assert (spark.props["value"], spark.props["aria-invalid"]) == ("x", "true")
        await user.should_see("mega = 31\nNot a valid value yet: spark-metal.")
        assert (save.enabled, "lx-wrong" in spark.classes) == (False, True)
        spark._handle_event({"listener_id": listener.id, "args": "2"})
        await user.should_see("mega = 31")
        await user.should_not_see("expected a whole number")
        assert (save.enabled, "lx-wrong" in spark.classes) == (True, False)

    visit(story, tmp_path)


def test_a_proof_says_that_it_is_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(user: User, server: ServerState) -> None:
        done = asyncio.Event()

        async def known_value(source: str, texts: Any) -> dict[str, Any]:
            await done.wait()
            return {"words": "Player 1 wins", "value": 1.0}

        monkeypatch.setattr(server.evaluations, "known_value", known_value)
        await user.open("/rules/nuts")
        user.find("Who wins?").click()
        await user.should_see("Proving who wins …")
        done.set()
        await user.should_see("Player 1 wins.")
        await user.should_not_see("Proving")

    visit(story, tmp_path)


@pytest.mark.unmeasured
def test_a_changed_field_is_marked_and_keeps_its_proof(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/rules/nuts?rules=nuts=12")
        assert "lx-changed" in field(user, "nuts").classes
        assert "lx-changed" not in field(user, "most per turn").classes
        user.find("Who wins?").click()
        await user.should_see("Player 1 wins with best play")
        user.find("Try some matches").click()
        await user.should_see("30 matches of medium against itself")
        await user.should_see("Player 1 wins with best play")

    visit(story, tmp_path)


def test_a_file_is_refused_for_what_is_wrong_with_it(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/rules/nuts")
        await give(user, "folder/bad 2.txt", b"nuts = = 3")
        await user.should_see("rules file 'bad_2.txt' is not TOML")
        await give(user, "photo.toml", b"\x82nuts = 17")
        await user.should_see("photo.toml is not a text file")
        await give(user, "../..", b"nuts = 17")
        await user.should_see("nuts = 17")

    visit(story, tmp_path)


# Watch. -----------------------------------------------------------------------------------------


def moves(user: User) -> Any:
    """Return the list of moves."""
    (found,) = [one for one in user.find(ui.html).elements if "lx-walk" in one.classes]
    return found


def test_the_list_of_moves_follows_and_is_clicked_and_shows_faults(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        table = await server.open_match("nuts", rules, ["random", "random"], set(), seed=1)
        await until(lambda: table.match.over)
        await user.open(f"/watch/match/{table.id}?ply=1")
        codes, there = sent(user, "markMove"), addresses(user)
        shown = moves(user)
        assert 'data-ply="1" aria-current="true"' in shown.content
        (listener,) = shown._event_listeners.values()
        for wrong in (99, -1, "2", None):
            shown._handle_event({"listener_id": listener.id, "args": wrong})
        shown._handle_event({"listener_id": listener.id, "args": 2})
        await user.should_see(f"2 of {len(table.match.plies) - 1}")
        await until(lambda: codes)
        assert len(codes) == 1 and codes[0].endswith(", 2)")
        await until(lambda: there)
        assert "?ply=2" in there[-1]
        assert 'title="blunder"' not in shown.content
        user.find("Judge every move").click()
        await until(lambda: 'title="blunder">??' in shown.content, 60)
        assert 'data-ply="2" aria-current="true"' in shown.content

    visit(story, tmp_path)


def test_a_page_may_be_closed_while_a_move_is_being_judged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        table = await server.open_match("nuts", rules, ["random", "random"], set(), seed=1)
        await until(lambda: table.match.over)
        judged, waiting, done = asyncio.Event(), [], []

        async def evaluate(query: Any) -> list[Any]:
            waiting.append(query)
            await judged.wait()
            done.append(query)
            return []

        server.evaluations.of = evaluate  # type: ignore[method-assign]
        await user.open(f"/watch/match/{table.id}?ply=1")
        there = addresses(user)
        user.find(Board).trigger("key", " ")
        await until(lambda: len(waiting) == 2)
        assert user.client is not None
        user.client.delete()
        judged.set()
        await until(lambda: len(done) == 2)
        assert "?ply=2" in there[-1]

    visit(story, tmp_path)
    assert [one.message for one in caplog.records] == []


@pytest.mark.unmeasured
@pytest.mark.parametrize(("page", "first", "last"), [(2, 2, 7), (100, 0, 10)])
def test_a_long_match_is_listed_around_the_move_that_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: int, first: int, last: int
) -> None:
    monkeypatch.setattr(move_list, "PAGE", page)

    async def story(user: User, server: ServerState) -> None:
        table = await server.open_match(
            "nuts", server.catalogue.rules("nuts"), ["random"] * 2, set(), seed=1
        )
        await until(lambda: table.match.over)
        assert len(table.match.plies) == 11
        await user.open(f"/watch/match/{table.id}?ply=5")
        numbers = re.findall(r'data-ply="(\d+)"', moves(user).content)
        assert (int(numbers[0]), int(numbers[-1])) == (first, last)

    visit(story, tmp_path)


def test_a_file_of_any_name_is_judged_by_what_is_in_it(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts")
        table = await server.open_match("nuts", rules, ["random", "greedy"], set(), seed=1)
        await until(lambda: table.match.over)
        await user.open("/watch/nuts")
        (upload,) = user.find(ui.upload).elements
        assert "accept" not in upload.props and "max-files" not in upload.props
        await give(user, "hello.txt", b"\xff\xfe")
        await user.should_see("hello.txt is not a text file")
        await give(user, "saved.rec", write(public_record(record_of(table))).encode())
        await user.should_see("Player 1: random, Player 2: greedy")

    visit(story, tmp_path)


@pytest.mark.parametrize("path", ["/play", "/watch", "/train", "/tournament"])
def test_the_link_to_the_tables_of_rules_keeps_changed_rules(tmp_path: Path, path: str) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open(f"{path}/arena?rules=heal=3")
        (link,) = [one for one in user.find(ui.link).elements if one.text.startswith("All numbers")]
        assert link.props["href"] == "/rules/arena?rules=heal%3D3"
        heal = field(user, "heal")
        heal.value = "4"
        UserInteraction(user, {heal}, None).trigger("blur")
        await until(lambda: link.props["href"] == "/rules/arena?rules=heal%3D4", 5)

    visit(story, tmp_path)


def test_the_address_has_an_agent_once_it_is_typed(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/watch/nuts")
        kept = addresses(user)
        agent = field(user, "Player 1", AgentField)
        for text in ("m", "mc", "mcts"):
            agent.value = text
        assert kept == []
        UserInteraction(user, {agent}, None).trigger("left")
        await until(lambda: kept)
        (code,) = kept
        assert "who=mcts%7Cmedium" in code

    visit(story, tmp_path)


@pytest.mark.parametrize(
    ("agents", "returns", "said"),
    [
        (("a", "b"), (-1.0, 1.0), "b won"),
        (("a", "a"), (1.0, -1.0), "Player 1 won"),
        (("a", "b"), (0.0, 0.0), "a draw"),
    ],
)
def test_who_won_is_said_by_name(agents: Any, returns: Any, said: str) -> None:
    assert winner_text(agents, returns) == said


# Understand. ------------------------------------------------------------------------------------


def test_the_address_follows_the_position_and_the_rules_that_are_typed(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/nuts?rules=nuts=12")
        codes = sent(user, "History(")
        user.find(Board).trigger("choose", [0, 1, 0])
        await until(lambda: codes)
        assert codes == ['lx.pushHistory(1, "/understand/nuts?rules=nuts%3D12&position=10+1")']
        user.find("Back").click()
        await until(lambda: codes[-1] == "lx.goInHistory(0)")
        assert field(user, "rules").value == "nuts=12"
        field(user, "rules").value = "nuts=11 most=2"
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: user.back_history[-1].endswith("?rules=nuts%3D11%3Bmost%3D2"))
        assert field(user, "position").value == "11 0"
        field(user, "rules").value = "nuts=5"
        user.find(kind=ui.button, content="Show").click()
        await user.should_see("expected a whole number from 10 to 100")

    visit(story, tmp_path)


def test_a_wrong_position_is_no_error_of_the_rules(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/nuts?rules=nuts=12")
        field(user, "position").value = "999 0"
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: field(user, "position").error)
        assert field(user, "rules").error is None
        field(user, "position").value = "3 0"
        user.find(kind=ui.button, content="Show").click()
        await until(lambda: field(user, "position").error is None)

    visit(story, tmp_path)


def test_a_tree_is_drawn_with_tools_and_saved(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/understand/nuts?position=4 0")
        await user.should_not_see("Save as SVG")
        user.find("Draw the tree").click()
        await user.should_see("Save as SVG")
        (drawing,) = [one for one in user.find(ui.html).elements if "lx-tree" in one.classes]
        user.find("Save as SVG").click()
        saved = await user.download.next()
        assert saved.text == drawing.content and saved.text.startswith("<svg")
        assert "lx-old" not in drawing.classes
        field(user, "position").value = "0 0"
        user.find(kind=ui.button, content="Show").click()
        await user.should_see("Of another position: 4 0")
        assert "lx-old" in drawing.classes
        user.find("Draw the tree").click()
        await user.should_see("there is nothing to search")
        await user.should_not_see("Save as SVG")

    visit(story, tmp_path)


# The lab and tournaments. -----------------------------------------------------------------------


def test_the_lab_keeps_how_much_is_wanted_and_a_report_leads_back(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        folder = server.folder / "reports" / "tiny"
        folder.mkdir(parents=True)
        (folder / "report.html").write_text("<main><h1>Tiny – ü</h1>", encoding="utf-8")
        (folder / SECONDS).write_text("12 98", encoding="utf-8")
        answer = await user.http_client.get("/lab/report/tiny")
        assert '<p><a href="/lab?size=whole">← Back to the lab</a></p>' in answer.text
        today = layout.date_text(datetime.now(UTC).isoformat())
        assert f"Made on {today}, in 12 s.</p><h1>Tiny – ü</h1>" in answer.text
        assert "lx-dark" in answer.text, "it follows the lab's choice of light or dark"
        assert answer.text.endswith("<h1>Tiny – ü</h1>")
        await user.open("/lab?size=whole")
        assert field(user, "size", ui.select).value == "whole"
        field(user, "game", ui.select).value = "nuts"
        await until(lambda: user.back_history[-1] == "/lab/nuts?size=whole")
        await user.open("/lab?size=nothing")
        assert field(user, "size", ui.select).value == "tenth"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment_job, "list_experiments", lambda url: [])
        visit(story, tmp_path)


def test_a_cell_of_the_cross_table_opens_its_matches(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        names = ["easy", "random", "hard"]
        plan = tournament_plan(server.catalogue["nuts"], rules, names, 1, 5)
        tournament = TournamentJob(plan, names, server.workers, server.archive)
        server.tournaments[tournament.id] = tournament
        tournament.start()
        await until(lambda: not tournament.running)
        await user.open(f"/tournament/nuts?name={tournament.id}")
        await user.should_see("6 of 6 matches, done")
        await until(lambda: any("data-pair" in one.content for one in user.find(ui.html).elements))
        links = [one.text for one in user.find(ui.link).elements if "won" in one.text]
        assert len(links) == 6
        (cross,) = [one for one in user.find(ui.html).elements if "data-pair" in one.content]
        assert 'data-pair="0 2"' in cross.content
        (listener,) = cross._event_listeners.values()
        for wrong in ([0, 9], [0], "x", [0, "a"]):
            cross._handle_event({"listener_id": listener.id, "args": wrong})
        assert len([one for one in user.find(ui.link).elements if "won" in one.text]) == 6
        cross._handle_event({"listener_id": listener.id, "args": [0, 2]})
        links = [one.text for one in user.find(ui.link).elements if "won" in one.text]
        assert sorted(one.partition(": ")[2].partition(":")[0] for one in links) == [
            "easy – hard",
            "hard – easy",
        ]

    visit(story, tmp_path)


# What is known, and the interface. --------------------------------------------------------------


def test_what_nobody_has_solved_is_said_without_advice() -> None:
    told = known_value("aeroplane", (("seats", "3"),), 1.0)
    assert told == {"words": "not solved here; a search judges the moves", "value": None}


def test_a_match_that_goes_on_is_judged_as_it_goes_on(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        table = await server.open_match("nuts", rules, ["human", "random"], {0}, seed=1)
        await until(lambda: table.seats_to_move(table.owner))
        await user.open(f"/watch/match/{table.id}")
        user.find("Judge every move").click()
        await user.should_not_see("Every point opens its position")
        table.choose(table.owner, 0, 0, 0)
        await user.should_see("Every point opens its position")

    visit(story, tmp_path)


@pytest.mark.unmeasured
def test_the_end_of_a_match_is_a_point_of_its_curve(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        table = await server.open_match("nuts", rules, ["random", "random"], set(), seed=1)
        await until(lambda: table.match.over)
        await user.open(f"/watch/match/{table.id}?ply=1")
        user.find("Judge every move").click()
        await user.should_see("Every point opens its position")
        (chart,) = user.find(ui.echart).elements
        (line,) = chart.options["series"]
        assert line["data"][-1] == [len(table.match.plies) - 1, table.match.returns[0]]

    visit(story, tmp_path)
