"""Games with more than 63 actions or outcomes: everything is as with few, compiled and not."""

from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex import Game
from ludex.core.rules import pair, part
from tests.spread import DUEL, RACE, twins

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


def mostly_plain(compiled: object, *plain: object) -> list[Any]:
    """Return parameters of which the first is compiled, too: compiling takes seconds for each."""
    return [compiled, *(pytest.param(one, marks=pytest.mark.plain) for one in plain)]


@pytest.fixture
def race(tmp_path: Path) -> tuple[Game, Game]:
    return twins(RACE, tmp_path)


@pytest.fixture
def duel(tmp_path: Path) -> tuple[Game, Game]:
    return twins(DUEL, tmp_path)


def chosen(game: Game, agent: str) -> tuple[object, ...]:
    """Return what an agent says of three positions of a match."""
    match, player = game.new_match(seed=2), game.agent(agent)
    said: list[object] = []
    while not match.over and len(said) < 6:
        choices = [player.choose(match, seat=seat) for seat in match.choosers]
        said += [(one.move, one.value, one.values) for one in choices]
        moves = [one.move for one in choices]
        match.push((moves[0], moves[1]) if len(moves) > 1 else moves[0])
    return (*said, match.labels)


@pytest.mark.parametrize("agent", mostly_plain(*SEARCHES))
def test_agents_choose_the_same_among_few_and_many(race: tuple[Game, Game], agent: str) -> None:
    few, many = (chosen(game, agent) for game in race)
    assert few == many


@pytest.mark.parametrize(
    "agent",
    mostly_plain("mcts:sims=200", "simultaneous:depth=2", "simultaneous:depth=2,view=mixed"),
)
def test_agents_choose_the_same_at_once(duel: tuple[Game, Game], agent: str) -> None:
    few, many = (chosen(game, agent) for game in duel)
    assert few == many


@pytest.mark.parametrize("source", mostly_plain(RACE, DUEL))
def test_exact_values_are_the_same(source: str, tmp_path: Path, solutions: Path) -> None:
    few, many = (game.solve() for game in twins(source, tmp_path))
    assert few.values() == many.values()
    assert few.best_moves() == many.best_moves()


@pytest.mark.plain
@pytest.mark.parametrize("source", [RACE, DUEL])
def test_best_responses_are_the_same(source: str, tmp_path: Path) -> None:
    few, many = (ludex.exploitability(game, "random") for game in twins(source, tmp_path))
    assert few.value == many.value


@pytest.mark.parametrize("learner", mostly_plain("qtable", "hats"))
def test_learners_learn_the_same(race: tuple[Game, Game], learner: str) -> None:
    few, many = (ludex.train(game, learner, matches=200, seed=1) for game in race)
    assert chosen_by(few, race[0]) == chosen_by(many, race[1])


def chosen_by(training: ludex.TrainingResult, game: Game) -> object:
    choices = [training.agent.choose(game.new_match(seed=seed)) for seed in range(10)]
    return [(one.move, one.values) for one in choices]


@pytest.mark.parametrize("source", mostly_plain(DUEL, RACE))
def test_a_game_with_many_numbers_keeps_the_contract(source: str, tmp_path: Path) -> None:
    few, many = twins(source, tmp_path)
    assert many.count(4) == few.count(4)
    assert ludex.check(many, lines=20).fault == ""


@pytest.mark.plain
def test_a_set_of_the_wrong_kind_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    source = DUEL.format(step=70).replace("Duel70", "Wrong70")
    file.write_text(source.replace("no_moves(rules)", "0"), encoding="utf-8")
    fault = ludex.check(ludex.load(file), lines=5).fault
    assert "a set of this game is like (0, 0, 0)" in fault


@pytest.mark.plain
def test_othello_has_its_known_counts() -> None:
    pytest.importorskip("pyspiel")
    assert ludex.load("openspiel:othello").count(5) == [4, 12, 56, 244, 1396]


@pytest.mark.plain
@pytest.mark.parametrize(
    "first, second", [(0, 0), (5, 3), (63, 63), (64, 1), (1023, 1023), (7, 900)]
)
def test_a_pair_has_both_actions(first: int, second: int) -> None:
    move = pair(first, second)
    assert (part(move, 0), part(move, 1)) == (first, second)


@pytest.mark.plain
def test_pairs_of_small_games_are_as_in_old_records() -> None:
    assert pair(4, 2) == 4 * 64 + 2
