"""Solutions on disk: kept, refused when damaged, resumed when interrupted."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.cli import main
from ludex.rules import Rules, initial
from ludex.solve import exact, solving
from ludex.solve.induction import Induction
from ludex.solve.listing import TooBig
from ludex.solve.solution import ARRAYS, Solution, load, path_of, save
from ludex.solve.solving import part_of, solve, solved
from ludex.vault import Unusable, write
from tests.commands import run
from tests.lines import variant

PIG = "examples/pig.py"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    there = tmp_path / "solutions"
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(there))
    exact.found_solution.cache_clear()
    return there


def droids() -> Rules:
    return variant("droids", rows=2, columns=3, shots=1, rounds=4)


def start(rules: Rules) -> Solution:
    return solve(rules, initial(rules))


def assert_same(found: Solution | None, wanted: Solution) -> None:
    assert found is not None
    for name in ARRAYS:
        one, other = getattr(found, name), getattr(wanted, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert found.folding == wanted.folding


# Files. -------------------------------------------------------------------------------------------


def test_a_solution_is_read_back_as_it_was_written(folder: Path) -> None:
    rules = droids()
    assert load(rules, initial(rules)) is None
    wanted = start(rules)
    found = load(rules, initial(rules))
    assert_same(found, wanted)
    assert found is not None and found.facts == wanted.facts
    assert [path.name for path in folder.iterdir()] == [path_of(rules, initial(rules)).name]


def test_a_game_is_solved_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("nuts")
    wanted = solved(rules, initial(rules))
    monkeypatch.setattr(solving, "solve", None)
    assert_same(solved(rules, initial(rules)), wanted)


def test_from_other_starts_only_what_took_long_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = variant("nuts")
    other = initial(rules)._replace(left=12)
    wanted = solve(rules, other)
    assert list(folder.glob("*")) == []
    monkeypatch.setattr(solving, "WORTH_KEEPING", 0.0)
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


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def replaced(path: Path) -> None:
    path.write_text("a list of things to buy")


def foreign(path: Path) -> None:
    other = variant("nuts", nuts=30)
    start(other)
    shutil.copy(path_of(other, initial(other)), path)


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


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_by_name(damage: Callable[[Path], None]) -> None:
    rules = variant("nuts")
    start(rules)
    path = path_of(rules, initial(rules))
    damage(path)
    why = "belongs to another game" if damage is foreign else "is damaged"
    with pytest.raises(Unusable, match=f"{path} {why}"):
        load(rules, initial(rules))


def test_no_flipped_bit_changes_what_is_read() -> None:
    rules = variant("nuts", nuts=10)
    wanted = start(rules)
    path = path_of(rules, initial(rules))
    data = path.read_bytes()
    refused = 0
    for place, bit in itertools.product(range(0, len(data), 5), (0, 3, 7)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :])
        try:
            found = load(rules, initial(rules))
        except Unusable:
            refused += 1
            continue
        # The time of a file in an archive, for example, is of no consequence.
        assert_same(found, wanted)
        assert found is not None and found.facts == wanted.facts
    assert refused > len(data) // 5


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
        big.setattr(exact, "estimated_states", lambda *known: (10**9, False))
        refused = run("best", "nuts", "--agent", "exact")
    assert refused.exit_code == 2 and refused.stderr.count("\n") == 1
    assert str(path) in refused.stderr
    assert refused.stderr.endswith("; run ludex solve to make it again\n")
    result = run("best", "nuts", "--agent", "exact")
    assert result.exit_code == 0
    assert str(path) in result.stderr and "; solving again\n" in result.stderr
    assert_same(load(rules, initial(rules)), wanted)


def test_what_cannot_be_kept_is_said_and_still_solved(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_text("")
    why = f"cannot keep solutions in {str(folder)!r} (File exists)"
    offer = "set LUDEX_SOLUTIONS to a folder that can be written"
    result = run("solve", "nuts", "--json")
    assert json.loads(result.stdout)["value"] == -1.0
    assert result.stderr == f"{why}; {offer}; this solution is not kept\n"
    monkeypatch.setattr(solving, "PROBED", 1)  # so that the game counts as a big one
    refused = run("solve", "nuts")
    assert (refused.exit_code, refused.stderr) == (2, f"ludex: {why}; {offer}\n")


def test_an_edited_game_does_not_use_its_old_solution(tmp_path: Path, folder: Path) -> None:
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
    assert len(list(folder.iterdir())) == 2


# Interruptions. -----------------------------------------------------------------------------------


class Teller:
    """Notes what it is told, and interrupts when it is told something for the so-manieth time."""

    def __init__(self, word: str = "", times: int = 0) -> None:
        self.word, self.times = word, times
        self.told: list[str] = []

    def __call__(self, what: str, done: int, total: int) -> None:
        self.told.append(what)
        if self.word and what.startswith(self.word):
            self.times -= 1
            if self.times == 0:
                raise KeyboardInterrupt

    def count(self, word: str) -> int:
        return sum(what.startswith(word) for what in self.told)


def interrupted(rules: Rules, word: str, times: int) -> Teller:
    teller = Teller(word, times)
    with pytest.raises(KeyboardInterrupt):
        solve(rules, initial(rules), tell=teller)
    assert part_of(rules, initial(rules)).exists()
    assert load(rules, initial(rules)) is None
    return teller


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which the number of every block is added that is worked on."""
    worked: list[int] = []
    plain = Induction.go_on

    def go_on(self: Induction, tell: Any) -> None:
        worked.append(self.finished)
        plain(self, tell)

    monkeypatch.setattr(Induction, "go_on", go_on)
    return worked


