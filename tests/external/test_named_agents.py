"""Which agent of a file plays: `FILE.py:Class`, and the opponents that students test with."""

import ast
import os
from pathlib import Path

import numpy as np
import pytest

from ludex.agents.registry import make_agent
from ludex.core.rules import initial
from ludex.core.termination import BY_RULES, CRASHED
from ludex.core.time_control import Clocks
from ludex.external.interface import find_submission, path_and_word, word_fault
from ludex.external.persistent import make_persistent
from ludex.external.source import classes_with, has_methods
from ludex.tournaments.plan import fingerprint
from tests.lines import variant
from tests.players import play, written
from tests.students import SOLUTIONS, played

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]

PLAYERS = """
from BaseAI import BaseAI
from elsewhere import Base, OtherAI
class PlayerAI(BaseAI):
    def getMove(self, grid): raise KeyError("the usual one")
    def getTrap(self, grid): return None
class Thrower:
    def getTrap(self, grid):
        return grid.getAvailableCells()[0]
class Walker(Thrower):
    def getMove(self, grid):
        print("Walker")
        return grid.get_neighbors(grid.find(1), only_available=True)[0]
class Heir(Base):
    pass
"""
ELSEWHERE = """
class Base:
    def getMove(self, grid):
        print(type(self).__name__)
        return grid.get_neighbors(grid.find(1), only_available=True)[-1]
    def getTrap(self, grid):
        return grid.getAvailableCells()[-1]
class OtherAI(Base):
    pass
"""


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", ["Walker", "Heir", "OtherAI"])
def test_any_class_that_moves_and_throws_is_a_trap_player(tmp_path: Path, name: str) -> None:
    written(tmp_path, PLAYERS, "PlayerAI.py")
    written(tmp_path, ELSEWHERE, "elsewhere.py")
    match, log = played(f"{tmp_path}:{name}", "trap")
    assert (match.ending, match.words) == (BY_RULES, "") and log.startswith(f"{name}\n")


def test_the_usual_player_needs_no_name(tmp_path: Path) -> None:
    written(tmp_path, PLAYERS, "PlayerAI.py")
    written(tmp_path, ELSEWHERE, "elsewhere.py")
    for text in (str(tmp_path), f"{tmp_path}/:PlayerAI"):
        match, _ = played(text, "trap")
        assert match.words == "KeyError: 'the usual one' (line 5 of PlayerAI.py)"


@pytest.mark.parametrize(("game", "interface"), [("trap", "trap"), ("nuts", "choose")])
def test_a_class_whose_base_is_elsewhere_is_what_its_game_wants(
    tmp_path: Path, game: str, interface: str
) -> None:
    path = written(tmp_path, "from elsewhere import Base\nclass Mine(Base): pass\n", "mine.py")
    found = find_submission(f"{path}:Mine", game)
    assert (found.interface, found.word) == (interface, "Mine")


CHOOSING = """
class Counting:
    def __init__(self):
        self.asked = 0
    def begin(self, game, rules, seat):
        print("begin", game, seat)
    def choose(self, position, moves, seconds):
        self.asked += 1
        print("asked", self.asked)
        return moves[0]
"""


def test_a_class_that_chooses_is_made_once_for_every_match(tmp_path: Path) -> None:
    path = f"{written(tmp_path, CHOOSING)}:Counting"
    match, log = play(path)
    assert (match.ending, match.words) == (BY_RULES, "")
    assert log.startswith("begin nuts 0\nasked 1\nasked 2\n")
    rules = variant("nuts")
    agent, outputs = make_persistent(path, rules), []
    try:
        for _ in range(2):
            agent.begin_match(rules, 0, np.random.default_rng(0), Clocks())
            agent.consider(rules, initial(rules), 0, np.random.default_rng(0))
            agent.close()
            outputs.append(agent.log)
    finally:
        agent.dismiss()
    assert outputs == ["begin nuts 0\nasked 1\n"] * 2


