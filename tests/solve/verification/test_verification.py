"""Kept solutions are verified by the rules alone, and wrong files are told from right ones."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core.rules import Rules, State, initial
from ludex.io.array_file import Arrays, contents, write
from ludex.solve.solution import save
from ludex.solve.solution_file import SOLUTION_ARRAYS, identity
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING
from ludex.solve.values import iteration
from ludex.solve.verification import equations
from ludex.solve.verification.listed_states import checked_fields
from ludex.solve.verification.verification import Verification, verify_file
from tests.duels import DUEL
from tests.solutions import Teller, exchange_values, kept, rewritten, truncated
from tests.solve.test_circles import LOCK, SNOWBALL, WAITING
from tests.solved import LATE, PIG, TICTACTOE, made, outside

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]

# Both seats may wait as long as they like, but seat 0 wins as soon as it goes.
CHASE = """
from typing import NamedTuple
from ludex.core.rules import BOTH, OVER, part
ACTIONS, AT_ONCE = 2, True
class ChaseRules(NamedTuple):
    rich: int = 0
class Chase(NamedTuple):
    gone: int
def initial(rules):
    return Chase(0)
def turn(rules, state):
    return OVER if state.gone else BOTH
def moves(rules, state, seat):
    return 3
def apply(rules, state, move):
    return Chase(part(move, 0))
def returns(rules, state, seat):
    return 1.0 if seat == 0 else -1.0
"""


def verified(rules: Rules, first: State, path: Path) -> Verification:
    return verify_file(path, rules, first, Teller())


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
    assert "differs by 1.0e-09" in verified(rules, first, path).fault


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
        (raise_a_value, "differs by 1.0e-09 from what the rules say"),
        (remove_a_state, "is not listed"),
        (exchange_keys, "its keys are not strictly ascending"),
        (exchange_values, "differs by 2.0e+00 from what the rules say"),
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


@pytest.mark.parametrize("folding", [NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS])
def test_every_state_is_needed_and_every_value_is_checked(folding: int) -> None:
    rules = outside("duel", DUEL)._replace(rounds=2)
    first = initial(rules)
    right = made(rules, first, folding)
    for index in range(len(right.keys)):
        path = save(rules, first, right)
        rewritten(path, lambda arrays, index=index: without(arrays, index))  # type: ignore[misc]
        assert verified(rules, first, path).fault.endswith("is not listed")
        for error in (-1e-9, 1e-9):
            changed = right.values.copy()
            changed[index] += error
            save(rules, first, right._replace(values=changed))
            assert verified(rules, first, path).fault


def always_play_the_first(*given: Any) -> None:
    for mixture in given[3:5]:
        mixture[:] = 0.0
        mixture[0] = 1.0


def guarantee_nothing(*given: Any) -> tuple[float, float]:
    return np.nan, np.nan


@pytest.mark.parametrize(
    ("name", "fails"), [("solve", always_play_the_first), ("guarantees", guarantee_nothing)]
)
def test_how_matrix_games_are_solved_is_not_trusted(
    name: str, fails: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, first, path = kept("droids", rows=3, columns=3, shots=1, rounds=2)
    monkeypatch.setattr(equations, name, fails)
    fault = verified(rules, first, path).fault
    assert "the bounds of the value of a matrix game differ by" in fault


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


def test_nobody_makes_progress_by_waiting_for_the_opponent() -> None:
    # Seat 0 wins three times out of four if it rolls, and always if seat 1 gives up.
    rules = outside("waiting", WAITING)
    first = initial(rules)
    path = save(rules, first, made(rules, first, NO_FOLDING))
    assert verified(rules, first, path).fault == ""

    def hope(arrays: Arrays) -> None:
        arrays["values"][[0, 1]], arrays["progress"][[0, 1]] = 0.9, (0.9, 0.95)

    rewritten(path, hope)
    found = verified(rules, first, path)
    assert found.residual == 0.0
    assert found.fault.endswith("is not proven by progress")


def test_a_seat_that_can_go_at_once_makes_progress() -> None:
    rules = outside("chase", CHASE)
    first = initial(rules)
    path = save(rules, first, made(rules, first, NO_FOLDING))
    found = verified(rules, first, path)
    assert (found.fault, found.cyclic) == ("", 1)
    rewritten(path, lambda arrays: arrays["progress"].fill(1.0))
    assert verified(rules, first, path).fault.endswith("is not proven by progress")


def test_values_that_are_only_approached_are_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iteration, "MOST_SWEEPS", 1000)
    rules = outside("snowball", SNOWBALL)
    first = initial(rules)
    found = made(rules, first, NO_FOLDING)
    assert found.facts["unproven"]
    assert verified(rules, first, save(rules, first, found)).fault


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