@pytest.mark.parametrize("times", [1, 3])
def test_finished_blocks_are_not_done_again(times: int, blocks: list[int]) -> None:
    rules = droids()
    wanted = start(rules)
    count = len(blocks)
    assert count > 4
    path_of(rules, initial(rules)).unlink()
    blocks.clear()
    interrupted(rules, "solving", times)
    assert blocks == list(range(times))
    blocks.clear()
    teller = Teller()
    found = solve(rules, initial(rules), tell=teller)
    assert blocks == list(range(times, count))
    assert teller.count("listing") == 0
    assert_same(found, wanted)
    assert_same(load(rules, initial(rules)), wanted)
    assert not part_of(rules, initial(rules)).exists()


def test_what_could_not_be_written_need_not_be_solved_again(
    blocks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*known: Any) -> Path:
        raise OSError(28, "No space left on device")

    rules = droids()
    with monkeypatch.context() as broken:
        broken.setattr(solving, "save", full)
        with pytest.raises(OSError, match="No space left"):
            start(rules)
    assert blocks
    blocks.clear()
    start(rules)
    assert blocks == []
    assert not part_of(rules, initial(rules)).exists()


def test_a_solution_is_not_resumed_in_too_little_memory() -> None:
    rules = droids()
    interrupted(rules, "solving", 1)
    with pytest.raises(TooBig, match="states"):
        solve(rules, initial(rules), 1e-6)


def assert_swept_on(rules: Rules) -> None:
    """Assert that an interruption in the middle of a block costs no sweep, and no bit."""
    whole = Teller()
    wanted = solve(rules, initial(rules), tell=whole)
    path_of(rules, initial(rules)).unlink()
    before = interrupted(rules, "solving, sweep", whole.count("solving, sweep") // 2)
    after = Teller()
    assert_same(solve(rules, initial(rules), tell=after), wanted)
    sweeps = before.count("solving, sweep") + after.count("solving, sweep")
    assert whole.count("solving, sweep") - 1 <= sweeps <= whole.count("solving, sweep")
    assert after.count("listing") == 0
    assert not part_of(rules, initial(rules)).exists()


def test_a_block_is_swept_on_where_it_was_interrupted() -> None:
    assert_swept_on(variant(PIG, goal=4))


@pytest.mark.compiled
def test_aeroplane_is_swept_on_where_it_was_interrupted() -> None:
    assert_swept_on(variant("aeroplane", planes=1))


def test_the_seconds_before_an_interruption_count() -> None:
    rules = droids()
    interrupted(rules, "solving", 2)
    path = part_of(rules, initial(rules))
    with np.load(path) as file:
        spent = json.loads(str(file["meta"]))["facts"]["seconds"]
    assert start(rules).facts["seconds"] > spent > 0.0


def test_a_solution_interrupted_twice_is_resumed_twice(blocks: list[int]) -> None:
    rules = droids()
    for _ in range(3):
        interrupted(rules, "solving", 1)
    assert blocks == [0, 1, 2]


def test_who_interrupts_twice_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted_again(*known: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        write(*known)

    def interrupted_first(*known: Any) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(solving, "write", interrupted_again)
    monkeypatch.setattr(solving, "finish", interrupted_first)
    monkeypatch.setattr(sys, "argv", ["ludex", "solve", "nuts"])
    with pytest.raises(SystemExit):
        main()
    kept = "what is solved is kept, and the same command goes on from there"
    assert capsys.readouterr().err.endswith(f"stopped; {kept}\n")
    rules = variant("nuts")
    assert part_of(rules, initial(rules)).exists()


@pytest.mark.parametrize("damage", [truncated, emptied, replaced, foreign])
def test_a_damaged_checkpoint_is_named_and_solving_starts_over(
    damage: Callable[[Path], None],
) -> None:
    rules = variant("nuts")
    wanted = start(rules)
    path_of(rules, initial(rules)).unlink()
    interrupted(rules, "solving", 2)
    path = part_of(rules, initial(rules))
    damage(path)
    with pytest.raises(Unusable, match=str(path)):
        start(rules)
    result = run("solve", "nuts")
    assert result.exit_code == 0
    assert result.stderr.startswith(f"{path} ") and result.stderr.count("\n") == 1
    assert_same(load(rules, initial(rules)), wanted)
    assert not path.exists()


def test_three_seats_are_refused() -> None:
    rules = variant("aeroplane", seats=3)
    with pytest.raises(ValueError, match="exact values are for two seats, not 3"):
        solved(rules, initial(rules))


def test_a_file_is_kept_where_the_environment_says(folder: Path) -> None:
    rules = variant("nuts")
    assert save(rules, initial(rules), start(rules)).parent == folder
