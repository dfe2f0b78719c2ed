"""The shares of a choice: equals have the same, and actions are drawn as their shares say."""

from typing import Any

import pytest

from ludex.agents.registry import AGENTS, make_agent
from ludex.core.choice import draw_action, uniform_over_best
from ludex.core.play import choices, read_state
from tests.lines import luck, variant

pytestmark = pytest.mark.plain


def test_equals_have_the_same_share_in_the_order_of_actions() -> None:
    assert uniform_over_best({4: 0.5, 1: 0.5 + 1e-12, 0: 0.4, 3: 0.5}) == {
        1: 1 / 3,
        3: 1 / 3,
        4: 1 / 3,
    }
    assert list(uniform_over_best({4: 0.5, 1: 0.5})) == [1, 4]


class Fixed:
    """Always draws the same number."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def test_rounding_draws_nothing_that_has_no_share() -> None:
    shares = {0: 0.1, 1: 0.7, 2: 0.2 - 1e-12, 3: 0.0}
    drawing: Any = draw_action
    assert drawing(shares, Fixed(1.0 - 1e-16)) == 2
    assert drawing(shares, Fixed(0.0)) == 0
    assert drawing({0: 0.0, 1: 1.0}, Fixed(0.0)) == 1


@pytest.mark.parametrize(
    "text",
    [
        # Some need a file, or a game that hides something.
        *(name for name in AGENTS if name not in ("hats", "qtable", "cfr", "net", "ismcts")),
        "simultaneous:view=pessimistic,ties=random",
    ],
)
def test_actions_are_drawn_as_often_as_their_shares_say(text: str) -> None:
    rules = variant("nuts", nuts=10)
    state = read_state(rules, "5 1")  # lost, whatever is taken
    agent = make_agent(text, rules)
    assert agent.policy_known == (text != "mcts")
    if agent.policy_known:
        found = [agent.consider(rules, state, 1, luck(seed)) for seed in range(300)]
        assert all(one.mixture == found[0].mixture for one in found)
        assert sum(found[0].mixture.values()) == pytest.approx(1.0)
        assert set(found[0].mixture) <= set(choices(rules, state, 1))
        for action in range(3):
            often = sum(one.action == action for one in found) / len(found)
            assert often == pytest.approx(found[0].mixture.get(action, 0.0), abs=0.11)


def test_under_a_clock_no_policy_is_known() -> None:
    rules = variant("nuts")
    for text in ("alphabeta:seconds=1", "simultaneous:seconds=1", "mcts:sims=5"):
        assert not make_agent(text, rules).policy_known
