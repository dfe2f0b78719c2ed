"""One's own programs in the browser: kept, tried, played, with what they print."""

import asyncio
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from nicegui import ui
from nicegui.testing import User
from nicegui.testing.user_interaction import UserInteraction

from ludex.core.rules import Rules
from ludex.core.termination import CRASHED, Offence
from ludex.external.agent import ExternalAgent, make_external
from ludex.games import game_rules
from ludex.match.session import Match
from ludex.web.pages.agents import AgentsPage
from ludex.web.state import limits, match_programs, server_state
from ludex.web.state.access import Access, Refused
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.match_programs import Forfeit, MatchPrograms, ProgramPlaces, make_programs
from ludex.web.state.programs import Programs
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState
from tests.webvisit import field, in_server, until, visit

pytestmark = pytest.mark.plain
FIRST = """
asked = 0
def choose(position, moves, seconds):
    global asked
    asked += 1
    print("asked", asked)
    return moves[0]
"""


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path / "programs")


@pytest.mark.parametrize("name", ["../x.py", "x.txt", ".x.py", "a b.py", "", "x" * 80 + ".py"])
def test_only_names_of_python_files_are_kept(programs: Programs, name: str) -> None:
    with pytest.raises(ValueError, match="expected the name of a Python file"):
        programs.save(name, FIRST)
    assert not programs.folder.exists()


def test_size_and_number_of_programs_are_limited(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="expected at most 256 KiB"):
        programs.save("big.py", "#" * (limits.BODY + 1))
    monkeypatch.setattr(limits, "PROGRAMS", 1)
    programs.save("one.py", FIRST)
    programs.save("one.py", FIRST)
    with pytest.raises(ValueError, match="no room for more"):
        programs.save("two.py", FIRST)


def test_without_a_sandbox_no_program_is_kept(programs: Programs, unsafe: None) -> None:
    with pytest.raises(ValueError, match="no sandbox"):
        programs.save("one.py", FIRST)


def test_a_file_named_at_the_start_is_offered_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST)
    programs = Programs(tmp_path / "programs", (str(tmp_path / "mine.py"),))
    assert programs.agents() == ["program:mine.py"]
    assert programs.resolve("program:mine.py:Agent") == f"{tmp_path / 'mine.py'}:Agent"
    with pytest.raises(ValueError, match="stays as it is"):
        programs.save("mine.py", "")
    with pytest.raises(ValueError, match="did you mean 'mine\\.py'"):
        programs.resolve("program:mime.py")
    with pytest.raises(ValueError, match="there is no such file"):
        Programs(tmp_path, ("nothing.py",))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.py", b"def choose(:", "--agent bad.py: bad.py line 1: "),
        ("empty.py", b"x = 1", "--agent empty.py: empty.py lacks a function choose"),
        ("notes.txt", b"x", "--agent notes.txt: notes.txt is neither a Python file nor executable"),
        ("bytes.py", b"\xff\x00\xfe", "--agent bytes.py: bytes.py"),
        ("big.py", b"#" * (2 << 20), "--agent big.py: big.py is larger than"),
    ],
)
def test_a_file_named_at_the_start_must_be_an_agent(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError) as refused:
        Programs(tmp_path / "programs", (str(tmp_path / name),))
    assert str(refused.value).startswith(said) and str(tmp_path) not in str(refused.value)


def test_what_only_the_owner_of_the_server_can_do_is_not_said() -> None:
    words = "No module named 'torch' (LUDEX_PACKAGES=torch in the environment would bring it)"
    assert without_paths(words) == "No module named 'torch'"


