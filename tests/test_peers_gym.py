"""Our games as Gymnasium environments, alone and in batches."""

import warnings
from typing import Any

import numpy as np
import pytest

from ludex.agents import make_agent
from ludex.games import GAMES, find
from ludex.play import choosers
from tests.lines import random_states, variant
from tests.players import choosing, written

pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install ludex[gym]")

import gymnasium
from gymnasium.utils.env_checker import check_env

import ludex.peers.gym
from ludex.peers.ids import register
from ludex.peers.vector import BatchEnv, worth_of

IDS = [f"ludex/{game.capitalize()}-v1" for game in GAMES]


@pytest.mark.parametrize("name", IDS)
def test_every_environment_passes_the_check_without_a_warning(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, opponent="easy").unwrapped)


@pytest.mark.parametrize("game", GAMES)
def test_the_version_of_a_name_is_that_of_the_rules(game: str) -> None:
    assert find(game).VERSION == 1


def test_names_are_entered_once_and_with_one_for_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = gymnasium.envs.registration.registry
    for name in [one for one in registry if one.startswith("ludex/")]:
        monkeypatch.delitem(registry, name)
    register()
    register()
    assert {*IDS, "ludex/Game-v1"} <= set(registry)
    room = gymnasium.make("ludex/Game-v1", game="examples/tictactoe.py")
    assert played(room, 1)[-1] in (-1.0, 0.0, 1.0)


def played(room: Any, seed: int) -> list[float]:
    """Return the rewards of a match with the first legal action, always."""
    _, info = room.reset(seed=seed)
    rewards: list[float] = []
    over = cut = False
    while not (over or cut):
        _, reward, over, cut, info = room.step(int(np.argmax(info["action_mask"])))
        rewards.append(float(reward))
    return rewards


def test_the_opponent_is_any_agent() -> None:
    room = gymnasium.make("ludex/Nuts-v1", opponent="best", rules={"nuts": 10})
    assert all(played(room, seed)[-1] == -1.0 for seed in range(5))


def test_the_other_side_may_be_ours_or_drawn() -> None:
    room = gymnasium.make("ludex/Nuts-v1", seat=None).unwrapped
    assert {room.reset(seed=seed)[1]["seat"] for seed in range(9)} == {0, 1}
    room = gymnasium.make("ludex/Nuts-v1", seat=1)
    observation, _ = room.reset(seed=1)
    assert observation[0].sum() < 21
    with pytest.raises(ValueError, match="no seat 2"):
        gymnasium.make("ludex/Nuts-v1", seat=2)


def test_three_opponents_sit_at_a_table_of_four() -> None:
    rules = {"seats": 4, "planes": 1}
    room = gymnasium.make("ludex/Aeroplane-v1", rules=rules, opponent=["random", "easy", "casual"])
    assert abs(played(room, 1)[-1]) in (1.0, 1 / 3)
    with pytest.raises(ValueError, match="expected 3 opponents, not 1"):
        gymnasium.make("ludex/Aeroplane-v1", rules=rules, opponent=["random"])


