"""Live matches go on after a restart of the server."""

import functools
from pathlib import Path

import pytest

from ludex.web.state import limits
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState
from tests.webvisit import in_server, until

pytestmark = pytest.mark.plain


async def open_trap(server: ServerState, agents: list[str], yours: set[int]) -> LiveMatch:
    rules = server.catalogue.rules("trap", {"size": "3"})
    return await server.open_match("trap", rules, agents, yours, seed=5)


def is_longer(live: LiveMatch, plies: int) -> bool:
    return len(live.match.plies) > plies


async def play(live: LiveMatch, moves: int) -> None:
    """Let people choose their first action, a number of times."""
    for _ in range(moves):
        await until(lambda: live.pending or live.match.over)
        if live.match.over:
            return
        seat = next(iter(live.pending))
        key = next(key for key, own in live.keys.items() if seat in own)
        plies = len(live.match.plies)
        live.choose(key, seat, live.match.legal_numbers(seat)[0], plies - 1)
        await until(functools.partial(is_longer, live, plies))
    await until(lambda: live.pending or live.match.over)


def replayed(folder: Path, before: int, after: int) -> tuple[list[str], LiveMatch]:
    """Return the moves of a match of which the server restarts in between."""
    matches: list[LiveMatch] = []

    async def begin(server: ServerState) -> None:
        matches.append(await open_trap(server, ["human", "human"], {0}))
        await play(matches[-1], before)

    async def go_on(server: ServerState) -> None:
        server.resume_matches()
        matches.append(server[matches[0].id])
        await play(matches[-1], after)

    folder.mkdir(exist_ok=True)
    in_server(begin, folder)
    in_server(go_on, folder)
    return matches[1].match.labels, matches[0]


def test_a_match_goes_on_after_a_restart_with_the_same_luck(tmp_path: Path) -> None:
    cut, _ = replayed(tmp_path / "cut", 4, 4)
    whole, _ = replayed(tmp_path / "whole", 8, 0)
    assert len(whole) > 8
    assert cut == whole


def test_keys_guests_and_undo_survive_a_restart(tmp_path: Path) -> None:
    _, before = replayed(tmp_path, 3, 0)

    async def story(server: ServerState) -> None:
        server.resume_matches()
        live = server[before.id]
        assert (live.owner, live.keys, live.guests) == (before.owner, before.keys, before.guests)
        live.guests.clear()
        plies = len(live.match.plies)
        live.take_back(live.owner)
        assert len(live.match.plies) < plies
        taken_back.append(len(live.match.plies))
        await until(lambda: live.pending)

    taken_back: list[int] = []
    in_server(story, tmp_path)

    async def again(server: ServerState) -> None:
        server.resume_matches()
        assert len(server[before.id].match.plies) == taken_back[0]

    in_server(again, tmp_path)


def test_a_finished_match_stays_finished(tmp_path: Path) -> None:
    ended: list[LiveMatch] = []

    async def resign(server: ServerState) -> None:
        ended.append(await open_trap(server, ["human", "easy"], {0}))
        await until(lambda: ended[0].pending)
        ended[0].resign(ended[0].owner)
        await until(lambda: ended[0].stored_as)

    async def look(server: ServerState) -> None:
        server.resume_matches()
        live = server[ended[0].id]
        assert live.match.over
        assert live.match.result == ended[0].match.result
        assert (live.stored_as, live.ends, live.task) == (ended[0].stored_as, 1, None)

    in_server(resign, tmp_path)
    in_server(look, tmp_path)


def test_a_torn_or_foreign_journal_harms_no_other(tmp_path: Path) -> None:
    _, before = replayed(tmp_path, 3, 0)
    folder = tmp_path / "live"
    journal = folder / f"{before.id}.jsonl"
    journal.write_text(journal.read_text() + '{"move": 1, "sec')
    (folder / "other.jsonl").write_text("[]\n")
    (folder / "empty.jsonl").write_text("")

    async def story(server: ServerState) -> None:
        server.resume_matches()
        assert list(server.matches) == [before.id]
        assert server[before.id].match.labels == before.match.labels

    in_server(story, tmp_path)


def test_an_idle_match_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replayed(tmp_path, 1, 0)
    monkeypatch.setattr(limits, "IDLE", -1.0)

    async def story(server: ServerState) -> None:
        server.resume_matches()
        assert not server.matches
        assert list((tmp_path / "live").iterdir()) == []

    in_server(story, tmp_path)