def test_a_file_that_only_has_a_class_needs_its_name(tmp_path: Path) -> None:
    path = written(tmp_path, CHOOSING)
    with pytest.raises(ValueError, match=r"player\.py lacks a function choose\(position"):
        make_agent(path, variant("nuts"))


ARENA = """
from Megaman_Arena import Game, GameState
class MyGame(Game):
    def __init__(self, depthlimit=0):
        print("depth", depthlimit)
        super().__init__(depthlimit)
    def actions(self, state): return super().actions(state)
    def result(self, state, action): return super().result(state, action)
class Inherited(Game):
    def cutoff_test(self, state, depth):
        print("cut", self.depthlimit)
        raise OSError
"""


def test_a_game_of_arena_is_named_with_or_without_a_depth(tmp_path: Path) -> None:
    source = (SOLUTIONS / "arena" / "Megaman_Arena.py").read_text(encoding="utf-8")
    (tmp_path / "test_players").mkdir()
    written(tmp_path, source, "Megaman_Arena.py")
    path = written(tmp_path, ARENA, "test_players/mine.py")
    for word, shown in (
        ("MyGame", "depth 2\n"),
        ("MyGame:0", "depth 0\n"),
        ("Inherited:5", "cut 5\n"),
    ):
        match, log = played(f"{path}:{word}", "arena", Clocks(plies=3))
        assert match.ending != CRASHED or match.words.startswith("OSError"), match.words
        assert log.startswith(shown)
    assert find_submission(path, "arena").word == "2"
    assert find_submission(f"{path}:3", "arena").word == "3"


WRONG = {
    ("trap", "PlayerAI.py", PLAYERS, "Wakler"): "'Wakler'; did you mean 'Walker'? "
    "(expected one of PlayerAI, Walker)",
    ("trap", "PlayerAI.py", PLAYERS, "Thrower"): "(expected one of PlayerAI, Walker)",
    ("nuts", "player.py", CHOOSING, "counting"): "'counting'; did you mean 'Counting'? "
    "(expected one of Counting)",
    ("nuts", "player.py", "def choose(): pass\n", "It"): "'It' (expected nothing behind this path)",
    ("arena", "mine.py", ARENA, "MyGam"): "did you mean 'MyGame'? (expected one of 2, 0, 1, 3, 4, "
    "5, 6, 7, 8, 9, MyGame)",
    ("arena", "mine.py", ARENA, "MyGame:10"): "(expected one of 2, 0, ",
    ("trap", "PlayerAI.py", PLAYERS, "Walker:3"): "(expected one of PlayerAI, Walker)",
    ("trap", "PlayerAI.py", "x = 1\n", "Walker"): "PlayerAI.py lacks a function choose(position, "
    "moves, seconds) or a class PlayerAI",
}


@pytest.mark.parametrize(("game", "file", "source", "word"), WRONG, ids=lambda one: one[:9])
def test_a_wrong_name_is_refused_with_those_that_there_are(
    tmp_path: Path, game: str, file: str, source: str, word: str
) -> None:
    path = f"{written(tmp_path, source, file)}:{word}"
    with pytest.raises(ValueError) as refused:
        make_agent(path, variant(game))
    assert str(refused.value).startswith(f"agent {path!r}: ")
    assert WRONG[game, file, source, word] in str(refused.value)


def test_methods_are_found_in_bases_of_the_same_file() -> None:
    tree = ast.parse(
        "import a\n"
        "class One:\n    def f(self): pass\n"
        "class Two(One):\n    g = None\n"
        "class Three(Two): pass\n"
        "class Four(a.Base): pass\n"
        "class Five(object): pass\n"
        "class Six(Six): pass\n"
    )
    assert classes_with(tree, "f") == ["One", "Three", "Two"]
    assert classes_with(tree, "f", "g") == ["Three", "Two"]
    found = [has_methods(tree, name, ("f",)) for name in ("Three", "Four", "Five", "Six")]
    assert found == [True, None, False, None]