def test_a_program_plays_a_live_match_in_one_process(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        text = server.programs.save("first.py", FIRST)
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        live = await server.open_match("nuts", rules, [text, "human"], {1})
        await until(lambda: len(live.match.plies) == 2 and live.pending)
        live.choose(live.owner, 1, 0, 1)
        await until(lambda: len(live.match.plies) == 4 and live.pending)
        live.choose(live.owner, 1, 0, 3)
        await until(lambda: len(live.match.plies) == 6 and live.pending)
        assert live.programs.output(0).split("\n")[:3] == ["asked 1", "asked 2", "asked 3"]
        live.resign(live.owner)
        await until(lambda: live.stored_as)
        assert live.match.output[0].startswith("asked 1")
        assert live.requested_agents[0] == "program:first.py"

    in_server(story, tmp_path)


def test_a_programs_file_is_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    def check(text: str, rules: Rules) -> ExternalAgent:
        checked.append(text)
        return make_external(text, rules)

    monkeypatch.setattr(server_state, "make_external", check)
    monkeypatch.setattr(match_programs, "make_external", check)

    async def story(server: ServerState) -> None:
        text = server.programs.save("first.py", FIRST)
        rules = server.catalogue.rules("nuts")
        await server.open_match("nuts", rules, [text, "human"], {1})
        assert checked == [str(tmp_path / "programs" / "first.py")]

    in_server(story, tmp_path)


@pytest.fixture
def two_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PLAYING_PROGRAMS", 2)


async def against_program(server: ServerState) -> LiveMatch:
    """Return a match that waits for a person at seat 0."""
    text = server.programs.save("first.py", FIRST)
    rules = server.catalogue.rules("nuts")
    live = await server.open_match("nuts", rules, ["human", text], {0})
    await until(lambda: live.pending)
    return live


def test_programs_beyond_the_limit_are_refused_until_a_match_ends(
    tmp_path: Path, two_places: None
) -> None:
    async def story(server: ServerState) -> None:
        first, second = [await against_program(server) for _ in range(2)]
        with pytest.raises(Refused, match=r"^2 programs may play at once .* has ended$"):
            await against_program(server)
        assert list(server.matches) == [first.id, second.id]
        first.resign(first.owner)
        third = await against_program(server)
        third.stop()  # as for a match that is dropped
        await against_program(server)
        with pytest.raises(Refused, match="2 programs may play"):
            await server.rematch(first)

    in_server(story, tmp_path)


def test_an_abandoned_match_gives_its_place_and_takes_another(
    tmp_path: Path, two_places: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: ServerState) -> None:
        left, kept = [await against_program(server) for _ in range(2)]
        left.choose(left.owner, 0, 0, 0)
        await until(lambda: len(left.match.plies) == 3 and left.pending)
        kept.people.enter("page", kept.owner)
        monkeypatch.setattr(limits, "ABANDONED", -1.0)
        new = await against_program(server)
        assert server.places.holders == [kept.programs, new.programs]
        assert left.programs.agents[1].process is None
        new.people.enter("page", new.owner)
        with pytest.raises(Refused, match="2 programs may play"):
            left.choose(left.owner, 0, 0, 2)
        kept.resign(kept.owner)
        left.choose(left.owner, 0, 0, 2)
        await until(lambda: len(left.match.plies) == 5)
        assert left.programs.output(1) == "asked 1\n"  # started afresh

    in_server(story, tmp_path)


def test_a_match_that_goes_on_without_a_place_waits_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PLAYING_PROGRAMS", 1)
    monkeypatch.setattr(match_programs, "RETRY", 0.0)
    (tmp_path / "first.py").write_text(FIRST)
    rules, places = game_rules("nuts"), ProgramPlaces()

    async def story() -> None:
        held, late = (
            MatchPrograms(Match(rules), make_programs(rules, ["program:first.py"], files), places)
            for files in [[str(tmp_path / "first.py")]] * 2
        )
        held.take_places()
        waiting = asyncio.create_task(late.choice(0))
        for _ in range(5):
            await asyncio.sleep(0)
        assert places.holders == [held]
        held.close()
        assert (await waiting)[0] == 0 and places.holders == [late]
        late.close()
        assert places.holders == []

    asyncio.run(story())


def test_a_program_plays_on_after_a_restart(tmp_path: Path) -> None:
    names: list[str] = []

    async def begin(server: ServerState) -> None:
        names.append((await against_program(server)).id)

    async def go_on(server: ServerState) -> None:
        server.resume_matches()
        live = server[names[0]]
        await until(lambda: live.pending)
        live.choose(live.owner, 0, 0, 0)
        await until(lambda: len(live.match.plies) == 3)
        assert server.places.holders == [live.programs]

    in_server(begin, tmp_path)
    in_server(go_on, tmp_path)


@pytest.mark.parametrize("over", [False, True])
def test_a_program_closed_while_it_thinks_is_asked_again_unless_the_match_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    rules, asked = game_rules("nuts"), list[int]()
    made = make_programs(rules, ["program:first.py"], [str(tmp_path / "first.py")])
    programs = MatchPrograms(Match(rules), made, ProgramPlaces())

    def ask(seat: int) -> tuple[int, float]:
        asked.append(seat)
        if len(asked) == 1:
            programs.started.add(seat)
            if over:
                programs.match.forfeit(CRASHED, (1,))
            programs.close()
            raise Offence(CRASHED, "it was killed")
        return 2, 0.0

    monkeypatch.setattr(programs, "ask", ask)
    if over:
        with pytest.raises(Forfeit):
            asyncio.run(programs.choice(0))
        assert (asked, programs.places.holders) == ([0], [])
    else:
        assert asyncio.run(programs.choice(0)) == (2, 0.0)


def test_a_program_that_is_closed_while_it_starts_is_killed(tmp_path: Path) -> None:
    class Slow(ExternalAgent):
        def begin_match(self, *given: Any) -> None:
            programs.close()
            self.process = process

        def kill(self) -> None:
            killed.append(self.process)

    killed: list[Any] = []
    process: Any = object()
    rules = game_rules("nuts")
    (tmp_path / "first.py").write_text(FIRST)
    made = make_external(str(tmp_path / "first.py"), rules)
    agent = Slow(made.text, made.submission, made.confined, made.default_clocks)
    programs = MatchPrograms(Match(rules), {0: agent}, ProgramPlaces())
    with pytest.raises(Offence, match="was stopped"):
        programs.ask(0)
    assert killed[-1] is process


def test_a_program_that_fails_forfeits_and_says_why(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        text = server.programs.save("bad.py", "def choose(p, m, s):\n    return 1 / 0\n")
        rules = server.catalogue.rules("nuts")
        live = await server.open_match("nuts", rules, [text, "human"], {1})
        await until(lambda: live.match.over)
        assert live.match.returns == (-1.0, 1.0)
        assert "ZeroDivisionError: division by zero (line 2 of bad.py)" in live.match.words

    in_server(story, tmp_path)


def test_a_record_never_names_a_program(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text(FIRST)

    async def story(server: ServerState) -> None:
        rules = server.catalogue.rules("nuts", {"nuts": "10"})
        live = await server.open_match("nuts", rules, ["human", "human"], {0, 1})
        await until(lambda: live.pending)
        live.resign(live.owner)
        for text in (str(tmp_path / "evil.py"), "program:evil.py"):
            record = live.match.record([text, text])
            opened = await server.open_record(record)
            assert opened.programs.agents == {}

    in_server(story, tmp_path)


def test_a_program_is_typed_tried_and_offered(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/agents/nuts")
        await user.should_see("None yet.")
        user.find("Save and try it").click()
        await user.should_see(" against random in ", retries=200)
        await user.should_see("I may choose from 3 moves")
        await user.should_see("mine-nuts.py: ")
        await user.should_see("tried with The Game of Nuts")
        assert server.programs.agents() == ["program:mine-nuts.py"]
        await user.open("/agents/nuts?program=mine-nuts.py")
        await user.should_see("import random")
        await user.open("/play/nuts?against=program:mine-nuts.py")
        user.find("Start the match").click()
        await user.should_see("Your turn", retries=100)

    visit(story, tmp_path)


def test_no_program_is_replaced_without_a_question(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.programs.save("mine-trap.py", FIRST)
        await user.open("/agents/trap")
        assert field(user, "file name").value == "mine-trap-2.py"
        field(user, "file name").value = "mine-trap.py"
        user.find("Save and try it").click()
        await user.should_see("Replace mine-trap.py?")
        press(user, "Cancel")
        await user.should_not_see("Replace mine-trap.py?")
        user.find("Save and try it").click()
        await user.should_see("Save as mine-trap-2.py")
        press(user, "Save as mine-trap-2.py")
        await until(lambda: "mine-trap-2.py" in server.programs.paths())
        assert server.programs.content("mine-trap.py") == FIRST
        await user.should_see("mine-trap-2.py: ")
        # What is edited is replaced without a question, unless it has changed meanwhile.
        await user.open("/agents/trap?program=mine-trap.py")
        await save(user, FIRST + "# 2")
        assert server.programs.content("mine-trap.py") == FIRST + "# 2"
        server.programs.save("mine-trap.py", FIRST + "# by another")
        await save(user, FIRST + "# 3")
        press(user, "Replace")
        await until(lambda: server.programs.content("mine-trap.py") == FIRST + "# 3")

    visit(story, tmp_path)


def press(user: User, name: str) -> None:
    """Press the button of a name, for screen readers if it has one of its own."""
    (found,) = [
        one
        for one in user.find(ui.button).elements
        if one.props.get("aria-label", one.text) == name
    ]
    UserInteraction(user, {found}, None).click()


async def save(user: User, content: str) -> None:
    """Save what stands in the editor, without trying it."""
    (code,) = user.find(ui.codemirror).elements
    code.value = content
    with patch.object(ServerState, "prepare_agent", side_effect=ValueError("not tried")):
        user.find("Save and try it").click()
        await asyncio.sleep(0.1)


def test_a_second_upload_of_a_name_is_asked_about(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.programs.save("good.py", FIRST)
        await user.open("/agents/nuts")
        with user:
            page = AgentsPage(server, {"game": "nuts"})
        with user, patch.object(ServerState, "prepare_agent", side_effect=ValueError("no")):

            async def upload() -> None:
                with user:
                    await page.upload("good.py", b"x = 1")

            trial = asyncio.create_task(upload())
            await user.should_see("Replace good.py?")
            assert server.programs.content("good.py") == FIRST
            press(user, "Replace")
            await asyncio.wait_for(trial, 10)
            assert server.programs.content("good.py") == "x = 1"
            assert page.result.text == "good.py: no"
            await page.upload("good.py", b"\xff")
            assert page.result.text == "good.py: is not a text file"
            await page.upload("notes.txt", b"x")
            assert page.result.text.startswith("notes.txt: 'notes.txt': expected the name")

    visit(story, tmp_path)


def test_a_program_is_renamed_and_deleted(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.programs.save("one.py", FIRST)
        server.programs.note_tried("one.py", "nuts")
        await user.open("/agents/nuts?program=one.py")
        press(user, "Rename one.py")
        await until(lambda: len(user.find(ui.input).elements) == 2)
        name = max(user.find(ui.input).elements, key=lambda one: one.id)
        name.value = "two.py"
        press(user, "Rename")
        await until(lambda: list(server.programs.paths()) == ["two.py"])
        assert server.programs.tried_games() == {"two.py": "nuts"}
        await until(lambda: field(user, "file name").value == "two.py")
        press(user, "Delete two.py")
        await user.should_see("Delete two.py?")
        press(user, "Delete")
        await until(lambda: not server.programs.paths())
        await user.should_see("None yet.")

    visit(story, tmp_path)


def test_a_file_named_at_the_start_can_be_copied(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        (tmp_path / "given.py").write_text(FIRST)
        server.programs = Programs(tmp_path / "programs", (str(tmp_path / "given.py"),))
        await user.open("/agents/nuts")
        await user.should_see("Copy")
        for text in ("Edit", "Rename", "Delete"):
            assert not [one for one in user.find(ui.button).elements if one.text == text]
        await user.open("/agents/nuts?program=given.py")
        assert field(user, "file name").value == "given-2.py"
        (code,) = user.find(ui.codemirror).elements
        assert code.value == FIRST

    visit(story, tmp_path)


def test_a_server_for_others_has_no_editor(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.access = Access.at("0.0.0.0", "", ())
        await user.open("/agents/nuts")
        await user.should_see("Upload a Python file")
        await user.should_not_see("Save and try it")
        server.programs.save("one.py", FIRST)
        await user.open("/agents/nuts")
        await user.should_see("one.py")
        for text in ("Edit", "Rename", "Delete"):
            await user.should_not_see(text)

    visit(story, tmp_path)


def test_what_is_no_program_is_refused_with_the_reason(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        await user.open("/agents/nuts")
        pages: list[Any] = []
        with user.client or user:  # a page of the visitor
            pages.append(AgentsPage(server, {"game": "nuts"}))
        await pages[0].keep("empty.py", "x = 1")
        assert "choose(position, moves, seconds)" in pages[0].result.text
        assert str(tmp_path) not in pages[0].result.text

    visit(story, tmp_path)
