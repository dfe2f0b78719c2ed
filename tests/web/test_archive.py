"""What is played in the web lab is a record like any other, kept in the store and found again."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nicegui import ui
from nicegui.elements.upload_files import SmallFileUpload
from nicegui.testing import User

from ludex.cli import cli
from ludex.core.play import choosers
from ludex.match.record import Record, read_record, replay_states, write
from ludex.store import Store
from ludex.web.state.archive import public_record, record_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState
from tests.webvisit import error_response, in_server, until, visit

pytestmark = pytest.mark.plain


async def nuts(server: ServerState, agents: list[str], **more: Any) -> LiveMatch:
    """Return a table of ten nuts; people sit there with the owner's key."""
    rules = server.catalogue.rules("nuts", {"nuts": "10"})
    yours = {seat for seat, text in enumerate(agents) if text == "human"}
    return await server.open_match("nuts", rules, agents, yours, **more)


async def chosen(table: LiveMatch, action: int) -> None:
    """Choose for the owner, and wait until it is their turn again or the match is over."""
    await until(lambda: table.seats_to_move(table.owner))
    table.choose(
        table.owner, table.seats_to_move(table.owner)[0], action, len(table.match.plies) - 1
    )
    plies = len(table.match.plies)
    await until(
        lambda: (
            len(table.match.plies) > plies
            and (table.match.over or table.seats_to_move(table.owner))
        )
    )


async def played(server: ServerState) -> Record:
    """Return the record of a match between agents."""
    table = await nuts(server, ["random", "random"], seed=3)
    await until(lambda: table.match.over)
    return record_of(table)


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        table = await nuts(server, ["random", "random"], seed=3)
        await until(lambda: table.match.over)
        record = read_record(write(public_record(record_of(table))))
        again = await server.open_record(record)
        assert [ply[:2] for ply in again.match.plies] == [ply[:2] for ply in table.match.plies]
        assert again.match.result == table.match.result
        assert again.id != table.id
        assert record_of(again) == record
        rules, line = replay_states(record)
        assert all(
            len(times) == len(choosers(rules, state)) and min(times) > 0
            for times, state in zip(record.times, line, strict=False)
        )

    in_server(story, tmp_path)


