"""Kept solutions are verified by the rules alone, and wrong files are told from right ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.core.play import read_state
from ludex.core.rules import Rules, State, initial
from ludex.io.array_file import contents, write
from ludex.solve.solution import save
from ludex.solve.solution_file import SOLUTION_ARRAYS, identity
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING
from ludex.solve.verification.listed_states import checked_fields
from ludex.solve.verification.verification import Verification, verify_file
from tests.commands import facts, refused, run
from tests.duels import DUEL
from tests.solutions import Teller, truncated
from tests.solve.test_circles import LOCK
from tests.solved import LATE, PIG, TICTACTOE, made, outside, solution

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]

Arrays = dict[str, np.ndarray]


def kept(game: str, start: str = "", **texts: Any) -> tuple[Rules, State, Path]:
    """Return the rules of a game, a first state, and the file of its solution."""
    rules, found = solution(game, None, start, **texts)
    first = read_state(rules, start) if start else initial(rules)
    return rules, first, save(rules, first, found)


def verified(rules: Rules, first: State, path: Path) -> Verification:
    return verify_file(path, rules, first, Teller())


def rewritten(path: Path, change: Callable[[Arrays], None]) -> None:
    """Change what is in a file, and give it a new checksum."""
    arrays, meta = contents(path, SOLUTION_ARRAYS)
    change(arrays)
    write(path, meta["owner"], arrays, meta["facts"])


@pytest.mark.parametrize(
    ("game", "texts"),
    [
        ("nuts", {}),
        (TICTACTOE, {}),
        ("droids", {"rows": 3, "columns": 3, "shots": 1, "rounds": 2}),
        (PIG, {"goal": 6}),
        ("trap", {"size": 3, "start": LATE}),
    ],
)
def test_what_was_solved_is_verified(game: str, texts: dict[str, Any]) -> None:
    rules, first, path = kept(game, **texts)
    found = verified(rules, first, path)
    assert found.fault == ""
    assert found.states == len(contents(path, SOLUTION_ARRAYS)[0]["keys"])
    assert found.residual <= 1e-12
    assert (found.cyclic > 0) == (game in (PIG, "trap"))


@pytest.mark.parametrize("folding", [NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS])
def test_every_kind_of_turn_is_verified_whatever_is_folded(folding: int) -> None:
    rules = outside("duel", DUEL)
    first = initial(rules)
    found = verified(rules, first, save(rules, first, made(rules, first, folding)))
    assert found.fault == "" and found.residual <= 1e-12


@pytest.mark.compiled
def test_compiled_code_finds_the_same_value_wrong() -> None:
    rules, first, path = kept("droids", rows=3, columns=3, shots=1, rounds=2)
    assert verified(rules, first, path).fault == ""
    rewritten(path, raise_a_value)
    assert "is off by 1.0e-09" in verified(rules, first, path).fault


# Wrong files. -------------------------------------------------------------------------------------


def raise_a_value(arrays: Arrays) -> None:
    arrays["values"][np.abs(arrays["values"]).argmin()] += 1e-9


def remove_a_state(arrays: Arrays) -> None:
    without(arrays, len(arrays["keys"]) // 2)


def without(arrays: Arrays, index: int) -> None:
    for name in ("keys", "values", "progress"):
        arrays[name] = np.delete(arrays[name], index)


def exchange_keys(arrays: Arrays) -> None:
    arrays["keys"][[3, 4]] = arrays["keys"][[4, 3]]


def exchange_values(arrays: Arrays) -> None:
    values = arrays["values"]
    values[[values.argmin(), values.argmax()]] = values.max(), values.min()


def repeat_a_key(arrays: Arrays) -> None:
    arrays["keys"][4] = arrays["keys"][3]


def exceed_the_range(arrays: Arrays) -> None:
    arrays["values"][:] *= 1.5


def forget_a_value(arrays: Arrays) -> None:
    arrays["values"][5] = np.nan


def overlap_fields(arrays: Arrays) -> None:
    arrays["fields"][:, 2] = 0


def drop_a_field(arrays: Arrays) -> None:
    arrays["fields"] = arrays["fields"][:-1]


def shorten_values(arrays: Arrays) -> None:
    arrays["values"] = arrays["values"][:-1]


def add_a_key(arrays: Arrays) -> None:
    arrays["keys"] = np.append(arrays["keys"], 1 << 40)  # above the bits of all fields
    for name in ("values", "progress"):
        arrays[name] = np.append(arrays[name], arrays[name][-1])


def overstate_progress(arrays: Arrays) -> None:
    arrays["progress"][:] = 2.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (raise_a_value, "is off by 1.0e-09, as its successors say"),
        (remove_a_state, "is not listed"),
        (exchange_keys, "its keys are not strictly ascending"),
        (exchange_values, "is off by 2.0e+00, as its successors say"),
        (repeat_a_key, "its keys are not strictly ascending"),
        (exceed_the_range, "its values are not all from -1 to 1"),
        (forget_a_value, "its values are not all from -1 to 1"),
        (overlap_fields, "two of its fields overlap"),
        (drop_a_field, "its fields are not those of"),
        (shorten_values, "there is not one key, one value and one progress for each state"),
        (add_a_key, "is that of no state"),
        (overstate_progress, "its progress is not all from 0 to 1"),
    ],
)
def test_a_wrong_file_is_told_from_a_right_one(
    change: Callable[[Arrays], None], words: str
) -> None:
    rules, first, path = kept("droids", rows=3, columns=3, shots=1, rounds=2)
    rewritten(path, change)
    fault = verified(rules, first, path).fault
    assert fault.startswith(f"{path} is wrong: ") and words in fault


def test_a_successor_that_is_missing_is_named_with_the_move_that_leads_to_it() -> None:
    rules, first, path = kept("nuts", nuts=10)
    rewritten(path, lambda arrays: without(arrays, 0))  # no nuts are left
    words = "the position 0 0, which take 1 leads to in 1 1, is not listed"
    assert verified(rules, first, path).fault == f"{path} is wrong: {words}"


def test_a_folded_state_needs_all_of_its_successors() -> None:
    rules, first, path = kept(PIG, goal=6)
    rewritten(path, remove_a_state)
    assert "is not listed" in verified(rules, first, path).fault


def test_a_truncated_file_is_refused() -> None:
    rules, first, path = kept("nuts", nuts=10)
    truncated(path)
    assert verified(rules, first, path).fault == f"{path} is damaged: it ends too early"


def test_a_file_of_other_rules_is_refused() -> None:
    rules, first, _ = kept("nuts", nuts=10)
    *_, path = kept("nuts", nuts=11)
    words = f"{path} belongs to another game or other rules"
    assert verified(rules, first, path).fault == words


def test_the_first_position_must_be_listed() -> None:
    rules, first, path = kept("nuts", nuts=10)
    later = first._replace(left=12)
    arrays, meta = contents(path, SOLUTION_ARRAYS)
    write(path, identity(rules, later), arrays, meta["facts"])
    fault = verified(rules, later, path).fault
    assert fault == f"{path} is wrong: the first position 12 0 is not listed"


@pytest.mark.parametrize("progress", [0.0, 0.5, 1.0])
def test_values_that_satisfy_the_equations_on_a_cycle_are_not_enough(progress: float) -> None:
    # Who may stay in a place for ever seems to get there whatever is written down.
    rules = outside("lock", LOCK)._replace(seat=0)
    first = initial(rules)
    path = save(rules, first, made(rules, first, NO_FOLDING))
    assert verified(rules, first, path).fault == ""

    def promise(arrays: Arrays) -> None:
        arrays["values"][[0, 2]] = 0.5  # at the start, and where the seat may stay
        arrays["progress"][[0, 2]] = progress

    rewritten(path, promise)
    found = verified(rules, first, path)
    assert found.residual == 0.0
    assert found.fault.endswith("where play can go in circles, is not proven by progress")


def test_progress_that_is_missing_proves_nothing() -> None:
    rules, first, path = kept(PIG, goal=6)
    rewritten(path, lambda arrays: arrays["progress"].fill(0.0))
    assert verified(rules, first, path).fault.endswith("is not proven by progress")


# Files. -------------------------------------------------------------------------------------------


def test_fields_of_older_files_have_no_shifts() -> None:
    old = np.array([[0, 3], [-2, 0], [1, 5]], np.int64)
    assert checked_fields(old, 3).tolist() == [[0, 3, 5], [-2, 0, 5], [1, 5, 0]]
    rules, first, path = kept("nuts", nuts=10)
    with_shifts = contents(path, SOLUTION_ARRAYS)[0]["fields"]
    assert (checked_fields(with_shifts[:, :2], 2) == with_shifts).all()
    rewritten(path, lambda arrays: arrays.update(fields=arrays["fields"][:, :2]))
    assert verified(rules, first, path).fault == ""


def test_a_verification_can_be_interrupted() -> None:
    rules, first, path = kept("nuts", nuts=10)
    with pytest.raises(KeyboardInterrupt):
        verify_file(path, rules, first, Teller("verifying", 1))


def test_a_game_or_a_file_can_be_verified_from_python() -> None:
    *_, path = kept("nuts", nuts=10)
    nuts = ludex.load("nuts", nuts=10)
    by_game, by_file = ludex.verify(nuts), ludex.verify(path)
    assert by_game.fault == by_file.fault == ""
    assert by_game.states == by_file.states == 20
    assert repr(by_game).startswith("<Verification: 20 states verified; residual 0.0e+00,")
    assert "states verified" in by_game._repr_html_()


def test_the_command_says_what_was_verified() -> None:
    *_, path = kept("nuts", nuts=10)
    shown = run("verify", "nuts", "--rule", "nuts=10")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("nuts from 10 0: 20 states verified; residual 0.0e+00, gap 0.0e")
    told = facts("verify", str(path))
    wanted = {"ok": True, "game": "nuts", "position": "10 0", "states": 20, "residual": 0.0}
    assert told | wanted == told and told["file"] == str(path)


def test_the_command_goes_on_after_a_wrong_file_and_fails() -> None:
    *_, wrong = kept("nuts", nuts=10)
    *_, right = kept("nuts", nuts=11)
    rewritten(wrong, exchange_values)
    result = run("verify", str(wrong), str(right))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"ludex: {wrong} is wrong: ") and result.stderr.count("\n") == 1
    assert result.stdout.startswith("nuts from 11 0: 22 states verified")
    told = run("verify", str(wrong), "--json")
    assert told.exit_code == 1 and '"ok": false' in told.stdout


def test_a_file_of_a_game_from_outside_needs_that_game() -> None:
    *_, path = kept(PIG, goal=6)
    alone = run("verify", str(path))
    assert alone.exit_code == 1
    assert "is of 'pig', a game from outside: verify it as a file of that game" in alone.stderr
    assert facts("verify", PIG, "--rule", "goal=6", "--file", str(path))["ok"]


@pytest.mark.parametrize(
    ("name", "owner", "words"),
    [
        ("nuts.part.npz", {}, "is not finished: ludex solve goes on from there"),
        ("nuts.npz", {"equilibrium": 1}, "is an equilibrium"),
        ("nuts.npz", {"rules": "(1, 2, 3, 4, 5)"}, "names no rules and position of nuts"),
        ("nuts.npz", {"rules": "open('x')"}, "names no rules and position of nuts"),
        ("nuts.npz", {"start": "1000 0"}, "names no rules and position of nuts"),
        ("nuts.npz", {"sources": "0" * 64}, "belongs to another version of nuts"),
    ],
)
def test_a_file_that_names_something_else_is_refused(
    name: str, owner: dict[str, Any], words: str, tmp_path: Path
) -> None:
    rules, first, path = kept("nuts", nuts=10)
    arrays, meta = contents(path, SOLUTION_ARRAYS)
    write(tmp_path / name, identity(rules, first) | owner, arrays, meta["facts"])
    assert words in ludex.verify(tmp_path / name, progress=False).fault


def test_something_else_than_a_solution_is_refused(tmp_path: Path) -> None:
    note = tmp_path / "note.npz"
    note.write_text("a list of things to buy")
    assert ludex.verify(note).fault == f"{note} is not a file that ludex solve has written"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nuts"], "no solution of nuts from '21 0' is kept: run ludex solve first"),
        (["examples/kuhn.py"], "kuhn hides something: its equilibrium has a proven gap"),
        (["a.npz", "--rule", "nuts=10"], "'a.npz' names its rules and position"),
        (["nuts", "trap", "--file", "a.npz"], "--file: expected one game"),
        (["none.npz"], "none.npz: No such file or directory"),
    ],
)
def test_what_cannot_be_verified_is_refused_in_one_line(words: list[str], message: str) -> None:
    assert message in refused("verify", *words)
