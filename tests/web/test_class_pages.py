"""The pages of a class, as people of every role meet them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nicegui import Client, ui
from nicegui.testing import User

from ludex.classroom.classroom import Classroom
from ludex.classroom.facts import program_facts
from ludex.classroom.finals import finals_of, start_final
from ludex.classroom.people import people_of, person_of_token, set_active
from ludex.classroom.programs import hand_in, programs_of
from ludex.web.classroom import desk as desk_module
from ludex.web.classroom.desk import Desk, Ladder
from ludex.web.classroom.final import FinalPage
from ludex.web.classroom.ladder import LadderPage
from ludex.web.parts.board import Board
from tests.classrooms import FIRST, play_all
from tests.classvisit import Class, copy_class, log_in, make_played, visit_class
from tests.webvisit import error_response, field, press, until

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]
DEADLINES = (
    ("2030-01-01", "2030-01-01 23:59:59", "2030-01-01T23:59:59Z"),
    ("2030-01-02 18:00", "2030-01-02 18:00", "2030-01-02T18:00:00Z"),
    ("2030-01-03 18:00 UTC", "2030-01-03 18:00", "2030-01-03T18:00:00Z"),
    ("2030-01-04T00:00Z", "2030-01-04 00:00", "2030-01-04T00:00:00Z"),
    ("none", "none", ""),
)
"""What is typed, shown afterwards, and stored."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_played(tmp_path_factory.mktemp("played"))


@pytest.fixture
def own(played: Path, tmp_path: Path) -> Iterator[Class]:
    made = copy_class(played, tmp_path)
    yield made
    made.classroom.close()


def contents(user: User) -> str:
    """Return all HTML of a page that was made by us."""
    return "".join(str(one.content) for one in user.find(ui.html).elements)


def test_the_ladder_has_error_bars_and_marks_anchors_and_oneself(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class")
        shown = contents(user)
        assert shown.count("lx-error") == 3
        assert shown.count(">house<") == 1
        marked = shown.partition('class="lx-played"')[2].partition("</tr>")[0]
        assert ">Ann #1<" in marked
        assert shown.count("<polyline") == 3
        await user.should_see("2 programs of the class")

    visit_class(story, own.classroom)


def test_the_ladder_shows_a_new_program_without_a_reload(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.gus))
        await user.open("/class")
        assert "Ann #3" not in contents(user)
        hand_in(own.classroom, own.ann, "mine.py", FIRST.encode())
        play_all(own.classroom)
        await until(lambda: "Ann #3" in contents(user))

    visit_class(story, own.classroom)


@pytest.mark.parametrize(("address", "kind"), [("/class", LadderPage), ("/class/final", FinalPage)])
def test_a_page_that_no_browser_shows_is_not_refreshed(
    address: str, kind: type[Any], own: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Client] = []
    refreshed: list[object] = []
    refresh = kind.refresh
    start_final(own.classroom, matches=2)

    def gone(client: Client) -> bool:
        asked.append(client)
        return False

    async def counted(page: object) -> None:
        refreshed.append(page)
        await refresh(page)

    monkeypatch.setattr(f"{kind.__module__}.REFRESH", 0.02)
    monkeypatch.setattr(kind, "refresh", counted)

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.gus))
        await user.open(address)
        await until(lambda: len(refreshed) > 2)
        monkeypatch.setattr(Client, "has_socket_connection", property(gone))
        seen = len(refreshed)
        await until(lambda: len(asked) > 9)
        assert len(refreshed) == seen
        monkeypatch.setattr(Client, "has_socket_connection", True)
        await until(lambda: len(refreshed) > seen)

    visit_class(story, own.classroom)


