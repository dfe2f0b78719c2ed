"""States with tuples: everything is as with the same board in the bits of ints."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludex
from ludex import Game
from ludex.conformance import check
from ludex.core.observation import observation_of
from ludex.core.play import legal_moves
from ludex.core.rules import apply, initial
from ludex.games import find, rules_class
from ludex.kernel.tuples import flatten
from ludex.library.exploitability import StateBatch, shares
from ludex.solve.evaluation import Budget
from ludex.solve.evaluator import ProofEvaluator
from ludex.solve.states.state_space import list_states
from ludex.solve.states.successors import NO_FOLDING
from ludex.web.state.tasks import PositionQuery
from tests.boards import TUPLE, both_boards, tuple_board
from tests.spread import chosen, facts

pytestmark = pytest.mark.plain

AGENTS = [
    "alphabeta:depth=4",
    "minimax:depth=3",
    "expectimax:depth=3",
    "maxn:depth=2",
    "expectiminimax:depth=3",
    "mcts:sims=100",
    "greedy",
    "random",
]


@pytest.fixture
def boards(tmp_path: Path) -> tuple[Game, Game]:
    return both_boards(tmp_path)


def test_lines_of_play_are_as_many(boards: tuple[Game, Game]) -> None:
    bits, cells = boards
    assert cells.count(4) == bits.count(4)


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_choose_the_same(boards: tuple[Game, Game], agent: str) -> None:
    bits, cells = boards
    assert chosen(cells, agent) == chosen(bits, agent)


def later(game: Game) -> str:
    """Return a position with six free cells."""
    match = game.new_match()
    for cell in (1, 2, 4):
        match.push(f"cell {cell}")
    return match.position


def test_exact_values_and_states_are_the_same(boards: tuple[Game, Game], solutions: Path) -> None:
    bits, cells = (game.solve(later(game), progress=False) for game in boards)
    assert cells.facts["states"] == bits.facts["states"]
    assert (cells.value(), cells.values()) == (bits.value(), bits.values())


def test_proofs_are_the_same(boards: tuple[Game, Game]) -> None:
    found = []
    for game in boards:
        state = game.state_at(later(game))
        proof = ProofEvaluator(game.rules, state, Budget.to_solve(None))
        found.append((proof.prove(state).nodes, proof.evaluate(state, 1).values))
    assert found[0] == found[1]


def test_best_responses_are_the_same(boards: tuple[Game, Game]) -> None:
    bits, cells = (ludex.exploitability(game, "random", progress=False) for game in boards)
    assert cells.value == bits.value


def test_an_agent_is_asked_about_rows_of_states(boards: tuple[Game, Game]) -> None:
    bits, cells = (
        shares(StateBatch(str(game.source), (), "alphabeta:depth=2", 1, 0, row_of(game)))[1]
        for game in boards
    )
    assert (cells == bits).all()


def row_of(game: Game) -> np.ndarray:
    """Return a later state as a row of ints."""
    return np.array([flatten(game.state_at(later(game)))])


def test_a_learner_learns_the_same(boards: tuple[Game, Game]) -> None:
    bits, cells = (
        ludex.train(game, "qtable", matches=100, seed=1).agent.choose(game.new_match(seed=2))
        for game in boards
    )
    assert (cells.move, cells.values) == (bits.move, bits.values)


def test_the_contract_is_kept(boards: tuple[Game, Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "NEAR_STATES", 50)
    monkeypatch.setattr(check, "ENOUGH_STATES", 100)
    bits, cells = (ludex.check(game, lines=20) for game in boards)
    assert cells.fault == bits.fault == ""
    assert cells.states == bits.states


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("((0,) * 9, 0)", "([0] * 9, 0)", "whose cells is [0, 0, 0, 0, 0, 0, 0, 0, 0], a list;"),
        ("((0,) * 9, 0)", "((0.0,) * 9, 0)", "whose cells has 0.0, a float; it must have only"),
        ("((0,) * 9, 0)", "((), 0)", "its length must be that in the initial state, ()"),
        (
            "replace_at(state.cells, move, state.seat + 1)",
            "(*state.cells, move)",
            "its length must be that in the initial state, (0, 0, 0, 0, 0, 0, 0, 0, 0)",
        ),
    ],
)
def test_a_tuple_that_is_not_as_in_all_states_is_reported(
    tmp_path: Path, old: str, new: str, fault: str
) -> None:
    assert old in TUPLE
    file = tmp_path / "wrong.py"
    file.write_text(TUPLE.replace(old, new), encoding="utf-8")
    assert fault in check.check_game(rules_class(find(str(file)))(), lines=5).fault


def test_a_position_is_written_with_commas_and_read_back(tmp_path: Path) -> None:
    match = tuple_board(tmp_path).new_match()
    match.push("cell 3")
    assert match.position == "0,0,1,0,0,0,0,0,0 1"
    assert tuple_board(tmp_path).new_match(position=match.position).state == match.state


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0,0,1 1", "cells '0,0,1': expected 9 numbers with commas between"),
        ("0,0,x,0,0,0,0,0,0 1", "cells 'x': expected a whole number"),
    ],
)
def test_an_unreadable_tuple_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        tuple_board(tmp_path).new_match(position=text)


def test_an_observation_has_every_int(tmp_path: Path) -> None:
    match = tuple_board(tmp_path).new_match()
    match.push("cell 3")
    assert observation_of(match.rules, match.state, 0).tolist() == [[[0, 0, 1, *[0] * 6, 1]]]


def test_a_state_travels_to_another_process(tmp_path: Path) -> None:
    game = tuple_board(tmp_path)
    match = game.new_match()
    match.push("cell 3")
    query = PositionQuery.of(game.source, match.rules, match.state)
    assert query.numbers == (0, 0, 1, 0, 0, 0, 0, 0, 0, 1)
    assert query.decode() == (match.rules, match.state)


def test_a_batch_plays_by_the_same_rules(boards: tuple[Game, Game]) -> None:
    pytest.importorskip("gymnasium")
    from ludex.adapters.vector import BatchEnv

    rewards = []
    for game in boards:
        batch = BatchEnv(str(game.source), num_envs=3)
        batch.reset(seed=1)
        actions = np.random.default_rng(1)
        rewards.append([batch.step(actions.integers(0, 9, 3))[1].tolist() for _ in range(20)])
    assert rewards[0] == rewards[1]
    assert batch.batch.states.shape == (3, 10)


INTERPRETED = """
import json, sys, ludex
from tests.spread import facts
print(json.dumps(facts(ludex.load(sys.argv[1]), sys.argv[2])))
"""


@pytest.mark.compiled
@pytest.mark.parametrize("what", ["alphabeta:depth=4", "mcts:sims=100"])
def test_compiled_and_interpreted_agree_on_tuples(
    what: str, tmp_path: Path, solutions: Path
) -> None:
    game = tuple_board(tmp_path)
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "LUDEX_SOLUTIONS": str(tmp_path / "others")}
    words = [sys.executable, "-c", INTERPRETED, str(game.source), what]
    said = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    assert json.loads(json.dumps(facts(game, what))) == json.loads(said)


@pytest.mark.compiled
def test_compiled_and_interpreted_list_the_same_tuples(tmp_path: Path) -> None:
    """After it is listed, a game is solved by numbers, which have no tuples."""
    rules = tuple_board(tmp_path).rules
    listing = list_states(rules, initial(rules), NO_FOLDING, 10_000)
    waiting = found = {initial(rules)}
    while waiting:
        waiting = {apply(rules, one, move) for one in waiting for move in legal_moves(rules, one)}
        found = found | waiting
    assert {listing.state(number) for number in range(len(listing.keys))} == found


@pytest.mark.compiled
def test_a_compiled_learner_and_the_check_take_tuples(tmp_path: Path) -> None:
    game = tuple_board(tmp_path)
    assert ludex.check(game, lines=50).fault == ""
    assert ludex.train(game, "qtable", matches=50, seed=1).agent.choose(game.new_match()).move
