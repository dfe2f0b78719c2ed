"""Tables, workers and limits of the web lab, without pages."""

import asyncio
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from ludex.agents.registry import Random
from ludex.agents.training import read_learner
from ludex.analysis.evaluator import error_name
from ludex.core.rules import initial
from ludex.io.keys import Refused
from ludex.kernel import jit
from ludex.match.runner import play_match
from ludex.web.parts.board import delta
from ludex.web.parts.demo import animation
from ludex.web.parts.hat import WIDE, WIDTH, column_count, hat
from ludex.web.state import limits
from ludex.web.state.catalogue import Catalogue, parse_rules, write_rules
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState
from ludex.web.state.workers import Busy, Workers
from tests.webvisit import in_server, until

pytestmark = pytest.mark.plain


async def opened(server: ServerState, agents: list[str], yours: set[int], **more: Any) -> LiveMatch:
    rules = server.catalogue.rules("nuts", {"nuts": "10"})
    return await server.open_match("nuts", rules, agents, yours, **more)


async def chosen(table: LiveMatch, key: str, seat: int, action: int) -> None:
    """Choose when it is time, and wait until it has been done."""
    await until(lambda: seat in table.seats_to_move(key))
    plies = len(table.match.plies)
    table.choose(key, seat, action, plies - 1)
    await until(
        lambda: len(table.match.plies) > plies or table.match.over or not table.pending.get(seat)
    )