def test_pages_that_look_at_the_same_time_read_the_ladder_once(
    own: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    find = desk_module.read_ladder

    def counted(classroom: Classroom) -> Ladder:
        read.append(classroom)
        return find(classroom)

    monkeypatch.setattr(desk_module, "read_ladder", counted)

    async def look() -> None:
        desk = Desk(own.classroom, clock=lambda: 0.0)
        await asyncio.gather(*(desk.ladder.get() for _ in range(100)))

    asyncio.run(look())
    assert len(read) == 1


def test_a_student_sees_why_a_version_was_refused_and_which_one_plays(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class/mine")
        shown = contents(user)
        refused, valid = shown.split("<section")[1:3]
        assert "Ann #2" in refused and ">refused<" in refused
        assert "ZeroDivisionError" in refused and "secret" in refused
        assert "Ann #1" in valid and "valid, and plays" in valid
        await user.should_see("2 of 20 hand-ins within 24 hours; there is no deadline.")

    visit_class(story, own.classroom)


def test_a_student_reads_what_to_play_and_how_a_program_looks(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class/mine")
        await user.should_see("The Game of Nuts")
        await user.should_see("Rules: nuts = 11. Time to think: 5 s a decision.")
        shown = contents(user)
        assert "def choose(position, moves, seconds)" in shown and "take 1" in shown
        assert "How to play" in shown

    visit_class(story, own.classroom)


def test_the_deadline_disables_handing_in_and_says_why(own: Class) -> None:
    own.classroom.change(deadline="2020-01-01")

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class/mine")
        await user.should_see("Not now: the deadline was 2020-01-01 23:59 UTC.")
        buttons = {one.text: one.enabled for one in user.find(ui.button).elements}
        assert not buttons["A file"] and not buttons["A folder"]

    visit_class(story, own.classroom)


def test_a_student_withdraws_a_program(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class/mine")
        user.find("Withdraw the one that plays").click()
        await user.should_see("Withdraw Ann #1?")
        press(user, "Withdraw")
        await until(lambda: not any(one.playing for one in programs_of(own.classroom, own.ann.id)))

    visit_class(story, own.classroom)


def test_a_program_has_results_endings_mistakes_and_its_source(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class/program/2")
        shown = contents(user)
        assert ">random<" in shown
        assert "by rules" in shown
        assert "analysed match" in shown and "/class/match/" in shown and "?ply=" in shown
        assert "return moves[0]" in shown
        assert "<polygon" in shown  # the interval over time

    visit_class(story, own.classroom)


def test_a_match_is_replayed_with_what_was_lost(own: Class) -> None:
    worst = next(one for one in program_facts(own.classroom, 2).worst if one.ply > 1)

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open(f"/class/match/{worst.job}/{worst.number}?ply={worst.ply - 1}")
        assert len(user.find(Board).elements) == 1
        said = f"plays {worst.move}: lost 2 here (a blunder). Best was {worst.best}."
        await user.should_see(said)
        user.find(Board).trigger("key", "End")
        await user.should_not_see(said)
        user.find("Previous mistake").click()
        await user.should_see("here (a blunder)")

    visit_class(story, own.classroom)


def test_matches_and_the_final_are_listed(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.gus))
        await user.open("/class/matches")
        assert contents(user).count("/class/match/") > 4
        await user.open("/class/final")
        await user.should_see("The end")
        assert ">Ann #1<" in contents(user)
        assert '>random</a> <span class="lx-badge">house</span>' in contents(user)
        await user.should_not_see("Bundle to play it again")

    visit_class(story, own.classroom)


def test_the_bundle_is_offered_once_the_final_has_ended(
    own: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludex.web.classroom.final.REFRESH", 0.02)
    start_final(own.classroom, "Another", 2)

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/final")
        await user.should_not_see("Bundle to play it again")
        play_all(own.classroom)
        await user.should_see("Bundle to play it again")

    visit_class(story, own.classroom)


def test_an_instructor_cancels_a_final(own: Class) -> None:
    start_final(own.classroom, "Another", 2)

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class/final")
        await user.should_see("Another")
        await user.should_not_see("Cancel the final")
        await log_in(user, own.token(own.ada))
        await user.open("/class/final")
        assert ">–<" in contents(user) and "lx-error" not in contents(user)  # nothing is played
        press(user, "Cancel the final")
        await user.should_see("Cancel Another?")
        press(user, "Let it go on")
        await user.should_not_see("Cancel Another?")
        assert not finals_of(own.classroom)[0].ended
        press(user, "Cancel the final")
        await user.should_see("Cancel Another?")
        press(user, "Cancel it")
        await until(lambda: "Cancelled after 0 of 6 matches" in contents(user))
        assert finals_of(own.classroom)[0].cancelled
        await user.should_not_see("Bundle to play it again")
        await user.open("/class/final")
        await user.should_see("Another, ")
        await user.should_see("Bundle to play it again")

    visit_class(story, own.classroom)


def test_a_guest_is_offered_no_programs_and_no_people(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.gus))
        await user.open("/class")
        assert "/class/mine" not in contents(user) and "/class/people" not in contents(user)
        await error_response(user, "/class/program/99", "There is no program 99")

    visit_class(story, own.classroom)


def test_strangers_watch_if_the_settings_allow_it(own: Class) -> None:
    own.classroom.change(guests=True)

    async def story(user: User, desk: Desk) -> None:
        await user.open("/class")
        await user.should_see("2 programs of the class")
        answer = await user.http_client.get("/class/mine")
        assert answer.headers["location"] == "/class/enter"

    visit_class(story, own.classroom)


def test_an_instructor_adds_people_and_sees_their_links_once(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        field(user, "name").value = "Zoe"
        press(user, "Add")
        await user.should_see("1 new link")
        assert "http://test/class/enter#" in contents(user)
        assert people_of(own.classroom)[-1].name == "Zoe"
        await user.open("/class/people")
        assert "enter#" not in contents(user) and "Zoe" in contents(user)

    visit_class(story, own.classroom)


def test_an_instructor_locks_somebody_out(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        field(user, "person", ui.select).value = own.ann.id
        user.find("Lock or unlock").click()
        await until(lambda: "locked out" in contents(user))
        assert not people_of(own.classroom)[0].active

    visit_class(story, own.classroom)


def test_an_instructor_makes_a_new_link_and_extends_a_deadline(own: Class) -> None:
    old = own.token(own.ann)

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        press(user, "New link")
        await user.should_see("choose a person first")
        field(user, "person", ui.select).value = own.ann.id
        press(user, "New link")
        await user.should_see("A new link for Ann?")
        press(user, "Make it")
        await user.should_see("1 new link")
        assert person_of_token(own.classroom, old) is None
        press(user, "Extend the deadline")
        await user.should_see("A deadline for Ann")
        field(user, "in UTC, such as 2026-12-03 18:00, or none").value = "2031-05-01"
        press(user, "Set")
        await until(lambda: "2031-05-01 23:59 UTC" in contents(user))

    visit_class(story, own.classroom)


def test_the_clock_is_changed_and_put_back_to_that_of_the_game(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        clock = field(user, "clock, such as turn=2, or game for the game's own")
        assert clock.value == "decision=5"
        clock.value = "turn=fast"
        press(user, "Save the settings")
        await user.should_see("clock turn 'fast': expected seconds above 0, at most 86400")
        clock.value = "game"
        press(user, "Save the settings")
        await until(lambda: own.classroom.settings.clock == "")

    visit_class(story, own.classroom)


def test_whoever_leaves_a_page_with_a_question_leaves_no_error_behind(
    own: Class, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        field(user, "person", ui.select).value = own.ann.id
        press(user, "Extend the deadline")
        await user.should_see("A deadline for Ann")
        assert user.client is not None
        user.client.delete()
        for _ in range(10):  # what waits for an answer goes on
            await asyncio.sleep(0)
        assert [one.getMessage() for one in caplog.records if one.levelname != "INFO"] == []

    visit_class(story, own.classroom)


def test_an_instructor_changes_settings_and_starts_a_final(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        deadline = field(user, "deadline in UTC, such as 2026-12-01 18:00, or none")
        assert deadline.value == "none"
        for given, shown, kept in DEADLINES:
            deadline.value = given
            press(user, "Save the settings")
            await until(lambda: own.classroom.settings.deadline == kept)  # noqa: B023
            await until(lambda: deadline.value == shown)  # noqa: B023
        press(user, "Start the final")
        await user.should_see("Start final?")
        press(user, "Start")
        await until(lambda: len(finals_of(own.classroom)) == 2)

    visit_class(story, own.classroom)


def test_whoever_is_locked_out_sees_nothing_new(
    own: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ann))
        await user.open("/class")
        went: list[str] = []
        monkeypatch.setattr(user.navigate, "to", went.append)
        before = contents(user)
        set_active(own.classroom, own.ann.id, False)  # her program leaves the ladder
        await until(lambda: went)
        assert went[0] == "/class/enter"
        assert contents(user) == before

    visit_class(story, own.classroom)
