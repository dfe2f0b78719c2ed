"""Solved games: every state is worth what independent programs say."""

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ludex.core.play import legal_moves, read_state
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    canonical,
    chance,
    initial,
    position,
    returns,
    turn,
)
from ludex.solve.solution import Solution
from ludex.solve.solving import audit, finish, tell_nobody
from ludex.solve.states.state_space import best_folding, list_states
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING
from ludex.solve.values import blocks
from ludex.solve.values.induction import Induction
from tests.duels import DUEL
from tests.lines import both_ways, variant
from tests.solve.test_proof import PASSING
from tests.solved import (
    LATE,
    PIG,
    TICTACTOE,
    backup,
    followers,
    made,
    outside,
    sample,
    solution,
    solved_states,
)

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def duel() -> Rules:
    return outside("duel", DUEL)


def recursion(rules: Rules) -> Callable[[State], float]:
    """Return the definition of a value, for games without circles."""

    @functools.cache
    def value(state: State) -> float:
        return backup(rules, state, value)

    return value


def iterated(rules: Rules, first: State) -> dict[State, float]:
    """Return the values of all states, found by sweeps over all of them, no two of them as one."""
    order: dict[State, int] = {first: 0}
    rows: list[tuple[int, list[int], list[float]]] = []
    for state in (waiting := [first]):
        targets = []
        for move in legal_moves(rules, state):
            after = apply(rules, state, move)
            if after not in order:
                order[after] = len(order)
                waiting.append(after)
            targets.append(order[after])
        mover = turn(rules, state)
        odds = [chance(rules, state, move) for move in legal_moves(rules, state) if mover == CHANCE]
        rows.append((mover, targets, odds))
    widest = max(len(targets) for _, targets, _ in rows)
    following = np.array(
        [row + row[-1:] * (widest - len(row)) or [0] * widest for _, row, _ in rows]
    )
    weights = np.array([row + [0.0] * (widest - len(row)) for _, _, row in rows])
    kind = np.array([mover for mover, _, _ in rows])
    ends = np.array([returns(rules, s, 0) if turn(rules, s) == OVER else 0.0 for s in order])
    values, change = ends, 1.0
    while change > 1e-13:
        after = values[following]
        best = np.where(kind == 0, after.max(axis=1), after.min(axis=1))
        best = np.where(kind == CHANCE, (weights * after).sum(axis=1), best)
        best = np.where(kind == OVER, ends, best)
        values, change = best, float(np.abs(best - values).max())
    return dict(zip(order, values.tolist(), strict=True))


def assert_values(rules: Rules, solution: Solution, wanted: dict[State, float]) -> None:
    for state, worth in wanted.items():
        assert solution.value(rules, state) == pytest.approx(worth, abs=1e-10), position(
            rules, state
        )


@pytest.mark.unmeasured
@pytest.mark.parametrize("most", [1, 2, 3, 9])
def test_the_mover_loses_where_whole_rounds_leave_one_nut(most: int) -> None:
    # A round is what both take together: the second can always make it most + 1.
    for nuts in (10, 11, 12, 13, 99, 100):
        rules, found = solution("nuts", nuts=nuts, most=most)
        for state in solved_states(rules, found):
            if state.left:
                loses = state.left % (most + 1) == 1
                worth = found.value(rules, state) * (1 if state.seat == 0 else -1)
                assert worth == (-1.0 if loses else 1.0)


def test_every_tictactoe_position_is_worth_what_minimax_says() -> None:
    rules, found = solution(TICTACTOE)
    value = recursion(rules)
    assert value(initial(rules)) == 0.0
    assert len(found.keys) == 5478
    for state in solved_states(rules, found):
        assert found.value(rules, state) == value(state)


