"""Proofs agree with plain minimax, and with what is known."""

import functools
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core.play import states
from ludex.core.rules import (
    OVER,
    Rules,
    State,
    apply,
    initial,
    margin,
    moves,
    position,
    returns,
    turn,
)
from ludex.games import find, rules_class
from ludex.kernel.bits import members
from ludex.solve import evaluator
from ludex.solve.evaluation import Budget
from ludex.solve.evaluator import ProofEvaluator
from ludex.solve.perfect_agent import Exact, prover_for
from ludex.solve.proof.mtdf import NO_NODE_LIMIT, Proof, Unproven, make_prover
from ludex.solve.proof.null_window import VISITED, make_table, row_of, store_bounds
from tests.lines import random_states, replay, variant

ENDS: dict[str, Callable[[Rules, State], float]] = {
    "outcome": lambda rules, state: returns(rules, state, 0),
    "margin": margin,
}
ARENAS: list[dict[str, Any]] = [
    {},
    {"first": "wily", "gamma-after": 0, "heal": 9},
    {"*-mega": 3, "gamma-after": 3, "gamma": 40},
]
# Seat 0, and seat 1 unless it is meek, may end the match for a prize; or pass.
PASSING = """
from typing import NamedTuple
from ludex.core.rules import OVER
ACTIONS = 2
class PassingRules(NamedTuple):
    seats: int = 2
    prize: int = -1
    meek: int = 0
class Passing(NamedTuple):
    done: int
    seat: int
def seats(rules):
    return rules.seats
def initial(rules):
    return Passing(0, 0)
def turn(rules, state):
    return OVER if state.done else state.seat
def moves(rules, state, seat):
    return 1 if rules.meek and seat == 1 else 3
def apply(rules, state, move):
    return Passing(move, 1 - state.seat)
def returns(rules, state, seat):
    return float(rules.prize if seat != state.seat else -rules.prize)
"""


def minimax(rules: Rules, objective: str) -> Callable[[State], float]:
    """Return a function that gives a state's worth to seat 0, from its definition."""

    @functools.cache
    def value(state: State) -> float:
        mover = turn(rules, state)
        if mover == OVER:
            return ENDS[objective](rules, state)
        after = [
            value(apply(rules, state, action)) for action in members(moves(rules, state, mover))
        ]
        return min(after) if mover else max(after)

    return value


def late_states(rules: Rules, robots: int) -> list[State]:
    """Return the first states of some random lines of the arena in which so few robots live."""

    def living(state: State) -> int:
        lives = position(rules, state).split()[:2]
        return sum(life != "0" for side in lives for life in side.split(","))

    found = []
    for seed in range(12):
        line = random_states(rules, seed)
        found += [next(state for state in line if living(state) <= robots)]
    return found


def prove(
    rules: Rules,
    state: State,
    objective: str = "outcome",
    mebibytes: int = 512,
    tell: Callable[[str, int, int], None] = lambda what, nodes, total: None,
) -> Proof:
    """Return the proof of a position, by an evaluator that knows nothing yet."""
    return ProofEvaluator(rules, state, Budget(table=mebibytes), objective, tell).prove(state)


def assert_best(rules: Rules, state: State, objective: str, found: Proof) -> None:
    """Compare all of a proof with plain minimax."""
    value = minimax(rules, objective)
    mover = turn(rules, state)
    actions = [] if mover == OVER else members(moves(rules, state, mover))
    assert found.value == value(state)
    assert found.values == {action: value(apply(rules, state, action)) for action in actions}
    for passed in states(rules, state, list(found.line)):
        assert value(passed) == found.value
    assert turn(rules, passed) == OVER


@pytest.mark.unmeasured
@pytest.mark.parametrize("objective", ENDS)
@pytest.mark.parametrize("texts", ARENAS)
def test_a_proof_is_what_minimax_finds(texts: dict[str, Any], objective: str) -> None:
    rules = variant("arena", **texts)
    for state in late_states(rules, 8):
        assert_best(rules, state, objective, prove(rules, state, objective, 1))