def test_only_the_holder_of_a_key_may_move(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        table = await opened(server, ["human", "human"], {0})
        guest = table.guests[1]
        await until(lambda: table.pending)
        for key, seat in ((guest, 0), ("", 0), ("wrong", 0), (table.owner, 1)):
            with pytest.raises(Refused, match="not your seat"):
                table.choose(key, seat, 0, 0)
        with pytest.raises(Refused, match="without guests"):
            table.take_back(table.owner)
        await chosen(table, table.owner, 0, 2)
        await chosen(table, guest, 1, 2)
        assert table.match.labels == ["take 3", "take 3"]
        with pytest.raises(Refused, match="not your turn"):
            table.choose(guest, 1, 0, 2)
        table.resign(guest)
        assert table.match.result == "Player 1 wins: Player 2 resigned."
        with pytest.raises(Refused, match="over"):
            table.choose(table.owner, 0, 0, 2)

    in_server(story, tmp_path)


def test_luck_comes_again_after_a_move_is_taken_back(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        rules = server.catalogue.rules("trap")
        table = await server.open_match("trap", rules, ["human", "random"], {0}, seed=5)
        lines = []
        for _ in range(6):
            await chosen(table, table.owner, 0, 10)
            await chosen(table, table.owner, 0, 48)  # far away: it misses often
            await until(lambda: table.match.over or table.seats_to_move(table.owner))
            lines.append([ply.move for ply in table.match.plies])
            for _ in range(2):
                table.take_back(table.owner)
        assert all(line == lines[0] for line in lines)
        assert len(table.match.plies) == 1
        with pytest.raises(Refused, match="nothing to take back"):
            table.take_back(table.owner)

    in_server(story, tmp_path)


def test_a_seed_plays_the_match_that_a_series_plays(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        rules = server.catalogue.rules("trap", {"size": "5"})
        table = await server.open_match("trap", rules, ["random", "random"], set(), seed=5)
        await until(lambda: table.match.over)
        assert table.match.moves == play_match(rules, initial(rules), [Random()] * 2, 5).moves

    in_server(story, tmp_path)


def test_a_clock_ends_a_match(tmp_path: Path) -> None:
    async def story(server: ServerState) -> None:
        table = await opened(server, ["human", "random"], {0}, limit=0.05)
        await until(lambda: table.match.over)
        assert table.match.ending == "OUT_OF_TIME"
        assert table.deadline is None and table.seats_to_move(table.owner) == []
        assert table.match.returns == (-1.0, 1.0)
        with pytest.raises(Refused, match="clock"):
            table.take_back(table.owner)

    in_server(story, tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("./program.py", "no agent './program.py'"),
        ("/bin/sh", "no agent '/bin/sh'"),
        ("human", "no agent 'human'"),
        ("qtable:file=/etc/passwd", "expected the name of one of ours"),
        ("qtable:file=nowhere", "no training 'nowhere' here"),
        ("mcts:seconds=1000", "expected at most 5 here"),
        ("alphabeta:table=4096", "expected at most 256 here"),
        ("alphabeta:dpeth=3", "did you mean 'depth'"),
        ("x" * 5000, "at most 2000 letters"),
    ],
)
def test_an_agent_that_is_not_allowed_is_refused(tmp_path: Path, text: str, said: str) -> None:
    async def story(server: ServerState) -> None:
        with pytest.raises(ValueError, match=said):
            await server.prepare_agent("nuts", server.catalogue.rules("nuts"), text)

    in_server(story, tmp_path)


def test_the_table_idle_longest_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIVE_MATCHES", 2)

    async def story(server: ServerState) -> None:
        tables = [await opened(server, ["human", "random"], {0}) for _ in range(3)]
        assert [table.id in server.matches for table in tables] == [False, True, True]
        with pytest.raises(ValueError, match="no such match"):
            server[tables[0].id]

    in_server(story, tmp_path)


def test_messages_show_no_folders() -> None:
    assert (
        without_paths("cannot read /home/me/secret/file.npz\nhere") == "cannot read file.npz here"
    )
    for path in ("'./mine/own/pig.py'", "~/own/pig.py", "mine/own/pig.py", "(/a/pig.py)"):
        assert "own" not in without_paths(path) and "pig.py" in without_paths(path)


@pytest.mark.parametrize(
    "position",
    ["1../.../.2. 0 throw", ".../.1./..2 1 land:0,0", "x1x/.xx/.xx 0 step", "pppp/8/8/PPPP w"],
)
def test_messages_keep_positions_whole(position: str) -> None:
    assert without_paths(f"not a position: {position!r}") == f"not a position: {position!r}"


def test_rules_travel_in_links() -> None:
    texts = (("start1", "0,0"), ("rounds", "9"))
    assert tuple(parse_rules(write_rules(texts)).items()) == texts


def test_a_frame_holds_what_has_changed_alone() -> None:
    rules = Catalogue().rules("nuts")
    first, frames = animation(rules)
    whole, known = delta({}, first)
    assert len(whole["shapes"]) == len(first.shapes)
    assert delta(known, first)[0]["shapes"] == []
    assert 0 < len(frames[0]["shapes"]) < len(whole["shapes"]) / 2


def test_what_is_counted_in_a_hat_has_room() -> None:
    drawn = hat({"take 1": 3, "take 2": 977309, "take 3": 0})
    starts = re.findall(r'id="hat-words-\d" transform="translate\(([\d.]+) ', drawn)
    assert column_count(["take 1: 3", "take 2: 4"]) == 3
    assert len(starts) == 3 and max(map(float, starts)) + WIDE * len("take 2: 977,309") <= WIDTH
    assert drawn.count('-number"') == 1 + 40 + 3, "none of a kind that has no balls"
    assert column_count(["a long name for a move that nobody would take: 12"]) == 1


def test_losses_have_names() -> None:
    assert [error_name(loss) for loss in (0.0, 0.02, 0.1, 2.0)] == [
        "",
        "slip",
        "mistake",
        "blunder",
    ]


def test_learners_are_named_with_their_options() -> None:
    assert read_learner("qtable:over=9") == ("qtable", {"over": 9})
    with pytest.raises(ValueError, match="did you mean 'hats'"):
        read_learner("hat")
    with pytest.raises(ValueError, match="no option"):
        read_learner("hats:size=1")


def test_a_worker_that_hangs_or_dies_is_replaced() -> None:
    async def story() -> None:
        workers = Workers(1)
        try:
            first = await workers.do(os.getpid, seconds=60.0)
            assert first != os.getpid()
            with pytest.raises(ValueError, match=r"more than 0\.05 seconds"):
                await workers.do(time.sleep, 60.0, seconds=0.05)
            with pytest.raises(ValueError, match="has ended"):
                await workers.do(os._exit, 1, seconds=60.0)
            with pytest.raises(ValueError, match="invalid literal"):
                await workers.do(int, "x", seconds=60.0)
            assert await workers.do(os.getpid, seconds=60.0) != first
            workers.waiting = limits.WAITING
            with pytest.raises(Busy, match="try again"):
                await workers.do(os.getpid)
        finally:
            workers.stop()

    asyncio.run(story())


def compile_for(seconds: float) -> str:
    """Compile, as a task of a worker."""
    for listener in jit.listeners:
        listener("trap")
    with jit.compiling():
        time.sleep(seconds)
    return "done"


def test_compiling_does_not_count_and_whoever_waits_is_told() -> None:
    async def story() -> None:
        workers, told = Workers(1), list[str]()
        try:
            await workers.do(compile_for, 0.0, seconds=60.0)  # which imports this module
            done = await workers.do(compile_for, 0.3, seconds=0.2, tell=told.append)
            assert (done, told) == ("done", ["trap"])
            with pytest.raises(ValueError, match=r"^it took more than 0\.05 seconds"):
                await workers.do(time.sleep, 60.0, seconds=0.05)
        finally:
            workers.stop()

    asyncio.run(story())


@pytest.mark.unmeasured
def test_compiling_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COMPILING", 0.05)

    async def story() -> None:
        workers = Workers(1)
        try:
            with pytest.raises(ValueError, match=r"compiling took more than 0\.05 seconds"):
                await workers.do(compile_for, 60.0, seconds=60.0)
        finally:
            workers.stop()

    asyncio.run(story())
