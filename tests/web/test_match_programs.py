"""Programs in live matches: their processes, places, output and failures."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from nicegui.testing import User

from ludex.core.rules import Rules
from ludex.core.termination import CRASHED, Offence
from ludex.external.agent import ExternalAgent, make_external
from ludex.games import game_rules
from ludex.io.keys import Refused
from ludex.match.session import Match
from ludex.web.parts.move_log import result_for
from ludex.web.state import limits, match_programs
from ludex.web.state.access import Visitor
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.match_programs import Forfeit, MatchPrograms, ProgramPlaces, make_programs
from ludex.web.state.server_state import ServerState
from tests.web.test_program_owners import ANN
from tests.web.test_programs import FIRST
from tests.webvisit import STORED, in_server, press, until, visit

pytestmark = pytest.mark.plain
WATCH = "/watch/nuts?rules=nuts=10&who=program:first.py|random"


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
        why = "ZeroDivisionError: division by zero (line 2 of bad.py)"
        said = result_for(live, live.owner, live.match.words)
        assert said == f"You won: Player 1's program failed ({why})."

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


def test_a_program_that_was_renamed_before_its_first_move_is_said_to_be(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        text = server.programs.save("mine.py", "def choose(p, m, s):\n    return m[0]\n")
        rules = server.catalogue.rules("nuts")
        live = await server.open_match("nuts", rules, ["human", text], {0})
        await until(lambda: live.seats_to_move(live.owner))
        server.programs.rename("mine.py", "other.py")
        live.choose(live.owner, 0, 0, 0)
        await until(lambda: live.match.over)
        why = "its file was renamed or deleted"
        said = result_for(live, live.owner, live.match.words)
        assert said == f"You won: Player 2's program failed ({why})."

    in_server(story, tmp_path)


def test_one_visitor_does_not_take_the_places_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "VISITOR_PROGRAMS", 1)

    async def story(server: ServerState) -> None:
        text = server.programs.save("first.py", FIRST)
        rules = server.catalogue.rules("nuts")

        async def opened(opener: str) -> LiveMatch:
            given = "nuts", rules, ["human", text], {0}
            return await server.open_match(*given, opener=opener)

        first = await opened("Ann")
        assert server.journals.path(first.id).read_text().count('"opener": "Ann"') == 1
        with pytest.raises(Refused, match=r"^1 programs may play at once in matches of"):
            await opened("Ann")
        bens = await opened("Ben")
        for _ in range(2):
            await opened("")  # the host
        first.resign(first.owner)
        second = await server.rematch(first)
        with pytest.raises(Refused, match="of one visitor: end one of yours"):
            await opened("Ann")
        monkeypatch.setattr(limits, "ABANDONED", -1.0)
        await until(lambda: second.pending and bens.pending)
        await opened("Ann")
        assert bens.programs in server.places.holders  # its place was not needed

    in_server(story, tmp_path)


def test_a_restart_keeps_who_has_opened_a_match(tmp_path: Path) -> None:
    async def begin(server: ServerState) -> None:
        text = server.programs.save("first.py", FIRST)
        rules = server.catalogue.rules("nuts")
        await server.open_match("nuts", rules, ["human", text], {0}, opener="Ann")

    async def go_on(server: ServerState) -> None:
        server.resume_matches()
        (live,) = server.matches.values()
        assert live.programs.opener == "Ann"

    in_server(begin, tmp_path)
    in_server(go_on, tmp_path)


def test_visitors_are_told_apart_by_their_keys_or_their_addresses() -> None:
    here = Visitor(address="192.0.2.7")
    assert Visitor("key", address="192.0.2.7").name not in ("", "key", here.name)
    assert here.name == "192.0.2.7"
    assert Visitor("key", on_server=True, address="127.0.0.1").name == ""


@pytest.mark.parametrize("path", ["/play/nuts?against=program:first.py", WATCH])
def test_a_page_opens_a_match_for_whoever_has_the_key(tmp_path: Path, path: str) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.programs.save("first.py", FIRST)
        user.javascript_rules[STORED] = lambda _: ANN.key
        await user.open(path)
        press(user, "Start the match")
        await until(lambda: server.matches)
        (live,) = server.matches.values()
        assert live.programs.opener == ANN.name
        await user.should_see("Moves")

    visit(story, tmp_path)
