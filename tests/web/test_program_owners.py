"""Who may replace, rename, delete and read a program in the web lab."""

import re
from pathlib import Path
from unittest.mock import patch

import pytest
from nicegui import ui
from nicegui.testing import User

from ludex.io.keys import Refused, key_hash
from ludex.web.pages.agents import AgentsPage
from ludex.web.state import limits
from ludex.web.state.access import HOST, Access, Visitor
from ludex.web.state.programs import Programs
from ludex.web.state.server_state import ServerState
from tests.web.test_programs import FIRST
from tests.webvisit import STORED, press, sit_at_server, until, visit

pytestmark = pytest.mark.plain
ANN, BEN = Visitor("key of Ann"), Visitor("key of Ben")
FOR_ALL = ("Play against", "Watch", "Tournament with")  # what everyone may do with a program


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    return Programs(tmp_path / "programs")


@pytest.mark.parametrize("owner", [HOST, ANN, Visitor()])
@pytest.mark.parametrize("guest", [BEN, Visitor()])
def test_a_guest_changes_no_program_of_others(
    programs: Programs, owner: Visitor, guest: Visitor
) -> None:
    programs.save("mine.py", FIRST, owner)
    taken = "mine.py is taken by somebody else's program; choose another name, such as mine-2.py"
    with pytest.raises(Refused, match=f"^{re.escape(taken)}$"):
        programs.save("mine.py", "x = 1", guest)
    with pytest.raises(Refused, match="can only be changed by whoever saved it"):
        programs.rename("mine.py", "other.py", guest)
    with pytest.raises(Refused, match="can only be changed by whoever saved it"):
        programs.delete("mine.py", guest)
    programs.save("guests.py", FIRST, guest)
    with pytest.raises(Refused):
        programs.rename("guests.py", "mine.py", guest)
    assert programs.content("mine.py") == FIRST
    assert not programs.is_own("mine.py", guest)


def test_an_owner_is_known_after_a_restart_by_the_hash_of_the_key(programs: Programs) -> None:
    programs.save("mine.py", FIRST, ANN)
    again = Programs(programs.folder)
    assert ANN.key not in (programs.folder / "owners.json").read_text()
    again.save("mine.py", FIRST + "# 2", ANN)
    again.rename("mine.py", "ours.py", ANN)
    assert again.is_own("ours.py", ANN) and again.content("ours.py") == FIRST + "# 2"
    again.delete("ours.py", ANN)
    assert (again.paths(), again.owners.read()) == ({}, {})


def test_the_host_changes_all_programs_and_their_owners_stay(programs: Programs) -> None:
    programs.save("mine.py", FIRST, ANN)
    programs.save("mine.py", FIRST + "# mended", HOST)
    programs.rename("mine.py", "hers.py", HOST)
    assert programs.is_own("hers.py", ANN) and not programs.is_own("hers.py", HOST)
    programs.delete("hers.py", HOST)
    assert not programs.paths()


def test_programs_without_an_owner_are_the_hosts(programs: Programs) -> None:
    programs.folder.mkdir()
    (programs.folder / "old.py").write_text(FIRST)
    (programs.folder / "owners.json").write_text("[damaged")
    assert programs.is_own("old.py", HOST) and not programs.may_change("old.py", ANN)


def test_a_name_that_is_free_again_belongs_to_the_next(programs: Programs) -> None:
    programs.save("mine.py", FIRST, ANN)
    (programs.folder / "mine.py").unlink()  # by hand: the note of its owner stays
    programs.save("mine.py", FIRST, HOST)
    assert programs.is_own("mine.py", HOST) and not programs.may_change("mine.py", ANN)


def test_a_file_named_at_the_start_is_nobodys_to_change(tmp_path: Path) -> None:
    (tmp_path / "given.py").write_text(FIRST)
    programs = Programs(tmp_path / "programs", (str(tmp_path / "given.py"),))
    for visitor in (HOST, ANN):
        with pytest.raises(Refused, match=r"stays as it is; .* such as given-2\.py$"):
            programs.save("given.py", "x = 1", visitor)
        with pytest.raises(Refused, match=r"stays as it is$"):
            programs.delete("given.py", visitor)
    assert programs.is_own("given.py", HOST) and not programs.is_own("given.py", ANN)


