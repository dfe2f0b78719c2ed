"""Warm-ups compile what agents need, and cost neither time nor anybody's memory."""

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import ADOPTED, Random, adopt, make_agent
from ludex.core.choice import Choice
from ludex.core.rules import initial
from ludex.match import warm_up as warm_up_module
from ludex.match.warm_up import warm_up, warm_up_at
from tests.lines import variant

pytestmark = pytest.mark.plain


class Counting:
    """Counts how often it is asked, all copies together."""

    policy_known = False
    asked = 0

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        Counting.asked += 1
        return Choice(0)


@pytest.fixture(autouse=True)
def nothing_is_warm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(warm_up_module, "warm", set())
    Counting.asked = 0
    yield


@pytest.mark.parametrize(
    "text", ["alphabeta:seconds=3000", "mcts:seconds=3000", "minimax:depth=99"]
)
def test_warming_up_takes_no_time_and_leaves_the_agent_alone(text: str) -> None:
    rules = variant("nuts", nuts=100)
    agent = make_agent(text, rules)
    before = copy.deepcopy(agent)
    warm_up_at(rules, initial(rules), 0, agent)
    warm_up(rules, [agent, Random()])
    assert repr(agent) == repr(before)


def test_every_seat_decides_once_in_a_process() -> None:
    rules = variant("nuts", nuts=10, most=1)
    for _ in range(2):
        warm_up(rules, [Counting(), Counting()], once="both")
    assert Counting.asked == 10
    warm_up(variant("examples/pig.py", goal=2), [Counting(), Counting()], once="both")
    assert Counting.asked > 10, "another game"


def test_an_object_of_the_user_is_not_asked_in_vain() -> None:
    rules = variant("nuts")
    agent = Counting()
    text = adopt("mine", agent)
    try:
        warm_up(rules, [agent, Random()])
    finally:
        del ADOPTED[text]
    assert Counting.asked == 0
