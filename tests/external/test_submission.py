"""What cannot play is refused before a match, in one line."""

from pathlib import Path

import pytest

from ludex.agents.registry import make_agent
from ludex.external import sandbox
from tests.lines import variant
from tests.players import choosing, written

pytestmark = pytest.mark.plain


@pytest.fixture
def unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sandbox.UNSAFE, "1")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("def choose(:\n", "player.py line 1: invalid syntax"),
        ("x = 1\n\n  y = 2\n", "player.py line 3: unexpected indent"),
        ("return 1\n", "player.py line 1: 'return' outside function"),
        ("", "player.py lacks a function choose(position, moves, seconds)"),
        ("# coding: nothing\n", "player.py: unknown encoding: nothing"),
        ("x = '\0'\n", "null bytes"),
        ("x = " + "-" * 100_000 + "1\n", "nested too deeply"),
        ("#" * (1 << 20) + "\n", "player.py is larger than 1048576 bytes"),
    ],
)
def test_what_cannot_play_is_refused_in_one_line(
    source: str, wanted: str, tmp_path: Path, unsafe: None
) -> None:
    path = written(tmp_path, source)
    with pytest.raises(ValueError) as refused:
        make_agent(path, variant("nuts"))
    assert str(refused.value).startswith(f"agent {path!r}: ")
    assert wanted in str(refused.value) and "\n" not in str(refused.value)


STATE = "class GameState: pass\n"
PLAYER = "class PlayerAI(BaseAI):\n    def getMove(self, grid): pass\n"
PARENT = PLAYER.replace("PlayerAI", "Parent")
CLOSE = "class {}:\n    def {}(self, *given): pass\n"


@pytest.mark.parametrize(
    ("game", "source", "wanted"),
    [
        ("arena", STATE, "lacks a class Game\n"),
        ("arena", "x = 1\n", "lacks the classes GameState and Game\n"),
        ("arena", STATE + "class game: pass\n", "(it has a class game; did you mean 'Game'?)"),
        ("trap", PLAYER, "lacks PlayerAI.getTrap(grid)\n"),
        ("trap", PLAYER.replace("getMove", "getTrap"), "lacks PlayerAI.getMove(grid)\n"),
        ("trap", f"{PLAYER}    if True:\n        x = 1\n", "lacks PlayerAI.getTrap(grid)\n"),
        ("trap", f"{PARENT}class PlayerAI(Parent): pass\n", "lacks PlayerAI.getTrap(grid)\n"),
        ("trap", PLAYER.replace("PlayerAI", "PlayerAi"), "(it has a class PlayerAi; did you mean"),
        ("droids", "class Qagent: pass\n", "a class QAgent (it has a class Qagent; did you mean"),
        ("droids", "class Other: pass\n", "lacks a class QAgent or MinimaxAgent\n"),
    ],
)
def test_a_file_is_told_only_what_it_lacks(
    game: str, source: str, wanted: str, tmp_path: Path, unsafe: None
) -> None:
    names = {"arena": "Megaman_Arena.py", "trap": "PlayerAI.py", "droids": "r2d2_hw3.py"}
    written(tmp_path, source, names[game])
    with pytest.raises(ValueError) as refused:
        make_agent(str(tmp_path), variant(game))
    assert wanted in f"{refused.value}\n"


@pytest.mark.parametrize(
    "source",
    [
        PLAYER + "    def getTrap(self, grid): pass\n",
        PLAYER + "    getTrap = getMove\n",
        PLAYER + "    if True:\n        def getTrap(self, grid): pass\n",
        f"{PARENT}    getTrap = getMove\nclass PlayerAI(Parent): pass\n",
        PLAYER + "PlayerAI.getTrap = PlayerAI.getMove\n",
        "from mine import Base\nclass PlayerAI(Base): pass\n",
        "from mine import PlayerAI\n",
    ],
)
def test_what_may_come_from_elsewhere_is_not_missed(
    source: str, tmp_path: Path, unsafe: None
) -> None:
    make_agent(written(tmp_path, source, "PlayerAI.py"), variant("trap"))


def test_a_class_that_is_nearly_called_so_is_named(tmp_path: Path, unsafe: None) -> None:
    source = CLOSE.format("Qagent", "get_best_move") + CLOSE.format("MinimaxAgent", "x")
    path = written(tmp_path, source, "r2d2_hw3.py")
    wanted = r"no class QAgent \(it has a class Qagent; did you mean 'QAgent'\?\)"
    with pytest.raises(ValueError, match=wanted):
        make_agent(f"{path}:QAgent", variant("droids"))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path, unsafe: None) -> None:
    (tmp_path / "player.py").write_bytes(b"x = '\xff'\ndef choose(): pass\n")
    with pytest.raises(ValueError, match=r"player\.py line 1: \(unicode error\)"):
        make_agent(str(tmp_path / "player.py"), variant("nuts"))


@pytest.mark.parametrize("text", ["./nothing", "../nothing", "~/nothing", "/nothing", "nothing.py"])
def test_a_path_without_a_file_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"agent '{text}': No such file or directory"):
        make_agent(text, variant("nuts"))


def test_a_folder_without_an_agent_is_refused(tmp_path: Path, unsafe: None) -> None:
    with pytest.raises(ValueError, match=r"the folder has none of agent\.py, agent$"):
        make_agent(str(tmp_path), variant("nuts"))
    (tmp_path / "agent.py").symlink_to(__file__)
    with pytest.raises(ValueError, match=r"agent\.py is a link that leads out of the folder"):
        make_agent(str(tmp_path), variant("nuts"))
    written(tmp_path, "hello", "text")
    with pytest.raises(ValueError, match="text is neither a Python file nor executable"):
        make_agent(str(tmp_path / "text"), variant("nuts"))


def test_looking_at_a_file_does_not_run_it(tmp_path: Path, unsafe: None) -> None:
    mark = tmp_path / "mark"
    make_agent(written(tmp_path, f"open({str(mark)!r}, 'w')\n{choosing('pass')}"), variant("nuts"))
    assert not mark.exists()
