"""The host of somebody's file, without a process."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ludex.foreign import host
from tests.players import choosing, written


class Heard(host.Line):
    """Hears what it is given, and keeps what is said."""

    def __init__(self, *requests: Any) -> None:
        self.requests = io.BytesIO("".join(json.dumps(one) + "\n" for one in requests).encode())  # type: ignore[assignment]
        self.said: list[Any] = []

    def say(self, facts: host.Facts) -> None:
        self.said.append(facts)


GREETING = {"ludex": 1, "game": "nuts", "rules": {}, "seat": 1, "seed": 5}
REQUEST = {"position": "9 0", "moves": ["a", "b"], "seconds": 1.0}


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def serve(source: str, *requests: Any) -> list[Any]:
        monkeypatch.setattr(sys, "argv", [])
        monkeypatch.delitem(sys.modules, "player", raising=False)
        heard = Heard(*requests)
        host.serve("choose", written(tmp_path, source), heard)
        sys.modules.pop("player", None)
        return heard.said

    return serve


def test_the_host_answers_until_the_end(served: Any) -> None:
    source = "def begin(*given): print(given)\n" + choosing("return moves[1]")
    said = served(source, GREETING, REQUEST, {"end": "BY_RULES"}, REQUEST)
    assert said == [{"ready": True}, {"move": "b"}]
    assert served(source) == []
    assert served(source, GREETING) == [{"ready": True}]


def test_the_host_tells_what_fails_and_where(served: Any, capsys: Any) -> None:
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
    assert "Traceback" in capsys.readouterr().err


def test_the_host_shows_what_is_no_label() -> None:
    assert host.odd(None) == {"odd": "None"}
    assert host.odd(10**5000) == {"odd": "<an int of very many digits>"}
    assert host.odd((1, 10**5000)) == {"odd": "(1, <an int of very many digits>)"}
    assert len(str(host.odd("x" * 9999)["odd"])) == host.LONGEST