@pytest.mark.unmeasured
def test_a_tiny_table_gives_the_same_values() -> None:
    rules = variant("arena")
    for state in late_states(rules, 6):
        assert_best(rules, state, "margin", prove(rules, state, "margin", 0))


def test_a_player_goes_on_from_what_another_has_proven() -> None:
    rules = variant("arena")
    state = late_states(rules, 8)[0]
    seat = turn(rules, state)
    first = Exact().consider(rules, state, seat, np.random.default_rng(1))
    nodes = prover_for(rules).prover.work[VISITED]
    again = Exact().consider(rules, state, seat, np.random.default_rng(1))
    assert again == first and first.value == (1 - 2 * seat) * minimax(rules, "outcome")(state)
    assert prover_for(rules).prover.work[VISITED] - nodes < nodes / 2


@pytest.mark.plain
def test_the_table_tells_states_apart_that_differ_in_one_field() -> None:
    state = initial(variant("arena"))
    table = make_table(state, 0)
    store_bounds(state, -1.0, 1.0, 1, table)
    assert row_of(state, table) >= 0
    for field, number in state._asdict().items():
        assert row_of(state._replace(**{field: number + 1}), table) == -1


@pytest.mark.plain
def test_the_table_forgets_the_cheaper_of_two_states() -> None:
    first = initial(variant("nuts"))
    dear, cheap, last = (first._replace(left=left) for left in (7, 8, 9))
    table = make_table(first, 0)
    for state, cost in ((dear, 9), (cheap, 2), (last, 1)):
        store_bounds(state, -1.0, 1.0, cost, table)
    assert [row_of(state, table) >= 0 for state in (dear, cheap, last)] == [True, False, True]


@pytest.mark.compiled
def test_the_margin_has_the_sign_of_the_outcome() -> None:
    rules = variant("arena", gamma=50)
    signs = set()
    for state in late_states(rules, 9):
        outcome = prove(rules, state, "outcome", 1)
        finer = prove(rules, state, "margin", 1)
        assert outcome.values == {
            action: 1.0 if worth > 0 else -1.0 for action, worth in finer.values.items()
        }
        signs.add(outcome.value)
    assert signs == {-1.0, 1.0}


def test_a_finished_match_is_worth_its_end() -> None:
    rules = variant("arena")
    *_, state = random_states(rules, 0)
    found = prove(rules, state, "margin", 1)
    assert found[:3] == (margin(rules, state), {}, ())


def test_the_margin_is_the_life_of_the_winner() -> None:
    rules = variant("arena", spark=127, gamma=200)
    state = initial(rules)
    assert margin(rules, state._replace(light=0, mega=0)) == -(8 * 30 + 200)
    assert margin(rules, state._replace(wily=0, gamma=0)) == 127 + 7 * 30 + 30
    # A game that knows no margin of its own is won by one.
    nuts = variant("nuts")
    assert margin(nuts, replay(nuts, *["take 3"] * 7)) == -1


@pytest.mark.plain
def test_one_nut_more_than_a_multiple_of_four_is_lost() -> None:
    for nuts in range(10, 41):
        rules = variant("nuts", nuts=nuts)
        found = prove(rules, initial(rules), mebibytes=1)
        assert found.value == (-1.0 if nuts % 4 == 1 else 1.0)
        assert [found.values[take - 1] for take in (1, 2, 3)] == [
            1.0 if (nuts - take) % 4 == 1 else -1.0 for take in (1, 2, 3)
        ]


@pytest.mark.plain
def test_tictactoe_is_a_draw() -> None:
    rules = variant("examples/tictactoe.py")
    found = prove(rules, initial(rules), mebibytes=1)
    assert found.value == 0.0
    assert found.values == dict.fromkeys(range(9), 0.0)
    assert len(found.line) == 9
    # A corner is answered in the middle, or lost.
    answers = prove(rules, replay(rules, "cell 1"), mebibytes=1).values
    assert [action for action, worth in answers.items() if worth == 0.0] == [4]