def test_an_opponent_that_breaks_the_rules_has_lost(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDEX_UNSAFE", "1")
    path = written(tmp_path, choosing("return 'nonsense'"))
    room = gymnasium.make("ludex/Nuts-v1", opponent=path)
    room.reset(seed=1)
    _, reward, over, _, info = room.step(0)
    room.close()
    assert over and reward == 1.0 and "seat 1" in info["words"]


def test_hints_come_with_the_step_alone_and_in_a_batch() -> None:
    """A shot along the row hits at once; the hint is worth a tenth of a match."""
    rules = {"rows": 1, "columns": 2, "shots": 1, "start1": (0, 0), "start2": (0, 1)}
    for hints in (False, True):
        alone = gymnasium.make("ludex/Droids-v1", rules=rules, hints=hints)
        many = batch("droids", 32, rules=rules, hints=hints)
        many.reset(seed=1)
        wanted = {0.0, 0.1} if hints else {0.0}
        assert {*many.step(np.full(32, 4))[1].tolist()} == wanted
        assert {float((alone.reset(seed=seed), alone.step(4))[1][1]) for seed in range(9)} == wanted


def test_a_step_before_a_reset_is_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        ludex.peers.gym.SoloEnv("nuts").step(0)


# Batches. ----------------------------------------------------------------------------------------


def batch(game: str, many: int = 8, **options: Any) -> BatchEnv:
    name = f"ludex/{game.capitalize()}-v1"
    made = gymnasium.make_vec(name, many, vectorization_mode="vector_entry_point", **options)
    assert isinstance(made.unwrapped, BatchEnv)
    return made.unwrapped


def drawn(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a legal action of every match."""
    actions: np.ndarray = ((1.0 - rng.random(masks.shape)) * masks).argmax(1)
    return actions


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_plays_by_the_rules(game: str) -> None:
    room, rng = batch(game, seat=None), np.random.default_rng(1)
    observations, info = room.reset(seed=1)
    ended = np.zeros(8, bool)
    for _ in range(15):
        assert room.observation_space.contains(observations)
        observations, rewards, over, cut, info = room.step(drawn(info["action_mask"], rng))
        assert not info["illegal"].any()
        assert not (ended & (over | cut)).any() and not rewards[~over].any()
        ended = over | cut


def test_a_batch_answers_as_greedy_does() -> None:
    for name in ("trap", "droids"):
        rules = variant(name, size=4) if name == "trap" else variant(name)
        agent = make_agent("greedy", rules)
        for state in [*random_states(rules, 3, 40)][1:24:4]:
            for seat in choosers(rules, state):
                values = agent.consider(rules, state, seat, np.random.default_rng(1)).values
                for action, value in values.items():
                    assert worth_of(rules, state, seat, action, 0) == pytest.approx(
                        value, abs=1e-12
                    )


def test_a_match_of_a_batch_starts_anew_in_the_step_after_its_end() -> None:
    room = batch("nuts", 1, rules={"nuts": 10, "most": 9}, opponent="greedy")
    room.reset(seed=1)
    many, rewards, over, _, _ = room.step(np.array([8]))
    assert over[0] and rewards[0] == 1.0 and many[0, 0].sum() == 0
    many, rewards, over, _, _ = room.step(np.array([8]))
    assert not over[0] and rewards[0] == 0.0 and many[0, 0].sum() == 10
    mode = gymnasium.vector.AutoresetMode.NEXT_STEP
    assert room.metadata["autoreset_mode"] is mode


def test_an_illegal_action_in_a_batch_loses_that_match_alone() -> None:
    room = batch("nuts", 3)
    room.reset(seed=1)
    _, rewards, over, _, info = room.step(np.array([0, 8, 0]))
    assert rewards.tolist() == [0.0, -1.0, 0.0] and info["illegal"].tolist() == over.tolist()


def test_a_batch_with_a_seed_plays_the_same_again() -> None:
    def line() -> list[bytes]:
        room = batch("trap", 4, rules={"size": 3}, opponent="greedy", seat=None)
        rng = np.random.default_rng(2)
        seen, info = room.reset(seed=3)
        told = [seen.tobytes()]
        for _ in range(6):
            seen, _, _, _, info = room.step(drawn(info["action_mask"], rng))
            told.append(seen.tobytes())
        return told

    assert line() == line()


def test_long_matches_of_a_batch_are_cut_off() -> None:
    room = batch("trap", 2, plies=6, rules={"size": 4})
    _, info = room.reset(seed=1)
    rng, cuts = np.random.default_rng(1), 0
    for _ in range(8):
        _, _, _, cut, info = room.step(drawn(info["action_mask"], rng))
        cuts += int(cut.sum())
    assert cuts >= 2


def test_a_batch_that_is_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="expected no render mode, not 'svg'"):
        batch("nuts", render_mode="svg")


def test_an_agent_that_is_not_compiled_is_refused_in_a_batch() -> None:
    with pytest.raises(ValueError, match="does not answer a whole batch in compiled code"):
        batch("nuts", opponent="mcts:sims=10")
