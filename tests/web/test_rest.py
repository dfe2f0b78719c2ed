"""The REST interface: what programs in other languages meet."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from numba import config

from ludex.match.record import read_record, replay_states
from ludex.web.rest import guard, make_router, positions
from ludex.web.state import limits
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import ServerState
from ludex.web.state.workers import Workers

pytestmark = pytest.mark.plain

Story = Callable[[httpx.AsyncClient], Awaitable[None]]


def talk(story: Story, folder: Path) -> None:
    """Let a program talk to a server that is not one."""

    async def run() -> None:
        server = ServerState(Catalogue(), Workers(0), folder)
        app = FastAPI()
        app.include_router(make_router(server))
        guard(app, server)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            try:
                await story(client)
            finally:
                await server.archive.drain()
                server.close()

    asyncio.run(run())


async def told(client: httpx.AsyncClient, path: str, **query: Any) -> Any:
    answer = await client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_games_and_positions(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        assert [one["game"] for one in await told(client, "/api/games")][:2] == ["nuts", "arena"]
        assert (await told(client, "/api/games/nuts"))["rules"]["nuts"]["range"] == "10 to 100"
        state = await told(client, "/api/games/nuts/state", position="7 1", rules="most=2")
        assert state["turn"] == 1
        assert state["moves"] == {"1": ["take 1", "take 2"]}
        over = await told(client, "/api/games/nuts/state", position="0 0")
        assert (over["turn"], over["returns"]) == ("over", [1.0, -1.0])
        drawn = await client.get("/api/games/nuts/picture", params={"position": "7 1"})
        assert drawn.text.startswith("<svg")
        health = await told(client, "/health")
        assert health["status"] == "ok" and health["prepared"] == bool(config.DISABLE_JIT)

    talk(story, tmp_path)


def test_an_error_quotes_the_whole_position(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        query = {"rules": "size=3", "position": "1../.../.2. 0 fly"}
        answer = await client.get("/api/games/trap/state", params=query)
        assert answer.status_code == 400 and "'1../.../.2. 0 fly'" in answer.json()["error"]

    talk(story, tmp_path)


def test_best_moves_and_values(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        best = await told(client, "/api/games/nuts/best", position="7 0", agent="hard")
        assert (best["move"], best["value"]) == ("take 2", 1.0)
        values = await told(client, "/api/games/nuts/values", position="7 0")
        (seat,) = values["seats"]
        assert seat["exact"]
        assert seat["values"] == {"take 1": -1.0, "take 2": 1.0, "take 3": -1.0}

    talk(story, tmp_path)


def test_a_match_is_played_by_a_program(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        wanted = {"game": "nuts", "agents": ["human", "easy"], "rules": {"nuts": "10"}, "seed": 1}
        answer = await client.post("/api/matches", json=wanted)
        assert answer.status_code == 201
        state = answer.json()
        path, key = f"/api/matches/{state['match']}", state["keys"]["0"]
        while state["ending"] is None:
            assert state["asked"] == [0]
            move = {"key": key, "move": state["moves"]["0"][0], "wait": 20}
            state = (await client.post(f"{path}/moves", json=move)).json()
        assert state["ending"] == "BY_RULES"
        assert sum(state["returns"]) == 0
        record = await told(client, f"{path}/record")
        assert (record["ludex"], record["seed"]) == (1, 1)
        replay_states(read_record(json.dumps(record)))
        late = await client.post(f"{path}/moves", json={"key": key, "move": "take 1"})
        assert (late.status_code, late.json()) == (409, {"error": "the match is over"})

    talk(story, tmp_path)


def test_the_answer_to_a_move_shows_it(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        wanted = {"game": "nuts", "agents": ["human", "human"], "rules": {"nuts": "10"}}
        state = (await client.post("/api/matches", json=wanted)).json()
        path, keys = f"/api/matches/{state['match']}", state["keys"]
        for ply, (seat, left) in enumerate([("0", "8 1"), ("1", "6 0")], start=1):
            move = {"key": keys[seat], "move": "take 2"}
            seen = (await client.post(f"{path}/moves", json=move)).json()
            assert (seen["ply"], seen["position"]) == (ply, left)
            assert seen["last"] == [{"seat": int(seat), "move": "take 2"}]

    talk(story, tmp_path)


def test_a_hidden_choice_stays_hidden(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        wanted = {"game": "droids", "agents": ["human", "human"], "rules": {"rounds": "1"}}
        state = (await client.post("/api/matches", json=wanted)).json()
        path, keys = f"/api/matches/{state['match']}", state["keys"]
        await client.post(f"{path}/moves", json={"key": keys["0"], "move": "shoot"})
        seen = await told(client, path, key=keys["1"])
        assert (seen["ply"], seen["last"], seen["asked"]) == (0, [], [1])
        assert "shoot" not in str(seen | {"moves": None})
        wrong = await client.post(f"{path}/moves", json={"key": "x", "move": "up"})
        assert wrong.status_code == 403
        assert wrong.json() == {"error": "this key opens no seat of this match"}
        again = await client.post(f"{path}/moves", json={"key": keys["0"], "move": "up"})
        assert (again.status_code, again.json()) == (409, {"error": "it is not your turn"})
        last = {"key": keys["1"], "move": "up", "wait": 20}
        assert (await client.post(f"{path}/moves", json=last)).json()["ending"] == "BY_RULES"

    talk(story, tmp_path)


@pytest.mark.parametrize(
    ("path", "query", "code", "said"),
    [
        ("/api/games/nut/state", {}, 404, "did you mean 'nuts'"),
        ("/api/games/..%2Fx/state", {}, 404, "nothing is at /api/games/../x/state"),
        ("/api/games/nuts/state", {"position": "x"}, 400, "expected 2 parts"),
        ("/api/games/nuts/state", {"position": "9" * 3000}, 422, "position: "),
        ("/api/games/nuts/state", {"rules": "nuts"}, 400, "expected KEY=VALUE"),
        ("/api/games/nuts/best", {"agent": "./x.py"}, 400, "no agent './x.py'"),
        ("/api/games/nuts/best", {"position": "0 0"}, 400, "nobody is to choose"),
        ("/api/games/nuts/best", {"seat": 1}, 400, "seat 1 waits"),
        ("/api/matches/none", {}, 404, "no such match"),
        ("/api/matches/none/record", {}, 404, "no such match"),
        ("/api/nothing", {}, 404, "nothing is at /api/nothing; /docs lists"),
    ],
)
def test_errors_are_one_line(
    tmp_path: Path, path: str, query: dict[str, Any], code: int, said: str
) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.get(path, params=query)
        assert answer.status_code == code
        assert said in answer.json()["error"]
        assert "\n" not in answer.json()["error"]

    talk(story, tmp_path)


def test_a_large_or_broken_body_is_refused(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        large = await client.post("/api/matches", content=b"x" * 400_000)
        assert large.status_code == 413
        broken = await client.post(
            "/api/matches", content=b"{", headers={"content-type": "application/json"}
        )
        assert broken.status_code == 422
        assert broken.json()["error"].startswith("the body is not JSON: Expecting property name")
        strange = await client.post("/api/matches", json={"game": "nuts", "foo": 1})
        assert strange.status_code == 422
        assert strange.json()["error"] == "foo: there is no such field; /docs lists what there is"
        refused = await client.delete("/api/games")
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET")
        said = "DELETE is not for this address: expected GET"
        assert refused.json() == {"error": said}
        many = {"game": "nuts", "agents": ["easy"] * 3}
        assert "3 agents for 2 seats" in (await client.post("/api/matches", json=many)).text

    talk(story, tmp_path)


def test_a_fault_of_ours_shows_nothing_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*anything: Any) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(positions, "position_json", fail)

    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.get("/api/games/nuts/state")
        assert answer.status_code == 500
        assert answer.json() == {"error": "something went wrong here; it was noted"}

    talk(story, tmp_path)


def test_a_page_too_many_is_refused_with_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PAGES", 0)

    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.get("/watch/nuts")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "30"
        assert "<h1>The lab is full</h1>" in answer.text
        # Who plays already, and programs, go on.
        assert await told(client, "/api/games")
        assert (await told(client, "/health"))["status"] == "ok"

    talk(story, tmp_path)
