"""Choosing among equals where both choose at once."""

import numpy as np
import pytest

from ludex.core.rules import Rules, initial
from ludex.search.simultaneous import TIES, VIEWS
from tests.duels import agent, considered, decisions, duel_in

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return duel_in(tmp_path_factory.mktemp("games"))


EQUALS = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.0]])


@pytest.mark.unmeasured
@pytest.mark.parametrize("view", ["pessimistic", "mixed"])
@pytest.mark.parametrize(
    ("ties", "chosen"), [("first", {0}), ("last", {2}), ("hopeful", {1}), ("random", {0, 1, 2})]
)
def test_ties_are_broken_as_the_rule_says(
    view: str, ties: str, chosen: set[int], duel: Rules
) -> None:
    one = agent(view=view, ties=ties)
    rng = np.random.default_rng(2)
    found = [one.choose(duel, initial(duel), 0, EQUALS, rng) for _ in range(40)]
    assert {choice.action for choice in found} == chosen
    assert {choice.value for choice in found} == {0.0}


@pytest.mark.parametrize("view", ["pessimistic", "mixed"])
def test_equally_hopeful_actions_are_as_likely(view: str, duel: Rules) -> None:
    # The last row is as good but less hopeful, the first two differ by a rounding.
    matrix = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0 + 1e-9], [0.0, 0.5, 0.0]])
    rng = np.random.default_rng(0)
    found = [
        agent(view=view, ties="hopeful").choose(duel, initial(duel), 0, matrix, rng)
        for _ in range(40)
    ]
    assert {choice.action for choice in found} == {0, 1}
    assert all(choice.mixture == {0: 0.5, 1: 0.5} for choice in found)


@pytest.mark.unmeasured
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("ties", TIES)
def test_the_mixture_does_not_depend_on_luck(view: str, ties: str, duel: Rules) -> None:
    one = agent(view=view, ties=ties, depth=2)
    for state, seat in decisions(duel, 4):
        found = [one.consider(duel, state, seat, np.random.default_rng(seed)) for seed in range(4)]
        assert all(choice.mixture == found[0].mixture for choice in found)
        assert sum(found[0].mixture.values()) == pytest.approx(1.0)
        assert all(choice.mixture[choice.action] > 0.0 for choice in found)


def test_no_tie_rule_prefers_what_is_worse(duel: Rules) -> None:
    matrix = np.array([[0.1, 0.1], [0.0, 0.9], [-0.2, 1.0]])
    for view in ("pessimistic", "mixed"):
        for ties in ("first", "last", "hopeful", "random"):
            found = agent(view=view, ties=ties).choose(
                duel, initial(duel), 0, matrix, np.random.default_rng(0)
            )
            assert found.action == 0
            assert found.value == 0.1


def test_hope_prefers_the_better_of_two_best_mixtures(duel: Rules) -> None:
    # Rows 0 and 1 mixed are worth 0, and so is row 2, which gains from a careless third answer.
    matrix = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    rng = np.random.default_rng(0)
    found = agent(ties="hopeful").choose(duel, initial(duel), 0, matrix, rng)
    assert found.mixture == {2: 1.0}
    mixed = agent(ties="first").choose(duel, initial(duel), 0, matrix, rng)
    assert mixed.mixture == pytest.approx({0: 0.5, 1: 0.5})


@pytest.mark.parametrize("view", VIEWS)
def test_the_same_seed_gives_the_same_action(view: str, duel: Rules) -> None:
    state = initial(duel)
    one = agent(view=view, depth=2, ties="random")
    for seed in range(20):
        again = one.consider(duel, state, 0, np.random.default_rng(seed))
        assert again == considered(duel, state, 0, seed, view=view, depth=2, ties="random")


@pytest.mark.unmeasured
def test_actions_are_drawn_as_often_as_the_mixture_says(duel: Rules) -> None:
    matrix = np.array([[0.0, -2.0, 1.0], [2.0, 0.0, -2.0], [-1.0, 2.0, 0.0]])
    rng = np.random.default_rng(0)
    found = [agent().choose(duel, initial(duel), 0, matrix, rng) for _ in range(2000)]
    counts = np.bincount([choice.action for choice in found]) / len(found)
    # Four standard errors.
    assert counts == pytest.approx([found[0].mixture[action] for action in range(3)], abs=0.045)
