"""Games from outside: files, folders and installed packages."""

import os
import sys
from pathlib import Path

import pytest

from ludex.cli.games import title_and_kind
from ludex.conformance.check import check_game
from ludex.core.perft import lines
from ludex.core.rules import initial, name_of, seat_name, seats, title, turn
from ludex.games import GAMES, find, game_rules, missing_parts, rules_class, source_of, summary
from ludex.match.session import Match

pytestmark = pytest.mark.plain

GAME = """
'''A little game: first come, first served.'''
from typing import NamedTuple
from ludex.core.rules import OVER
ACTIONS = 1
class LittleRules(NamedTuple):
    size: int = 3
class Little(NamedTuple):
    left: int
def initial(rules): return Little(rules.size)
def turn(rules, state): return state.left % 2 if state.left else OVER
def moves(rules, state, seat): return 1
def apply(rules, state, move): return Little(state.left - 1)
def returns(rules, state, seat): return 1.0 - 2.0 * seat
"""


def test_a_game_is_found_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME)
    game = find(str(file))
    assert name_of(game) == title(game) == "little"
    assert summary(game) == "A little game: first come, first served."
    assert find(str(file)) is game


def test_a_game_may_be_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "little"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        GAME.replace("size: int = 3", "size: int = SIZE").replace(
            "ACTIONS = 1", "from .numbers import SIZE\nACTIONS = 1"
        )
    )
    (folder / "numbers.py").write_text("SIZE = 8\n")
    game = find(str(folder))
    assert name_of(game) == "little"
    assert initial(rules_class(game)()).left == 8
    (folder / "numbers.py").write_text("SIZE = 5\n")
    assert initial(rules_class(find(str(folder)))()).left == 5


def test_an_edited_file_is_another_game(tmp_path: Path) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME)
    before = find(str(file))
    file.write_text(GAME.replace("= 3", "= 4"))
    after = find(str(file))
    assert (initial(rules_class(before)()).left, initial(rules_class(after)()).left) == (3, 4)
    assert rules_class(before).__name__ != rules_class(after).__name__


@pytest.mark.parametrize("name", ["little.py", "little/__init__.py", "little/size.py"])
def test_a_file_rewritten_within_a_second_is_not_loaded_from_stale_bytecode(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    if file.parent != tmp_path:
        (file.parent / "__init__.py").write_text(f"from .size import SIZE\n{GAME}")
        (file.parent / "size.py").write_text("")
    for size in (3, 4):
        source = f"SIZE = {size}" if file.stem == "size" else GAME.replace("= 3", f"= {size}")
        file.write_text(source)
        os.utime(file, (1e9, 1e9))
        game = find(str(file if file.parent == tmp_path else file.parent))
        assert getattr(game, "SIZE", rules_class(game)().size) == size


def install(folder: Path, name: str, module: str) -> None:
    """Lay down what installing a package with one game leaves behind."""
    info = folder / f"{name}_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ludex.games]\n{name} = {module}\n")


def test_an_installed_game_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "little_for_tests.py").write_text(GAME)
    install(tmp_path, "little", "little_for_tests")
    install(tmp_path, "gone", "no_such_module_here")
    (tmp_path / "broken_for_tests.py").write_text("1 / 0\n")
    install(tmp_path, "broken", "broken_for_tests")
    monkeypatch.syspath_prepend(str(tmp_path))
    game = find("little")
    assert turn(rules_class(game)(), initial(rules_class(game)())) == 1
    with pytest.raises(ValueError, match="the installed game 'gone' does not import"):
        find("gone")
    with pytest.raises(ValueError, match="'broken' does not import: ZeroDivisionError"):
        find("broken")
    assert title_and_kind("little") == ("little_for_tests", "")
    assert "does not import" in title_and_kind("broken")[0]
    with pytest.raises(ValueError, match="did you mean 'little'"):
        find("litle")


