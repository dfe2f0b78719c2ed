"""A hundred browsers look at the ladder of a class while its programs play.

`python -m bench.classroom_load` takes a minute. Each session opens the page, keeps its websocket
and reloads now and then, as browsers do; printed is how long the server takes to answer.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import socketio  # type: ignore[import-untyped]
from sqlalchemy import func, select

from bench.classroom import GOOD
from ludex.classroom.classroom import new_class
from ludex.classroom.ladder import ladder_rows
from ludex.classroom.people import NewPerson, add_people
from ludex.classroom.programs import hand_in
from ludex.classroom.schema import matches
from ludex.core.termination import OUT_OF_TIME

PAGE = re.compile(r"'client_id': '([0-9a-f-]+)'")
EVERY = 5.0  # seconds between two reloads of a browser


def make(folder: Path, students: int, sessions: int) -> list[str]:
    """Make a class whose students have handed in, and return a token for each session."""
    classroom = new_class(folder, "nuts", {"nuts": "21"}, house=["random"], matches=400, seed=1)
    names = [NewPerson(f"Student {number}") for number in range(students)]
    made = add_people(classroom, names)
    for number, (person, _) in enumerate(made):
        hand_in(classroom, person, "mine.py", GOOD.format(skill=number / students).encode())
    others = add_people(
        classroom, [NewPerson(f"Guest {one}", "guest") for one in range(sessions - students)]
    )
    classroom.close()
    return [token for _, token in made + others]


class Session:
    """A browser of somebody."""

    def __init__(self, address: str, token: str, times: list[float]) -> None:
        self.address, self.token, self.times = address, token, times
        self.pushed = 0

    async def run(self, wait: float, until: float) -> None:
        """Come in, and look at the ladder until a time."""
        await asyncio.sleep(wait)
        async with httpx.AsyncClient(base_url=self.address, timeout=60.0) as client:
            (await client.post("/class/enter", json={"token": self.token})).raise_for_status()
            while time.monotonic() < until:
                began = time.perf_counter()
                answer = await client.get("/class")
                answer.raise_for_status()
                self.times.append(time.perf_counter() - began)
                await self.look(client, answer.text)

    async def look(self, client: httpx.AsyncClient, page: str) -> None:
        """Keep a page open for a while."""
        found = PAGE.search(page)
        assert found is not None
        socket = socketio.AsyncClient()
        socket.on("update", self.count)
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        query = f"client_id={found[1]}&implicit_handshake=true&tab_id={found[1]}&document_id=x"
        await socket.connect(
            f"{self.address}?{query}",
            headers={"Cookie": cookie},
            transports=["websocket"],
            socketio_path="/_nicegui_ws/socket.io",
        )
        await asyncio.sleep(EVERY)
        await socket.disconnect()

    def count(self, *given: object) -> None:
        """Count what the server has sent without being asked."""
        self.pushed += 1


async def load(address: str, tokens: list[str], seconds: float) -> tuple[list[float], int]:
    """Let all sessions look; return the seconds of all answers, and how often news was sent."""
    times: list[float] = []
    sessions = [Session(address, token, times) for token in tokens]
    until = time.monotonic() + seconds
    await asyncio.gather(
        *(one.run(EVERY * at / len(sessions), until) for at, one in enumerate(sessions))
    )
    return times, sum(one.pushed for one in sessions)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--students", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--port", type=int, default=8771)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "ai"
        tokens = make(folder, given.students, given.sessions)
        words = ["class", "serve", str(folder), "--port", str(given.port)]
        words += ["--processes", str(given.processes)]
        env = {**os.environ, "LUDEX_DATA": f"{place}/data"}
        server = subprocess.Popen([sys.executable, "-m", "ludex", *words], env=env)
        address = f"http://127.0.0.1:{given.port}"
        try:
            wait_for(address)
            times, pushed = asyncio.run(load(address, tokens, given.seconds))
            report(folder, times, pushed, given.sessions)
        finally:
            server.terminate()
            server.wait()


def wait_for(address: str) -> None:
    """Wait until a server answers."""
    for _ in range(300):
        try:
            httpx.get(f"{address}/health").raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise RuntimeError("the server did not start")


def report(folder: Path, times: list[float], pushed: int, sessions: int) -> None:
    """Print how long answers took, and what was played meanwhile."""
    from ludex.classroom.classroom import open_class

    classroom = open_class(folder)
    played = sum(row.matches for row in ladder_rows(classroom)) // 2
    with classroom.transaction(reading=True) as connection:
        late = select(func.count()).select_from(matches).where(matches.c.ending == OUT_OF_TIME)
        lost = connection.execute(late).scalar_one()
    classroom.close()
    order = sorted(times)
    shares = {share: 1000 * order[int(share / 100 * (len(order) - 1))] for share in (50, 95, 100)}
    said = ", ".join(f"{share} % within {ms:.0f} ms" for share, ms in shares.items())
    print(f"{sessions} sessions, {len(times)} pages of the ladder: {said}")
    print(f"{pushed} updates pushed; {played} matches rated meanwhile, {lost} lost on time")


if __name__ == "__main__":
    main()
