"""Our games as PettingZoo environments."""

import functools

import pytest

from ludex.games import GAMES

pytest.importorskip(
    "pettingzoo", reason="pettingzoo is not installed: pip install ludex[pettingzoo]"
)

import gymnasium
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from ludex.adapters.zoo import env, parallel_env

pytestmark = pytest.mark.plain

# It warns of every environment whose observations are dictionaries, as those with a mask are, and
# of a table without nuts.
ITS_OWN = (
    "ignore:Observation numpy array is all zeros",
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
)
unmoved = pytest.mark.filterwarnings(*ITS_OWN)


@unmoved
@pytest.mark.parametrize("game", GAMES)
def test_every_game_passes_the_test_of_the_interface(game: str) -> None:
    api_test(env(game), num_cycles=10)


@unmoved
def test_four_seats_pass_it_too() -> None:
    api_test(env("aeroplane", rules={"seats": 4, "planes": 1}), num_cycles=40)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_passes_the_test_of_seeds(game: str) -> None:
    seed_test(functools.partial(env, game), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_passes_the_test_of_rendering(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    is_svg = {"svg": lambda drawn: drawn.startswith("<svg") and drawn.endswith("</svg>\n")}
    render_test(functools.partial(env, game), is_svg)
    assert capsys.readouterr().out


def test_what_is_played_at_once_passes_the_parallel_tests() -> None:
    parallel_api_test(parallel_env("droids"), num_cycles=60)
    parallel_seed_test(functools.partial(parallel_env, "droids"), num_cycles=20)


def test_what_is_played_in_turns_is_not_parallel() -> None:
    with pytest.raises(ValueError, match="in nuts the seats take turns"):
        parallel_env("nuts")


def test_rewards_are_the_returns_at_the_end() -> None:
    room = env("nuts", rules={"nuts": 10, "most": 9})
    room.reset(seed=1)
    room.step(8)
    assert not any(room.rewards.values())
    room.step(0)
    assert room.rewards == {"seat_0": 1.0, "seat_1": -1.0} and all(room.terminations.values())


def test_nobody_sees_what_the_other_has_chosen_at_once() -> None:
    room = env("droids")
    room.reset(seed=1)
    before = room.observe("seat_1")["observation"]
    room.step(4)
    assert room.agent_selection == "seat_1"
    assert (room.observe("seat_1")["observation"] == before).all()


def test_what_is_asked_before_the_reset_is_refused() -> None:
    room = env("nuts")
    with pytest.raises(AssertionError, match="reset"):
        room.step(0)
    with pytest.raises(AttributeError, match="before reset"):
        room.last()
    with pytest.raises(gymnasium.error.ResetNeeded):
        parallel_env("droids").step({})


def test_a_parallel_step_wants_all_agents_and_nobody_after_the_end() -> None:
    room = parallel_env("droids", rules={"rounds": 1})
    room.reset(seed=1)
    with pytest.raises(ValueError, match="expected an action of every agent; seat_1 has none"):
        room.step({"seat_0": 4})
    assert all(room.step({"seat_0": 4, "seat_1": 4})[2].values())
    assert room.step({}) == ({}, {}, {}, {}, {})


def test_who_broke_the_rules_is_told() -> None:
    room = env("nuts")
    room.reset(seed=1)
    assert room.infos == {"seat_0": {"illegal": False}, "seat_1": {"illegal": False}}
    room.step(8)
    assert room.infos == {"seat_0": {"illegal": True}, "seat_1": {"illegal": False}}


def test_an_unknown_render_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="no render mode 'movie'"):
        env("nuts", render_mode="movie")