def pig_shares(goal: int) -> dict[tuple[int, int, int], float]:
    """Return how likely the mover wins pig by its points, the other's, and the pot."""
    shares = {
        (mine, other, pot): 0.5
        for mine, other in itertools.product(range(goal), repeat=2)
        for pot in range(goal - mine)
    }

    def share(mine: int, other: int, pot: int) -> float:
        return 1.0 if mine + pot >= goal else shares[mine, other, pot]

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (mine, other, pot), old in shares.items():
            rolled = 1.0 - share(other, mine, 0)
            rolled += sum(share(mine, other, pot + die) for die in range(2, 7))
            new = rolled / 6
            if pot:
                new = max(new, 1.0 - share(other, mine + pot, 0))
            shares[mine, other, pot] = new
            change = max(change, abs(new - old))
    return shares


@pytest.mark.unmeasured
def test_pig_is_worth_what_its_own_iteration_says() -> None:
    rules, found = solution(PIG, goal=10)
    first = initial(rules)
    checked = 0
    for (mine, other, pot), share in pig_shares(10).items():
        for seat, sign in ((0, 1.0), (1, -1.0)):
            points = (mine, other) if seat == 0 else (other, mine)
            state = type(first)(*points, pot, seat, 0)
            if pot != 1 and found.listed(rules, state):
                checked += 1
                worth = found.value(rules, state)
                assert worth == pytest.approx(sign * (2 * share - 1), abs=1e-11)
    assert checked > 300


@pytest.mark.unmeasured
def test_late_traps_are_worth_what_iteration_over_all_mirror_images_says() -> None:
    rules, found = solution("trap", start=LATE, size=3)
    assert found.folding == FOLD_CHANCE
    wanted = iterated(rules, read_state(rules, LATE))
    assert len({round(worth, 9) for worth in wanted.values()}) > 20
    twins = {state for state in wanted if canonical(rules, state) != state}
    assert any(canonical(rules, state) in wanted for state in twins)
    assert_values(rules, found, wanted)


@pytest.mark.compiled
def test_aeroplane_with_one_plane_each_is_worth_what_iteration_says() -> None:
    rules, found = solution("aeroplane", planes=1)
    wanted = iterated(rules, initial(rules))
    assert_values(rules, found, wanted)


@pytest.mark.unmeasured
@pytest.mark.parametrize("rows", [2, 3])
def test_droids_are_worth_what_linear_programs_say(rows: int) -> None:
    rules, found = solution("droids", rows=rows, columns=3, shots=2, rounds=4)
    value = recursion(rules)
    worths = set()
    for state in solved_states(rules, found):
        assert found.value(rules, state) == pytest.approx(value(state), abs=1e-7)
        worths.add(round(value(state), 6))
    assert worths == {-1.0, -0.5, 0.0, 0.5, 1.0}  # halves need mixtures
    assert found.facts["gap"] < 1e-12


def test_a_game_with_every_kind_of_turn_is_worth_what_its_definition_says(duel: Rules) -> None:
    value = recursion(duel)
    for folding in (NO_FOLDING, FOLD_CHANCE, FOLD_DECISIONS):
        found = made(duel, initial(duel), folding)
        for state in followers(duel, initial(duel)):
            assert found.value(duel, state) == pytest.approx(value(state), abs=1e-8)


@pytest.mark.compiled
def test_every_value_of_trap_follows_from_the_next_ones() -> None:
    rules, found = solution("trap", size=3)
    assert np.abs(found.values).max() <= 1.0
    for state in sample(solved_states(rules, found), 400):
        worth = backup(rules, state, lambda after: found.value(rules, after))
        assert found.value(rules, state) == pytest.approx(worth, abs=1e-12)


@pytest.mark.unmeasured
def test_what_is_folded_changes_neither_values_nor_tie_values(duel: Rules) -> None:
    pig = variant(PIG, goal=6)
    trap = variant("trap", size=3)
    for rules, first in (
        (pig, initial(pig)),
        (trap, read_state(trap, LATE)),
        (duel, initial(duel)),
    ):
        plain = made(rules, first, NO_FOLDING)
        for folding in (FOLD_CHANCE, FOLD_DECISIONS):
            found = made(rules, first, folding)
            for state in followers(rules, first):
                worth = plain.value(rules, state)
                assert found.value(rules, state) == pytest.approx(worth, abs=1e-10)
                places = [one.place(rules, state) for one in (plain, found)]
                if min(places) >= 0:
                    # Hopes stand still at 1e-4, after sweeps in another order.
                    tie_values = found.tie_values[:, places[1]], plain.tie_values[:, places[0]]
                    assert np.abs(np.subtract(*tie_values)).max() < 2e-3


