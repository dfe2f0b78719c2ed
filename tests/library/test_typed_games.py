"""Games typed into a notebook or a script."""

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ludex
from ludex.core.play import read_state
from ludex.core.rules import returns
from ludex.kernel.jit import on_disk
from ludex.solve.solution_file import identity

pytestmark = pytest.mark.plain

CLASSES = """
from typing import NamedTuple
class TinyRules(NamedTuple):
    n: int = 3
class Tiny(NamedTuple):
    left: int
    seat: int
"""
FUNCTIONS = """
ACTIONS = 2
LAST = 1
def winner(state): return (LAST - state.seat) % 2
def initial(rules): return Tiny(rules.n, 0)
def turn(rules, state): return -3 if state.left == 0 else state.seat
def legal(rules, state, seat, action): return action < state.left
def apply(rules, state, move): return Tiny(state.left - move - 1, 1 - state.seat)
def returns(rules, state, seat): return 1.0 if seat == winner(state) else -1.0
"""
OTHER_WINNER = {
    "a function": FUNCTIONS.replace("seat == winner", "seat != winner"),
    "a function that another one calls": FUNCTIONS.replace("LAST - state", "state"),
    "a number": FUNCTIONS.replace("LAST = 1", "LAST = 2"),
}
SHARED = "from ludex.kernel.jit import shared\n" + FUNCTIONS.replace("def win", "@shared\ndef win")
SCRIPT = f"""{CLASSES}{SHARED}
import ludex
before = ludex.check(TinyRules, lines=2).fault
@shared
def winner(state): return state.seat
after = ludex.load(TinyRules)
print([before, after.check(lines=2).fault, after.solve(progress=False).value()])
"""


@pytest.fixture
def tiny() -> Any:
    """Return a module without a file."""
    module = ModuleType("typed_for_tests")
    sys.modules[module.__name__] = module
    exec(CLASSES, vars(module))
    exec(FUNCTIONS, vars(module))
    yield module
    del sys.modules[module.__name__]


@pytest.mark.compiled
def test_a_game_of_a_script_is_checked_and_solved_as_it_is_defined_now(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    run = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode) == ("['', '', 1.0]\n", 0), run.stderr


@pytest.mark.parametrize("changed", OTHER_WINNER)
def test_what_is_defined_again_is_another_game(changed: str, tiny: Any) -> None:
    before = ludex.load(tiny.TinyRules)
    end = read_state(before.rules, "0 1")
    assert returns(before.rules, end, 0) == 1.0
    exec(OTHER_WINNER[changed], vars(tiny))
    after = ludex.load(tiny.TinyRules)
    assert returns(after.rules, end, 0) == -1.0
    # Compiled code and solutions on disk are found by these.
    assert type(before.rules) is not type(after.rules)
    assert type(before.rules).__name__ != type(after.rules).__name__
    assert identity(before.rules, end)["sources"] != identity(after.rules, end)["sources"]


def test_a_game_keeps_the_functions_that_it_was_loaded_with(tiny: Any) -> None:
    before = ludex.load(tiny.TinyRules)
    exec(OTHER_WINNER["a function"], vars(tiny))
    ludex.load(tiny.TinyRules)
    assert returns(before.rules, tiny.Tiny(0, 1), 0) == 1.0


def test_functions_typed_again_without_a_change_need_no_compiling(tiny: Any) -> None:
    before = ludex.load(tiny.TinyRules)
    exec(FUNCTIONS, vars(tiny))
    assert type(ludex.load(tiny.TinyRules).rules) is type(before.rules)


def test_states_of_a_class_typed_again_are_of_another_game(tiny: Any) -> None:
    before = ludex.load(tiny.TinyRules)
    exec(CLASSES, vars(tiny))
    after = ludex.load(tiny.TinyRules)
    assert type(before.rules) is not type(after.rules)
    assert type(after.new_match().state) is tiny.Tiny


