"""Solutions on disk: kept, and refused when damaged."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ludex.core.rules import Rules, initial
from ludex.io.array_file import Unusable
from ludex.solve import evaluator, known_solutions, solving
from ludex.solve.evaluation import Budget
from ludex.solve.solution import load, save
from ludex.solve.solution_file import path_of
from ludex.solve.solving import load_or_solve, solve
from tests.commands import run
from tests.lines import variant
from tests.solutions import assert_same, droids, emptied, foreign, replaced, start, truncated

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]


def test_a_solution_is_read_back_as_it_was_written(solutions: Path) -> None:
    rules = droids()
    assert load(rules, initial(rules)) is None
    wanted = start(rules)
    found = load(rules, initial(rules))
    assert_same(found, wanted)
    assert found is not None and found.facts == wanted.facts
    assert [path.name for path in solutions.iterdir()] == [path_of(rules, initial(rules)).name]


def test_a_game_is_solved_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("nuts")
    wanted = load_or_solve(rules, initial(rules))
    monkeypatch.setattr(solving, "solve", None)
    assert_same(load_or_solve(rules, initial(rules)), wanted)


def test_from_other_starts_only_what_took_long_is_kept(
    solutions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = variant("nuts")
    other = initial(rules)._replace(left=12)
    wanted = solve(rules, other)
    assert list(solutions.glob("*")) == []
    monkeypatch.setattr(solving, "SAVE_SECONDS", 0.0)
    solve(rules, other)
    assert_same(load(rules, other), wanted)


def test_other_rules_and_other_starts_have_other_files() -> None:
    rules, other = variant("nuts"), variant("nuts", nuts=30)
    paths = {
        path_of(rules, initial(rules)),
        path_of(rules, initial(rules)._replace(left=20)),
        path_of(other, initial(rules)),
        path_of(other, initial(other)),
    }
    assert len(paths) == 4


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(np.array([-1.0, 1.0]).tobytes()) + 7] ^= 1
    path.write_bytes(data)


def altered(path: Path) -> None:
    with np.load(path) as file:
        arrays = dict(file)
    arrays["values"][0] = 0.5
    np.savez(path, **arrays)


def praised(path: Path) -> None:
    with np.load(path) as file:
        arrays = dict(file)
    meta = json.loads(str(arrays["meta"]))
    meta["facts"]["residual"] = 1e-99
    np.savez(path, **arrays | {"meta": np.array(json.dumps(meta))})


DAMAGES = [flipped, truncated, emptied, replaced, foreign, altered, praised]


@pytest.mark.unmeasured
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_by_name(damage: Callable[[Path], None]) -> None:
    rules = variant("nuts")
    start(rules)
    path = path_of(rules, initial(rules))
    damage(path)
    why = "belongs to another game" if damage is foreign else "is damaged"
    with pytest.raises(Unusable, match=f"{path} {why}"):
        load(rules, initial(rules))


@pytest.mark.unmeasured
def test_no_flipped_bit_changes_what_is_read() -> None:
    rules = variant("nuts", nuts=10)
    wanted = start(rules)
    path = path_of(rules, initial(rules))
    data = path.read_bytes()
    refused = 0
    for place, bit in itertools.product(range(0, len(data), 11), (0, 3, 7)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
        try:
            found = load(rules, initial(rules))
        except Unusable:
            refused += 1
            continue
        # The time of a file in an archive, for example, is of no consequence.
        assert_same(found, wanted)
        assert found is not None and found.facts == wanted.facts
    assert refused > len(data) // 11


@pytest.mark.unmeasured
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_named_and_made_again(damage: Callable[[Path], None]) -> None:
    rules = variant("nuts")
    wanted = start(rules)
    path = path_of(rules, initial(rules))
    damage(path)
    result = run("solve", "nuts", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["value"] == -1.0
    assert str(path) in result.stderr and "; solving again\n" in result.stderr
    assert_same(load(rules, initial(rules)), wanted)


def test_exact_makes_a_damaged_file_again_or_says_who_does(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("nuts")
    wanted = start(rules)
    path = path_of(rules, initial(rules))
    truncated(path)
    with monkeypatch.context() as big:
        big.setattr(known_solutions, "estimated_states", lambda *known: (10**9, False))
        refused = run("best", "nuts", "--agent", "exact")
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1
    assert str(path) in refused.stderr
    assert refused.stderr.endswith("; run ludex solve to make it again\n")
    result = run("best", "nuts", "--agent", "exact")
    assert result.exit_code == 0
    assert str(path) in result.stderr and "; solving again\n" in result.stderr
    assert_same(load(rules, initial(rules)), wanted)


def test_who_can_be_warned_goes_on_without_a_damaged_file(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("nuts")
    start(rules)
    truncated(path_of(rules, initial(rules)))
    monkeypatch.setattr(known_solutions, "estimated_states", lambda *known: (10**9, False))
    warned: list[str] = []
    found = evaluator.exact_evaluator(rules, initial(rules), Budget(), warn=warned.append)
    assert isinstance(found, evaluator.ProofEvaluator)
    [words] = warned
    assert words.endswith("; run ludex solve to make it again")


def test_whether_a_game_is_solved_in_a_moment_is_found_out_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Rules] = []
    monkeypatch.setattr(known_solutions, "is_small", lambda rules, first: asked.append(rules))
    rules = variant("trap", size=6)
    first = initial(rules)
    assert [known_solutions.known_solution(rules, first) for _ in range(3)] == [None] * 3
    assert asked == [rules]
    monkeypatch.setattr(known_solutions, "path_of", lambda rules, state: Path(__file__))
    known_solutions.known_solution(rules, first)
    assert asked == [rules, rules], "somebody has solved it since"


def test_what_cannot_be_kept_is_said_and_still_solved(
    solutions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solutions.write_text("")
    why = f"cannot keep solutions in {str(solutions)!r} (File exists)"
    offer = "set LUDEX_SOLUTIONS to a folder that can be written"
    result = run("solve", "nuts", "--json")
    assert json.loads(result.stdout)["value"] == -1.0
    assert result.stderr == f"{why}; {offer}; this solution is not kept\n"
    monkeypatch.setattr(solving, "PROBED", 1)  # so that the game counts as a big one
    refused = run("solve", "nuts")
    assert (refused.exit_code, refused.stderr) == (2, f"ludex: {why}; {offer}\n")


@pytest.mark.unmeasured
def test_an_edited_game_does_not_use_its_old_solution(tmp_path: Path, solutions: Path) -> None:
    game = tmp_path / "tictactoe.py"
    source = Path("examples/tictactoe.py").read_text()
    values = []
    # Two in the top row win as well, once the game is edited.
    for text in (source, source.replace("LINES = (0o7,", "LINES = (0o3, 0o6, 0o7,"), source):
        game.write_text(text)
        done = subprocess.run(
            [sys.executable, "-m", "ludex", "solve", str(game), "--json"],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        )
        values.append(json.loads(done.stdout)["value"])
    assert values == [0.0, 1.0, 0.0]
    assert len(list(solutions.iterdir())) == 2


def test_three_seats_are_refused() -> None:
    rules = variant("aeroplane", seats=3)
    with pytest.raises(ValueError, match="exact values are for two seats, not 3"):
        load_or_solve(rules, initial(rules))


def test_a_file_is_kept_where_the_environment_says(solutions: Path) -> None:
    rules = variant("nuts")
    assert save(rules, initial(rules), start(rules)).parent == solutions