def test_files_of_one_name_are_kept_apart_for_their_owners(programs: Programs) -> None:
    assert programs.own_name("mine.py", ANN) == "mine.py"
    programs.save("mine.py", FIRST, HOST)
    programs.save("mine-2.py", FIRST, ANN)
    assert [programs.own_name("mine.py", one) for one in (ANN, BEN)] == ["mine-2.py", "mine-3.py"]
    programs.save("mine-3.py", FIRST, BEN)
    programs.delete("mine-2.py", ANN)
    assert programs.own_name("mine.py", BEN) == "mine-3.py"
    assert programs.own_name("mine-3.py", HOST) == "mine-3.py"  # who may replace it


def test_a_visitor_leaves_room_for_the_programs_of_others(programs: Programs) -> None:
    for number in range(limits.SAVED_PROGRAMS):
        programs.save(f"{number}.py", FIRST, ANN)
    with pytest.raises(ValueError, match=f"you have {limits.SAVED_PROGRAMS} programs already"):
        programs.save("more.py", FIRST, ANN)
    programs.save("0.py", "x = 1", ANN)
    programs.save("more.py", FIRST, BEN)
    programs.save("yet-more.py", FIRST, HOST)


def labels(user: User) -> set[str]:
    """Return the labels of all buttons for one program."""
    found = {one.props.get("aria-label", "") for one in user.find(ui.button).elements}
    return {label for label in found if label.endswith(".py")}


def test_a_guest_neither_reads_nor_replaces_a_program_on_the_page(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.access = Access.at("0.0.0.0", "", ())
        server.programs.save("mine.py", "# secret\n" + FIRST)
        user.javascript_rules[STORED] = lambda _: BEN.key
        await user.open("/agents/nuts?program=mine.py")
        await user.should_see("Programs of others")
        await user.should_not_see(ui.codemirror)
        answer = await user.http_client.get("/agents/nuts?program=mine.py")
        assert answer.status_code == 200 and "secret" not in answer.text
        assert labels(user) == {f"{act} mine.py" for act in FOR_ALL}
        with user:
            page = AgentsPage(server, {"game": "nuts", "program": "mine.py"})
            await page.upload("mine.py", b"x = 1")
        assert page.result.text.startswith("mine-2.py lacks a function choose")
        await user.should_see("mine.py is somebody else's program; yours is mine-2.py.")
        await user.should_not_see("Replace mine.py?")
        assert server.programs.content("mine.py") == "# secret\n" + FIRST

    visit(story, tmp_path)


def test_a_guests_browser_is_known_again_and_deletes_its_program(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.access = Access.at("0.0.0.0", "", ())
        user.javascript_rules[STORED] = lambda _: ANN.key
        await user.open("/agents/nuts?program=hers.py")
        with user, patch.object(ServerState, "prepare_agent", side_effect=ValueError("no")):
            page = AgentsPage(server, {"game": "nuts"})
            await page.upload("hers.py", FIRST.encode())  # sooner than the page is loaded
            await page.load()
        assert server.programs.owners.read() == {"hers.py": key_hash(ANN.key)}
        await user.open("/agents/nuts?program=hers.py")
        own = {f"{act} hers.py" for act in (*FOR_ALL, "Rename", "Delete")}
        await until(lambda: labels(user) == own)
        press(user, "Delete hers.py")
        await user.should_see("Delete hers.py?")
        press(user, "Delete")
        await until(lambda: not server.programs.paths())

    visit(story, tmp_path)


def test_the_host_edits_while_hosting(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        server.access = Access.at("0.0.0.0", "", ())
        server.programs.save("mine.py", FIRST)
        server.programs.save("hers.py", FIRST, ANN)
        sit_at_server(user)
        await user.open("/agents/nuts?program=mine.py")
        await user.should_see(ui.codemirror)
        await user.should_see("Programs of others")
        acts = (*FOR_ALL, "Edit", "Rename", "Delete")
        assert labels(user) == {f"{act} {name}.py" for act in acts for name in ("mine", "hers")}

    visit(story, tmp_path)