def test_the_source_of_an_installed_game_is_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small_for_tests.py").write_text(GAME)
    install(tmp_path, "small", "small_for_tests")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert source_of(find("small")) == "small"


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("def initial(:\n", "does not import: line 1: "),
        ("import no_such_thing\n", "does not import: line 1: ModuleNotFoundError"),
        ("x = 1\ny = x / 0\n", "does not import: line 2: ZeroDivisionError: division by zero"),
        ("x = int('frog')\n", "does not import: line 1: ValueError: invalid literal"),
        (GAME.replace("size: int = 3", "size: int"), "it lacks a default for every rule"),
        ("raise SystemExit(3)\n", "does not import: line 1: SystemExit: 3"),
        (GAME.replace("def turn", "def turns"), "is not a game yet: it lacks turn()"),
        (
            GAME.replace("def turn", "from ludex.core.rules import turn\ndef turns"),
            "it lacks turn()",
        ),
        (GAME.replace("def moves", "def move"), "it lacks legal() or moves()"),
        (GAME.replace("ACTIONS = 1", ""), "it lacks ACTIONS"),
        (GAME + "def chance(rules, state, outcome): return 1.0\n", "it lacks OUTCOMES"),
        (GAME.replace("LittleRules", "LittleLaw"), "one NamedTuple of rules named XRules"),
        (GAME.replace("class Little(", "class Small("), "a NamedTuple of a state named Little"),
        (GAME.replace("ACTIONS = 1", "ACTIONS = 1025"), "ACTIONS is 1025; it must be 1 to 1024"),
        (GAME.replace("ACTIONS = 1", "ACTIONS = 0"), "ACTIONS is 0; it must be 1 to 1024"),
        (GAME + "OUTCOMES = 1025\n", "OUTCOMES is 1025; it must be 0 to 1024"),
        ("", "it lacks initial(), turn(), apply(), returns(), legal() or moves(), ACTIONS, one"),
    ],
)
def test_what_is_not_a_game_is_refused_in_one_line(
    content: str, wanted: str, tmp_path: Path
) -> None:
    file = tmp_path / "little.py"
    file.write_text(content)
    modules = set(sys.modules)
    with pytest.raises(ValueError) as refused:
        find(str(file))
    assert wanted in str(refused.value)
    assert "\n" not in str(refused.value)
    assert set(sys.modules) == modules


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("Little(rules.size)", "Little(True)", "initial returned a state whose left is True, a bo"),
        ("Little(rules.size)", "Little('3')", "initial returned a state whose left is '3', a str"),
        ("Little(rules.size)", "[3]", "initial returned [3]; it must be a Little"),
        ("def turn", "def seats(rules): return 5\ndef turn", "seats is 5; it must be 2 to 4"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_in_one_line(
    old: str, new: str, wanted: str, tmp_path: Path
) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME.replace(old, new))
    with pytest.raises(ValueError) as refused:
        game_rules(str(file))
    assert str(refused.value).startswith(f"{str(file)!r} cannot be played: {wanted}")
    assert "\n" not in str(refused.value)


def test_an_error_in_the_first_state_is_left_to_the_check(tmp_path: Path) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME.replace("Little(rules.size)", "Little(1 // 0)"))
    assert check_game(game_rules(str(file))).fault.startswith("initial raised ZeroDivisionError")


def test_a_state_that_is_not_of_ints_stops_a_match_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME.replace("state.left - 1", "state.left - 1.0"))
    match = Match(game_rules(str(file)))
    with pytest.raises(ValueError) as refused:
        match.push("1")
    fault = "apply returned a state whose left is 2.0, a float; it must be an int or a tuple of"
    assert str(refused.value) == f"little cannot be played: {fault} ints"


def test_any_file_name_will_do(tmp_path: Path) -> None:
    file = tmp_path / "my.little-game.py"
    file.write_text(GAME)
    rules = rules_class(find(str(file)))()
    assert lines(rules, initial(rules), 2) == 1


def test_a_name_that_is_no_game_gets_an_offer() -> None:
    with pytest.raises(ValueError, match=r"no game 'aroplane'; did you mean 'aeroplane'\? \(there"):
        find("aroplane")
    with pytest.raises(ValueError, match=r"no game file 'nothing.py'"):
        find("./nothing.py")


def test_a_game_may_import_a_question_that_it_does_not_answer(tmp_path: Path) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME + "from ludex.core.rules import seat_name, seats\n")
    rules = rules_class(find(str(file)))()
    assert seat_name(rules, seats(rules) - 1) == "Player 2"


def test_our_own_games_lack_nothing_and_have_unique_classes() -> None:
    assert [missing_parts(find(game)) for game in GAMES] == [[]] * len(GAMES)
    names = [rules_class(find(game)).__name__ for game in GAMES]
    assert len(set(names)) == len(names)
