"""The host of somebody's file, without a process."""

import io
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from ludex.external import host
from tests.players import choosing, written

pytestmark = pytest.mark.plain


class Heard(host.Pipes):
    """Hears what it is given, and keeps what is said."""

    def __init__(self, *requests: Any) -> None:
        self.requests = io.BytesIO("".join(json.dumps(one) + "\n" for one in requests).encode())  # type: ignore[assignment]
        self.said: list[Any] = []

    def write(self, facts: host.Facts) -> None:
        self.said.append(facts)


GREETING = {"ludex": 1, "game": "nuts", "rules": {}, "seat": 1, "seed": 5}
REQUEST = {"position": "9 0", "moves": ["a", "b"], "seconds": 1.0}


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def serve(source: str, *requests: Any) -> list[Any]:
        monkeypatch.setattr(sys, "argv", [])
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])  # where windows are stood in for
        monkeypatch.delitem(sys.modules, "player", raising=False)
        heard = Heard(*requests)
        host.serve("choose", written(tmp_path, source), heard, "", str(tmp_path))
        sys.modules.pop("player", None)
        return heard.said

    return serve


def test_the_host_answers_until_the_end(served: Any) -> None:
    source = "def begin(*given): print(given)\n" + choosing("return moves[1]")
    said = served(source, GREETING, REQUEST, {"end": "BY_RULES"}, REQUEST)
    assert said == [{"ready": True}, {"move": "b"}]
    assert served(source) == []
    assert served(source, GREETING) == [{"ready": True}]


def test_the_host_tells_what_fails_and_where(served: Any, capfd: Any) -> None:
    assert served("1 / 0\n", GREETING) == [
        {"error": "ZeroDivisionError: division by zero", "file": "player.py", "line": 1}
    ]
    assert served(choosing("raise KeyError('x')"), GREETING, REQUEST) == [
        {"ready": True},
        {"error": "KeyError: 'x'", "file": "player.py", "line": 3},
    ]
    assert served("eval('(')\n", GREETING)[0]["line"] == 1
    refusing = "class Bad(Exception):\n    def __str__(self): return 1 / 0\nraise Bad\n"
    assert served(refusing, GREETING)[0]["error"] == "Bad: <ZeroDivisionError>"
    assert "Traceback" in capfd.readouterr().err


def test_the_host_tells_what_fails_when_an_agent_says_whether_it_has_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Agent:
        def __init__(self, *given: Any) -> None: ...

        def training_done(self) -> bool:
            raise KeyError("x")

    monkeypatch.setattr(host, "adapter_class", lambda interface: Agent)
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    heard: Any = Heard(GREETING)
    host.serve("choose", written(tmp_path, ""), heard, "", str(tmp_path))
    [said] = heard.said
    assert said["error"] == "KeyError: 'x'"


def test_the_host_shows_what_is_no_label() -> None:
    assert host.odd_answer(None) == {"odd": "None"}
    assert host.odd_answer(10**5000) == {"odd": "<an int of very many digits>"}
    assert host.odd_answer((1, 10**5000)) == {"odd": "(1, <an int of very many digits>)"}
    assert len(str(host.odd_answer("x" * 9999)["odd"])) == host.LONGEST_ERROR


# The copy that it works in. -----------------------------------------------------------------------


def test_the_host_copies_files_with_their_rights(tmp_path: Path) -> None:
    source, home = tmp_path / "source", tmp_path / "home"
    for folder in (home, source / "deep" / "er", source / "__pycache__", source / ".git"):
        folder.mkdir(parents=True)
    written(source, "#!/bin/sh\n", "agent")
    written(source, "text", "deep/er/text.txt")
    (source / "agent").chmod(0o555)
    host.copy(str(source), str(home))
    assert sorted(os.listdir(home)) == ["agent", "deep"]
    assert (home / "deep" / "er" / "text.txt").read_text() == "text"
    assert stat.S_IMODE((home / "agent").stat().st_mode) == 0o755


def test_the_host_copies_one_file_without_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    path = written(tmp_path, "text")
    written(tmp_path, "secret", "secret.py")
    host.copy(path, str(tmp_path / "home"))
    assert os.listdir(tmp_path / "home") == ["player.py"]


def test_the_host_links_to_what_is_large_or_no_file(tmp_path: Path) -> None:
    source, home = tmp_path / "source", tmp_path / "home"
    for folder in (home, source / "many"):
        folder.mkdir(parents=True)
    (source / "weights").write_bytes(bytes(host.LARGEST_COPY + 1))
    (source / "small").write_bytes(b"small")
    (source / "link").symlink_to("small")
    os.mkfifo(source / "pipe")
    for number in range(host.MOST_COPIED):
        (source / "many" / str(number)).touch()
    host.copy(str(source), str(home))
    links = {name for name in os.listdir(home) if (home / name).is_symlink()}
    assert links == {"weights", "link", "pipe", "many"}
    assert (home / "weights").stat().st_size == host.LARGEST_COPY + 1
    assert (home / "link").read_bytes() == b"small"
    assert len(os.listdir(home / "many")) == host.MOST_COPIED


def test_the_host_never_copies_more_than_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "COPIED", 10)
    source, home = tmp_path / "source", tmp_path / "home"
    for folder in (home, source):
        folder.mkdir()
    for number in range(5):
        (source / str(number)).write_bytes(b"four")
    host.copy(str(source), str(home))
    assert sum(not (home / str(number)).is_symlink() for number in range(5)) == 2