def test_the_command_line_takes_what_a_page_saves(tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"

    async def story(server: ServerState) -> None:
        table = await nuts(server, ["human", "random"])
        await chosen(table, 0)
        going = record_of(table)
        assert (going.ending, going.returns) == ("TRUNCATED", (0.0, 0.0))
        assert len(replay_states(going)[1]) == 3
        table.resign(table.owner)
        file.write_text(write(public_record(record_of(table))) + "\n", encoding="utf-8")

    in_server(story, tmp_path)
    shown = CliRunner().invoke(cli, ["replay", str(file)])
    assert shown.exit_code == 0, shown.output
    assert "RESIGNED after 2 moves: Player 1 (human) -1, Player 2 (random) +1." in shown.output
    told = json.loads(CliRunner().invoke(cli, ["analyse", str(file), "--json"]).stdout)
    assert told["decisions"][0]["move"] == "take 1"


WRONG = [
    ({"moves": (0, 77), "times": ((0.0,), (0.0,))}, "move 2, 77, at"),
    ({"moves": (0,) * 3000}, "3000 moves: expected at most 2000"),
    ({"game": "../evil"}, "no game '../evil'"),
    ({"rules": {"nuts": "1"}}, "expected a whole number"),
    ({"rules": {"nuts": "1" * 3000}}, "at most 2000 letters"),
    ({"agents": ("a",)}, "expected 2 agents"),
    ({"version": 99}, "has version 99 of nuts"),
]


@pytest.mark.parametrize(("change", "said"), WRONG)
def test_a_broken_record_is_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    async def story(server: ServerState) -> None:
        record = await played(server)
        tables = len(server.matches)
        with pytest.raises(ValueError, match=said.replace(".", r"\.")):
            await server.open_record(record._replace(**change))
        assert len(server.matches) == tables

    in_server(story, tmp_path)


def test_a_game_from_a_file_is_recorded_without_its_folder(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        rules = server.catalogue.rules("pig", {"goal": "5"})
        table = await server.open_match("pig", rules, ["random", "random"], set())
        await until(lambda: table.match.over)
        record = record_of(table)
        assert record.game == str(Path("examples/pig.py").resolve())
        assert public_record(record).game == "pig.py"
        again = await server.open_record(public_record(record))
        assert again.game.name == "pig" and len(again.match.plies) == len(table.match.plies)

    in_server(story, tmp_path, ("examples/pig.py",))


def test_every_end_is_kept_also_after_moves_are_taken_back(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        table = await nuts(server, ["human", "random"])
        for number in range(2):
            await chosen(table, 0)
            table.resign(table.owner)
            await until(lambda: table.stored_as)
            assert table.stored_as == f"1/{number}"
            if not number:
                table.take_back(table.owner)
                assert table.stored_as == ""
        watched = await nuts(server, ["random", "random"])
        await until(lambda: watched.stored_as)
        found = await server.archive.latest("nuts", 9)
        assert [name for name, _ in found] == ["2/0", "1/1", "1/0"]
        assert [record.ending for _, record in found] == ["BY_RULES", "RESIGNED", "RESIGNED"]
        again = await server.open_stored("2", "0")
        assert again is await server.open_stored("2", "00")
        assert [ply[:2] for ply in again.match.plies] == [ply[:2] for ply in watched.match.plies]
        for event, match, said in (("7", "0", "no match 7/0"), ("1", "x", "such as 12/3")):
            with pytest.raises(ValueError, match=said):
                await server.open_stored(event, match)

    in_server(story, tmp_path)
    (mine,) = Store(str(tmp_path / "ludex.db")).history("nuts", "human", 5)
    assert (mine.format, mine.matches, mine.rules) == ("web", 2, {"nuts": "10"})
    shown = CliRunner().invoke(cli, ["history", "1", "--db", str(tmp_path / "ludex.db"), "--json"])
    told = json.loads(shown.stdout)["matches"][0]
    assert told["agents"] == ["human", "random"] and told["decisions"] == [1, 1]


def test_a_store_that_fails_ends_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*anything: Any) -> None:
        raise ValueError("the database postgresql://secret: gone")

    async def story(server: ServerState) -> None:
        for name in ("enter", "records", "latest"):
            monkeypatch.setattr(server.archive.store, name, fail)
        table = await nuts(server, ["random", "random"])
        await until(lambda: table.storage_error)
        assert (
            table.storage_error == "It could not be stored here; save it yourself if it matters."
            and not table.stored_as
        )
        with pytest.raises(ValueError, match="the store of matches does not answer; it was noted"):
            await server.open_stored("1", "0")

    in_server(story, tmp_path)


async def give(user: User, content: str) -> None:
    """Give a file to the page."""
    (upload,) = user.find(ui.upload).elements
    await upload.handle_uploads([SmallFileUpload("given", "", content.encode())])


def test_what_was_played_is_listed_and_opened_by_its_id(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        table = await nuts(server, ["random", "greedy"])
        await until(lambda: table.stored_as)
        await user.open("/watch/trap")
        await user.should_see("Nothing yet for this game.")
        await user.open("/watch/nuts")
        await user.should_see("The Game of Nuts · random – greedy: ")
        await user.should_see("Match 1/0, ")
        await user.open("/watch/record/1/0")
        await user.should_see("Player 1: random, Player 2: greedy")
        await user.should_see("Stored as match 1/0.")
        await error_response(user, "/watch/record/1/7", "The store has no match 1/7")
        await error_response(user, "/watch/record/one/0", "such as 12/3")

    visit(story, tmp_path)


def test_files_of_records_are_taken_or_refused(tmp_path: Path) -> None:
    async def story(user: User, server: ServerState) -> None:
        record = await played(server)
        await user.open("/watch/nuts")
        for content, said in (
            ("{", "is not JSON"),
            ("[]", "has no field 'ludex'"),
            ("\n", "given has 0 lines: expected 1 to"),
            (write(record._replace(end="3 0")), "it ends at"),
        ):
            await give(user, content)
            await user.should_see(said)
        other = record._replace(agents=("here", "there"))
        await give(user, f"{write(record)}\n{write(other)}\n")
        await user.should_see("2: here – there")
        user.find("2: here – there").click()
        await user.should_see("Player 1: here, Player 2: there")
        await user.open("/watch/nuts")
        await give(user, write(other._replace(agents=("a", "b"))))
        await user.should_see("Player 1: a, Player 2: b")

    visit(story, tmp_path)
