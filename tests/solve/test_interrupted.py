"""Solving that is interrupted: nothing that was finished is lost or done again."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.cli import main
from ludex.core.rules import Rules, initial
from ludex.io.array_file import Unusable, read, write
from ludex.io.files import create_beside
from ludex.solve import solution, solving
from ludex.solve.solution import load
from ludex.solve.solution_file import identity, path_of
from ludex.solve.solving import checkpoint_path, solve
from ludex.solve.states.listing import TooBig
from ludex.solve.values import block_solver, induction, iteration, large_block
from ludex.solve.values import blocks as blocks_module
from ludex.solve.values.induction import Induction
from tests.commands import run
from tests.lines import variant
from tests.solutions import (
    Teller,
    assert_same,
    droids,
    emptied,
    foreign,
    replaced,
    start,
    truncated,
)

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]
PIG = "examples/pig.py"


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every level be a step of its own."""
    monkeypatch.setattr(blocks_module, "CHUNK_STATES", 0)
    monkeypatch.setattr(blocks_module, "FEW_STATES", 0)


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let blocks of a few states be solved in parts."""
    monkeypatch.setattr(blocks_module, "LARGE_STATES", 6)
    monkeypatch.setattr(induction, "PARTS", 3)


@pytest.fixture(autouse=True)
def usual_ctrl_c() -> None:
    """Undo what the command line does with Ctrl-C at its end."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def interrupted(rules: Rules, word: str, times: int) -> Teller:
    teller = Teller(word, times)
    with pytest.raises(KeyboardInterrupt):
        solve(rules, initial(rules), tell=teller)
    assert checkpoint_path(rules, initial(rules)).exists()
    assert load(rules, initial(rules)) is None
    return teller


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which the number of every step is added that is worked on."""
    worked: list[int] = []
    plain = Induction.solve_step

    def solve_step(self: Induction, tell: Any, keep: Any) -> None:
        worked.append(self.finished)
        plain(self, tell, keep)

    monkeypatch.setattr(Induction, "solve_step", solve_step)
    return worked


@pytest.mark.unmeasured
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
    assert not checkpoint_path(rules, initial(rules)).exists()


def test_what_could_not_be_written_need_not_be_solved_again(
    blocks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*known: Any) -> Path:
        raise OSError(28, "No space left on device")

    rules = droids()
    with monkeypatch.context() as broken:
        broken.setattr(solution, "save", full)
        with pytest.raises(OSError, match="No space left"):
            start(rules)
    assert blocks
    blocks.clear()
    start(rules)
    assert blocks == []
    assert not checkpoint_path(rules, initial(rules)).exists()


def test_a_solution_is_not_resumed_in_too_little_memory() -> None:
    rules = droids()
    interrupted(rules, "solving", 1)
    with pytest.raises(TooBig, match="states"):
        solve(rules, initial(rules), 1e-6)


def assert_swept_on(rules: Rules) -> tuple[int, int]:
    """Assert that an interruption in the middle of a block costs no bit.

    Return how many sweeps there are without it, and with it.
    """
    whole = Teller()
    wanted = solve(rules, initial(rules), tell=whole)
    assert whole.count("solving, sweep") > 4
    path_of(rules, initial(rules)).unlink()
    before = interrupted(rules, "solving, sweep", whole.count("solving, sweep") // 2)
    after = Teller()
    assert_same(solve(rules, initial(rules), tell=after), wanted)
    sweeps = before.count("solving, sweep") + after.count("solving, sweep")
    assert after.count("listing") == 0
    assert not checkpoint_path(rules, initial(rules)).exists()
    return whole.count("solving, sweep"), sweeps


def test_a_block_is_swept_on_where_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_solver, "SLICE", 1)
    without, sweeps = assert_swept_on(variant(PIG, goal=4))
    # Only the blocks of one level are solved again.
    assert without <= sweeps < 1.2 * without


@pytest.mark.usefixtures("in_parts")
def test_a_block_in_parts_is_swept_on_where_it_was_interrupted() -> None:
    without, sweeps = assert_swept_on(variant(PIG, goal=4))
    assert without <= sweeps < 1.2 * without


@pytest.mark.usefixtures("in_parts")
@pytest.mark.parametrize("count", [2, 5])
def test_the_large_blocks_of_a_level_are_kept_one_by_one(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, plain = variant(PIG, goal=4), large_block.LargeBlock.solve
    begun: list[int] = []

    def interrupted_after_some(self: Any, *known: Any) -> None:
        begun.append(self.low)
        if len(begun) == count + 1:  # the second large block of its level
            raise KeyboardInterrupt
        plain(self, *known)

    monkeypatch.setattr(large_block.LargeBlock, "solve", interrupted_after_some)
    with pytest.raises(KeyboardInterrupt):
        start(rules)
    solved = begun[:count]
    start(rules)
    assert len(begun) > count + 2 and begun[count + 1] == begun[count]
    assert not set(solved) & set(begun[count:])


@pytest.mark.usefixtures("in_parts")
@pytest.mark.parametrize("call", range(20, 26))
def test_a_sweep_that_ends_after_some_parts_is_undone(
    call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = variant(PIG, goal=4)
    wanted = start(rules)
    path_of(rules, initial(rules)).unlink()
    calls = 0

    def advance(*known: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            raise KeyboardInterrupt
        return iteration.advance(*known)

    with monkeypatch.context() as slow, pytest.raises(KeyboardInterrupt):
        slow.setattr(large_block, "advance", advance)
        start(rules)
    assert_same(start(rules), wanted)


@pytest.mark.compiled
def test_aeroplane_is_swept_on_where_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_solver, "SLICE", 1)
    without, sweeps = assert_swept_on(variant("aeroplane", planes=1))
    assert sweeps == without


def test_the_seconds_before_an_interruption_count() -> None:
    rules = droids()
    interrupted(rules, "solving", 2)
    path = checkpoint_path(rules, initial(rules))
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
    assert checkpoint_path(rules, initial(rules)).exists()


def test_ctrl_c_waits_for_no_more_than_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant(PIG, goal=4)
    wanted = start(rules)
    path_of(rules, initial(rules)).unlink()
    plain, calls = iteration.solve_block, 0

    def solve_slowly(*known: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == 9:
            signal.raise_signal(signal.SIGINT)
        return int(plain(*known))

    monkeypatch.setattr(block_solver, "SLICE", 1)
    with monkeypatch.context() as slow, pytest.raises(KeyboardInterrupt):
        slow.setattr(block_solver, "solve_block", solve_slowly)
        start(rules)
    assert calls == 9
    teller = Teller()
    assert_same(solve(rules, initial(rules), tell=teller), wanted)
    assert teller.count("listing") == 0


@pytest.mark.parametrize(("game", "parts"), [("droids", False), (PIG, False), (PIG, True)])
def test_whenever_it_is_killed_the_same_solution_follows(
    game: str, parts: bool, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if parts:
        request.getfixturevalue("in_parts")
    rules = droids() if game == "droids" else variant(PIG, goal=3 if parts else 4)
    wanted, checkpoint = start(rules), checkpoint_path(rules, initial(rules))
    path_of(rules, initial(rules)).unlink()
    monkeypatch.setattr(block_solver, "SLICE", 1)
    monkeypatch.setattr(blocks_module, "STEP_CHUNKS", 2)
    left_behind: list[bytes] = []

    def save(*known: Any) -> None:
        write(*known)
        left_behind.append(checkpoint.read_bytes())

    with monkeypatch.context() as often:
        often.setattr(solving, "KEEP_SECONDS", 0.0)
        often.setattr(solving, "KEEP_FACTOR", 0.0)
        often.setattr(solving, "write", save)
        start(rules)
    assert len(left_behind) > 4 and not checkpoint.exists()
    for kept in left_behind if parts else left_behind[:: len(left_behind) // 5]:
        path_of(rules, initial(rules)).unlink()
        checkpoint.write_bytes(kept)
        teller = Teller()
        assert_same(solve(rules, initial(rules), tell=teller), wanted)
        assert teller.count("listing") == 0


def test_what_a_kill_leaves_of_a_checkpoint_goes_with_it(solutions: Path) -> None:
    rules = droids()
    interrupted(rules, "solving", 1)
    checkpoint = checkpoint_path(rules, initial(rules))
    os.close(create_beside(checkpoint)[0])
    start(rules)
    assert list(solutions.iterdir()) == [path_of(rules, initial(rules))]


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Let checkpoints be wanted all the time, and fail; return a list that names each of them."""
    tried: list[Path] = []

    def fail(path: Path, *known: Any) -> None:
        tried.append(path)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(solving, "KEEP_SECONDS", 0.0)
    monkeypatch.setattr(solving, "KEEP_FACTOR", 0.0)
    monkeypatch.setattr(solving, "write", fail)
    return tried