def test_a_choice_at_once_that_was_never_listed_has_no_value(duel: Rules) -> None:
    # What follows this state is listed, but the state itself cannot be reached.
    found = made(duel, read_state(duel, "1 0 3"), FOLD_DECISIONS)
    strange = read_state(duel, "0 0 3")
    assert turn(duel, strange) == BOTH
    assert any(
        found.listed(duel, apply(duel, strange, move)) for move in legal_moves(duel, strange)
    )
    assert not found.listed(duel, strange)


def test_endless_play_is_worth_nothing() -> None:
    rules = outside("passing", PASSING)
    found = made(rules, initial(rules), NO_FOLDING)
    assert found.value(rules, initial(rules)) == 0.0
    taken = rules._replace(prize=1)
    assert made(taken, initial(taken), NO_FOLDING).value(taken, initial(taken)) == 1.0


@pytest.mark.unmeasured
def test_an_audit_finds_an_end_that_is_worth_something_else() -> None:
    rules, found = solution(TICTACTOE)
    over = [turn(rules, state) == OVER for state in solved_states(rules, found)]
    values = found.values.copy()
    values[over.index(True)] *= 0.5
    # Nothing is worth more or less for it: the state before has other ways to win.
    assert audit(rules, initial(rules), found._replace(values=values))[0] >= 0.5


@pytest.mark.unmeasured
def test_an_audit_finds_a_value_that_is_wrong() -> None:
    rules, found = solution(PIG, goal=6)
    assert max(audit(rules, initial(rules), found)) < 1e-12
    values = found.values.copy()
    values[len(values) // 2] += 1e-3
    assert audit(rules, initial(rules), found._replace(values=values))[0] > 1e-4


@pytest.mark.parametrize(("game", "values"), [(TICTACTOE, {}), (PIG, {"goal": 6})])
def test_small_blocks_that_are_solved_together_are_worth_the_same(
    game: str, values: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = variant(game, **values)
    listing = list_states(rules, initial(rules), best_folding(rules, initial(rules)), 10**6)
    monkeypatch.setattr(blocks, "CHUNK_STATES", 100)
    together = Induction(rules, listing)
    monkeypatch.setattr(blocks, "FEW_STATES", 0)
    alone = Induction(rules, listing)
    assert 1 < len(together.blocks.ranges) < len(alone.blocks.ranges) / 8
    for one in (alone, together):
        finish(one, tell_nobody)
        assert one.unproven == 0
    assert np.abs(alone.values - together.values).max() < 1e-12
    if game == TICTACTOE:  # nothing cycles
        assert (alone.tie_values == together.tie_values).all()
        assert (together.progress == 1.0).all()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "start", "values"),
    [
        (PIG, "", {"goal": 5}),
        ("trap", LATE, {"size": 3}),
        ("droids", "", {"rows": 2, "columns": 3, "shots": 1, "rounds": 3}),
    ],
)
def test_compiled_and_interpreted_solutions_are_the_same(
    game: str, start: str, values: dict[str, int]
) -> None:
    compiled, interpreted = both_ways("tests.solve.test_values.solved", game, start, values)
    assert compiled[:2] == interpreted[:2]
    assert np.abs(np.subtract(compiled[2], interpreted[2])).max() < 1e-6  # single precision


def solved(game: str, start: str, values: dict[str, int]) -> list[Any]:
    """Return keys, values and tie values of a small solution."""
    _, found = solution(game, start=start, **values)
    return [found.keys.tolist(), found.values.tolist(), found.tie_values.tolist()]
