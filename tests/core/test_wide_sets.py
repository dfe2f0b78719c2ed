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


DICE = """
from itertools import combinations_with_replacement, permutations
from typing import NamedTuple

from ludex.core.rules import CHANCE, OVER

VERSION = 1
ACTIONS = 2
ROLLS = tuple(combinations_with_replacement(range(1, 7), 4))
WAYS = tuple(len(set(permutations(roll))) for roll in ROLLS)
SUMS = tuple(map(sum, ROLLS))
if {by_sum}:
    WAYS = tuple(sum(n for n, one in zip(WAYS, SUMS) if one == total) for total in range(4, 25))
    SUMS = tuple(range(4, 25))
OUTCOMES = len(SUMS)


class Dice{by_sum}Rules(NamedTuple):
    goal: int = 14


class Dice{by_sum}(NamedTuple):
    first: int
    second: int
    seat: int
    rolling: int


def initial(rules):
    return Dice{by_sum}(0, 0, 0, 0)


def turn(rules, state):
    if max(state.first, state.second) >= rules.goal:
        return OVER
    return CHANCE if state.rolling else state.seat


def legal(rules, state, seat, action):
    return True


def chance(rules, state, outcome):
    return WAYS[outcome] / 1296.0


def apply(rules, state, move):
    first, second, seat, rolling = state
    if not rolling and move == 1:
        return Dice{by_sum}(first, second, seat, 1)
    gain = SUMS[move] if rolling else 13
    if seat == 0:
        return Dice{by_sum}(first + gain, second, 1, 0)
    return Dice{by_sum}(first, second + gain, 0, 0)


def returns(rules, state, seat):
    return 1.0 if (state.first >= rules.goal) == (seat == 0) else -1.0
"""


@pytest.fixture
def rolls(tmp_path: Path) -> tuple[Game, Game]:
    """Return a game with 126 rolls of four dice, and one with their 21 sums."""
    files = [tmp_path / f"dice{by_sum}.py" for by_sum in (0, 1)]
    for by_sum, file in enumerate(files):
        file.write_text(DICE.format(by_sum=by_sum), encoding="utf-8")
    return ludex.load(files[0]), ludex.load(files[1])


def test_126_rolls_are_worth_what_their_sums_are(rolls: tuple[Game, Game], solutions: Path) -> None:
    many, few = (game.solve(progress=False) for game in rolls)
    assert many.values() == pytest.approx(few.values())
    many_lost, few_lost = (
        ludex.exploitability(game, "random", progress=False).value for game in rolls
    )
    assert many_lost == pytest.approx(few_lost)


@pytest.mark.parametrize(
    "agent", ["expectiminimax:depth=2", "expectiminimax:depth=2,pruning=star1"]
)
def test_searches_weigh_126_rolls(rolls: tuple[Game, Game], agent: str) -> None:
    many, few = (game.agent(agent).choose(game.new_match()) for game in rolls)
    assert many.move == few.move
    assert many.value == pytest.approx(few.value)


def test_tree_search_draws_from_126_rolls(rolls: tuple[Game, Game]) -> None:
    game, _ = rolls
    assert game.agent("mcts:sims=100").choose(game.new_match(seed=1)).move in ("1", "2")


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
    # Two words, but no more actions than the arrays of a solver are narrow for: so it is the one
    # that is compiled for other games.
    _, game = twins(source, tmp_path, apart=50)
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "LUDEX_SOLUTIONS": str(tmp_path / "others")}
    words = [sys.executable, "-c", INTERPRETED, str(game.source), what]
    said = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    assert json.loads(json.dumps(facts(game, what))) == json.loads(said)