@pytest.mark.compiled
def test_the_arena_is_won_by_wily() -> None:
    rules = variant("arena")
    found = prove(rules, initial(rules))
    assert found.value == -1.0
    assert found.values == dict.fromkeys(range(9), -1.0)
    *_, last = states(rules, initial(rules), list(found.line))
    assert (turn(rules, last), returns(rules, last, 0)) == (OVER, -1.0)


@pytest.mark.compiled
def test_the_arena_is_won_by_wily_with_fifteen_lives_left() -> None:
    rules = variant("arena")
    found = prove(rules, initial(rules), "margin")
    assert list(found.values.values()) == [-59, -27, -75, -85, -77, -39, -15, -77, -89]
    *_, last = states(rules, initial(rules), list(found.line))
    assert (turn(rules, last), margin(rules, last), found.value) == (OVER, -15, -15.0)


def test_a_proof_gives_up_at_the_same_node_and_goes_on_when_it_may() -> None:
    rules = variant("arena")
    state = late_states(rules, 8)[0]
    prover = make_prover(rules, state, "margin", 1)
    prover.limit(20)
    with pytest.raises(Unproven, match="no proof with 20 nodes"):
        prover.value(state, 0.0)
    assert prover.work[VISITED] == 21
    prover.limit(NO_NODE_LIMIT)
    assert prover.value(state, 0.0) == minimax(rules, "margin")(state)


def test_a_proof_that_is_interrupted_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []

    def tell(what: str, nodes: int, total: int) -> None:
        told.append(nodes)
        if nodes:
            raise KeyboardInterrupt

    monkeypatch.setattr(evaluator, "TICK", 0.01)
    before = set(threading.enumerate())
    rules = variant("arena")
    with pytest.raises(KeyboardInterrupt):
        prove(rules, initial(rules), "margin", 0, tell)  # minutes, without a table
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=10)
        assert not thread.is_alive()
    assert told == sorted(told)


@pytest.mark.plain
def test_lines_without_end_are_refused(tmp_path: Path) -> None:
    complaint = "cannot prove passing: it has lines of more than 256 moves, perhaps without end"
    rules = passing(tmp_path)
    with pytest.raises(ValueError, match=complaint):
        make_prover(rules, initial(rules), "outcome", 1).value(initial(rules), 0.0)
    # Here the win is certain, but a line that keeps it need not come nearer to it.
    rules = rules._replace(prize=1, meek=1)
    assert make_prover(rules, initial(rules), "outcome", 1).value(initial(rules), 0.0) == 1.0
    with pytest.raises(ValueError, match=complaint):
        prove(rules, initial(rules), mebibytes=1)


def passing(folder: Path, **values: int) -> Rules:
    """Return the rules of a game in which both may pass for ever."""
    file = folder / "passing.py"
    file.write_text(PASSING)
    return rules_class(find(str(file)))(**values)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("trap", "cannot prove trap: chance has a part in it; only games of 2 seats that take"),
        ("aeroplane", "cannot prove aeroplane: chance has a part in it; only games"),
        ("droids", "cannot prove droids: both seats choose at once; only games"),
    ],
)
def test_games_that_cannot_be_proven_are_refused(game: str, reason: str) -> None:
    rules = variant(game)
    with pytest.raises(ValueError, match=reason):
        prove(rules, initial(rules))


@pytest.mark.plain
def test_three_seats_are_refused(tmp_path: Path) -> None:
    rules = passing(tmp_path, seats=3)
    with pytest.raises(ValueError, match="cannot prove passing: it has 3 seats; only games of 2"):
        prove(rules, initial(rules))


@pytest.mark.plain
def test_an_objective_that_is_not_known_is_refused() -> None:
    rules = variant("nuts")
    with pytest.raises(ValueError, match="cannot prove a margin in nuts: it knows only the outc"):
        prove(rules, initial(rules), "margin")
    with pytest.raises(ValueError, match=r"no objective 'elegance' \(there are outcome, margin\)"):
        prove(rules, initial(rules), "elegance")