def test_words_of_an_assignment_can_stand_behind_some_file() -> None:
    for game, word in (("trap", "OtherAI"), ("nuts", "Counting"), ("droids", "QAgent")):
        assert word_fault(game, word) == ""
        assert word_fault(game, f"{word}:3") == word_fault(game, "3") != ""
    for word in ("0", "9", "MyGame", "MyGame:9"):
        assert word_fault("arena", word) == ""
    for word in ("10", "MyGame:", "MyGame:10", ":3", "My Game"):
        assert word_fault("arena", word).startswith("expected a depth from 0 to 9")


def test_a_path_may_have_a_colon(tmp_path: Path) -> None:
    path = written(tmp_path, CHOOSING, "a:b.py")
    assert path_and_word(path) == (path, "")
    assert path_and_word(f"{path}:Counting") == (path, "Counting")
    assert path_and_word(f"{path}:Counting:3") == (path, "Counting:3")
    assert path_and_word("./nothing.py:A:3") == ("./nothing.py", "A:3")


# Opponents to test with. --------------------------------------------------------------------------

OPPONENT = """
import os, sys
sys.path.append(os.getcwd())
from BaseAI import BaseAI
from PlayerAI import helper
from test_players.other import PlayerAI as Other
import other
class PlayerAI(Other):
    def getMove(self, grid):
        print(helper(), sorted(name for name in os.listdir() if name[0] != "."))
        open("log.txt", "a")
        return super().getMove(grid)
"""
OTHER = """
from BaseAI import BaseAI
class PlayerAI(BaseAI):
    def getMove(self, grid):
        return grid.get_neighbors(grid.find(1), only_available=True)[0]
    def getTrap(self, grid):
        return grid.getAvailableCells()[0]
"""


@pytest.fixture
def tested(tmp_path: Path) -> Path:
    """Return a folder of the trap course with opponents to test with."""
    folder = tmp_path / "ab1234"
    (folder / "test_players").mkdir(parents=True)
    written(folder, "def helper(): return 'helped'\nclass PlayerAI: pass\n", "PlayerAI.py")
    written(folder, OPPONENT, "test_players/opponent_x.py")
    written(folder, OTHER, "test_players/other.py")
    return folder


def test_an_opponent_to_test_with_imports_from_the_folder_above(tested: Path) -> None:
    match, log = played(str(tested / "test_players" / "opponent_x.py"), "trap")
    assert (match.ending, match.words) == (BY_RULES, ""), log
    assert log.startswith("helped ['PlayerAI.py', 'test_players']\n")
    assert sorted(os.listdir(tested)) == ["PlayerAI.py", "test_players"]


def test_an_error_of_such_an_opponent_names_the_file_from_the_folder_above(tested: Path) -> None:
    source = "class PlayerAI:\n    def getMove(self, grid): 1 / 0\n    getTrap = getMove\n"
    written(tested, source, "test_players/bad.py")
    match, log = played(str(tested / "test_players" / "bad.py"), "trap")
    assert match.words == "ZeroDivisionError: division by zero (line 2 of test_players/bad.py)"
    assert '  File "test_players/bad.py", line 2, in getMove\n' in log


def test_what_such_an_opponent_does_depends_on_the_folder_above(tested: Path) -> None:
    text = str(tested / "test_players" / "opponent_x.py")
    before = fingerprint(text)
    assert before == fingerprint(f"{text}:PlayerAI") == fingerprint(str(tested))
    written(tested, "def helper(): return 'more'\n", "PlayerAI.py")
    assert fingerprint(text) != before


def test_a_folder_above_that_is_no_submission_is_not_shown(tested: Path) -> None:
    (tested / "PlayerAI.py").rename(tested / "secret.py")
    found = find_submission(str(tested / "test_players" / "other.py"), "trap")
    assert found.path == found.file == (tested / "test_players" / "other.py").resolve()
