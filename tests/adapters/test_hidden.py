"""Games with hidden information in other frameworks: each seat observes what it sees."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import ludex.adapters.gym  # noqa: F401
from ludex.adapters.vector import BatchEnv
from ludex.adapters.zoo import env, parallel_env
from ludex.core.observation import observation_of
from ludex.core.play import read_state
from ludex.games import game_rules

pytestmark = pytest.mark.plain

KUHN, GOOFSPIEL = "examples/kuhn.py", "examples/goofspiel.py"
# A game whose view forgets that something is hidden.
CARELESS = (
    Path(KUHN).read_text()
    + """

def view_shape(rules):
    return 1, 1, 2


def view(rules, state, seat, planes):
    planes[0, 0, 0], planes[0, 0, 1] = state.first / 4, state.second / 4
"""
)


@pytest.fixture
def careless(tmp_path: Path) -> str:
    path = tmp_path / "careless.py"
    path.write_text(CARELESS)
    return str(path)


def test_even_a_careless_view_shows_what_the_seat_sees(careless: str) -> None:
    rules = game_rules(careless)
    views = [observation_of(rules, read_state(rules, "K J -"), seat) for seat in (0, 1)]
    assert [one.ravel().tolist() for one in views] == [[0.75, 1.0], [1.0, 0.25]]
    ended = observation_of(rules, read_state(rules, "K J pp"), 0)
    assert ended.ravel().tolist() == [0.75, 0.25]


def test_a_solo_environment_shows_and_draws_the_own_card(careless: str) -> None:
    solo: Any = gymnasium.make(
        "ludex/Game-v1", game=careless, render_mode="ansi", disable_env_checker=True
    )
    seen, info = solo.reset(seed=1)
    card = "-JQK?"[round(4 * float(seen[0, 0, 0]))]
    assert float(seen[0, 0, 1]) == 1.0 and set(info) == {"action_mask", "seat", "illegal"}
    assert f"Player 1 {card}" in solo.render() and "Player 2 ?" in solo.render()
    assert solo.unwrapped.match.position.startswith(f"{card} ")
    solo.close()


def test_a_batch_shows_the_own_cards(careless: str) -> None:
    batch = BatchEnv(careless, 8, seat=1)
    seen, _ = batch.reset(seed=1)
    assert set(seen[:, 0, 0, 0]) == {1.0}
    assert set(seen[:, 0, 0, 1]) <= {0.25, 0.5, 0.75}


def test_agents_observe_their_own_cards_and_the_picture_shows_none(careless: str) -> None:
    room = env(careless, render_mode="ansi")
    room.reset(seed=1)
    first, second = (room.observe(agent)["observation"].ravel() for agent in room.possible_agents)
    assert (first[1], second[0]) == (1.0, 1.0) and first[0] != second[1]
    assert room.state().ravel().tolist() == [*first, *second]
    assert "Player 1 ?" in room.render() and "Player 2 ?" in room.render()


def test_bids_at_once_stay_hidden_afterwards() -> None:
    def after(*bids: int) -> np.ndarray:
        battle = parallel_env(GOOFSPIEL)
        battle.reset(seed=1)
        seen, *_ = battle.step({"seat_0": bids[0], "seat_1": bids[1]})
        return np.array(seen["seat_0"]["observation"])

    assert np.array_equal(after(0, 1), after(0, 3))
    assert not np.array_equal(after(0, 1), after(1, 3))