def test_code_for_states_of_a_script_is_not_kept_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    class Part:
        instance_class = type("Tiny", (), {"__module__": "__main__"})

    monkeypatch.setattr(sys.modules["__main__"], "__file__", "script.py", raising=False)
    assert not on_disk((Part,))


@pytest.mark.parametrize("how", [{"processes": 2}, {"dask": "tcp://nowhere"}])
def test_a_typed_game_is_played_in_this_process(how: dict[str, Any], tiny: Any) -> None:
    game = ludex.load(tiny.TinyRules)
    with pytest.raises(ValueError, match=r"^Tiny, which is defined in typed_for_tests and not in"):
        ludex.play(game, "random", "random", matches=2, **how)
    with pytest.raises(ValueError, match="plays in this process alone: expected processes=1"):
        ludex.exploitability(game, "random", **how)
    assert ludex.play(game, "random", "random", matches=2, progress=False).matches == 2


def test_classes_of_included_games_keep_their_names() -> None:
    game = ludex.load("trap")
    assert ludex.load(game.module) == ludex.load(type(game.rules)) == game
    assert type(game.rules).__name__ == "TrapRules"


def test_rules_load_with_their_values(tiny: Any) -> None:
    assert ludex.load(tiny.TinyRules(n=9)).rules.n == 9
    assert ludex.load(ludex.load("trap", size=4).rules) == ludex.load("trap", size=4)


@pytest.mark.parametrize("given", ["class", "value"])
def test_a_state_in_place_of_rules_is_refused(given: str, tiny: Any) -> None:
    wanted = "^Tiny is not the class of a game's rules: expected TinyRules$"
    with pytest.raises(ValueError, match=wanted):
        ludex.load(tiny.Tiny if given == "class" else tiny.Tiny(1, 0))


def test_a_typed_class_without_functions_is_refused(tiny: Any) -> None:
    del tiny.turn
    modules = set(sys.modules)
    with pytest.raises(ValueError, match=r"TinyRules is not a game yet: it lacks turn\(\)"):
        ludex.load(tiny.TinyRules)
    assert set(sys.modules) == modules


def test_two_games_may_be_typed_into_one_notebook(tiny: Any) -> None:
    first = ludex.load(tiny.TinyRules)
    exec((CLASSES + FUNCTIONS).replace("Tiny", "Other"), vars(tiny))
    second = ludex.load(tiny.OtherRules)
    assert (first.name, second.name) == ("Tiny", "Other")
    assert second.count(2) == first.count(2) == [2, 3]


def test_a_game_shows_the_rules_that_differ(tiny: Any, tmp_path: Path) -> None:
    assert repr(ludex.load("arena")) == "<Game arena>"
    assert repr(ludex.load("aeroplane", planes=2, stacks="block")) in (
        "<Game aeroplane: planes=2, stacks=block>",
        "<Game aeroplane: stacks=block, planes=2>",
    )
    assert repr(ludex.load(tiny.TinyRules, n=5)) == "<Game Tiny: n=5>"
    file = tmp_path / "small.py"
    file.write_text(CLASSES + FUNCTIONS)
    assert repr(ludex.load(file)) == "<Game small>"
    assert repr(ludex.load(file).rules) == "TinyRules(n=3)"


def test_a_module_that_is_edited_and_loaded_again_is_another_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(tmp_path / "solutions"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # the edits come within a second
    file = tmp_path / "edited_for_tests.py"
    file.write_text(CLASSES + FUNCTIONS)
    module = importlib.import_module("edited_for_tests")
    before = ludex.load(module)
    values, names = [before.solve(progress=False).value()], [type(before.rules).__name__]
    for text in (FUNCTIONS, OTHER_WINNER["a number"], FUNCTIONS):
        file.write_text(CLASSES + text)
        again = ludex.load(importlib.reload(module))
        values.append(again.solve(progress=False).value())
        names.append(type(again.rules).__name__)
    assert values == [-1.0, -1.0, 1.0, -1.0]
    # Compiled code tells classes by their names.
    assert names[0] == names[1] == names[3] != names[2]
    assert before.solve(progress=False).value() == -1.0
