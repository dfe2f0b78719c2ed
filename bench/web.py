"""The web lab: start to first page, click to board, a hundred sessions beside a training.

A new server compiles in the background: clicks are measured during and after that.
"""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import socketio  # type: ignore[import-untyped]

SESSIONS, MOVES = 100, 6
PAUSE = 2.0  # seconds that a quick person thinks
START, CLICK, ANSWER = 2.5, 0.150, 0.200  # seconds that are wanted
CLICKS = 20
GAMES = {"nuts": {"nuts": "100"}, "trap": {}}


@contextmanager
def served() -> Iterator[tuple[str, float, int]]:
    """Yield the address of a server, how long its first page took, and its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as data:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "ludex", "serve", "--port", str(port)],
            env=os.environ | {"LUDEX_DATA": data},
            stderr=subprocess.DEVNULL,
        )
        try:
            while True:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/", timeout=30).raise_for_status()
                    break
                except httpx.TransportError:
                    time.sleep(0.02)
            yield f"http://127.0.0.1:{port}", time.perf_counter() - began, process.pid
        finally:
            process.terminate()
            process.wait()


def memory_of(process: int) -> float:
    """Return how many MiB a process holds, where that can be known."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else float("nan")


class Session:
    """A browser's worth of a match: a page, a websocket, and choices at random."""

    def __init__(self, http: httpx.AsyncClient, game: str, number: int) -> None:
        self.http, self.game, self.number = http, game, number
        self.wire = socketio.AsyncClient(reconnection=False)
        self.frames: asyncio.Queue[Any] = asyncio.Queue()
        self.waits: list[float] = []

    async def open(self) -> None:
        """Open a match and its page."""
        wanted = {"game": self.game, "agents": ["human", "easy"], "rules": GAMES[self.game]}
        match = (await self.http.post("/api/matches", json=wanted)).json()
        page = (await self.http.get(f"/match/{match['match']}?key={match['keys']['0']}")).text
        elements = json.loads(re.search(r"String\.raw`(.*?)`\)", page, re.DOTALL)[1])  # type: ignore[index]
        self.client = re.search(r"'client_id': '([^']+)'", page)[1]  # type: ignore[index]
        board = next(
            (name, one)
            for name, one in elements.items()
            if any(event["type"] == "choose" for event in one.get("events", []))
        )
        self.board, self.state = int(board[0]), board[1]["props"]["first"]
        events = {event["type"]: event["listener_id"] for event in board[1]["events"]}
        self.listener = events["choose"]
        self.wire.on("*", self.heard)
        query = (
            f"client_id={self.client}&next_message_id=0&implicit_handshake=true"
            f"&document_id={uuid.uuid4()}&tab_id={uuid.uuid4()}"
        )
        await self.wire.connect(
            f"{self.http.base_url}?{query}",
            socketio_path="/_nicegui_ws/socket.io",
            transports=["websocket"],
        )

    async def heard(self, event: str, data: Any = None, *rest: Any) -> None:
        """Keep the last of the frames that the board is given: the others are on the way to it."""
        if event == "run_javascript" and '"push"' in data["code"]:
            found = re.search(r'"push",\s*(?:\.\.\.)?\[?(\{.*\})\]?', data["code"], re.DOTALL)
            if found:
                await self.frames.put(json.loads(f"[{found[1]}]")[-1])

    async def play(self) -> None:
        """Play some moves and note how long the answers take."""
        await asyncio.sleep(PAUSE * self.number / SESSIONS)
        for move in range(MOVES):
            offers = self.state["offers"]
            if not offers:
                return
            seat, action = offers[(self.number + move) % len(offers)][:2]
            began = time.perf_counter()
            message = {
                "id": self.board,
                "client_id": self.client,
                "listener_id": self.listener,
                "args": [json.dumps([seat, action, self.state["ply"]])],
            }
            await self.wire.emit("event", message)
            first = await asyncio.wait_for(self.frames.get(), 20)
            while first["ply"] <= self.state["ply"]:
                first = await asyncio.wait_for(self.frames.get(), 20)
            self.waits.append(time.perf_counter() - began)
            while not first["offers"]:
                try:
                    first = await asyncio.wait_for(self.frames.get(), 5)
                except TimeoutError:
                    return  # the match is over
            self.state = first
            await asyncio.sleep(PAUSE)


async def crowd(address: str, process: int) -> tuple[list[float], float]:
    """Return how long answers took in all sessions, and the MiB that an idle one holds."""
    bounds = httpx.Limits(max_connections=20)
    async with httpx.AsyncClient(base_url=address, timeout=60, limits=bounds) as http:
        sessions = [Session(http, list(GAMES)[number % 2], number) for number in range(SESSIONS)]
        await sessions[0].open()
        await sessions[1].open()
        before = memory_of(process)
        for session in sessions[2:]:
            await session.open()
        each = (memory_of(process) - before) / (SESSIONS - 2)
        await asyncio.gather(*(session.play() for session in sessions))
        for session in sessions:
            await session.wire.disconnect()
    return [wait for session in sessions for wait in session.waits], each


def clicks(address: str) -> float | None:
    """Return the median time from a click to the board that shows it; None without a browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(reduced_motion="reduce").new_page()
        page.goto(f"{address}/play/nuts?rules=nuts=100;most=1&against=random")
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_url("**/match/**")
        times = page.evaluate(
            """async (count) => {
              const times = [], rest = (ms) => new Promise((done) => setTimeout(done, ms));
              for (let number = 0; number < count; number++) {
                while (!document.querySelector('.lx-move')) await rest(20);
                const count = () => document.querySelector('[data-id=count]').textContent;
                const before = count();
                const began = performance.now();
                document.querySelector('.lx-move').click();
                while (count() === before) await rest(1);
                times.push(performance.now() - began);
                await rest(150);
              }
              return times;
            }""",
            CLICKS,
        )
        browser.close()
    return float(sorted(times)[len(times) // 2]) / 1000


def show_time(seconds: float | None) -> str:
    """Return the time of a click in words."""
    return "no chromium here" if seconds is None else f"{1000 * seconds:8.1f} ms"


def wait_until_prepared(address: str) -> None:
    """Wait until a server has compiled in the background what its pages need."""
    while not httpx.get(f"{address}/health", timeout=30).json()["prepared"]:
        time.sleep(0.5)


def main() -> bool:
    """Print the measurements, and return whether they are as wanted."""
    print("The web lab on this machine")
    with served() as (address, _, _):  # compiles what is not there yet
        print(f"click while it compiles    {show_time(clicks(address))}")
        wait_until_prepared(address)
    with served() as (address, start, process):
        print(f"start to first page        {start:8.3f} s   (wanted {START})")
        click = clicks(address)
        print(f"click to board, median     {show_time(click)}   (wanted {1000 * CLICK:.0f})")
        training = subprocess.Popen(
            [sys.executable, "-m", "ludex", "train", "nuts", "hats", "--seconds", "60", "--out",
             f"{tempfile.mkdtemp()}/hats.npz"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            waits, each = asyncio.run(crowd(address, process))
        finally:
            training.kill()
            training.wait()
    waits.sort()
    slow = waits[int(0.95 * len(waits))]
    print(f"{SESSIONS} sessions, a training    95 % of {len(waits)} answers in {1000 * slow:.0f} ms"
          f" (median {1000 * waits[len(waits) // 2]:.0f}, wanted {1000 * ANSWER:.0f})")  # fmt: skip
    print(f"memory of an idle session  {each:8.2f} MiB")
    return start < START and (click is None or click < CLICK) and slow < ANSWER


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
