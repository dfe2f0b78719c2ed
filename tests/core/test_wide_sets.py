"""Games with more than 63 actions or outcomes: everything is as with few, compiled and not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ludex
from ludex import Game
from ludex.core.rules import pair, part
from tests.spread import DUEL, RACE, chosen, facts, twins

pytestmark = pytest.mark.plain

SEARCHES = [
    "alphabeta:depth=4",
    "minimax:depth=3",
    "expectimax:depth=3",
    "maxn:depth=3",
    "expectiminimax:depth=4,pruning=star1",
    "mcts:sims=200",
    "greedy",
    "random",
]


@pytest.fixture
def race(tmp_path: Path) -> tuple[Game, Game]:
    return twins(RACE, tmp_path)


@pytest.fixture
def duel(tmp_path: Path) -> tuple[Game, Game]:
    return twins(DUEL, tmp_path)


@pytest.mark.parametrize("agent", SEARCHES)
def test_agents_choose_the_same_among_few_and_many(race: tuple[Game, Game], agent: str) -> None:
    few, many = (chosen(game, agent) for game in race)
    assert few == many


@pytest.mark.parametrize(
    "agent", ["mcts:sims=200", "simultaneous:depth=2", "simultaneous:depth=2,view=mixed"]
)
def test_agents_choose_the_same_at_once(duel: tuple[Game, Game], agent: str) -> None:
    few, many = (chosen(game, agent) for game in duel)
    assert few == many


@pytest.mark.parametrize("source", [RACE, DUEL])
def test_exact_values_are_the_same(source: str, tmp_path: Path, solutions: Path) -> None:
    few, many = (facts(game, "exact") for game in twins(source, tmp_path))
    assert few == many


@pytest.mark.parametrize("source", [RACE, DUEL])
def test_best_responses_are_the_same(source: str, tmp_path: Path) -> None:
    few, many = (ludex.exploitability(game, "random") for game in twins(source, tmp_path))
    assert few.value == many.value


@pytest.mark.parametrize("learner", ["qtable", "hats"])
def test_learners_learn_the_same(race: tuple[Game, Game], learner: str) -> None:
    few, many = (ludex.train(game, learner, matches=200, seed=1) for game in race)
    assert chosen_by(few, race[0]) == chosen_by(many, race[1])


def chosen_by(training: ludex.TrainingResult, game: Game) -> object:
    choices = [training.agent.choose(game.new_match(seed=seed)) for seed in range(10)]
    return [(one.move, one.values) for one in choices]


@pytest.mark.parametrize("source", [RACE, DUEL])
def test_a_game_with_many_numbers_keeps_the_contract(source: str, tmp_path: Path) -> None:
    few, many = twins(source, tmp_path)
    assert many.count(4) == few.count(4)
    assert ludex.check(many, lines=20).fault == ""


def test_a_set_of_the_wrong_kind_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    source = DUEL.format(step=70).replace("Duel70", "Wrong70")
    file.write_text(source.replace("no_moves(rules)", "0"), encoding="utf-8")
    fault = ludex.check(ludex.load(file), lines=5).fault
    assert "a set of this game is like (0, 0, 0)" in fault


CROWD = '''
"""Odds and evens: one of two against one of many numbers, both at once."""

from typing import NamedTuple

from ludex.core.rules import BOTH, OVER, part

VERSION = 1
ACTIONS = 130
AT_ONCE = True


class CrowdRules(NamedTuple):
    pass


class Crowd(NamedTuple):
    result: int


def initial(rules):
    return Crowd(0)


def turn(rules, state):
    return OVER if state.result else BOTH


def legal(rules, state, seat, action):
    return action < (2 if seat == 0 else ACTIONS)


def apply(rules, state, move):
    return Crowd(1 if part(move, 0) == part(move, 1) % 2 else -1)


def returns(rules, state, seat):
    return float(state.result if seat == 0 else -state.result)
'''


def test_a_choice_of_many_at_once_is_solved(tmp_path: Path, solutions: Path) -> None:
    file = tmp_path / "crowd.py"
    file.write_text(CROWD, encoding="utf-8")
    assert ludex.load(file).solve(progress=False).value() == pytest.approx(0.0)


def test_othello_has_its_known_counts() -> None:
    pytest.importorskip("pyspiel")
    assert ludex.load("openspiel:othello").count(5) == [4, 12, 56, 244, 1396]


@pytest.mark.parametrize(
    "first, second", [(0, 0), (5, 3), (63, 63), (64, 1), (1023, 1023), (7, 900)]
)
def test_a_pair_has_both_actions(first: int, second: int) -> None:
    move = pair(first, second)
    assert (part(move, 0), part(move, 1)) == (first, second)


def test_pairs_of_small_games_are_as_in_old_records() -> None:
    assert pair(4, 2) == 4 * 64 + 2


INTERPRETED = """
import json, sys, ludex
from tests.spread import facts
print(json.dumps(facts(ludex.load(sys.argv[1]), sys.argv[2])))
"""


@pytest.mark.compiled
@pytest.mark.parametrize(
    "source, what", [(RACE, "alphabeta:depth=4"), (DUEL, "mcts:sims=200"), (DUEL, "exact")]
)
def test_compiled_and_interpreted_agree_on_many(
    source: str, what: str, tmp_path: Path, solutions: Path
) -> None:
    _, game = twins(source, tmp_path)
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "LUDEX_SOLUTIONS": str(tmp_path / "others")}
    words = [sys.executable, "-c", INTERPRETED, str(game.source), what]
    said = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    assert json.loads(json.dumps(facts(game, what))) == json.loads(said)