def test_a_checkpoint_that_cannot_be_written_stops_no_solver(
    full_disk: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    rules = droids()
    found = start(rules)
    assert_same(load(rules, initial(rules)), found)
    said = capsys.readouterr().err
    assert "(No space left on device); solving goes on without it" in said and said.count("\n") == 1
    assert full_disk == [checkpoint_path(rules, initial(rules))]


def test_ctrl_c_says_that_nothing_could_be_kept(full_disk: list[Path]) -> None:
    rules = droids()
    with pytest.raises(KeyboardInterrupt) as stopped:
        solve(rules, initial(rules), tell=Teller("solving", 3))
    assert len(full_disk) == 2
    (note,) = stopped.value.__notes__
    assert "cannot be kept" in note and "No space left on device" in note


def test_a_checkpoint_has_copies_because_compiled_code_may_still_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = droids()
    listing = solving.all_states(rules, initial(rules), 10**6, solving.tell_nobody)
    unfinished = Induction(rules, listing)
    kept: list[Any] = []
    monkeypatch.setattr(solving, "write", lambda *known: kept.extend(known))
    solving.save_checkpoint(rules, initial(rules), unfinished, Path("nowhere"), 0.0)
    live = unfinished.values, unfinished.tie_values, unfinished.progress
    arrays = kept[2].values()
    assert not any(np.shares_memory(one, other) for one in live for other in arrays)


def test_a_checkpoint_with_its_states_in_another_order_is_resumed(tmp_path: Path) -> None:
    rules, path = droids(), tmp_path / "some.part.npz"
    first = initial(rules)
    whole = Induction(rules, solving.all_states(rules, first, 10**6, solving.tell_nobody))
    while whole.finished < len(whole.blocks) // 2:
        whole.solve_step()
    solving.save_checkpoint(rules, first, whole, path, 0.0)
    arrays, facts = read(path, identity(rules, first), solving.CHECKPOINT_ARRAYS)
    order = np.random.default_rng(1).permutation(whole.states)
    shuffled = {name: arrays[name][..., order] for name in ("keys", "values", "hopes", "progress")}
    write(path, identity(rules, first), arrays | shuffled, facts)
    resumed, _ = solving.load_checkpoint(rules, first, path)
    assert resumed is not None
    for one in (whole, resumed):
        solving.finish(one, solving.tell_nobody)
    assert (resumed.listing.keys == whole.listing.keys).all()
    for name in ("values", "tie_values", "progress"):
        assert (getattr(resumed, name) == getattr(whole, name)).all()


@pytest.mark.parametrize("damage", [truncated, emptied, replaced, foreign])
def test_a_damaged_checkpoint_is_named_and_solving_starts_over(
    damage: Callable[[Path], None],
) -> None:
    rules = variant("nuts")
    wanted = start(rules)
    path_of(rules, initial(rules)).unlink()
    interrupted(rules, "solving", 2)
    path = checkpoint_path(rules, initial(rules))
    damage(path)
    with pytest.raises(Unusable, match=str(path)):
        start(rules)
    result = run("solve", "nuts")
    assert result.exit_code == 0
    assert result.stderr.startswith(f"{path} ") and result.stderr.count("\n") == 1
    assert_same(load(rules, initial(rules)), wanted)
    assert not path.exists()
