"""The examples of docs/adapters.md run, those in Python and the one in JavaScript."""

import re
import shutil
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from ludex.web.rest import guard, make_router
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import ServerState
from ludex.web.state.workers import Workers

pytestmark = pytest.mark.plain

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
NEEDED = {
    "solo.py": "gymnasium",
    "batch.py": "gymnasium",
    "zoo.py": "pettingzoo",
    "spiel.py": "pyspiel",
}


def blocks(kind: str) -> dict[str, str]:
    """Return the blocks of a kind by the names in their first lines."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    return {re.match(r"(?:#|//) (\S+)", block)[1]: block for block in found}  # type: ignore[index]


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", NEEDED)
def test_an_example_in_python_runs(name: str) -> None:
    assert set(blocks("python")) == set(NEEDED)
    pytest.importorskip(NEEDED[name], reason=f"{NEEDED[name]} is not installed")
    left: dict[str, Any] = {}
    exec(compile(blocks("python")[name], name, "exec"), left)
    if name == "solo.py":
        assert left["over"] and left["reward"] in (-1.0, 1.0)
    if name == "batch.py":
        assert left["observations"].shape == (256, 7, 4, 4)
    if name == "zoo.py":
        assert left["room"].agents == []
    if name == "spiel.py":
        assert left["state"].is_terminal()


@pytest.mark.unmeasured
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_client_in_javascript_wins_a_match(tmp_path: Path) -> None:
    file = tmp_path / "client.js"
    file.write_text(blocks("js")["client.js"], encoding="utf-8")
    server_state = ServerState(Catalogue(), Workers(0), tmp_path)
    app = FastAPI()
    app.include_router(make_router(server_state))
    guard(app, server_state)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            run = subprocess.run(
                ["node", str(file), url], capture_output=True, text=True, timeout=60
            )
        finally:
            server.should_exit = True
            thread.join()
            server_state.close()
    assert run.stdout == "BY_RULES 1\n", run.stderr
